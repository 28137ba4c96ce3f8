// The kinds of schemeless text (X10): the scheme of their URLs, and the rules that find them.

import { lower } from "../bytes/ascii.ts";
import { LOWER_F } from "../bytes/characters.ts";
import { KIND_DOMAIN, KIND_EMAIL, KIND_WWW } from "../layout/codes.ts";
import { X10_DOMAIN, X10_EMAIL, X10_IP, X10_WWW } from "../layout/notes.ts";
import { SCHEME_FTP, SCHEME_HTTP, SCHEME_MAILTO } from "../layout/scheme-rows.ts";
import { load8 } from "../platform/memory.ts";

/** Returns the rule that finds text of a kind. */
export function ruleOfKind(kind: i32): i32 {
  if (kind == KIND_WWW) return X10_WWW;
  return kind == KIND_EMAIL ? X10_EMAIL : kind == KIND_DOMAIN ? X10_DOMAIN : X10_IP;
}

/** Returns the row of the scheme that normalizing puts before text of a kind. `start`: the first byte of the text. */
export function schemeOf(kind: i32, start: i32): i32 {
  if (kind == KIND_EMAIL) return SCHEME_MAILTO;
  return kind == KIND_WWW && lower(load8(start)) == LOWER_F ? SCHEME_FTP : SCHEME_HTTP;
}
