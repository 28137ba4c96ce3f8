// URLs of every scheme, for properties: right and wrong ones.
import fc from "fast-check";
import { SCHEMES } from "#core/tables/schemes.js";

const TEXT = ["a", "b1", ".", "..", "%41", "%3A", "%2F", "%2f", "%3B", "%3D", "%2B", "%2C", "%26", "%3F", "%23", "%25", "%40"].concat(
  ["%09", "%0D%0A", "%00", "%FF", "%C3%A9", "é", "\ufeff", "%EF%BF%BD", "%", "%4", "+", ",", ";", "=", "&", ":", "@", "!", "$", "*", "'"],
  [
    "/",
    "//",
    "?",
    "?=",
    "?+",
    "#",
    ";type=A",
    ";TYPE=%69",
    "1=x;",
    "to=c@d",
    "&to=",
    "%09%09+",
    "%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
    "%09%09!+X%20+Y",
  ],
);
const BODIES = ["a@b.example", "comp.lang.c", "*", "isbn:1-2", "h.example", "1", "+12", "xt=1", "?subject=x", "a?b@c.example"];
const HOSTS = ["h.example", "H.example:70", "h:", "u@h", "u:p@h", "@h", ":@h", "u:@h", "j%6Fe:p%40w%3a@h:0021", "localhost", "[::1]", ""];
/** Pieces that schemes have rules for, in any order. */
export const pieceTexts: fc.Arbitrary<string> = fc.array(fc.constantFrom(...TEXT), { maxLength: 8 }).map((pieces) => pieces.join(""));
const scheme = fc.constantFrom(...SCHEMES.map((row) => row.name), "x-y", "foo");
const withHost = fc.tuple(scheme, fc.constantFrom(...HOSTS), fc.constantFrom("", "/", "/1", "/7"), pieceTexts);

/** Text of one URL of any scheme of the table, or of none, with the texts that schemes have rules for in any order. */
export const schemeUrls: fc.Arbitrary<string> = fc.oneof(
  withHost.map(([name, host, slash, rest]) => `${name}://${host}${slash}${slash === "" && !/^[?#/]/.test(rest) ? "" : rest}`),
  fc.tuple(scheme, fc.constantFrom(...BODIES), pieceTexts).map(([name, body, rest]) => `${name}:${body}${rest}`),
  fc.tuple(scheme, pieceTexts, fc.constantFrom(...BODIES)).map(([name, rest, body]) => `${name}:${rest}${body}`),
);
