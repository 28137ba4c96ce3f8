// One URL at a time: its normal form.
import { OUTPUT_AREA, REJOIN_AREA, STATE_FLAGS, STATE_HOST_LENGTH, STATE_OUTPUT_END, STOP_IDN } from "#core/tables/areas.js";
import { type Core, getCore } from "../core/core.ts";
import { FLAGS, type Flag, type Reason } from "../core/names.ts";
import { splitWith, wholeText } from "./generic.ts";
import { supplyALabels } from "./idn.ts";
import { placeUrl, reasonOf, textIn } from "./text.ts";

/** Named sets of normalization rules that are built. @see docs/rules.md N */
export type Profile = "rfc3986" | "rfc1738" | "none";

/** The normal form of a URL, or why there is none. */
export type NormalizeResult = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: Reason };

/** Normalizes one URL, or tells why it is refused. @see docs/rules.md N, P0 */
export function normalizeWith(core: Core, url: string, profile: Profile): NormalizeResult {
  if (profile === "none") {
    const split = splitWith(core, url);
    return split.ok ? { ok: true, url: wholeText(core) } : split;
  }
  const end = placeUrl(core, url);
  if (end < 0) return { ok: false, code: "overlong" };
  const result = runNormalize(core, end);
  if (result < 0) return { ok: false, code: reasonOf(-result) };
  return { ok: true, url: textIn(core, OUTPUT_AREA, core.words[STATE_OUTPUT_END >> 2] as number) };
}

/** Has the core normalize what placeUrl put there: 0, or the reason with the sign changed. */
function runNormalize(core: Core, end: number): number {
  core.words[STATE_HOST_LENGTH >> 2] = -1;
  const result = core.normalize(REJOIN_AREA, end);
  if (result !== STOP_IDN) return result;
  supplyALabels(core);
  return core.normalize(REJOIN_AREA, end);
}

/** The security considerations that hold for one URL; none for a text that is refused. @see docs/rules.md W */
export function flagsWith(core: Core, url: string): Flag[] {
  const end = placeUrl(core, url);
  if (end < 0 || runNormalize(core, end) < 0) return [];
  const bits = core.words[STATE_FLAGS >> 2] as number;
  return FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/**
 * Normalizes one URL: null where it is refused; `parse` tells why. Throws InputError for what is no string.
 * @see docs/rules.md N
 */
export function normalize(url: string, options: { readonly profile?: Profile } = {}): string | null {
  const result = normalizeWith(getCore(), url, options.profile ?? "rfc3986");
  return result.ok ? result.url : null;
}
