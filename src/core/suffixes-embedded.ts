// Where the public suffixes come from in src/ and where there are no files: from a module, which only what asks for them loads. See the
// imports of package.json.
import * as tldts from "tldts";

/** The list of public suffixes. */
export type Tldts = typeof tldts;

/** Returns the list of public suffixes. */
export function publicSuffixes(): Tldts {
  return tldts;
}
