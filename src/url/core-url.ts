// Runs the core on one URL: writes the URL into the core's memory, and reads the result.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { wrongInput } from "../base/errors.ts";
import { FLAGS, type Flag, REASON_NAMES, type Reason } from "../core/names.ts";
import { decodeUtf8, encodeInto, exceeds } from "../core/text.ts";
import type { UrlCore } from "../core/url-core.ts";
import { splitUserinfo } from "./reference.ts";
import { URL_BYTES_LIMIT } from "./text.ts";

const COLON = 0x3a;

/** The generic components of a URL; null if absent. They are as written, except the scheme and the port. (P0) */
export interface GenericUrl {
  readonly ok: true;
  /** In lower case. */
  readonly scheme: string;
  readonly userinfo: string | null;
  readonly user: string | null;
  readonly password: string | null;
  /** With the brackets of an IP literal. */
  readonly host: string | null;
  readonly port: number | null;
  /** With its leading `/`, if there is one; empty if absent. */
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** Why a text is no URL. */
export interface ParseFailure {
  readonly ok: false;
  readonly code: Reason;
  /** Offset of the error in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** The normal form of a URL, or why it has none. */
export type CoreResult = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: Reason };

const encoder = new TextEncoder();
/** Matches a text of characters that `asWritten` never changes. */
const PLAIN = /^[!#-;=?-[\]^_a-~]*$/;

/** Writes a URL to REJOIN_REGION. Returns the address after it, or -1 if the URL is too long. Throws InputError if `url` is no string. */
function writeUrl(core: UrlCore, url: string): number {
  if (typeof url !== "string") throw wrongInput("url", "a string", url);
  if (exceeds(url, URL_BYTES_LIMIT)) return -1;
  const { bytes } = core;
  const end = layout.REJOIN_REGION + encodeInto(url, bytes, layout.REJOIN_REGION);
  // Not `fill`, which takes longer for so few bytes.
  for (let at = end; at < end + 16; at++) bytes[at] = 0;
  return end;
}

export function reasonOf(number: number): Reason {
  return REASON_NAMES[number] as Reason;
}

/** Normalizes one URL by a profile, PROFILE_*. Throws InputError if `url` is no string. (N) */
export function normalizeByCore(core: UrlCore, url: string, profile: number): CoreResult {
  const end = writeUrl(core, url);
  if (end < 0) return { ok: false, code: "overlong" };
  const result = core.normalize(layout.REJOIN_REGION, end, profile);
  return result < 0 ? { ok: false, code: reasonOf(-result) } : { ok: true, url: decodeUtf8(core.bytes, layout.OUTPUT_REGION, result) };
}

/** The generic components and the flags, which every parsed URL has. (P0, W) */
export interface UrlParts extends GenericUrl {
  readonly flags: readonly Flag[];
}

/** Returns the flags in the low FLAG_BITS bits; the bits above them may hold a reason. */
export function flagsIn(bits: number): Flag[] {
  return bits === 0 ? [] : FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** Returns the flags of one URL as bits, even if its host is refused; 0 for a text that is refused for another reason. (W) */
export function flagBitsWith(core: UrlCore, url: string): number {
  const end = writeUrl(core, url);
  return end < 0 ? 0 : core.flagsOf(layout.REJOIN_REGION, end) & ((1 << code.FLAG_BITS) - 1);
}

/** Returns why a text is no URL, or undefined if it is one. (P0) */
export function refusalWith(core: UrlCore, url: string): Reason | undefined {
  const end = writeUrl(core, url);
  if (end < 0) return "overlong";
  const reason = core.split(layout.REJOIN_REGION, end);
  return reason === code.REASON_NONE ? undefined : reasonOf(reason);
}

/** Splits one URL into its generic components, even if its host is refused. Returns a code and an offset if it is no URL. (P0) */
export function splitWith(core: UrlCore, url: string): GenericUrl | ParseFailure {
  return splitUpTo(core, url, writeUrl(core, url));
}

/** Returns the generic components and the flags of one URL, or a code and an offset if `normalize` refuses the URL. (P0, W) */
export function partsWith(core: UrlCore, url: string): UrlParts | ParseFailure {
  const end = writeUrl(core, url);
  const generic = splitUpTo(core, url, end);
  if (!generic.ok) return generic;
  const host = splitWord(core, code.SPLIT_HOST);
  const flags = core.flagsOf(layout.REJOIN_REGION, end);
  const reason = flags >> code.FLAG_BITS;
  if (reason !== code.REASON_NONE) return failureAt(core, url, end, reason, host);
  return Object.assign(generic, { flags: flagsIn(flags) });
}

function splitWord(core: UrlCore, part: number): number {
  return core.words[(layout.RESULT_SPLIT >> 2) + part];
}

/** Returns the text between two addresses in the URL that ends at `end` in REJOIN_REGION. */
function between(core: UrlCore, url: string, end: number, from: number, to: number): string {
  // In an ASCII URL a byte is a character. Slicing the string is several times as fast as decoding.
  const isAscii = end - layout.REJOIN_REGION === url.length;
  return isAscii ? url.slice(from - layout.REJOIN_REGION, to - layout.REJOIN_REGION) : decodeUtf8(core.bytes, from, to);
}

function failureAt(core: UrlCore, url: string, end: number, reason: number, address: number): ParseFailure {
  return { ok: false, code: reasonOf(reason), offset: between(core, url, end, layout.REJOIN_REGION, address).length };
}

function splitUpTo(core: UrlCore, url: string, end: number): GenericUrl | ParseFailure {
  if (end < 0) return { ok: false, code: "overlong", offset: encoder.encodeInto(url, new Uint8Array(URL_BYTES_LIMIT)).read };
  const reason = core.split(layout.REJOIN_REGION, end);
  if (reason !== code.REASON_NONE) return failureAt(core, url, end, reason, splitWord(core, code.SPLIT_ERROR));
  const word = (part: number): number => splitWord(core, part);
  const text = (part: number): string | null => (word(part) < 0 ? null : between(core, url, end, word(part), word(part + 1)));
  const scheme = (text(code.SPLIT_SCHEME) as string).toLowerCase();
  const userinfo = text(code.SPLIT_USERINFO);
  const { user, password } = splitUserinfo(userinfo);
  const host = text(code.SPLIT_HOST);
  const port = word(code.SPLIT_PORT_DIGITS) < 0 ? null : word(code.SPLIT_PORT);
  const path = text(code.SPLIT_PATH) as string;
  const query = text(code.SPLIT_QUERY);
  const fragment = text(code.SPLIT_FRAGMENT);
  // The drive of Windows in `file://C:/x` is no host (C292).
  const mayBeDrive = scheme === "file" && userinfo === null && host !== null && port === null;
  const isDrive = mayBeDrive && /^[a-z]$/i.test(host) && core.bytes[word(code.SPLIT_HOST + 1)] === COLON;
  const [ownHost, ownPath] = isDrive ? ["", `/${host}:${path}`] : [host, path];
  return { ok: true, scheme, userinfo, user, password, host: ownHost, port, path: ownPath, query, fragment };
}

/** Returns a text with triplets for the characters that no URL may contain; null: it is too long. A second call changes nothing. (N) */
export function asWritten(core: UrlCore, text: string): string | null {
  if (PLAIN.test(text)) return text;
  const end = writeUrl(core, text);
  if (end < 0) return null;
  return decodeUtf8(core.bytes, layout.OUTPUT_REGION, core.writeAsWritten(layout.REJOIN_REGION, end, layout.OUTPUT_REGION));
}
