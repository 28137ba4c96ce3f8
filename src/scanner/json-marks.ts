// Undoes the marks of chat archives in the text of JSON (A19): `&amp;`, `&lt;` and `&gt;`, and backslashes of Markdown.
import type { Core } from "../core/core.ts";
import type { JsonMapping } from "../options/json-fields.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import { type Rewritten, TextStep } from "./text-step.ts";

const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
/** The references, after the ampersand, and the bytes that they stand for. */
const REFERENCES = [
  { text: "amp;", byte: AMPERSAND },
  { text: "lt;", byte: 0x3c },
  { text: "gt;", byte: 0x3e },
];
/** Bytes of the longest reference, with its ampersand. */
const LONGEST = "&amp;".length;
/** The characters that Markdown escapes with a backslash: ASCII punctuation, but not `&`, which may begin a reference. */
const PUNCTUATION = new Set([..."!\"#$%'()*+,-./:;<=>?@[\\]^_`{|}~"].map((mark) => mark.charCodeAt(0)));

/** Undoes the marks after the decoder of JSON. */
export class JsonMarks extends TextStep {
  readonly #mapping: JsonMapping;

  constructor(core: Core, inner: SourceDecoder, mapping: JsonMapping) {
    super(core, inner);
    this.#mapping = mapping;
  }

  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const { bytes } = this.core;
    const { entities, markdown } = this.#mapping;
    const findAmpersand = finder(bytes, entities ? AMPERSAND : undefined, end);
    const findBackslash = finder(bytes, markdown ? BACKSLASH : undefined, end);
    let [from, to] = [start, start];
    for (let p = start; ; ) {
      p = Math.min(findAmpersand(p), findBackslash(p));
      const length = p === end ? 0 : this.#markAt(p, end);
      const isOpen = p < end && length === 0 && !isLast && end - p < LONGEST;
      if (length === 0 && p < end && !isOpen) {
        p++;
        continue;
      }
      if (to < from) bytes.copyWithin(to, from, p);
      to += p - from;
      from = p;
      if (length === 0) return { from, to };
      bytes[to] = bytes[p] === BACKSLASH ? bytes[p + 1] : (referenceAt(bytes, p)?.byte ?? AMPERSAND);
      to++;
      from = p + length;
      p = from;
      this.changes.add(base + to, 1, innerBase + from);
    }
  }

  /** Returns the length of the mark at `p` in bytes; 0 if there is none, or if the mark is incomplete. */
  #markAt(p: number, end: number): number {
    const { bytes } = this.core;
    if (bytes[p] === BACKSLASH) return p + 1 < end && PUNCTUATION.has(bytes[p + 1]) ? 2 : 0;
    const length = (referenceAt(bytes, p)?.text.length ?? 0) + 1;
    return length > 1 && p + length <= end ? length : 0;
  }
}

function referenceAt(bytes: Uint8Array, ampersand: number): (typeof REFERENCES)[number] | undefined {
  return REFERENCES.find(({ text }) => {
    for (let index = 0; index < text.length; index++) if (bytes[ampersand + 1 + index] !== text.charCodeAt(index)) return false;
    return true;
  });
}

/**
 * Returns a function that finds the first `byte` from an address on, or `end`; without `byte` always `end`. Addresses must ascend: no byte
 * is searched twice.
 */
function finder(bytes: Uint8Array, byte: number | undefined, end: number): (start: number) => number {
  let found = byte === undefined ? end : -1;
  return (start) => {
    if (found >= start || byte === undefined) return found;
    const at = bytes.subarray(start, end).indexOf(byte);
    found = at < 0 ? end : start + at;
    return found;
  };
}
