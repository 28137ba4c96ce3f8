// Unpacks attachments in zip, gzip or zstd, and PDFs (C178), synchronously: the core waits for their texts.
import { type Inflated, inflate } from "#codings";
import { readU16, readU32 } from "../../base/arrays.ts";
import type { BodyUnpacker, DecodedBody, MemberText } from "../../decoders/coded-bodies.ts";
import { inputFormatOf } from "../input-format.ts";
import { utf8Of } from "../text-type.ts";
import { wholeWords } from "./content-coding.ts";
import { crc32 } from "./crc.ts";
import { isZero } from "./errors.ts";
import { gunzip, NOT_READ } from "./gzip.ts";
import { objectTexts } from "./pdf.ts";
import * as zip from "./zip-headers.ts";
import { decodeZstd } from "./zstd.ts";

const MEMBER_BYTES_MAX = 1 << 25; // Most bytes of one text
const TEXT_BYTES_MAX = 1 << 26; // Most bytes of all texts of an attachment
const RATIO_MAX = 1000; // Most bytes of all texts for each byte of the attachment
const COST_SHARE = 8; // Most decoded bytes for each allowed byte of text
const MEMBERS_MAX = 1 << 16; // Most unpacked texts. Containers in containers count too. Each text has a fixed cost
const DEPTH_MAX = 8;
/** Formats of texts that the core reads by their rules. Other texts are read as plain text, so URLs in them may be missed. */
const READ: readonly string[] = ["text", "html", "xml", "json", "eml", "folded", "ldif"] satisfies MemberText["type"][];

/** Returns an unpacker for an attachment of `bytes` bytes. Attachments of messages in it share its limits. */
export function bodyUnpacker(bytes: number): BodyUnpacker {
  const limits = remainingLimits(bytes);
  return function* (body) {
    const unpacker = new Unpacker(limits);
    let count = 0;
    for (const text of unpacker.read(body, 0)) {
      count++;
      yield text;
    }
    if (count === 0) yield { text: new Uint8Array(0), type: "text" };
    return unpacker.isWhole;
  };
}

function remainingLimits(bytes: number) {
  const text = Math.min(TEXT_BYTES_MAX, RATIO_MAX * bytes);
  return {
    /** Bytes of unpacked text. */
    text,
    /** Bytes of all decoding, also of decoding in vain. */
    cost: COST_SHARE * text,
    /** Texts that may still be unpacked. */
    members: MEMBERS_MAX,
    /** Most bytes of the next text. */
    get most(): number {
      return this.members > 0 ? Math.max(0, Math.min(MEMBER_BYTES_MAX, this.text, this.cost)) : 0;
    },
  };
}

/** A zip archive. `depth` counts it and the containers around it. */
interface Archive {
  readonly bytes: Uint8Array;
  readonly depth: number;
  /** Whether to search for descriptors. False after a failed search, since each search may read the whole archive. */
  mayHaveDescriptors: boolean;
}

/** Unpacks one attachment, and the archives and compressed data in it. */
class Unpacker {
  /** Whether nothing has been left out. */
  isWhole = true;
  readonly #limits: ReturnType<typeof remainingLimits>;

  constructor(limits: ReturnType<typeof remainingLimits>) {
    this.#limits = limits;
  }

  /** Yields the texts in `bytes`, which are nested in `depth` containers. */
  *read(bytes: Uint8Array, depth: number): Generator<MemberText> {
    if (bytes.length === 0) return;
    const format = inputFormatOf("auto", bytes);
    const isOpened = depth < DEPTH_MAX;
    if (isOpened && format === "zip") yield* this.#readZip(bytes, depth + 1);
    else if (isOpened && format === "gzip") yield* this.#readStream(bytes, gunzip, depth + 1);
    else if (isOpened && format === "zstd") yield* this.#readStream(bytes, decodeZstd, depth + 1);
    else if (format === "pdf") yield* this.#readPdf(bytes, depth);
    else if (format.startsWith("utf16")) yield { text: utf8Of(bytes), type: (format.split("-")[1] ?? "text") as MemberText["type"] };
    else if (isRead(format)) yield { text: bytes, type: format };
    else {
      this.isWhole = false;
      yield { text: bytes, type: "text" };
    }
  }

  /** Reads a PDF as its bytes and the texts of its object streams (C321). The core counts the one that is the attachment (C276). */
  *#readPdf(bytes: Uint8Array, depth: number): Generator<MemberText> {
    const limits = this.#limits;
    yield { text: bytes, type: "text" };
    for (const { text, cost } of objectTexts(bytes, () => limits.most)) {
      limits.text -= text.length;
      limits.cost -= cost;
      if (limits.most === 0) break;
      limits.members--;
      yield { text, type: "text" };
    }
    if (depth > 0 || limits.most === 0) this.isWhole = false;
  }

  /** Reads compressed data and the bytes after it. */
  *#readStream(bytes: Uint8Array, decode: typeof gunzip, depth: number): Generator<MemberText> {
    const unpacked = this.#limits.most === 0 ? NOT_READ : decode(bytes, this.#limits.most, true);
    const { isWhole, taken } = unpacked;
    const isRight = isWhole && taken <= bytes.length;
    yield* this.#readMember(unpacked, isRight, depth);
    const rest = bytes.subarray(taken);
    if (isRight && !isZero(rest)) yield* this.read(rest, depth);
  }

  /** Reads the files of an archive by their local headers, and the bytes after its end. */
  *#readZip(bytes: Uint8Array, depth: number): Generator<MemberText> {
    const archive = { bytes, depth, mayHaveDescriptors: true };
    let at = zip.findHeader(bytes, 0);
    while (at !== undefined) {
      const signature = readU32(bytes, at);
      if (signature === zip.DIRECTORY_END) {
        const end = at + zip.DIRECTORY_END_BYTES + readU16(bytes, at + 20);
        // If the comment is longer than the rest, the archive is damaged, and other text may follow.
        const isCut = end > bytes.length;
        if (isCut) this.isWhole = false;
        const rest = bytes.subarray(isCut ? at + 4 : end);
        if (!isZero(rest)) yield* this.read(rest, depth);
        return;
      }
      const next: number = signature === zip.FILE_HEADER ? yield* this.#readFile(archive, at) : at + 4;
      at = zip.findHeader(bytes, next);
    }
    this.isWhole = false;
  }

  /** Reads the file whose header is at `at`. Returns where to search for the next header, which also ends a damaged file. */
  *#readFile(archive: Archive, at: number): Generator<MemberText, number> {
    const { bytes, depth } = archive;
    const file = zip.readFileHeader(bytes.subarray(at, at + zip.headerBytes(bytes.subarray(at))));
    const start = at + file.bytes;
    const isOpen = (file.flags & zip.FLAG_SIZES_AFTER) !== 0;
    const bound = isOpen ? this.#openEnd(archive, file, start) : start + file.packedSize;
    const unpacked = bound <= bytes.length ? this.#unpack(bytes.subarray(start, bound), file) : NOT_READ;
    const { text, isWhole, taken } = unpacked;
    const end = start + (isOpen ? taken : file.packedSize);
    const sizes = isOpen ? zip.readDescriptor(bytes.subarray(end), taken) : file;
    if (isWhole && sizes?.size === text.length && crc32(text) === sizes.sum) {
      yield* this.#readMember(unpacked, true, depth);
      return end;
    }
    const next = zip.findHeader(bytes, start) ?? bytes.length;
    const isEarlier = bound <= next || (isWhole && start + taken <= next);
    if (!isEarlier) this.#limits.cost -= unpacked.cost;
    const cut = isEarlier ? unpacked : this.#unpack(bytes.subarray(start, Math.min(bound, next)), file);
    yield* this.#readMember(cut, false, depth);
    return next;
  }

  #unpack(packed: Uint8Array, { method, flags }: zip.FileHeader): Inflated {
    const isEncrypted = (flags & zip.FLAG_ENCRYPTED) !== 0;
    if (isEncrypted || this.#limits.most === 0) return NOT_READ;
    if (method === zip.STORED) return { text: packed, isWhole: true, cost: packed.length, taken: packed.length };
    return method === zip.DEFLATED ? inflate(packed, this.#limits.most) : NOT_READ;
  }

  /** Reads an unpacked text, unless it exceeds a limit. Drops the last word of a damaged text, because it may be half a URL. */
  *#readMember({ text, cost }: DecodedBody, isRight: boolean, depth: number): Generator<MemberText> {
    const limits = this.#limits;
    const isOver = text.length > limits.text || limits.members === 0;
    limits.text -= text.length;
    limits.cost -= cost;
    if (!isOver) limits.members--;
    if (!isRight || isOver) this.isWhole = false;
    if (!isOver) yield* this.read(isRight ? text : wholeWords(text), depth);
  }

  /**
   * Returns an upper bound for the end offset of a file of unknown size. A stored file ends at a matching descriptor; if there is none,
   * returns an offset after the end of the archive. Deflate data marks its own end.
   */
  #openEnd(archive: Archive, { method }: zip.FileHeader, start: number): number {
    const { bytes, mayHaveDescriptors } = archive;
    if (method !== zip.STORED) return bytes.length;
    const isSearched = mayHaveDescriptors && this.#limits.most > 0;
    const found = isSearched ? zip.findDescriptor(bytes, start, 0) : undefined;
    // A searched byte costs as much as COST_SHARE decoded ones: searches for several files may read the same bytes.
    if (isSearched) this.#limits.cost -= COST_SHARE * ((found ?? bytes.length) - start);
    archive.mayHaveDescriptors = found !== undefined;
    return found ?? bytes.length + 1;
  }
}

function isRead(format: string): format is MemberText["type"] {
  return READ.includes(format);
}
