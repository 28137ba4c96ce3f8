// Where the rows of a batch come to another place.
import type { MatchBatch } from "../scanner/batch.ts";

/** Returns the first row after row `index` that is at another place. */
export function placeEnd({ locations, count }: MatchBatch, index: number): number {
  if (locations === undefined) return count;
  const { of } = locations;
  const place = of[index];
  let next = index + 1;
  while (next < count && of[next] === place) next++;
  return next;
}
