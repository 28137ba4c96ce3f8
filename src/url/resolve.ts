// Resolution of a reference against a base (RFC 3986 section 5.2). Nothing is decoded and nothing is normalized but dot segments; what no
// URL can hold becomes triplets.
import { type Core, getCore } from "../core/core.ts";
import type { Reason } from "../core/names.ts";
import { InputError } from "../errors.ts";
import { splitWith } from "./generic.ts";
import { composeReference, isOpaqueScheme, type Reference, splitReference } from "./reference.ts";
import { asWritten } from "./text.ts";

/** Why a reference has no target: the base is no URL (a code of `parse`), or it has no hierarchy (`no-hierarchy`). */
export type ResolveCode = Reason | "no-hierarchy";

/** The target of a reference, or why there is none. @see docs/rules.md P10 */
export type ResolveResult = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: ResolveCode };

// What P0 takes off both ends of a URL.
const isTrimmed = (code: number): boolean => code <= 0x20 || code === 0x7f;

/**
 * The target of `reference` in the context of `base`, or why there is none. A reference with a scheme needs no base: the base is not
 * looked at.
 * Throws InputError for what is no string.
 * @see docs/rules.md P10
 */
export function resolveWith(core: Core, base: string, reference: string): ResolveResult {
  if (typeof base !== "string" || typeof reference !== "string") throw new InputError("base and reference must be strings");
  const given = splitReference(trim(reference));
  if (given.scheme !== null) return written(core, { ...given, path: withoutDots(given) });
  // The fragment is no part of a base (RFC 3986 5.1).
  const context = { ...splitReference(trim(base)), fragment: null };
  const checked = splitWith(core, composeReference(context));
  if (!checked.ok) return { ok: false, code: checked.code };
  const isSameDocument = given.authority === null && given.path === "" && given.query === null;
  if (!isSameDocument && !isHierarchical(context)) return { ok: false, code: "no-hierarchy" };
  return written(core, targetOf(context, given));
}

function written(core: Core, target: Reference): ResolveResult {
  const url = asWritten(core, compose(target));
  return url === null ? { ok: false, code: "overlong" } : { ok: true, url };
}

/**
 * The target of `reference` in the context of `base`; null where there is none. Throws InputError for what is no string.
 * @see docs/rules.md P10
 */
export function resolve(base: string, reference: string): string | null {
  const result = resolveWith(getCore(), base, reference);
  return result.ok ? result.url : null;
}

/** RFC 3986 5.2.2 for a reference without a scheme. */
function targetOf(base: Reference, given: Reference): Reference {
  const { scheme } = base;
  const { fragment } = given;
  if (given.authority !== null) return { ...given, scheme, path: withoutDots(given) };
  if (given.path === "") return { ...base, query: given.query ?? base.query, fragment };
  const path = given.path.startsWith("/") ? given.path : merged(base, given.path);
  return { scheme, authority: base.authority, path: removeDotSegments(path), query: given.query, fragment };
}

/** RFC 3986 5.2.3 */
function merged(base: Reference, path: string): string {
  return base.authority !== null && base.path === "" ? `/${path}` : base.path.slice(0, base.path.lastIndexOf("/") + 1) + path;
}

// Where a scheme has no hierarchy (a message-id, say), `/../` in its path are characters like any others.
function withoutDots(reference: Reference): string {
  return isHierarchical(reference) || reference.scheme === null ? removeDotSegments(reference.path) : reference.path;
}

function isHierarchical({ scheme, authority, path }: Reference): boolean {
  return (authority !== null || path.startsWith("/")) && !isOpaqueScheme(scheme ?? "");
}

/** RFC 3986 5.2.4 for a path that is empty or begins with a slash. */
function removeDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.slice(1).split("/");
  segments.forEach((segment, index) => {
    if (segment === "..") kept.pop();
    if (segment !== "." && segment !== "..") kept.push(segment);
    else if (index === segments.length - 1) kept.push("");
  });
  return `/${kept.join("/")}`;
}

// Without an authority a path that begins with two slashes would be read as one (RFC 3986 3.3).
function compose(target: Reference): string {
  const isAmbiguous = target.authority === null && target.path.startsWith("//");
  return composeReference(isAmbiguous ? { ...target, path: `/.${target.path}` } : target);
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charCodeAt(start))) start++;
  while (end > start && isTrimmed(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
