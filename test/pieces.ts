// Texts for the property tests: sequences of the pieces that the rules look at, so that random inputs reach the places where rules meet.
import fc from "fast-check";

const SCHEMES = [
  "http",
  "https",
  "ftp",
  "HTTP",
  "gopher",
  "news",
  "mailto",
  "mid",
  "cid",
  "urn",
  "tel",
  "file",
  "telnet",
  "wais",
  "x-y",
].concat(["git+ssh", "sip", "magnet", "snews", "nntp", "whois++", "z39.50r", "foo", "prospero", "xmpp", "mailserver"]);
const HOSTS = [
  "a",
  "a.example",
  "WWW.A.Example",
  "b.",
  "_x",
  "1.2.3.4",
  "0x7f.1",
  "[::1]",
  "[1:2::FFFF:1.2.3.4]",
  "[fe80::1%25e0]",
  "[v1.x]",
].concat(["%41.example", "%2f", "%c3%a9", "\u00e9.example", "xn--9ca", "[1:2]", "[", "-a", "a-_-", "a!b"]);
const PORTS = ["", ":", ":80", ":0080", ":8080", ":443", ":65535", ":65536", ":99999", ":80:81", "::8", ":80x", ":21.", ":8080-_", "::"];
const USERINFOS = ["", "", "", "u@", "u:p@", "@", ":@", "u:@", "a%40b@", "\u00e9@", "a@b@", "%@", "u[@"];
const PATHS = [
  "",
  "/",
  "/x",
  "/a/../b",
  "/%7e%7E%2f%2F",
  "/x?y=z",
  "?q",
  "#f",
  "/#",
  "/(x)",
  "/x)",
  "/%zz%",
  "/;type=A",
  "/1a%09b%09%2B%09c",
].concat(["//p%00v", "/./", "/..", "/'x'", "/\u00e9", "/[x]{y}", "/&amp;b", "/a,b;c|d"]);
const WRAPS = ["<", ">", "<URL:", "<url: ", "URL:", "Url: \n", "< ", " >", "<URL:\r\n", "\n>", "> ", ">> ", " > > "];
const BREAKS = [" ", "\n", "\r\n", "\n> ", "\r\n> > ", "\n\n", "\r", "\t", "-\n", "- \r\n> ", "\n \n", "\0", "\x7f", "\n    "];
const MARKS = [
  ".",
  ",",
  ":",
  ";",
  "!",
  "?",
  "'",
  '"',
  "`",
  "\\",
  "*",
  "_",
  "~",
  "**",
  "*_~",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "-",
  "/",
  "=",
  "@",
  "%",
].concat(["|", ",http://", ";ftp://", "|x-y://", ",mailto://"]);
const REFERENCES = [
  "&lt;",
  "&GT;",
  "&amp;",
  "&AMP;lt;",
  "&amp;amp;quot;",
  "&#60;",
  "&#x3C;",
  "&#0000062;",
  "&#X003e;",
  "&nbsp;",
  "&apos",
  "&#39;",
  "&#0",
];
const CHARACTERS = [
  "\u200c",
  "\u200d",
  "\u2026",
  "\u3002",
  "\uff0c",
  "\u2013",
  "\u00ab",
  "\u201d",
  "\u00a0",
  "\u00ad",
  "\u0915",
  "\u{1f600}",
  "\ufffe",
].concat(["\u{10ffff}", "\uff3b", "\u00b7"]);
const BROKEN = ["c3", "ff", "e28080", "e280", "f09f98", "eda080", "c0af", "f4908080", "80", "efbfbe"].map((hex) => Buffer.from(hex, "hex"));

const pick = (list: readonly string[]): fc.Arbitrary<Buffer> => fc.constantFrom(...list).map((text) => Buffer.from(text));

const opaque = fc
  .constantFrom("mailto:a@b.example", "mailto:?x=y", "MAILTO:A%40B.Example", "mailto:a@b,c@D.example?to=E@F", "mid:A@b/c@d")
  .map((text) => Buffer.from(text));
const otherOpaque = fc
  .constantFrom(
    "news:comp.lang.c",
    "news:*",
    "News:A@B",
    "urn:ISBN:1%2f",
    "tel:+1",
    "cid:a",
    "sip:A@B.C;x",
    "magnet:?x",
    "urn:a:b",
    "news:x.y.",
    "mid:@",
  )
  .map((text) => Buffer.from(text));

/** A URL of the kind with an authority: any scheme with any host, port and path, right or wrong. */
const withAuthority = fc
  .tuple(
    fc.constantFrom(...SCHEMES),
    fc.constantFrom(...USERINFOS),
    fc.constantFrom(...HOSTS),
    fc.constantFrom(...PORTS),
    fc.constantFrom(...PATHS),
  )
  .map(([scheme, userinfo, host, port, path]) => Buffer.from(`${scheme}://${userinfo}${host}${port}${path}`));

const longRun = fc
  .tuple(fc.constantFrom("x", ".", "(", ")", "%", "a-", "/", "\u200d", "&amp;", "*", " ", "\n", ":", "9"), fc.integer({ min: 1, max: 300 }))
  .map(([unit, count]) => Buffer.from(unit.repeat(count)));

/** One piece of text. */
const piece = fc.oneof(
  { weight: 6, arbitrary: withAuthority },
  { weight: 2, arbitrary: opaque },
  { weight: 2, arbitrary: otherOpaque },
  { weight: 2, arbitrary: pick(SCHEMES) },
  { weight: 2, arbitrary: fc.constantFrom(":", "://", ":/", "//", "://a").map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: pick(HOSTS) },
  { weight: 1, arbitrary: pick(PORTS) },
  { weight: 1, arbitrary: pick(PATHS) },
  { weight: 5, arbitrary: pick(WRAPS) },
  { weight: 4, arbitrary: pick(BREAKS) },
  { weight: 5, arbitrary: pick(MARKS) },
  { weight: 2, arbitrary: pick(REFERENCES) },
  { weight: 2, arbitrary: pick(CHARACTERS) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  { weight: 1, arbitrary: longRun },
);

/** Bytes of a text made of up to `most` pieces; it shrinks by leaving pieces out. */
export function texts(most: number): fc.Arbitrary<Buffer> {
  return fc.array(piece, { maxLength: most }).map((pieces) => Buffer.concat(pieces));
}

/** Text of one URL, or of something near to one, for the normalizer. */
export const urls: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 5, arbitrary: withAuthority },
    { weight: 2, arbitrary: opaque },
    { weight: 2, arbitrary: otherOpaque },
    { weight: 1, arbitrary: fc.tuple(withAuthority, pick(PATHS), pick(MARKS), pick(CHARACTERS)).map((parts) => Buffer.concat(parts)) },
    { weight: 1, arbitrary: texts(3) },
  )
  .map((bytes) => bytes.toString());

/** Offsets inside a text of `length` bytes, ascending. */
export function cutsOf(length: number): fc.Arbitrary<number[]> {
  if (length < 2) return fc.constant([]);
  return fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 12 }).map((cuts) => cuts.sort((a, b) => a - b));
}
