// Loads the public suffixes from a module: in src/, and on platforms without files. Only code that asks for them loads it. See the
// imports of package.json.
import * as tldts from "tldts";

/** The module with the list of public suffixes. */
export type Tldts = typeof tldts;

/** Returns the module with the list of public suffixes. */
export function publicSuffixes(): Tldts {
  return tldts;
}
