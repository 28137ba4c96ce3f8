// Applies to a URL the options of N10 about the userinfo, the host, the query and the fragment.
import { N10_FRAGMENT, N10_QUERY, N10_WWW } from "#core/layout/notes.js";
import type { UrlForm } from "../options/options.ts";
import { percentEncode } from "./percent.ts";
import { composeAuthority, composeReference, type Reference, splitAuthority, splitUrl } from "./reference.ts";
import { hideUserinfo } from "./userinfo.ts";

// In these schemes a `?` starts no list of parameters (P3, P9).
const WITHOUT_PARAMETERS = new Set(["gopher", "urn"]);
const WWW = /^(?:www\.)+/i;
/** Matches the scheme, the user, and the password up to the `@` after it. */
const SIP_PASSWORD = /^(sips?:)([^:@/?#]*):[^/?#]*@/i;
const NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/i;

/** Returns whether a profile writes keys, by which indices sort, instead of URLs. (N11) */
export function isKey(profile: UrlForm["profile"]): profile is "surt" | "cdx" {
  return profile === "surt" || profile === "cdx";
}

/** Returns whether a form needs makeNormalizer, because the core alone cannot give it. (N9, N10, N11) */
export function needsRewrite(form: UrlForm): boolean {
  const isOther = form.profile === "whatwg" || isKey(form.profile) || form.userinfo !== "keep";
  return isOther || form.unwrap !== false || form.refang || form.defang || changesParts(form);
}

function changesParts(form: UrlForm): boolean {
  return form.stripFragment || form.sortQuery || form.stripTracking || form.stripWww;
}

/** Removes the userinfo of a URL (`strip`; of sip the password), or hides it, also in URLs inside the URL (`redact`). (N10, C73) */
export function rewriteUserinfo(url: string, form: UrlForm["userinfo"]): string {
  if (form === "keep") return url;
  if (form === "redact") return hideUserinfo(url);
  const parts = splitUrl(url);
  if (parts.authority !== null) {
    const { userinfo, ...rest } = splitAuthority(parts.authority);
    return userinfo === null ? url : composeReference({ ...parts, authority: composeAuthority({ ...rest, userinfo: null }) });
  }
  // Without an authority the shape needs something before the `@` (X6): `sip:joe@h`, `sip::@h`.
  return url.replace(SIP_PASSWORD, (_, start: string, user: string) => `${start}${user || ":"}@`);
}

/** Takes the number (assembly/layout/notes.ts) of a rule that changes a URL. */
export type RuleListener = (rule: number) => void;

/** Applies `stripWww`, `sortQuery`, `stripTracking` and `stripFragment`. Returns an equal text if they change nothing. (N10) */
export function rewriteUrl(url: string, form: UrlForm, noted?: RuleListener): string {
  if (!changesParts(form)) return url;
  const parts = splitUrl(url);
  const authority = form.stripWww && parts.authority !== null ? withoutWww(parts.authority) : parts.authority;
  const query = rewriteQuery(parts, form);
  const fragment = form.stripFragment ? null : parts.fragment;
  if (authority !== parts.authority) noted?.(N10_WWW);
  if (query !== parts.query) noted?.(N10_QUERY);
  if (fragment !== parts.fragment) noted?.(N10_FRAGMENT);
  return composeReference({ ...parts, authority, query, fragment });
}

// Without `www.` the host must still be a name that no program reads as an IPv4 address; else it stays.
function withoutWww(authority: string): string {
  const { userinfo, host, port } = splitAuthority(authority);
  const rest = host.replace(WWW, "");
  return composeAuthority({ userinfo, host: /^(?:$|[.-])/.test(rest) || NUMBER.test(rest) ? host : rest, port });
}

function rewriteQuery({ scheme, authority, query }: Reference, form: UrlForm): string | null {
  if (query === null || !(form.sortQuery || form.stripTracking) || WITHOUT_PARAMETERS.has((scheme ?? "").toLowerCase())) return query;
  const all = query.split("&").map((text) => ({ name: nameOf(text), text }));
  // Without an authority the shape may need the query (X6), and no program of the table adds parameters to such a URL.
  const kept = form.stripTracking && authority !== null ? all.filter(({ name }) => !isTracking(name)) : all;
  if (form.sortQuery) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const written = kept.map(({ text }) => text).join("&");
  return written === "" && kept.length < all.length ? null : written;
}

/** Returns the normalized name of a parameter (N2), even if the profile keeps triplets. */
function nameOf(parameter: string): string {
  const end = parameter.indexOf("=");
  const name = end < 0 ? parameter : parameter.slice(0, end);
  if (/^[A-Za-z0-9._~-]*$/.test(name)) return name;
  return name.replace(/%[0-9A-F]{2}|[^%]+|%/gi, (piece) => (/^%./.test(piece) ? n2Triplet(piece) : percentEncode(piece, "rfc3986-query")));
}

function n2Triplet(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
}

// Query parameters that follow a reader from page to page and identify no content. Each row names the program that adds them, as its public
// documentation says. Names that other programs use with a meaning of their own (`ref`, `source`, `id`) are left out.

/** Names in lower case; the start of names before a `*`. */
const TRACKING = [
  "utm_*", // Google Analytics (campaign URLs)
  "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid", // Google Ads, Display & Video 360
  "srsltid", // Google Merchant Center
  "fbclid fb_action_ids fb_action_types fb_source fb_ref igshid igsh", // Meta
  "msclkid", // Microsoft Advertising
  "yclid ysclid _openstat", // Yandex
  "twclid", // X
  "ttclid", // TikTok
  "li_fat_id", // LinkedIn
  "epik", // Pinterest
  "rdt_cid", // Reddit
  "sccid scclid", // Snapchat
  "mc_cid mc_eid mc_tc", // Mailchimp
  "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking hsa_*", // HubSpot
  "mkt_tok", // Marketo
  "pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid mtm_*", // Matomo
  "piwik_campaign piwik_kwd piwik_keyword", // Piwik
  "elqtrackid elqtrack elqaid elqat elqcampaignid", // Oracle Eloqua
  "s_cid s_kwcid ef_id", // Adobe Analytics, Adobe Advertising
  "_kx", // Klaviyo
  "vero_id vero_conv", // Vero
  "oly_anon_id oly_enc_id", // Omeda
  "dm_i", // Dotdigital
  "trk_contact trk_msg trk_module trk_sid", // Listrak
  "ml_subscriber ml_subscriber_hash", // MailerLite
  "__s", // Drip
  "_bta_tid _bta_c", // Bronto
  "_branch_match_id", // Branch
  "irclickid", // Impact
  "cjevent", // CJ
  "awc zanpid", // Awin
  "wickedid", // Wicked Reports
  "guce_referrer guce_referrer_sig", // Yahoo
].flatMap((names) => names.split(" "));

const NAMES = new Set(TRACKING);
const PREFIXES = TRACKING.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

/** Returns whether a query parameter with this name, normalized (N2) but in any case, only tracks. (N10) */
export function isTracking(name: string): boolean {
  const known = name.toLowerCase();
  return NAMES.has(known) || PREFIXES.some((prefix) => known.startsWith(prefix));
}
