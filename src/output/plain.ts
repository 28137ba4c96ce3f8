// Format plain: a URL a line. Makes the lines if options change or add URLs; else the core has written them.
import * as code from "#core/layout/codes.js";
import type { MatchBatch } from "../scanner/batch.ts";
import type { WriteMatches, WriteRecords } from "./output-format.ts";

/** Returns a function that writes the URLs of a batch, with a separator after each. */
export function plainWriter(separator: number, write: WriteRecords): WriteMatches {
  return (batch) => {
    const { bytes, count } = linesOf(batch, separator);
    if (count > 0) write(bytes, count, []);
  };
}

function linesOf({ rows, bytes }: MatchBatch, separator: number): { bytes: Uint8Array; count: number } {
  let length = 0;
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) length += rows[at + code.RECORD_URL_LENGTH] + 1;
  const lines = new Uint8Array(length);
  let used = 0;
  let count = 0;
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
    if (rows[at + code.RECORD_REASON] !== code.REASON_NONE) continue;
    const url = rows[at + code.RECORD_URL];
    lines.set(bytes.subarray(url, url + rows[at + code.RECORD_URL_LENGTH]), used);
    used += rows[at + code.RECORD_URL_LENGTH];
    lines[used++] = separator;
    count++;
  }
  return { bytes: lines.subarray(0, used), count };
}
