// Resolves a reference against a base (RFC 3986 section 5.2). Normalizes nothing but dot segments, and encodes the characters that no URL
// may contain.

import { remembering } from "../base/arrays.ts";
import { wrongInput } from "../base/errors.ts";
import type { Reason } from "../core/names.ts";
import { getUrlCore, type UrlCore } from "../core/url-core.ts";
import { asWritten, refusalWith } from "./core-url.ts";
import { composeReference, isOpaqueScheme, type Reference, splitReference } from "./reference.ts";

/**
 * The target of a reference, or why there is none: the base is no URL (a code of `parse`), the base has no hierarchy, or the target is
 * `overlong`. (P10)
 */
export type ResolveResult = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: Reason | "no-hierarchy" };

/** Resolves a reference against a base, which `baseOf` reads; one with a scheme needs none. Throws InputError if one is no string. (P10) */
export function resolveWith(
  core: UrlCore,
  base: string,
  reference: string,
  baseOf = (text: string) => readBase(core, text),
): ResolveResult {
  if (typeof base !== "string") throw wrongInput("base", "a string", base);
  if (typeof reference !== "string") throw wrongInput("reference", "a string", reference);
  const given = splitReference(trim(reference));
  if (given.scheme !== null) return written(core, { ...given, path: withoutDots(given) });
  const { context, refusal } = baseOf(base);
  if (refusal !== undefined) return { ok: false, code: refusal };
  const isSameDocument = given.authority === null && given.path === "" && given.query === null;
  if (!isSameDocument && !isHierarchical(context)) return { ok: false, code: "no-hierarchy" };
  return written(core, targetOf(context, given));
}

interface Base {
  /** The components of the base, without the fragment. */
  readonly context: Reference;
  /** Why no reference can be resolved against this base; undefined if references can. */
  readonly refusal: Reason | undefined;
}

function readBase(core: UrlCore, text: string): Base {
  // A base has no fragment (RFC 3986 5.1).
  const context = { ...splitReference(trim(text)), fragment: null };
  const refusal = refusalWith(core, composeReference(context));
  // A hierarchy needs no host: `http:///a` and `http:/a`.
  return { context, refusal: refusal === "no-host" && isHierarchical(context) ? undefined : refusal };
}

/** Reads a base and keeps it, because many references have the same base. Made late: bundles without `resolve` drop it. */
let lastBase: ((text: string) => Base) | undefined;

function written(core: UrlCore, target: Reference): ResolveResult {
  const url = asWritten(core, composeReference(target));
  return url === null ? { ok: false, code: "overlong" } : { ok: true, url };
}

/** Resolves `reference` in the context of `base`. Returns null if there is no target. Throws InputError if one is no string. (P10) */
export function resolve(base: string, reference: string): string | null {
  const core = getUrlCore();
  lastBase ??= remembering((text) => readBase(core, text), 1);
  const result = resolveWith(core, base, reference, lastBase);
  return result.ok ? result.url : null;
}

/** Returns the target of a reference without a scheme (RFC 3986 5.2.2). */
function targetOf(base: Reference, given: Reference): Reference {
  const { scheme } = base;
  const { fragment } = given;
  if (given.authority !== null) return { ...given, scheme, path: withoutDots(given) };
  if (given.path === "") return { ...base, query: given.query ?? base.query, fragment };
  const path = given.path.startsWith("/") ? given.path : merged(base, given.path);
  return { scheme, authority: base.authority, path: removeDotSegments(path), query: given.query, fragment };
}

/** Merges a relative path with the path of the base (RFC 3986 5.2.3). */
function merged(base: Reference, path: string): string {
  return base.authority !== null && base.path === "" ? `/${path}` : base.path.slice(0, base.path.lastIndexOf("/") + 1) + path;
}

// In a scheme without a hierarchy (a message-id, say) `/../` is no dot segment.
function withoutDots(reference: Reference): string {
  return isHierarchical(reference) || reference.scheme === null ? removeDotSegments(reference.path) : reference.path;
}

function isHierarchical({ scheme, authority, path }: Reference): boolean {
  return (authority !== null || path.startsWith("/")) && !isOpaqueScheme(scheme);
}

/** Returns a path, which is empty or begins with a slash, without its dot segments (RFC 3986 5.2.4). */
function removeDotSegments(path: string): string {
  let at = path.indexOf("/.");
  if (at < 0) return path;
  // The segments before `at`, and those after it: each with the slash before it.
  let before = path.slice(0, at);
  const kept: string[] = [];
  while (at < path.length) {
    const slash = path.indexOf("/", at + 1);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(at, end);
    if (segment === "/.." && kept.pop() === undefined) before = before.slice(0, Math.max(0, before.lastIndexOf("/")));
    if (segment !== "/." && segment !== "/..") kept.push(segment);
    else if (slash < 0) kept.push("/");
    at = end;
  }
  for (const segment of kept) before += segment;
  return before;
}

/** Returns a text without the characters at both ends that P0 ignores there. */
function trim(text: string): string {
  const isTrimmed = (at: number): boolean => text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0x7f;
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(start)) start++;
  while (end > start && isTrimmed(end - 1)) end--;
  return text.slice(start, end);
}
