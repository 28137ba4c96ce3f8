// Bodies of web archives in a coding of HTTP (A12): what the core gives of one is collected, decoded at its end, and given back as text.
import { CODED_NOTHING, CODED_START, CODED_WHOLE } from "#core/layout/mail.js";
import { concat } from "../arrays.ts";
import type { Core } from "../core/core.ts";
import type { SourceBytes } from "./source-bytes.ts";

/** Bytes of text that a body makes at most. */
const TEXT_BYTES_MAX = 1 << 24;
/** Bytes that the bodies of a source make at most: these, and so many for each byte of the source before the end of the body. */
const FREE_BYTES = 1 << 25;
const RATIO_MAX = 100;

/** What was decoded of a body. */
export interface DecodedBody {
  readonly text: Uint8Array;
  /** Whether all of its bytes could be decoded; they may end before their format does. */
  readonly isWhole: boolean;
  /** Bytes that were made for it, or as many as can have been made. */
  readonly cost: number;
}

/** Undoes codings, as the core lists them; makes `most` bytes at most. */
export type BodyDecoder = (body: Uint8Array, codings: number, most: number) => DecodedBody;

/** Decodes the bodies of one source, one after the other. */
export class CodedBodies {
  #collected: Uint8Array[] = [];
  #text: Uint8Array = new Uint8Array(0);
  #spent = 0;

  /** Sets the callbacks of the core until the scan ends. */
  constructor(core: Core, source: SourceBytes, decode: BodyDecoder) {
    const { bytes, callbacks } = core;
    callbacks.takeCoded = (address, count) => void this.#collected.push(bytes.slice(address, address + count));
    callbacks.decodeCoded = (codings, end) => this.#decode(decode, codings, source.base + end);
    callbacks.readDecoded = (address, most) => {
      const piece = this.#text.subarray(0, most);
      bytes.set(piece, address);
      this.#text = this.#text.subarray(piece.length);
      return piece.length;
    };
  }

  #decode(decode: BodyDecoder, codings: number, end: number): number {
    const body = concat(this.#collected.splice(0));
    if (body.length === 0) return CODED_WHOLE;
    const most = Math.min(TEXT_BYTES_MAX, FREE_BYTES + RATIO_MAX * end - this.#spent);
    if (most <= 0) return CODED_NOTHING;
    const { text, isWhole, cost } = decode(body, codings, most);
    this.#text = text;
    this.#spent += cost;
    if (isWhole) return CODED_WHOLE;
    return text.length > 0 ? CODED_START : CODED_NOTHING;
  }
}
