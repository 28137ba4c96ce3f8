// Normalizes one URL: a profile, and the options that change its form.
import { PROFILE_NONE, PROFILE_RFC1738, PROFILE_RFC3986 } from "#core/layout/memory.js";
import { N9_WHATWG, N10_DEFANG, N10_OPEN, N10_UNWRAP, N10_USERINFO, N11_SURT } from "#core/layout/notes.js";
import { wrongInput } from "../base/errors.ts";
import type { Reason } from "../core/names.ts";
import { isMatchedScheme } from "../core/tables.ts";
import { exceeds } from "../core/text.ts";
import { getUrlCore, type UrlCore } from "../core/url-core.ts";
import { checkNormalizeOptions, type NormalizeOptions, type UrlForm } from "../options/options.ts";
import { cdxKeyOf } from "./cdx-key.ts";
import { type CoreResult, normalizeByCore, type ParseFailure, partsWith } from "./core-url.ts";
import { defanged, refanged } from "./defang.ts";
import { isCutRedirector, mayRedirect, targetOf, targetsIn } from "./redirectors.ts";
import { composeReference, splitAuthority, splitUrl } from "./reference.ts";
import { needsRewrite, type RuleListener, rewriteUrl, rewriteUserinfo } from "./rewrite.ts";
import { URL_BYTES_LIMIT } from "./text.ts";

/** The normal form of a URL, or the code and the offset of its error in UTF-16 code units. `chain` is present only with `unwrap`. */
export type NormalizeResult =
  | {
      readonly ok: true;
      readonly url: string;
      /** The URLs that `unwrap` removed, the outermost first, each in the form of the same options without `unwrap`. */
      readonly chain?: readonly string[];
    }
  | ParseFailure;

export type NormalForm = Exclude<NormalizeResult, ParseFailure> | { readonly ok: false; readonly code: Reason };

/** Normalizes one URL. Throws InputError if it is no string. */
export type Normalizer = (url: string) => NormalForm;

/** Most URLs that `unwrap` removes from around one URL. (N10) */
export const UNWRAP_DEPTH = 5;

/** Most texts in one URL that `unwrap: "any"` tries as the target. (C209) */
const TARGETS_MOST = 16;

/** The core's profile for each profile except `whatwg`. SURTs and CDX keys are made from the normal form. */
const CORE_PROFILES = {
  rfc3986: PROFILE_RFC3986,
  surt: PROFILE_RFC3986,
  cdx: PROFILE_RFC3986,
  rfc1738: PROFILE_RFC1738,
  none: PROFILE_NONE,
} as const;

const WEB = /^https?:/i;
export const defaultForm = (): UrlForm => checkNormalizeOptions(undefined);

/** Returns PROFILE_* if the core alone can give a form, else undefined. */
export function coreProfileNumber(form: UrlForm): number | undefined {
  return form.profile === "whatwg" || needsRewrite(form) ? undefined : CORE_PROFILES[form.profile];
}

/** Returns a function that normalizes URLs; make it once for many. `noted` gets the rules of N9, N10 and N11 that change a URL. (N, P0) */
export function makeNormalizer(core: UrlCore, form: UrlForm, noted?: RuleListener): Normalizer {
  const { profile, unwrap } = form;
  const normal: Normalizer = (url) => {
    if (profile !== "whatwg") return normalizeByCore(core, url, CORE_PROFILES[profile]);
    const result = whatwgForm(url);
    if (!result.ok || result.url !== url) noted?.(N9_WHATWG);
    return result;
  };
  if (!needsRewrite(form)) return normal;
  const depth = unwrap === false ? 0 : UNWRAP_DEPTH;
  /**
   * Replaces redirectors' URLs, and with `any` other URLs with a URL inside, by the URL inside. Looks at each URL before and after the
   * options: they may turn it into a redirector's (`www.www.google.com`), and normalizing twice must give the same as once.
   */
  const whole: Normalizer = (url) => {
    const chain: string[] = [];
    for (let inner = url; ; ) {
      const result = finish(normal, inner, form, noted);
      if (!result.ok) return result;
      const shown = writtenForm(result.url, form, noted);
      const isLast = chain.length === depth;
      const known = isLast ? "" : redirectTarget(core, inner) || redirectTarget(core, result.url);
      const target = known === "" && !isLast && unwrap === "any" ? openTarget(core, inner) : known;
      if (target === "") return unwrap === false ? { ok: true, url: shown } : { ok: true, url: shown, chain };
      noted?.(known === "" ? N10_OPEN : N10_UNWRAP);
      chain.push(shown);
      inner = target;
    }
  };
  return form.refang ? (url) => whole(refanged(textOnly(url))) : whole;
}

/** Returns a normal form as the output shows it: for `surt` and `cdx` as a key (N11), with `defang` defanged (N10). */
export function writtenForm(url: string, { profile, defang }: UrlForm, noted?: RuleListener): string {
  const form = profile === "surt" ? surtOf(url) : profile === "cdx" ? cdxKeyOf(url) : url;
  const written = defang ? defanged(form) : form;
  if (form !== url) noted?.(N11_SURT);
  if (written !== form) noted?.(N10_DEFANG);
  return written;
}

function textOnly(url: string): string {
  if (typeof url !== "string") throw wrongInput("url", "a string", url);
  return url;
}

/** Applies the profile, then `userinfo`, then the options of `rewriteUrl`. */
function finish(normal: Normalizer, url: string, form: UrlForm, noted: RuleListener | undefined): NormalForm {
  const result = normal(url);
  if (!result.ok) return result;
  // A changed URL is normalized again: for example, `localhost` is removed from a file URL (N5), and the profile none trims both ends. A
  // web URL would not change again.
  const settled = (before: string, after: string): NormalForm =>
    after === before || (form.profile !== "none" && WEB.test(after)) ? { ok: true, url: after } : normal(after);
  // The userinfo stays hidden or removed, even if the shape of the new URL (X6) is refused.
  const bare = rewriteUserinfo(result.url, form.userinfo);
  if (bare !== result.url) noted?.(N10_USERINFO);
  const again = settled(result.url, bare);
  const first = again.ok ? again.url : bare;
  const rewritten = settled(first, rewriteUrl(first, form, noted));
  return rewritten.ok ? rewritten : { ok: true, url: first };
}

/** Returns the form of the profile rfc3986; empty if the URL is refused. */
function rfc3986Form(core: UrlCore, url: string): string {
  const result = normalizeByCore(core, url, PROFILE_RFC3986);
  return result.ok ? result.url : "";
}

/** Returns the URL inside a redirector's URL; empty if there is none. Its scheme must be known: a redirector must not yield a script. */
function redirectTarget(core: UrlCore, url: string): string {
  const target = mayRedirect(url) ? targetOf(rfc3986Form(core, url)) : "";
  const inner = target === "" ? "" : rfc3986Form(core, target);
  return isMatchedScheme(core, inner.slice(0, inner.indexOf(":"))) ? target : "";
}

/** Returns the first URL inside a URL of any host; empty if the first TARGETS_MOST texts are none. (C209) */
function openTarget(core: UrlCore, url: string): string {
  let tried = 0;
  for (const target of targetsIn(rfc3986Form(core, url))) {
    if (rfc3986Form(core, target) !== "") return target;
    if (++tried === TARGETS_MOST) break;
  }
  return "";
}

/** Returns a function that tests whether a URL cut by a line break is a redirector's, as written or after the options. (C76, C142) */
export function makeCutTest(core: UrlCore, form: UrlForm): (url: string) => boolean {
  const other = makeNormalizer(core, { ...form, unwrap: false });
  const isOfRedirector = (url: string): boolean => mayRedirect(url) && isCutRedirector(rfc3986Form(core, url));
  return (url) => {
    const given = other(url);
    return isOfRedirector(url) || (given.ok && isOfRedirector(given.url));
  };
}

let plainNormalizer: Normalizer | undefined;

/** Returns the normal form of a URL, or its error. Throws InputError if it is no string, OptionError for a bad option. (N) */
export function tryNormalize(url: string, options?: NormalizeOptions): NormalizeResult {
  const result = normalForm(url, options);
  if (result.ok) return result;
  const parts = partsWith(getUrlCore(), url);
  return { ...result, offset: parts.ok ? 0 : parts.offset };
}

/** Returns the normal form of a URL, or null if there is none: `tryNormalize` gives the reason. Throws the same errors. (N) */
export function normalize(url: string, options?: NormalizeOptions): string | null {
  const result = normalForm(url, options);
  return result.ok ? result.url : null;
}

function normalForm(url: string, options: NormalizeOptions | undefined): NormalForm {
  const core = getUrlCore();
  plainNormalizer ??= makeNormalizer(core, defaultForm());
  return options === undefined ? plainNormalizer(url) : makeNormalizer(core, checkNormalizeOptions(options))(url);
}

// The profiles that the core does not know: whatwg and surt. The third, cdx, is in cdx-key.ts.

const REMOVED = /[\t\n\r]+/g;
const AUTHORITY = /^[\0-\x20]*[a-z][a-z0-9+.-]*:\/\//i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Normalizes one URL as the platform does: `new URL(url).href`. Throws InputError if it is no string. (N9) */
function whatwgForm(url: string): CoreResult {
  if (exceeds(textOnly(url), URL_BYTES_LIMIT)) return { ok: false, code: "overlong" };
  try {
    return { ok: true, url: new URL(url).href };
  } catch {
    return { ok: false, code: AUTHORITY.test(url.replace(REMOVED, "")) ? "bad-host" : "bad-shape" };
  }
}

/** Returns the SURT of a normal form, with the labels of the host in reverse order. A URL without an authority stays. (N11) */
export function surtOf(normalForm: string): string {
  const reference = splitUrl(normalForm);
  if (reference.authority === null) return normalForm;
  const { userinfo, host, port } = splitAuthority(reference.authority);
  const tail = `${port === null ? "" : `:${port}`}${userinfo === null ? "" : `@${userinfo}`}`;
  return composeReference({ ...reference, authority: `(${reversed(host)}${tail})` });
}

function reversed(host: string): string {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (name === "" || name.startsWith("[") || IPV4.test(name)) return name;
  return `${name.split(".").reverse().join(",")},`;
}
