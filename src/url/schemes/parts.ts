// What the parts of single schemes are made of: components as written, their text, and the way back.
import type { Flag } from "../../core/names.ts";
import type { GenericUrl } from "../generic.ts";
import { percentDecode } from "../percent.ts";

/** The generic components and the flags that every parsed URL has. @see docs/rules.md P0, W */
export interface UrlParts extends GenericUrl {
  readonly flags: readonly Flag[];
}

/** What `format` puts together: components as they are written. @see docs/rules.md P0 */
export type Components = Pick<GenericUrl, "scheme" | "userinfo" | "host" | "port" | "path" | "query" | "fragment">;

/** A name and its value, decoded. */
export type UrlField = readonly [name: string, value: string];

/** The characters of a path segment that need no triplet beside the unreserved ones, but for `;` and `=`, which delimit in many schemes. */
export const IN_SEGMENT = "!$&'()*+,:@";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

/** The text that a component stands for; U+FFFD where its bytes are no UTF-8. @see docs/rules.md P0 */
export function textOf(written: string): string {
  return written.includes("%") ? decoder.decode(percentDecode(written)) : written;
}

/** The same for a component that may be absent. @see docs/rules.md P0 */
export function textOrNull(written: string | null | undefined): string | null {
  return written === null || written === undefined ? null : textOf(written);
}

/** Text as a component: what is neither unreserved nor in `plain` becomes triplets of its UTF-8 bytes. @see docs/rules.md P11 */
function encode(text: string, plain: string): string {
  let written = "";
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte);
    const isPlain = UNRESERVED.includes(character) || plain.includes(character);
    written += isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return written;
}

/**
 * A part as a component. Where `written` stands for this very part it is taken: text alone does not tell `%3A` from `:`,
 * which are two URLs, and U+FFFD does not tell which bytes it stands for.
 * @see docs/rules.md P0
 */
export function write(part: string, written: string | null | undefined, plain: string): string {
  return typeof written === "string" && textOf(written) === part ? written : encode(part, plain);
}

/** `name=value` as written, split at the first `=`, then decoded. @see docs/rules.md P0 */
export function fieldOf(written: string): UrlField {
  const equals = written.indexOf("=");
  return equals < 0 ? [textOf(written), ""] : [textOf(written.slice(0, equals)), textOf(written.slice(equals + 1))];
}

/** A field as a component; `written` is taken where it stands for this very field, with or without its `=`. @see docs/rules.md P0 */
export function writeField(field: UrlField, written: string | undefined, plain: string): string {
  const [name, value] = field;
  const old = written === undefined ? undefined : fieldOf(written);
  if (written !== undefined && old?.[0] === name && old[1] === value) return written;
  return `${encode(name, plain)}=${encode(value, plain)}`;
}

/** A path without its leading `/`. */
export function withoutSlash(path: string): string {
  return path.startsWith("/") ? path.slice(1) : path;
}

/** A path with its leading `/`; a path that was empty stays so when there is nothing to write. @see docs/rules.md N5 */
export function withSlash(body: string, before: string): string {
  return body === "" && before === "" ? "" : `/${body}`;
}

/** User and password as written, split at the first colon. @see docs/rules.md P0 */
function loginAsWritten(userinfo: string | null): readonly [user: string | null, password: string | null] {
  if (userinfo === null) return [null, null];
  const colon = userinfo.indexOf(":");
  return colon < 0 ? [userinfo, null] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
}

/** User and password, decoded; null where absent. @see docs/rules.md P1, P6 */
export function readLogin(url: UrlParts): { user: string | null; password: string | null } {
  const [user, password] = loginAsWritten(url.userinfo);
  return { user: textOrNull(user), password: textOrNull(password) };
}

/** The userinfo of a decoded user and password; null without a user. @see docs/rules.md P1, P6 */
export function writeLogin(url: Pick<UrlParts, "user" | "password" | "userinfo">): string | null {
  if (url.user === null) return null;
  const [user, password] = loginAsWritten(url.userinfo);
  const name = write(url.user, user, "!$&'()*+,;=");
  return url.password === null ? name : `${name}:${write(url.password, password, "!$&'()*+,;=:")}`;
}
