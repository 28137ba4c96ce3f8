// Texts whose URLs end near the limit of 256 bytes, for the property tests (X12): what is read there is cut in the middle.
import fc from "fast-check";
import { ENCODED } from "./encoded-pieces.ts";
import { ESCAPED } from "./escaped-pieces.ts";
import { IP_ENDS } from "./ip-pieces.ts";
import { CHARACTERS, HOSTS, MARKS, PATHS, PORTS, REFERENCES, WRAPS } from "./piece-lists.ts";

const LIMIT = 256;
const LEFT = [
  "",
  "",
  "",
  " ",
  "x",
  "'",
  "|",
  "*_",
  "<",
  "(",
  ",",
  "a.",
  "\u00e9",
  "URL: ",
  "<URL: ",
  ':"',
  "http://b/(",
  "a+",
  "%3D",
  "9".repeat(240),
];
const STARTS = [
  "http://",
  "http://a/",
  "ftp://",
  "x-y://",
  "file:/",
  "mailto:a@",
  "news:a@",
  "news:<",
  "urn:ab:",
  "tel:+",
  "http%3A%2F%2F",
  "http:\\/\\/",
  ':"http://a/',
  "<http://a/",
  "<URL:http://a/",
  "<news:",
  "<a.com/",
].concat([
  "www.a.com",
  "www.a.com/",
  "a.com",
  "a.com:",
  "joe@",
  "<joe",
  "1.2.3.4:",
  "[::1]/",
  "foo://",
  "http://[",
  "http://u@",
  "hxxp://a",
]);
/** What is repeated up to the limit. */
const UNITS = [
  "9",
  "9",
  "a",
  "a.",
  "-",
  "_",
  "%41",
  "\u00e9",
  "\u65e5",
  "(",
  ")",
  "x@",
  "@",
  ":",
  "/",
  "&amp;",
  "\u200d\u00e9",
  "\\/",
  "*",
  "[",
];
const ENDS = [
  "\u200d",
  "\u00e9",
  "\u{1f600}",
  "\u2026",
  "http://",
  "https://a",
  "&lt;",
  "&amp;gt;",
  "&#x0003c;",
  "[/url]",
  "|",
  ",http://a",
].concat([
  "{x-y://",
  "'",
  ")",
  "----",
  "%3A",
  "%2",
  ":80",
  ":",
  "@a.b",
  "/",
  "://",
  "%3A%2F%2F",
  "\\u0026",
  '"',
  ">",
  " ",
  "\n",
  "|x>",
  "[dot]a",
]);
const OTHERS = [...MARKS, ...CHARACTERS, ...REFERENCES, ...WRAPS, ...PORTS, ...PATHS, ...HOSTS, ...ENCODED, ...ESCAPED, ...IP_ENDS];

/** Texts with the option `urlBytesMax: 256` in view. */
export const limitTexts: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(...LEFT),
    fc.constantFrom(...STARTS),
    fc.constantFrom("", "", ...OTHERS),
    fc.constantFrom(...UNITS),
    fc.integer({ min: -4, max: 40 }).map((before) => (before > 12 ? before - 12 : before)),
    fc.array(fc.oneof(fc.constantFrom(...ENDS), fc.constantFrom(...OTHERS)), { minLength: 1, maxLength: 5 }),
  )
  .map(([left, start, other, unit, before, ends]) => {
    const room = Math.max(0, LIMIT - before - Buffer.byteLength(start + other));
    const count = Math.floor(room / Buffer.byteLength(unit));
    const fill = "7".repeat(room - count * Buffer.byteLength(unit)) + unit.repeat(count);
    return Buffer.from(left + start + other + fill + ends.join(""));
  });
