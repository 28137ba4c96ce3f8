// The components of a URL reference (RFC 3986 appendix B): splits any text and joins components, without checking them.
import { SCHEMES } from "#core/tables/schemes.js";

/** The components of a URL reference as written; null if absent. `path` may be empty. (P10) */
export interface Reference {
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** The parts of an authority as written; null if absent. The host includes the brackets of an IP literal, the port may be empty. */
export interface Authority {
  readonly userinfo: string | null;
  readonly host: string;
  readonly port: string | null;
}

const OPAQUE_SCHEMES = new Set(SCHEMES.filter((row) => row.shape === "opaque").map((row) => row.name));
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const PORT = /:([0-9]*)$/;

/** Splits any text. If it does not begin with a scheme and a colon, `scheme` is null. (P10) */
export function splitReference(text: string): Reference {
  const colon = text.indexOf(":");
  const schemeEnd = colon > 0 && SCHEME.test(text) ? colon + 1 : 0;
  const hash = text.indexOf("#", schemeEnd);
  const end = hash < 0 ? text.length : hash;
  const mark = text.indexOf("?", schemeEnd);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const hasAuthority = text.startsWith("//", schemeEnd);
  let pathStart = schemeEnd;
  if (hasAuthority) {
    const slash = text.indexOf("/", schemeEnd + 2);
    pathStart = slash < 0 || slash > pathEnd ? pathEnd : slash;
  }
  return {
    scheme: schemeEnd === 0 ? null : text.slice(0, schemeEnd - 1),
    authority: hasAuthority ? text.slice(schemeEnd + 2, pathStart) : null,
    path: text.slice(pathStart, pathEnd),
    query: pathEnd < end ? text.slice(pathEnd + 1, end) : null,
    fragment: hash < 0 ? null : text.slice(hash + 1),
  };
}

/** Returns whether a scheme is known to have no authority: a `//` after it belongs to the path, and the path has no segments. (P0) */
export function isOpaqueScheme(scheme: string | null): boolean {
  return scheme !== null && OPAQUE_SCHEMES.has(scheme.toLowerCase());
}

/** Splits a whole URL: like a reference, except that opaque schemes have no authority. (P0) */
export function splitUrl(url: string): Reference {
  const reference = splitReference(url);
  if (reference.authority === null || !isOpaqueScheme(reference.scheme)) return reference;
  return { ...reference, authority: null, path: `//${reference.authority}${reference.path}` };
}

/**
 * Returns a path as it is written after a scheme, or after an authority if `hasAuthority`. Without an authority, two slashes at its start
 * would be read as one, so `/.` is written before them (RFC 3986 3.3). A scheme that is known to be opaque needs none.
 */
export function pathAfter(scheme: string | null, hasAuthority: boolean, path: string): string {
  return !hasAuthority && path.startsWith("//") && !isOpaqueScheme(scheme) ? `/.${path}` : path;
}

/** Joins the components of a URL reference (RFC 3986 5.3). The path may get `/.` before it, as in `pathAfter`. */
export function composeReference({ scheme, authority, path, query, fragment }: Reference): string {
  let text = scheme === null ? "" : `${scheme}:`;
  if (authority !== null) text += `//${authority}`;
  text += pathAfter(scheme, authority !== null, path);
  if (query !== null) text += `?${query}`;
  return fragment === null ? text : `${text}#${fragment}`;
}

/** Splits an authority. The userinfo ends at the last `@`. The port is the digits after a colon at the end; it may be empty. */
export function splitAuthority(authority: string): Authority {
  const at = authority.lastIndexOf("@");
  const port = PORT.exec(authority);
  const isPort = port !== null && port.index > at;
  return {
    userinfo: at < 0 ? null : authority.slice(0, at),
    host: authority.slice(at + 1, isPort ? port.index : authority.length),
    port: isPort ? port[1] : null,
  };
}

export function composeAuthority({ userinfo, host, port }: Authority): string {
  return `${userinfo === null ? "" : `${userinfo}@`}${host}${port === null ? "" : `:${port}`}`;
}

/** Splits a userinfo at its first colon; null for a part that is absent. (P0) */
export function splitUserinfo(userinfo: string | null): { user: string | null; password: string | null } {
  const colon = userinfo === null ? -1 : userinfo.indexOf(":");
  if (userinfo === null || colon < 0) return { user: userinfo, password: null };
  return { user: userinfo.slice(0, colon), password: userinfo.slice(colon + 1) };
}
