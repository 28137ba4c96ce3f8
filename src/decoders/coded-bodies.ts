// Bodies of web archives in a coding of HTTP (A12): the core gives their bytes, which are decoded at the end of each body.
// The bytes of messages in a transfer encoding (C177) and of attachments (C178) are collected in the same way. The core reads each text in
// an attachment that is compressed or an archive as a source of its own.
import * as mail from "#core/layout/mail.js";
import { concat } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";
import type { SourceBytes } from "../scan/source-decoder.ts";

/** Most decoded bytes of one body. */
const TEXT_BYTES_MAX = 1 << 24;
/** Source bytes of a share. Bodies whose records begin in one share have one limit, so that a web archive can be cut between shares. */
const SHARE_BYTES = 1 << 20;
/** Decoded bytes that a share may have in any case. */
const FREE_BYTES = 1 << 25;
/** Decoded bytes that a share may have in addition for each source byte from its start to the end of the current body. */
const RATIO_MAX = 100;

/** Returns the start of the share of the limit that the record at `offset` belongs to. */
export function shareStart(offset: number): number {
  return offset - (offset % SHARE_BYTES);
}

/** Returns the first start of a share at `offset` or after it. */
export function nextShareStart(offset: number): number {
  return shareStart(offset + SHARE_BYTES - 1);
}

export interface DecodedBody {
  readonly text: Uint8Array;
  /** Whether all of its bytes were decoded, even if its format is not complete at their end. */
  readonly isWhole: boolean;
  /** Number of bytes that all codings made, or an upper bound. */
  readonly cost: number;
}

/** Decodes a body. `codings`: its codings, CODING_BITS each, the lowest bits first. Each coding makes at most `most` bytes. */
export type BodyDecoder = (body: Uint8Array, codings: number, most: number) => DecodedBody;

/** Decodes the bodies of one source, one after the other. */
export class CodedBodies {
  #collected: Uint8Array[] = [];
  #text: Uint8Array = new Uint8Array(0);
  /** Start of the share of the last record with a coded body. */
  #shareStart = 0;
  /** Sum of the costs of decoding bodies of that share. */
  #spent = 0;

  /** Sets callbacks of the core until the scan ends. */
  constructor(core: Core, source: SourceBytes, decode: BodyDecoder) {
    const { bytes, callbacks } = core;
    callbacks.takeCoded = (address, count) => void this.#collected.push(bytes.slice(address, address + count));
    callbacks.decodeCoded = (codings, record, end) => this.#decode(decode, codings, source.base + record, source.base + end);
    callbacks.readDecoded = (address, most) => {
      const piece = this.#text.subarray(0, most);
      bytes.set(piece, address);
      this.#text = this.#text.subarray(piece.length);
      return piece.length;
    };
  }

  /** Returns the collected bytes, and forgets them. */
  take(): Uint8Array {
    return concat(this.#collected.splice(0));
  }

  /** Returns whether bodies of records from `offset` on share their limit with no body decoded so far. */
  isNewAt(offset: number): boolean {
    return this.#spent === 0 || shareStart(offset) > this.#shareStart;
  }

  #decode(decode: BodyDecoder, codings: number, record: number, end: number): number {
    const body = this.take();
    if (body.length === 0) return mail.CODED_WHOLE;
    if (shareStart(record) > this.#shareStart) this.#spent = 0;
    this.#shareStart = shareStart(record);
    const most = Math.min(TEXT_BYTES_MAX, FREE_BYTES + RATIO_MAX * (end - this.#shareStart) - this.#spent);
    if (most <= 0) return mail.CODED_NOTHING;
    const { text, isWhole, cost } = decode(body, codings, most);
    this.#text = text;
    this.#spent += cost;
    if (isWhole) return mail.CODED_WHOLE;
    return text.length > 0 ? mail.CODED_START : mail.CODED_NOTHING;
  }
}

/** FORMAT_* by the type of a text in an attachment. */
export const MEMBER_FORMATS = {
  text: mail.FORMAT_TEXT,
  html: mail.FORMAT_HTML,
  xml: mail.FORMAT_XML,
  json: mail.FORMAT_JSON,
  eml: mail.FORMAT_EML,
  folded: mail.FORMAT_FOLDED,
  ldif: mail.FORMAT_LDIF,
} as const;

export interface MemberText {
  readonly text: Uint8Array;
  readonly type: keyof typeof MEMBER_FORMATS;
}

/** Returns an iterator that yields the texts of an attachment, at least one, and returns at its end whether they are complete. */
export type BodyUnpacker = (body: Uint8Array) => Iterator<MemberText, boolean>;

/** Returns an unpacker for an attachment of `bytes` bytes, and for the attachments of messages in it. All share its limits. */
export type BodyUnpackerFor = (bytes: number) => BodyUnpacker;

/** A text of an attachment; `isFirst`: it is the first one. */
type NextText = Readonly<{ text: Uint8Array; isFirst: boolean }>;

/**
 * Unpacks the attachments of one source: sets the callback `nextMember` of the core until the scan ends. Returns a function that takes the
 * text that the core asked for last, if there is one. An attachment may be in a message in another attachment.
 */
export function unpackBodies(core: Core, coded: CodedBodies, unpackerFor: BodyUnpackerFor): () => NextText | undefined {
  const open: Iterator<MemberText, boolean>[] = [];
  let unpack: BodyUnpacker | undefined;
  let found: NextText | undefined;
  core.callbacks.nextMember = (isFirst) => {
    if (isFirst) {
      const body = coded.take();
      if (open.length === 0 || unpack === undefined) unpack = unpackerFor(body.length);
      open.push(unpack(body));
    }
    const next = open.at(-1)?.next();
    if (next?.done === false) {
      found = { text: next.value.text, isFirst };
      return MEMBER_FORMATS[next.value.type];
    }
    open.pop();
    return next?.value === true ? mail.MEMBERS_READ : mail.MEMBERS_LOST;
  };
  return () => {
    const taken = found;
    found = undefined;
    return taken;
  };
}
