// Undoes the backslashes of Markdown in the text of JSON (A19).
import { type Rewritten, TextStep } from "./text-step.ts";

const BACKSLASH = 0x5c;
/** The characters that Markdown escapes with a backslash: ASCII punctuation, but not `&`, which may begin a reference. */
const PUNCTUATION = new Set([..."!\"#$%'()*+,-./:;<=>?@[\\]^_`{|}~"].map((mark) => mark.charCodeAt(0)));

/** Undoes the backslashes after the decoder of JSON. */
export class JsonMarks extends TextStep {
  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const { bytes } = this.core;
    let [from, to] = [start, start];
    for (let p = start; ; ) {
      const found = bytes.subarray(p, end).indexOf(BACKSLASH);
      p = found < 0 ? end : p + found;
      const isMark = p + 1 < end && PUNCTUATION.has(bytes[p + 1]);
      if (p < end && !isMark && (isLast || p + 1 < end)) {
        p++;
        continue;
      }
      if (to < from) bytes.copyWithin(to, from, p);
      to += p - from;
      from = p;
      if (!isMark) return { from, to };
      bytes[to] = bytes[p + 1];
      to++;
      p += 2;
      from = p;
      this.changes.add(base + to, 1, innerBase + from);
    }
  }
}
