// One URL at a time: its normal form.
import {
  OUTPUT_REGION,
  PROFILE_NONE,
  PROFILE_RFC1738,
  PROFILE_RFC3986,
  REJOIN_REGION,
  STATE_FLAGS,
  STATE_HOST_LENGTH,
  STATE_OUTPUT_END,
  STATE_PROFILE,
  STOP_IDN,
} from "#core/layout/memory.js";
import { type Core, getCore } from "../core/core.ts";
import { FLAGS, type Flag, type Reason } from "../core/names.ts";
import { isKnownScheme } from "../core/tables.ts";
import { checkNormalizeOptions, type NormalizeOptions, type NormalizeProfile, type UrlForm } from "../options.ts";
import { supplyALabels } from "./idn.ts";
import { mayRedirect, targetOf } from "./redirectors.ts";
import { changesForm, rewriteUrl, rewriteUserinfo } from "./rewrite.ts";
import { surtOf } from "./surt.ts";
import { reasonOf, textIn, writeUrl } from "./text.ts";
import { whatwgForm } from "./whatwg.ts";

export type { Profile } from "../options.ts";

/** The normal form of a URL, or why there is none. `chain` stands only where `unwrap` was asked for. */
export type NormalizeResult =
  | {
      readonly ok: true;
      readonly url: string;
      /** The redirectors' URLs that `unwrap` took off, the outermost first, each as the same options without `unwrap` give it. */
      readonly chain?: readonly string[];
    }
  | { readonly ok: false; readonly code: Reason };

/** Normalizes one URL as its options say. Throws InputError for what is no string. */
export type Normalizer = (url: string) => NormalizeResult;

/** How many redirectors' URLs are taken off one URL at most. @see docs/rules.md N10 */
export const UNWRAP_DEPTH = 5;

/** What the core is told for a profile; of `surt` it makes the normal form. */
const CORE_PROFILES = { rfc3986: PROFILE_RFC3986, surt: PROFILE_RFC3986, rfc1738: PROFILE_RFC1738, none: PROFILE_NONE } as const;

const WEB = /^https?:/i;
const DEFAULT_FORM = checkNormalizeOptions(undefined);

/** PROFILE_* by which the core alone gives a form; undefined where it cannot. */
export function coreProfileNumber(form: UrlForm): number | undefined {
  return form.profile === "whatwg" || needsRewrite(form) ? undefined : CORE_PROFILES[form.profile];
}

/**
 * Whether a form asks for more than the core's normalizer gives: then each URL has to go through makeNormalizer.
 * @see docs/rules.md N9, N10, N11
 */
export function needsRewrite(form: UrlForm): boolean {
  return form.profile === "whatwg" || form.profile === "surt" || form.unwrap || changesForm(form);
}

/** What normalizes URLs with a given core as a form says; made once for many URLs. @see docs/rules.md N, P0 */
export function makeNormalizer(core: Core, form: UrlForm): Normalizer {
  const normal = profileNormalizer(core, form.profile);
  if (!needsRewrite(form)) return normal;
  const finished = changesForm(form) ? (url: string) => finish(normal, url, form) : normal;
  const written = (result: NormalizeResult): NormalizeResult =>
    form.profile === "surt" && result.ok ? { ...result, url: surtOf(result.url) } : result;
  return form.unwrap ? (url) => unwrap(core, url, finished, written) : (url) => written(finished(url));
}

/** Normalizes one URL, or tells why it is refused. Throws InputError for what is no string. @see docs/rules.md N, P0 */
export function normalizeWith(core: Core, url: string, form: UrlForm = DEFAULT_FORM): NormalizeResult {
  return makeNormalizer(core, form)(url);
}

function profileNormalizer(core: Core, profile: NormalizeProfile): Normalizer {
  if (profile === "whatwg") return whatwgForm;
  const number = CORE_PROFILES[profile];
  return (url) => coreForm(core, url, number);
}

function coreForm(core: Core, url: string, profile: number = PROFILE_RFC3986): NormalizeResult {
  const end = writeUrl(core, url);
  if (end < 0) return { ok: false, code: "overlong" };
  const result = runNormalize(core, end, profile);
  if (result < 0) return { ok: false, code: reasonOf(-result) };
  return { ok: true, url: textIn(core, OUTPUT_REGION, core.words[STATE_OUTPUT_END >> 2] as number) };
}

/** The profile, then the options of N10 but `unwrap`. */
function finish(normal: Normalizer, url: string, form: UrlForm): NormalizeResult {
  const result = normal(url);
  if (!result.ok) return result;
  // Web URLs stay what they are. Other schemes look at what was changed: `localhost` goes from a file (N5). The profile none looks at ends.
  const settled = (before: string, after: string): NormalizeResult =>
    after === before || (form.profile !== "none" && WEB.test(after)) ? { ok: true, url: after } : normal(after);
  // What was hidden never comes back, whatever a shape (X6) needs.
  const bare = rewriteUserinfo(result.url, form.userinfo);
  const again = settled(result.url, bare);
  const first = again.ok ? again.url : bare;
  const rewritten = settled(first, rewriteUrl(first, form));
  return rewritten.ok ? rewritten : { ok: true, url: first };
}

/**
 * Takes redirectors' URLs off before anything else is done. The options may make a redirector's URL out of another
 * (`www.www.google.com`), so what they give is looked at again: else normalizing twice would not give the same as once.
 */
function unwrap(core: Core, url: string, finished: Normalizer, written: (result: NormalizeResult) => NormalizeResult): NormalizeResult {
  const chain: string[] = [];
  let inner = url;
  for (;;) {
    const result = finished(inner);
    if (!result.ok) return result;
    const form = written(result);
    const target = chain.length === UNWRAP_DEPTH ? null : (wrappedIn(core, inner) ?? wrappedIn(core, result.url));
    if (target === null || !form.ok) return form.ok ? { ...form, chain } : form;
    chain.push(form.url);
    inner = target;
  }
}

/** The URL inside a redirector's, if the core knows its scheme and takes it: no script comes out of a delimited URL. */
function wrappedIn(core: Core, url: string): string | null {
  if (!mayRedirect(url)) return null;
  const wrapper = coreForm(core, url);
  const target = wrapper.ok ? targetOf(wrapper.url) : null;
  const inner = target === null ? null : coreForm(core, target);
  return inner?.ok && isKnownScheme(core, inner.url.slice(0, inner.url.indexOf(":"))) ? target : null;
}

/** Has the core normalize what writeUrl put there by PROFILE_*: 0, or the reason with the sign changed. */
function runNormalize(core: Core, end: number, profile: number): number {
  core.words[STATE_PROFILE >> 2] = profile;
  core.words[STATE_HOST_LENGTH >> 2] = -1;
  const result = core.normalize(REJOIN_REGION, end);
  if (result !== STOP_IDN) return result;
  supplyALabels(core);
  return core.normalize(REJOIN_REGION, end);
}

/** The security considerations that hold for one URL; none for a text that is refused. @see docs/rules.md W */
export function flagsWith(core: Core, url: string): Flag[] {
  const end = writeUrl(core, url);
  if (end < 0) return [];
  const result = runNormalize(core, end, PROFILE_RFC3986);
  // A host that only N1 refuses is parsed (C32), and what is odd about the rest is told.
  if (result < 0 && reasonOf(-result) !== "bad-host") return [];
  const bits = core.words[STATE_FLAGS >> 2] as number;
  return FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

let plainNormalizer: Normalizer | undefined;

/**
 * Normalizes one URL: null where it is refused; `parse` tells why. Throws InputError for what is no string, OptionError for a bad option.
 * @see docs/rules.md N
 */
export function normalize(url: string, options?: NormalizeOptions): string | null {
  const core = getCore();
  plainNormalizer ??= makeNormalizer(core, DEFAULT_FORM);
  const normalizer = options === undefined ? plainNormalizer : makeNormalizer(core, checkNormalizeOptions(options));
  const result = normalizer(url);
  return result.ok ? result.url : null;
}
