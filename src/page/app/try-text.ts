// A typed text, cut into URLs and the text between them, with the rules that decided.
import { explain } from "../../api/explain.ts";
import type { ExtractOptions } from "../../options/options.ts";
import type { TriedPiece } from "./messages.ts";

/** Returns the pieces of a text in their order; together they are the text. Throws InputError for a text of more than 256 KiB. */
export function tryText(text: string, options: Omit<ExtractOptions, "onRejected">): TriedPiece[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces: TriedPiece[] = [];
  let at = 0;
  for (const { start, end, url, kind, flags, reason, steps } of explain(text, options)) {
    // A match inside another one has no piece of its own.
    if (start < at) continue;
    if (start > at) pieces.push({ text: decoder.decode(bytes.subarray(at, start)) });
    const words = [...(kind === undefined || kind === "plain" ? [] : [kind]), ...flags, ...(reason === undefined ? [] : [reason])];
    const rules = steps.map(({ rule, what }) => ({ rule, what }));
    pieces.push({ text: decoder.decode(bytes.subarray(start, end)), candidate: { url, isMatch: kind !== undefined, words, rules } });
    at = end;
  }
  if (at < bytes.length) pieces.push({ text: decoder.decode(bytes.subarray(at)) });
  return pieces;
}
