/**
 * What the rules of extraction are told beside the text: the options, and where the text stands.
 */
import { type AddedScheme, type Schemes, schemesWith } from "./schemes.ts";

/** What schemeless text is looked for (X10). */
export type SchemelessKind = "www" | "email" | "domain" | "ip";

/** The options of an extraction (X1, X8 to X12, X15); `from` and `to` are the byte range that owns what is reported (X13). */
export interface OracleOptions {
  type?: "html" | "xml" | "json" | undefined;
  anyScheme?: boolean | undefined;
  extraSchemes?: readonly AddedScheme[] | undefined;
  bare?: SchemelessKind | readonly SchemelessKind[] | undefined;
  nested?: boolean | undefined;
  guess?: boolean | undefined;
  refang?: boolean | undefined;
  /** The URLs stay: only the flag `cut` (C142) is told. */
  unwrap?: boolean | "any" | undefined;
  /** C106; `base` is that of pages without another, `address` that of the page itself (C107). */
  links?: boolean | undefined;
  base?: string | undefined;
  address?: string | undefined;
  urlBytesMax?: number | undefined;
  /** With `text` matches have it, and elements (C218). */
  fields?: readonly "text"[] | undefined;
  from?: number;
  to?: number;
}

/**
 * The options with their defaults. `place` says what a text is: plain text, in which X5 looks for references; a text of HTML, whose
 * references are decoded; the value of an attribute, in which `cid:` has a shape of its own (X6).
 */
export interface Rules {
  schemes: Schemes;
  anyScheme: boolean;
  bare: readonly SchemelessKind[];
  nested: boolean;
  guess: boolean;
  /** Whether matches that `guess` would join are flagged (C142). */
  flagsCut: boolean;
  /** C206: redirectors are replaced by the URLs in them. */
  unwraps: boolean;
  urlBytesMax: number;
  /** Whether the texts of links are asked for (C218). */
  asksText: boolean;
  /** Whether escapes are undone: not inside of matches (X11, X16). */
  unescapes: boolean;
  place: "plain" | "html" | "attribute";
  /** How the text goes on after markup (C280, C285). */
  after?: string | undefined;
}

/** The rules for plain text under some options. */
export function rulesOf(options: OracleOptions): Rules {
  const {
    anyScheme = false,
    extraSchemes = [],
    bare = [],
    nested = false,
    guess = false,
    unwrap = false,
    urlBytesMax = 16384,
    fields = [],
  } = options;
  return {
    schemes: schemesWith(extraSchemes),
    anyScheme,
    bare: [bare].flat(),
    nested,
    guess,
    flagsCut: unwrap !== false && !guess,
    unwraps: unwrap !== false,
    urlBytesMax,
    asksText: fields.includes("text"),
    unescapes: true,
    place: "plain",
  };
}
