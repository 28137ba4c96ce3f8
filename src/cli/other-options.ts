// What `urlmill explain` does not find, but would with another option.
import { type Explanation, explain } from "../api/explain.ts";
import { shown } from "../base/shown.ts";
import { SCHEMELESS } from "../core/names.ts";
import type { ExtractOptions } from "../options/options.ts";

/** Texts that are named; the others are counted. */
const NAMED_MOST = 10;

/** An option, and those of a scan that has it too. */
type Other = readonly [flag: string, options: ExtractOptions];

/** Returns a line for each text that is no match in `found`, but one with an option that `options` do not have. */
export function otherOptions(text: Buffer, found: readonly Explanation[], options: ExtractOptions): string[] {
  // 1 at each byte of a match.
  const taken = new Uint8Array(text.length);
  for (const { url, start, end } of found) if (url !== null) taken.fill(1, start, end);
  const named: { readonly start: number; readonly line: string }[] = [];
  for (const [flag, others] of othersOf(options)) {
    for (const { url, raw, start, end } of explain(text, others)) {
      if (url === null || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      named.push({ start, line: `${shown(raw ?? url)} would be found with ${flag}` });
    }
  }
  const lines = [...new Set(named.sort((one, other) => one.start - other.start).map(({ line }) => line))];
  const rest = lines.length - NAMED_MOST;
  return rest <= 0 ? lines : [...lines.slice(0, NAMED_MOST), `${rest} more would be found with other options`];
}

/** Returns the options that a scan can have beside its own. Those that find less come first: a domain is in each address. */
function othersOf(options: ExtractOptions): Other[] {
  const bare = [options.bare ?? []].flat();
  const others: Other[] = SCHEMELESS.filter((kind) => !bare.includes(kind)).map((kind) => [
    `--bare ${kind}`,
    { ...options, bare: [...bare, kind] },
  ]);
  if (options.anyScheme !== true) others.push(["--any-scheme", { ...options, anyScheme: true }]);
  // Relative links are of text that a program reads; --refang is for what none reads.
  if (options.refang !== true && options.links !== true) others.push(["--refang", { ...options, refang: true }]);
  return others;
}
