// Finds URLs in JSON that comes in pieces.
import { type ExtractOptions, extractFrom, type Match } from "../../src/index.ts";

/** Returns the matches in bytes that are given in pieces which end at `cuts`. */
export async function foundInPieces(bytes: Uint8Array, cuts: readonly number[], options: ExtractOptions): Promise<Match[]> {
  const edges = [0, ...cuts, bytes.length];
  const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  const matches: Match[] = [];
  for await (const match of extractFrom(pieces, options)) matches.push(match);
  return matches;
}
