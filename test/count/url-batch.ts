// Batches of matches that are made of URLs alone.
import * as code from "#core/layout/codes.js";
import type { Location, MatchBatch } from "../../src/matches/batch.ts";

/** A match: its URL, and the number of its message in the scan, 0: it is in none. */
export type Found = readonly [url: string, message: number];

/** Returns the time of a message in seconds; NaN: it has none. */
export const timeOf = (message: number): number => (message % 3 === 0 ? Number.NaN : 1000 * ((message * 7) % 11));

/** Returns a batch of matches, those of a message at one place. */
export function batchOf(found: readonly Found[], scan = 1): MatchBatch {
  const texts = found.map(([url]) => Buffer.from(url));
  const rows = new Int32Array(found.length * code.RECORD_WORDS);
  let used = 0;
  for (const [index, text] of texts.entries()) {
    rows[index * code.RECORD_WORDS + code.RECORD_URL] = used;
    rows[index * code.RECORD_WORDS + code.RECORD_URL_LENGTH] = text.length;
    used += text.length;
  }
  const list: Location[] = [];
  const of = Int32Array.from(found, ([, message], index) => {
    if (index === 0 || found[index - 1]?.[1] !== message) {
      list.push({
        message: {},
        time: timeOf(message),
        messageIdField: undefined,
        number: message,
        part: "",
        body: {},
        address: "",
        where: "",
        quote: 0,
      });
    }
    return list.length - 1;
  });
  const locations = { of, list, messagesBefore: 0, scan };
  return { kind: "matches", rows, bytes: new Uint8Array(Buffer.concat(texts)), base: 0, count: found.length, locations };
}
