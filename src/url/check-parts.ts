// Whether the parts of a URL are parts, and are read again from what was written of them.
import { getCore } from "../core/core.ts";
import { InputError } from "../errors.ts";
import { splitWith } from "./generic.ts";
import { type ParsedUrl, readScheme } from "./parse.ts";
import { GENERIC_KINDS, ownKinds, type PartKinds } from "./schemes/kinds.ts";
import type { Components } from "./schemes/parts.ts";

function partsOf(url: ParsedUrl): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(url));
}

function checkKinds(parts: ReadonlyMap<string, unknown>, kinds: PartKinds, where: string): void {
  for (const [name, { expected, isRight }] of Object.entries(kinds)) {
    if (!isRight(parts.get(name))) throw new InputError(`${name}${where} ${expected}`);
  }
}

/**
 * Throws InputError, whose message names the part, where a value is no result of `parse`, or a part cannot be one.
 * @see docs/rules.md P0
 */
export function checkParts(url: ParsedUrl): void {
  if (typeof url !== "object" || url === null || url.ok !== true) throw new InputError("url must be a result of parse");
  const parts = partsOf(url);
  checkKinds(parts, GENERIC_KINDS, "");
  checkKinds(parts, ownKinds(url.scheme), ` of a URL of the scheme ${url.scheme}`);
  if (url.user === null && url.password !== null) throw new InputError("password cannot be written without a user");
}

function cannotWrite(part: string, scheme: string): InputError {
  return new InputError(`${part} cannot be written in a URL of the scheme ${scheme}: parse would read it differently`);
}

/** A path and its query: in some schemes the first `?` belongs to the path. */
function afterAuthority({ path, query }: Pick<Components, "path" | "query">): string {
  return query === null ? path : `${path}?${query}`;
}

/** The parts of a text; throws where it is read as other components than those it was written from, or is no URL. */
function readAgain(wanted: Components, written: string): ParsedUrl {
  const { scheme, host, path } = wanted;
  if (host !== null && path !== "" && !path.startsWith("/")) throw new InputError("path must be empty or begin with / after a host");
  const found = splitWith(getCore(), written);
  if (!found.ok) {
    if (found.code === "overlong") throw new InputError(`the parts make a URL of more than ${found.offset} bytes`);
    // The port is a number by now: whatever is wrong in an authority came with its host.
    const parts = found.code === "bad-shape" ? Object.keys({ path: null, ...ownKinds(scheme) }).join(", ") : "host";
    throw cannotWrite(parts, scheme);
  }
  for (const name of ["host", "userinfo", "port", "fragment"] as const) {
    if (found[name] !== wanted[name]) throw cannotWrite(name, scheme);
  }
  if (afterAuthority(found) !== afterAuthority(wanted)) throw cannotWrite("path", scheme);
  return readScheme({ ...found, flags: [] });
}

/** The parts of the scheme that count: wais `fields` stand for `wpath`, and a `wpath` may have their form. */
function countingParts(url: ParsedUrl): string[] {
  const names = Object.keys(ownKinds(url.scheme)).filter((name) => name !== "searchpart");
  if (url.scheme !== "wais") return names;
  return names.filter((name) => name !== (url.fields === null ? "fields" : "wpath"));
}

/** A part as text to compare; half a character is U+FFFD, as it is in a URL. */
function comparable(part: unknown): string {
  return JSON.stringify(part, (_, value: unknown) => (typeof value === "string" ? value.replace(/\p{Cs}/gu, "\ufffd") : value));
}

/**
 * Throws InputError, whose message names the part, where `written` is not read as the parts that it was made of.
 * @see docs/rules.md P0
 */
export function checkWritten(url: ParsedUrl, components: Components, written: string): void {
  const before = partsOf(url);
  const after = partsOf(readAgain(components, written));
  for (const name of countingParts(url)) {
    // One that is absent before one that is there is written as empty: gopher's search before `plus`.
    const isFilled = before.get(name) === null && after.get(name) === "";
    if (!isFilled && comparable(before.get(name)) !== comparable(after.get(name))) throw cannotWrite(name, url.scheme);
  }
}
