// Loads the public suffixes from a module: in src/, and on platforms without files. Only code that asks for them loads it. See the
// imports of package.json.
import * as tldts from "tldts";

export type Tldts = typeof tldts;

export function publicSuffixes(): Tldts {
  return tldts;
}
