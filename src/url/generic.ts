// The generic components of one URL (P0): what every scheme has, as written.

import * as code from "#core/layout/codes.js";
import { REJOIN_REGION, RESULT_SPLIT } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import type { Reason } from "../core/names.ts";
import { reasonOf, textIn, URL_BYTES_LIMIT, writeUrl } from "./text.ts";

/** The generic components of a URL, as written; null where absent. @see docs/rules.md P0 */
export interface GenericUrl {
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

/** The word of RESULT_SPLIT that SPLIT_* names. */
function splitWord(core: Core, part: number): number {
  return core.words[(RESULT_SPLIT >> 2) + part] as number;
}

/** Splits one URL; a text that is none gives a result with a code and the byte offset. @see docs/rules.md P0 */
export function splitWith(core: Core, url: string): GenericUrl | ParseFailure {
  const end = writeUrl(core, url);
  if (end < 0) return { ok: false, code: "overlong", offset: URL_BYTES_LIMIT };
  const reason = core.split(REJOIN_REGION, end);
  const word = (part: number): number => splitWord(core, part);
  if (reason !== code.REASON_NONE) return { ok: false, code: reasonOf(reason), offset: word(code.SPLIT_ERROR) - REJOIN_REGION };
  // Bytes of an ASCII URL count as characters: slices of the string are several times as fast as decoding.
  const between = (from: number, to: number): string =>
    end - REJOIN_REGION === url.length ? url.slice(from - REJOIN_REGION, to - REJOIN_REGION) : textIn(core, from, to);
  const text = (part: number): string | null => (word(part) < 0 ? null : between(word(part), word(part + 1)));
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
