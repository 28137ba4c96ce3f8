// One URL at a time: its normal form, and its generic components.
import { OUTPUT_AREA, REJOIN_AREA, STATE_HOST_LENGTH, STATE_OUTPUT_END, STATE_SPLIT, STOP_IDN } from "#core/tables/areas.js";
import * as code from "#core/tables/codes.js";
import { type Core, getCore } from "../core/core.ts";
import { REASONS, type Reason } from "../core/names.ts";
import { InputError } from "../errors.ts";
import { supplyALabels } from "./idn.ts";

/** Longest URL, in bytes, that can be normalized or parsed; longer ones are `overlong`. */
export const URL_BYTES_LIMIT = 1 << 20;

/** Named sets of normalization rules that are built. @see docs/rules.md N */
export type Profile = "rfc3986" | "none";

/** The normal form of a URL, or why there is none. */
export type NormalizeResult = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly code: Reason };

/** The generic components of a URL, as written; null where absent. @see docs/rules.md P0 */
export interface ParsedUrl {
  readonly ok: true;
  /** In lower case. */
  readonly scheme: string;
  readonly userinfo: string | null;
  readonly user: string | null;
  readonly password: string | null;
  /** An IPv6 address stands in brackets. */
  readonly host: string | null;
  readonly port: number | null;
  /** With its leading `/`. */
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** Why a text is no URL. */
export interface ParseFailure {
  readonly ok: false;
  readonly code: Reason;
  /** UTF-8 byte of the input that the code is about. */
  readonly offset: number;
}

const encoder = new TextEncoder();
// A component may begin with U+FEFF, which is no byte order mark there.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Puts the URL where the core reads it; returns its end, or -1 if it is too long. */
function place(core: Core, url: string): number {
  if (typeof url !== "string") throw new InputError("url must be a string");
  const { read, written } = encoder.encodeInto(url, core.bytes.subarray(REJOIN_AREA, REJOIN_AREA + URL_BYTES_LIMIT));
  if (read < url.length) return -1;
  core.bytes.fill(0, REJOIN_AREA + written, REJOIN_AREA + written + 16);
  return REJOIN_AREA + written;
}

/** The URL that was split last, without white space and controls around it (P0): from its scheme to the end of its last component. */
function wholeText(core: Core): string {
  const word = (part: number): number => core.words[(STATE_SPLIT >> 2) + part] as number;
  const end = Math.max(word(code.SPLIT_PATH + 1), word(code.SPLIT_QUERY + 1), word(code.SPLIT_FRAGMENT + 1));
  return decoder.decode(core.bytes.subarray(word(code.SPLIT_SCHEME), end));
}

function reasonOf(number: number): Reason {
  return REASONS[number] as Reason;
}

/** Normalizes one URL, or tells why it is refused. @see docs/rules.md N, P0 */
export function normalizeWith(core: Core, url: string, profile: Profile): NormalizeResult {
  const end = place(core, url);
  if (end < 0) return { ok: false, code: "overlong" };
  if (profile === "none") {
    const reason = core.split(REJOIN_AREA, end);
    return reason === code.REASON_NONE ? { ok: true, url: wholeText(core) } : { ok: false, code: reasonOf(reason) };
  }
  core.words[STATE_HOST_LENGTH >> 2] = -1;
  let result = core.normalize(REJOIN_AREA, end);
  if (result === STOP_IDN) {
    supplyALabels(core);
    result = core.normalize(REJOIN_AREA, end);
  }
  if (result < 0) return { ok: false, code: reasonOf(-result) };
  return { ok: true, url: decoder.decode(core.bytes.subarray(OUTPUT_AREA, core.words[STATE_OUTPUT_END >> 2])) };
}

/**
 * Normalizes one URL: null where it is refused; `parse` tells why. Throws InputError for what is no string.
 * @see docs/rules.md N
 */
export function normalize(url: string, options: { readonly profile?: Profile } = {}): string | null {
  const result = normalizeWith(getCore(), url, options.profile ?? "rfc3986");
  return result.ok ? result.url : null;
}

/** Parses one URL into its generic components with a given core. @see docs/rules.md P0 */
export function parseWith(core: Core, url: string): ParsedUrl | ParseFailure {
  const end = place(core, url);
  if (end < 0) return { ok: false, code: "overlong", offset: URL_BYTES_LIMIT };
  const reason = core.split(REJOIN_AREA, end);
  const word = (part: number): number => core.words[(STATE_SPLIT >> 2) + part] as number;
  if (reason !== code.REASON_NONE) return { ok: false, code: reasonOf(reason), offset: word(code.SPLIT_ERROR) - REJOIN_AREA };
  const text = (part: number): string | null => (word(part) < 0 ? null : decoder.decode(core.bytes.subarray(word(part), word(part + 1))));
  const userinfo = text(code.SPLIT_USERINFO);
  const colon = userinfo === null ? -1 : userinfo.indexOf(":");
  return {
    ok: true,
    scheme: (text(code.SPLIT_SCHEME) as string).toLowerCase(),
    userinfo,
    user: userinfo === null || colon < 0 ? userinfo : userinfo.slice(0, colon),
    password: userinfo === null || colon < 0 ? null : userinfo.slice(colon + 1),
    host: text(code.SPLIT_HOST),
    port: word(code.SPLIT_PORT_DIGITS) < 0 ? null : word(code.SPLIT_PORT),
    path: text(code.SPLIT_PATH) as string,
    query: text(code.SPLIT_QUERY),
    fragment: text(code.SPLIT_FRAGMENT),
  };
}

/**
 * Parses one URL into its generic components; a text that is none gives a result with a code and the byte offset.
 * @see docs/rules.md P0
 */
export function parse(url: string): ParsedUrl | ParseFailure {
  return parseWith(getCore(), url);
}
