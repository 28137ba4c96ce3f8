// Recognizes containers (compressed data and archives) by their first bytes (A11).

const OPENED = ["gzip", "zstd", "xz", "bzip2", "compress", "zip", "tar", "unbatch", "ole"] as const;

/** Compressed data, and archives. */
export type Container = OpenedContainer | UnopenedContainer;
/**
 * Containers that are opened. `unbatch` is a compressed news batch, which begins with a line that names a program. `ole` is a compound
 * file; only Outlook messages are opened.
 */
export type OpenedContainer = (typeof OPENED)[number];
/** Containers that are refused with an error, except in attachments. If they were scanned as text, they would seem to have no URLs. */
type UnopenedContainer = "lz4" | "lzip" | "7z" | "rar" | "cab" | "pst" | "sqlite";

/** Bytes of a block of tar, such as a header. `recognizeContainer` needs this many bytes from the start of an input. */
export const TAR_BLOCK = 512;

const MAGIC: readonly { readonly container: Container; readonly bytes: readonly (number | undefined)[] }[] = [
  { container: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { container: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { container: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { container: "zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { container: "zip", bytes: [0x50, 0x4b, 0x05, 0x06] },
  { container: "compress", bytes: [0x1f, 0x9d] },
  { container: "lz4", bytes: [0x04, 0x22, 0x4d, 0x18] },
  { container: "lzip", bytes: [0x4c, 0x5a, 0x49, 0x50, 0x01] },
  { container: "7z", bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { container: "rar", bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { container: "cab", bytes: [0x4d, 0x53, 0x43, 0x46, 0x00, 0x00] },
  { container: "pst", bytes: [0x21, 0x42, 0x44, 0x4e] },
  { container: "ole", bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { container: "sqlite", bytes: [..."SQLite format 3\0"].map((character) => character.charCodeAt(0)) },
];

/** Returns whether a container is opened. */
export function isOpened(container: Container): container is OpenedContainer {
  return OPENED.some((opened) => opened === container);
}

/** Commands of other programs that unpack containers, for error messages. `FILE` is the file if it is not the last argument. */
export const OPENED_BY: Readonly<Record<Container, string>> = {
  gzip: "zcat",
  bzip2: "bzcat",
  xz: "xzcat",
  zstd: "zstdcat",
  zip: "unzip -p",
  tar: "tar -xO",
  compress: "zcat",
  lz4: "lz4cat",
  lzip: "lzip -dc",
  "7z": "7z x -so",
  rar: "unrar p",
  cab: "cabextract -p",
  pst: "readpst",
  unbatch: "tail -n +2 FILE | zcat",
  ole: "msgconvert",
  sqlite: "sqlite3 FILE .dump",
};

const MAGIC_FIRST = new Set(MAGIC.map(({ bytes }) => bytes[0]));

const USTAR = [0x75, 0x73, 0x74, 0x61, 0x72];
const USTAR_AT = 257;

/** First bytes in which a line feed decides nothing: bzip2 is recognized by six. Longer magic numbers have no line feed. */
const MAGIC_BYTES = 6;
const LINE_FEED = 0x0a;

/** Returns whether `start` may be an incomplete start of a container. */
export function mayBeContainer(start: Uint8Array): boolean {
  return start.length < TAR_BLOCK && !beginsWithLine(start);
}

/** Returns whether the first line is text: a tar header has zeros before any line break. */
function beginsWithLine(start: Uint8Array): boolean {
  const lineEnd = start.indexOf(LINE_FEED);
  return lineEnd >= MAGIC_BYTES && !start.subarray(0, lineEnd).includes(0);
}

/** Returns the container that begins with `start`, or undefined. Fewer than TAR_BLOCK bytes must be the whole input. */
export function recognizeContainer(start: Uint8Array): Container | undefined {
  const found = MAGIC_FIRST.has(start[0]) ? MAGIC.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte)) : undefined;
  if (found !== undefined) return found.container;
  if (isBzip2(start)) return "bzip2";
  if (isSkippableFrame(start)) return "zstd";
  if (unbatchLine(start) !== undefined) return "unbatch";
  return isUstar(start) || isTarHeader(start) ? "tar" : undefined;
}

/** Returns whether `start` has the magic of a tar header, and no line of text before it. The checksum of the header may be wrong. */
function isUstar(start: Uint8Array): boolean {
  return start[USTAR_AT] === USTAR[0] && USTAR.every((byte, index) => start[USTAR_AT + index] === byte) && !beginsWithLine(start);
}

/** Most bytes of the first line of a compressed news batch. */
export const UNBATCH_BYTES = 20;
const HASH = 0x23;

/** Returns the program name in the first line of a compressed news batch (`#! cunbatch`), or undefined. */
export function unbatchLine(start: Uint8Array): string | undefined {
  if (start[0] !== HASH) return undefined;
  return /^#! ([a-z0-9]{1,8}unbatch)\r?\n/.exec(String.fromCharCode(...start.subarray(0, UNBATCH_BYTES)))?.[1];
}

/** Returns whether `start` begins a skippable frame of zstd. */
export function isSkippableFrame(start: Uint8Array): boolean {
  const [kind = 0, second, third, fourth] = start;
  return kind >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18;
}

// "BZh" alone may begin a word of text. The level is followed by digits of pi (a block) or of its square root (the end).
function isBzip2(start: Uint8Array): boolean {
  const [b, z, h, level = 0, first, second] = start;
  if (b !== 0x42 || z !== 0x5a || h !== 0x68 || level < 0x31 || level > 0x39) return false;
  return start.length < 6 || (first === 0x31 && second === 0x41) || (first === 0x17 && second === 0x72);
}

/** Octal digits, NUL and space. */
const CHECKSUM_BYTES = new Set([..."01234567\0 "].map((character) => character.charCodeAt(0)));

/** Returns whether a block is a tar header with a right checksum, summed over signed or unsigned bytes. */
export function isTarHeader(block: Uint8Array): boolean {
  if (block.length < TAR_BLOCK) return false;
  // The checksum field. Nearly every text has a letter in these bytes.
  for (let index = 148; index < 156; index++) if (!CHECKSUM_BYTES.has(block[index])) return false;
  const digits = /^[ \0]*([0-7]{1,8})[ \0]*$/.exec(String.fromCharCode(...block.subarray(148, 156)))?.[1];
  if (digits === undefined) return false;
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < TAR_BLOCK; index++) {
    const byte = index >= 148 && index < 156 ? 0x20 : block[index];
    unsigned += byte;
    signed += (byte << 24) >> 24;
  }
  const sum = Number.parseInt(digits, 8);
  return sum === unsigned || sum === signed;
}
