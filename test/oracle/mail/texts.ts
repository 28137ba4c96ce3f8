/**
 * Texts of mail that know where each of their bytes stands in the source: what the decoders of this folder are made of.
 */
import type { Source } from "../source.ts";

/** The match of a sticky expression at an offset, or null. */
export function matchAt(expression: RegExp, bytes: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(bytes);
}

/** Texts one after the other, as one. */
export function joinedOf(texts: readonly Source[]): Source {
  const starts = texts.flatMap((text) => Array.from(text.bytes, (_, at) => text.startOf(at)));
  const ends = texts.flatMap((text) => Array.from(text.bytes, (_, at) => text.endOf(at)));
  return { bytes: texts.map(({ bytes }) => bytes).join(""), startOf: (at) => starts[at] ?? 0, endOf: (at) => ends[at] ?? 0 };
}

/** How many bytes of the source stand between two offsets of a text, with what was left out before them. */
export function bytesTaken(text: Source, from: number, to: number): number {
  return from === to ? 0 : text.endOf(to - 1) - (from === 0 ? text.startOf(0) : text.endOf(from - 1));
}
