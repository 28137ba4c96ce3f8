// Recognizes containers (compressed data and archives) by their first bytes (A11).
import { hasBytes } from "../../base/arrays.ts";

/** Bytes of a block of tar, such as a header. `recognizeContainer` needs this many bytes from the start of an input. */
export const TAR_BLOCK = 512;

/** The command of another program that unpacks a container (`FILE` is the file if it is not the last argument), and magic numbers. */
type Row = readonly [command: string, ...magic: readonly string[]];

/** Containers that are opened. Of compound files (`ole`) only Outlook messages are. */
const OPENED = {
  gzip: ["zcat", "\x1f\x8b\x08"],
  bzip2: ["bzcat"],
  xz: ["xzcat", "\xfd7zXZ\0"],
  zstd: ["zstdcat", "\x28\xb5\x2f\xfd"],
  zip: ["unzip -p", "PK\x03\x04", "PK\x05\x06"],
  tar: ["tar -xO"],
  compress: ["zcat", "\x1f\x9d"],
  // A compressed news batch, which begins with a line that names a program.
  unbatch: ["tail -n +2 FILE | zcat"],
  ole: ["msgconvert", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
} satisfies Record<string, Row>;

/** Containers that are refused with an error, except in attachments. If they were scanned as text, they would seem to have no URLs. */
const REFUSED = {
  lz4: ["lz4cat", "\x04\x22\x4d\x18"],
  lzip: ["lzip -dc", "LZIP\x01"],
  "7z": ["7z x -so", "7z\xbc\xaf\x27\x1c"],
  rar: ["unrar p", "Rar!\x1a\x07"],
  cab: ["cabextract -p", "MSCF\0\0"],
  pst: ["readpst", "!BDN"],
  sqlite: ["sqlite3 FILE .dump", "SQLite format 3\0"],
  evtx: ["evtx_dump", "ElfFile\0"],
  lnk: ["strings -el", "L\0\0\0\x01\x14\x02\0"],
} satisfies Record<string, Row>;

export type Container = keyof typeof OPENED | keyof typeof REFUSED;
export const CONTAINERS: Readonly<Record<Container, Row>> = { ...OPENED, ...REFUSED };

export function isOpened(container: Container): boolean {
  return container in OPENED;
}

const MAGIC = Object.entries(CONTAINERS).flatMap(([container, [, ...magic]]) =>
  magic.map((text) => ({ container: container as Container, bytes: Uint8Array.from(text, (byte) => byte.charCodeAt(0)) })),
);
const MAGIC_FIRST = new Set(MAGIC.map(({ bytes }) => bytes[0]));

const USTAR = Uint8Array.from("ustar", (byte) => byte.charCodeAt(0));
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
  const found = MAGIC_FIRST.has(start[0]) ? MAGIC.find(({ bytes }) => hasBytes(start, bytes, 0)) : undefined;
  if (found !== undefined) return found.container;
  if (isBzip2(start)) return "bzip2";
  if (isSkippableFrame(start)) return "zstd";
  if (unbatchLine(start) !== undefined) return "unbatch";
  // A header with a magic number may have a wrong checksum.
  const isUstar = hasBytes(start, USTAR, USTAR_AT) && !beginsWithLine(start);
  return isUstar || isTarHeader(start) ? "tar" : undefined;
}

/** Most bytes of the first line of a compressed news batch. */
export const UNBATCH_BYTES = 20;
const HASH = 0x23;

/** Returns the program name in the first line of a compressed news batch (`#! cunbatch`), or undefined. */
export function unbatchLine(start: Uint8Array): string | undefined {
  if (start[0] !== HASH) return undefined;
  return /^#! ([a-z0-9]{1,8}unbatch)\r?\n/.exec(String.fromCharCode(...start.subarray(0, UNBATCH_BYTES)))?.[1];
}

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

/** Returns whether a block is a tar header with a right checksum, summed over signed or unsigned bytes. */
export function isTarHeader(block: Uint8Array): boolean {
  if (block.length < TAR_BLOCK) return false;
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
