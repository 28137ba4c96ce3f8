// Matches as lines of URLs, where the core has not written them itself.
import { REASON_NONE, RECORD_REASON, RECORD_URL, RECORD_URL_LENGTH, RECORD_WORDS } from "#core/layout/codes.js";
import type { MatchBatch } from "../scanner/batch.ts";

/** The URLs that a batch has, each with the byte `separator` behind it, and their number. */
export function linesOf({ rows, bytes }: MatchBatch, separator: number): { bytes: Uint8Array; count: number } {
  let length = 0;
  for (let at = 0; at < rows.length; at += RECORD_WORDS) length += rows[at + RECORD_URL_LENGTH] + 1;
  const lines = new Uint8Array(length);
  let used = 0;
  let count = 0;
  for (let at = 0; at < rows.length; at += RECORD_WORDS) {
    if (rows[at + RECORD_REASON] !== REASON_NONE) continue;
    const url = rows[at + RECORD_URL];
    lines.set(bytes.subarray(url, url + rows[at + RECORD_URL_LENGTH]), used);
    used += rows[at + RECORD_URL_LENGTH];
    lines[used++] = separator;
    count++;
  }
  return { bytes: lines.subarray(0, used), count };
}
