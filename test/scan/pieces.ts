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
  "017.1.1.1",
  "a.com\u3060",
  "b.co.uk\u00e9.",
  "a.com\u0301x",
  "8%31.1.2.3%2F4",
  "[::1]",
  "[1:2::FFFF:1.2.3.4]",
  "[fe80::1%25e0]",
  "[v1.x]",
].concat(["%41.example", "%2f", "%c3%a9", "\u00e9.example", "xn--9ca", "[1:2]", "[", "-a", "a-_-", "a!b"]);
const PORTS = ["", ":", ":80", ":0080", ":8080", ":443", ":65535", ":65536", ":99999", ":80:81", "::8", ":80x", ":21.", ":8080-_", "::"];
const USERINFOS = ["", "", "", "u@", "u:p@", "@", ":@", "u:@", "a%40b@", "\u00e9@", "a@b@", "%@", "u[@"].concat([
  "u^p@",
  "a|b@",
  "{u}@",
  "[::1]@",
  "a@@",
  "www.a.example@",
  "a.b:80@c@",
  "u)@",
  "a,b@c;d@",
]);
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
].concat([
  "|",
  ",http://",
  ";ftp://",
  "|x-y://",
  ",mailto://",
  "[http://",
  "(ftp://",
  "{x-y://",
  "[/url]",
  "[/b",
  "(x",
  "[{(",
  "x)y]",
  "==",
  "--",
  "----",
  "=-",
  "###",
  "+",
  "|x>",
  "|http://",
]);
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
  "\ud55chttp://",
  "\ud55cHTTPS://b",
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

const UNKNOWN_SCHEMES = ["foo", "f", "foo+bar.1", "note", "qotd", "Foo", "xftp", "data", "javascript", "x.data", "a-", "1b", "mailt"];
const LEFT_OF_SCHEME = ["", " ", "1", "-", ".", "+", "x", "x.", ",", ";", "'", "(", "<", "<URL:", "/", "@", "%", "=", "\u00e9", "*", "_"];
const SCHEMELESS_HOSTS = [
  "www.a.example",
  "WWW.B",
  "ftp.a.b.",
  "www.",
  "www.a",
  "ftp..a",
  "www.a_b.c-",
  "www.%41.b",
  "a.com",
  "b.co.uk",
  "co.uk",
].concat([
  "b\u00fccher.de",
  "README.md",
  "a_b.com",
  "-a.org",
  "a-.org",
  "e.com.",
  "c.com-",
  "Foo.ORG",
  "1.2.3.4",
  "x.github.io",
  "com",
  "a..com",
  "a.com\u3060\u3088",
  "www.a.com\u3060",
  "a.rs\u00e9.",
]);
const LOCAL_PARTS = ["see..", "x--", "joe", "a.b+c", "a..b", ".a", "a.", "-a", "_a_", "a%b", "J-1", "x=y", "\u00e9"];
const ADDRESS_STARTS = ["o'neill", "'", "a'b.c'd", "v-1=x.example", "a!{b}/|c", "q?a#b"];
const ID_FIELDS = ["\nMessage-ID: <a.", "\n> X-References: <", "\nIn-Reply-To: <d$", "\n\t<"];
const LOCALS = [...LOCAL_PARTS, ...ADDRESS_STARTS, ...ID_FIELDS];
const NESTED_STARTS = [
  "http://a.example",
  "ftp://b/x",
  "mailto:a@b.example",
  "foo://c.example",
  "https://u@d:81/y.",
  "news:",
  "urn:ab:c",
  "http:",
];
const NESTED_SEAMS = ["", "/", "?u=", "&v=", "#", "/(", ",", "?x=1&y=", "'", " ", "%20", "%26", "%23", "?s=%2F", "&amp;w=", "x"];
const HTML_REFERENCES = [
  "&amp;",
  "&lt;",
  "&gt;",
  "&quot;",
  "&#39;",
  "&apos;",
  "&#x2F;",
  "&#0047;",
  "&#58",
  "&colon;",
  "&copy",
  "&copy=",
  "&notit;",
].concat([
  "&foo;",
  "&nbsp",
  "&lt",
  "&ampamp;",
  "&am",
  "&#",
  "&#x;",
  "&#128;",
  "&#0;",
  "&#xD800;",
  "&NotEqualTilde;",
  "&#10;",
  "&Tab;",
  "&eacute;",
]);
const VALUE_FORMS = [
  ['<a href="', '">'],
  ["<a href='", "' >"],
  ["<a href=", ">"],
  ["<IMG alt=x src = ", " width=1>"],
  ['<a title="x" href="', ""],
  ["<a href='", ""],
  ["<!--", "-->"],
  ["<script>u='", "'</script>"],
  ["<STYLE>", "</style >"],
  ["&lt;", "&gt;"],
  ["<a ", "/>"],
  ['<a href=" ', ' ">'],
  ["<a href=\n'\t", "\n'>"],
  ['<IMG srcset="', ' 2x, http://b.example/c. 1x">'],
  ["<link imagesrcset=", " 1x>"],
  ["<a ping='", " ftp://b.example/x!'>"],
  ['<META http-equiv=refresh content="5; URL=', '">'],
  ["<meta content='0,url = \"", "\" x'>"],
  ['<a href=""', '"">'],
  ['<p style="x;><a href="', '" >'],
  ["<object data ='", "' xlink:href=x>"],
  ["</a cite=", " >"],
  ["<a x=''", "= y='/z'>"],
] as const;
/** What the value of an attribute may hold, and where it may be cut. */
const IN_VALUES = [
  " ",
  "\n",
  "\t",
  "\r\n",
  "\\",
  "\\\\a.example\\b",
  "<",
  ">",
  ">x</a>",
  '"',
  "'",
  " alt=",
  " target = ",
  ".",
  ", ",
  ",",
  "?",
  "#",
].concat(["\0", "\x01", "\x0c", "\x7f", "&#32;", "&#9;", "&#1;", "x y", "http:\\\\", "mailto: a@b.example?x=y z", "\u3002", "\u200b"]);
const MARKUP = [
  "<b>",
  "</b>",
  "<br/>",
  "<",
  "</",
  "<!",
  "<?x ",
  "<!-->",
  "-->",
  "--!>",
  "<script",
  "</script>",
  "<style x='",
  "<p\n",
  '"',
  "'",
  "=",
].concat(["<http:", "<URL:", "<x-y:", "<svg:a ", "< a", "<a=b", "</ x>", "<!DOCTYPE "]);

const encodeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;

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
    "tel:+12-34567",
    "tel:7(1);x;phone-context=a",
    "Tel:+44",
    "mailto:a@[1.2.3.4]",
    "mailto:a@%5bIPv6:::F%5D",
    "cid:a",
    "sip:A@B.C;x",
    "magnet:?x",
    "urn:a:b",
    "news:x.y.",
    "mid:@",
    "news:<a@B>",
    "mid:<a@b",
    "mailto:<joe@A.example>",
    "cid:<",
    "x@y.example>",
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

/** Bytes of a text made of up to `most` pieces, half of them of a kind of their own and half of the common ones. */
function mixed(own: fc.Arbitrary<Buffer>, most: number): fc.Arbitrary<Buffer> {
  return fc.array(fc.oneof(own, piece), { maxLength: most }).map((pieces) => Buffer.concat(pieces));
}

/** Texts with URLs of schemes that nobody knows, and what looks like their names (X1 c, option `schemes`). */
export function schemeTexts(most: number): fc.Arbitrary<Buffer> {
  const name = fc.constantFrom(...UNKNOWN_SCHEMES);
  const behind = fc.constantFrom(":", "://", ":/", "://h.example", "://h:17/x", "://-a", ":x", ": ", ":#", "://h:99999", "://[::1]/");
  const url = fc.tuple(pick(LEFT_OF_SCHEME), name, behind).map(([left, scheme, rest]) => Buffer.concat([left, Buffer.from(scheme + rest)]));
  return mixed(url, most);
}

/** Texts with schemeless names and addresses (X10). */
export function schemelessTexts(most: number): fc.Arbitrary<Buffer> {
  const host = fc.constantFrom(...SCHEMELESS_HOSTS);
  const name = fc.tuple(host, fc.constantFrom(...PORTS), fc.constantFrom(...PATHS)).map((parts) => Buffer.from(parts.join("")));
  const address = fc.tuple(fc.constantFrom(...LOCALS), host).map((parts) => Buffer.from(parts.join("@")));
  // In delimiters, with a line break anywhere.
  const broken = fc
    .tuple(fc.oneof(name, address), fc.nat(30), pick(BREAKS), pick(["<", "<URL:", "> <"]))
    .map(([whole, at, lineBreak, open]) => {
      return Buffer.concat([open, whole.subarray(0, at), lineBreak, whole.subarray(at), Buffer.from(">")]);
    });
  return mixed(fc.oneof(name, address, broken, pick(LEFT_OF_SCHEME), pick(LOCALS)), most);
}

/** Text of a URL with others inside, percent-encoded or not, to a depth of up to six (X11). */
const nestedUrl: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...NESTED_STARTS), fc.constantFrom(...NESTED_SEAMS), fc.constantFrom(0, 0, 1, 2), fc.boolean()), {
    minLength: 1,
    maxLength: 6,
  })
  .map((layers) =>
    layers.reduceRight((inner, [start, seam, encodings, isWhole]) => {
      let text = inner;
      for (let count = 0; count < encodings; count++) text = text.replace(isWhole ? /[^A-Za-z0-9.]/g : /[:/%]/g, encodeByte);
      return start + seam + text;
    }, ""),
  );

/** Texts with URLs in URLs (X11). */
export function nestedTexts(most: number): fc.Arbitrary<Buffer> {
  return mixed(
    nestedUrl.map((text) => Buffer.from(text)),
    most,
  );
}

/** Pages: tags, attribute values of every form, references, comments and scripts around the common pieces (X9). */
export function pages(most: number): fc.Arbitrary<Buffer> {
  const value = fc.oneof(withAuthority, opaque, otherOpaque, pick(HTML_REFERENCES), pick(IN_VALUES), fc.constantFrom(...BROKEN));
  const attribute = fc
    .tuple(fc.constantFrom(...VALUE_FORMS), fc.array(value, { maxLength: 3 }))
    .map(([[before, after], parts]) => Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]));
  return mixed(fc.oneof(attribute, pick(MARKUP), pick(HTML_REFERENCES)), most);
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
