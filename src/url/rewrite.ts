// What N10's options change on a URL, but for `unwrap`: fragment, query, host; and userinfo.
import type { UrlForm } from "../options.ts";
import { withoutPasswords } from "./passwords.ts";
import { percentEncode } from "./percent.ts";
import { composeAuthority, composeReference, type Reference, splitAuthority, splitUrl } from "./reference.ts";
import { isTracking } from "./tracking.ts";

// In these a `?` starts no list of parameters (P3, P9).
const WITHOUT_PARAMETERS = new Set(["gopher", "urn"]);
const WWW = /^(?:www\.)+/i;
const NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/i;

/** Whether one of the options that change a normal form is set; `unwrap` is none of them. */
export function changesForm(form: UrlForm): boolean {
  return form.userinfo !== "keep" || changesMore(form);
}

function changesMore(form: UrlForm): boolean {
  return form.stripFragment || form.sortQuery || form.stripTracking || form.stripWww;
}

/** A URL without its userinfo (`strip`), or without passwords, its own and those of URLs inside it (`redact`). @see docs/rules.md N10 */
export function rewriteUserinfo(url: string, form: UrlForm["userinfo"]): string {
  if (form === "keep") return url;
  if (form === "redact") return withoutPasswords(url, form);
  const parts = splitUrl(url);
  if (parts.authority !== null) {
    const { userinfo, ...rest } = splitAuthority(parts.authority);
    return userinfo === null ? url : composeReference({ ...parts, authority: composeAuthority({ ...rest, userinfo: null }) });
  }
  // The user is what a shape needs (X6): `sip:joe@h`.
  const start = `${parts.scheme}:`;
  return composeReference({ ...parts, path: withoutPasswords(start + parts.path, form).slice(start.length) });
}

/** A URL with the options of a form carried out, but `unwrap` and `userinfo`; the same text where they change nothing (N10). */
export function rewriteUrl(url: string, form: UrlForm): string {
  if (!changesMore(form)) return url;
  const parts = splitUrl(url);
  return composeReference({
    ...parts,
    authority: parts.authority === null ? null : rewriteAuthority(parts.authority, form),
    query: rewriteQuery(parts, form),
    fragment: form.stripFragment ? null : parts.fragment,
  });
}

function rewriteAuthority(authority: string, form: UrlForm): string {
  if (!form.stripWww) return authority;
  const { userinfo, host, port } = splitAuthority(authority);
  return composeAuthority({ userinfo, host: withoutWww(host), port });
}

// What is left must be a host name still, and none that programs read as an IPv4 address.
function withoutWww(host: string): string {
  const rest = host.replace(WWW, "");
  return /^(?:$|[.-])/.test(rest) || NUMBER.test(rest) ? host : rest;
}

function rewriteQuery({ scheme, authority, query }: Reference, form: UrlForm): string | null {
  if (query === null || !(form.sortQuery || form.stripTracking) || WITHOUT_PARAMETERS.has((scheme ?? "").toLowerCase())) return query;
  let parameters = query.split("&").map((text) => ({ name: nameOf(text), text }));
  // Without an authority a query may be what makes the shape (X6), and none of the programs of the table adds to it.
  if (form.stripTracking && authority !== null) {
    const kept = parameters.filter(({ name }) => !isTracking(name));
    if (kept.length < parameters.length && (kept.length === 0 || (kept.length === 1 && kept[0]?.text === ""))) return null;
    parameters = kept;
  }
  if (form.sortQuery) parameters.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return parameters.map(({ text }) => text).join("&");
}

/** The name of a parameter as N2 would give it, also where the profile leaves triplets as they are. */
function nameOf(parameter: string): string {
  const end = parameter.indexOf("=");
  const name = end < 0 ? parameter : parameter.slice(0, end);
  if (/^[A-Za-z0-9._~-]*$/.test(name)) return name;
  const pieces = name.split(/(%[0-9A-Fa-f]{2})/);
  return pieces.map((piece, index) => (index % 2 === 1 ? n2Triplet(piece) : percentEncode(piece, "rfc3986-query"))).join("");
}

function n2Triplet(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
}
