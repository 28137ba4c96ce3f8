// The profile whatwg: what the platform's URL makes of a text, and nothing else.
import type { Reason } from "../core/names.ts";
import { InputError } from "../errors.ts";

const TAKEN_OUT = /[\t\n\r]+/g;
const AUTHORITY = /^[\0-\x20]*[a-z][a-z0-9+.-]*:\/\//i;

/** `new URL(url).href`, or the code of what it refuses. Throws InputError for what is no string. @see docs/rules.md N9 */
export function whatwgForm(url: string): { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: Reason } {
  if (typeof url !== "string") throw new InputError("url must be a string");
  try {
    return { ok: true, url: new URL(url).href };
  } catch {
    return { ok: false, code: AUTHORITY.test(url.replace(TAKEN_OUT, "")) ? "bad-host" : "bad-shape" };
  }
}
