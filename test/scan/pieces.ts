// Texts for the property tests: sequences of the pieces that the rules look at, so that random inputs reach the places where rules meet.
import fc from "fast-check";
import { ENCODED, ENCODED_LEFT, ENCODED_SEPARATORS } from "./encoded-pieces.ts";
import { ESCAPED } from "./escaped-pieces.ts";
import { IP_ENDS, IP_HOSTS, IP_STARTS } from "./ip-pieces.ts";
import { LINK_FORMS, LINK_VALUES, TEXT_PIECES } from "./link-pieces.ts";
import {
  BREAKS,
  BROKEN,
  CHARACTERS,
  DEFANGED,
  DEFANGED_LEFT,
  DEFANGED_NAMES,
  DEFANGED_SEPARATORS,
  HOSTS,
  HTML_REFERENCES,
  IN_VALUES,
  LEFT_OF_SCHEME,
  LOCALS,
  MARKS,
  MARKUP,
  NESTED_JOINTS,
  NESTED_STARTS,
  PATHS,
  PORTS,
  REFERENCES,
  SCHEMELESS_HOSTS,
  SCHEMES,
  UNKNOWN_SCHEMES,
  USERINFOS,
  VALUE_FORMS,
  WRAPS,
} from "./piece-lists.ts";

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

/** A URL whose host goes on after a mark of defanged text, or such a mark alone (C131). */
const defanged = fc
  .tuple(
    fc.constantFrom("", "http://", "FTP://u@", "x-y://", "www.", "joe@"),
    fc.constantFrom("", "a", "a.example", "1.2"),
    fc.constantFrom(...DEFANGED),
  )
  .map((parts) => Buffer.from(parts.join("")));

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
  { weight: 2, arbitrary: defanged },
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
  const after = fc.constantFrom(":", "://", ":/", "://h.example", "://h:17/x", "://-a", ":x", ": ", ":#", "://h:99999", "://[::1]/");
  const url = fc.tuple(pick(LEFT_OF_SCHEME), name, after).map(([left, scheme, rest]) => Buffer.concat([left, Buffer.from(scheme + rest)]));
  return mixed(url, most);
}

/** Texts with schemeless names and addresses (X10). */
export function schemelessTexts(most: number): fc.Arbitrary<Buffer> {
  const host = fc.constantFrom(...SCHEMELESS_HOSTS);
  const name = fc.tuple(host, fc.constantFrom(...PORTS), fc.constantFrom(...PATHS)).map((parts) => Buffer.from(parts.join("")));
  const ip = fc.tuple(fc.constantFrom(...IP_STARTS), fc.constantFrom(...IP_HOSTS), fc.constantFrom(...IP_ENDS));
  const ipText = ip.map((parts) => Buffer.from(parts.join("")));
  const address = fc.tuple(fc.constantFrom(...LOCALS), host).map((parts) => Buffer.from(parts.join("@")));
  // In delimiters, with a line break anywhere.
  const broken = fc
    .tuple(fc.oneof(name, address, ipText), fc.nat(30), pick(BREAKS), pick(["<", "<URL:", "> <"]))
    .map(([whole, at, lineBreak, open]) => {
      return Buffer.concat([open, whole.subarray(0, at), lineBreak, whole.subarray(at), Buffer.from(">")]);
    });
  return mixed(fc.oneof(name, address, ipText, broken, pick(LEFT_OF_SCHEME), pick(LOCALS)), most);
}

/** Text of a URL with others inside, percent-encoded or not, to a depth of up to six (X11). */
const nestedUrl: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...NESTED_STARTS), fc.constantFrom(...NESTED_JOINTS), fc.constantFrom(0, 0, 1, 2), fc.boolean()), {
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

/** Texts with defanged URLs, and with what is almost one (X15). */
export function defangedTexts(most: number): fc.Arbitrary<Buffer> {
  const url = fc
    .tuple(
      fc.constantFrom(...DEFANGED_LEFT),
      fc.constantFrom(...DEFANGED_NAMES),
      fc.constantFrom(...DEFANGED_SEPARATORS),
      fc.array(fc.constantFrom("a", "b.example", "1", "\u00e9", "-", "www", "joe", "https", ...DEFANGED), { maxLength: 5 }),
      fc.constantFrom(...PATHS, "/a[.]php", "[:]80/", "?u=hxxp://b[.]example", "/[.]a[.]"),
    )
    .map(([left, name, separator, host, path]) => Buffer.from(`${left}${name}${separator}${host.join("")}${path}`));
  return mixed(
    fc.oneof({ weight: 4, arbitrary: url }, { weight: 1, arbitrary: pick(DEFANGED) }, { weight: 1, arbitrary: pick(WRAPS) }),
    most,
  );
}

/** Texts with URLs that have the escapes of JSON (X16). */
export function escapedTexts(most: number): fc.Arbitrary<Buffer> {
  const written = fc
    .tuple(fc.constantFrom("", ':"', ', "', '"', "*", "'", "<", "|"), withAuthority, fc.constantFrom("", '"', "'", "*", ")"))
    .map(([before, url, after]) =>
      Buffer.from(`${before}${url.toString("latin1").replaceAll("/", "\\/").replaceAll("=", "\\u003d")}${after}`, "latin1"),
    );
  return mixed(fc.oneof(pick(ESCAPED), written), most);
}

/** Texts with percent-encoded URLs around which no URL is (C146). */
export function encodedTexts(most: number): fc.Arbitrary<Buffer> {
  const url = fc
    .tuple(
      fc.constantFrom(...ENCODED_LEFT),
      fc.constantFrom("http", "http", "HTTPS", "ftp", ...SCHEMES),
      fc.constantFrom("%3A%2F%2F", "%3A//", ...ENCODED_SEPARATORS),
      fc.constantFrom(...USERINFOS),
      fc.constantFrom(...HOSTS),
      fc.array(fc.constantFrom(...PORTS, ...PATHS, ...ENCODED), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([left, scheme, separator, userinfo, host, rest, isWhole]) => {
      const value = userinfo + host + rest.join("");
      return Buffer.from(`${left}${scheme}${separator}${isWhole ? value.replace(/[^\w.~%\x80-\uffff-]/g, encodeByte) : value}`);
    });
  return mixed(fc.oneof({ weight: 3, arbitrary: url }, { weight: 2, arbitrary: pick(ENCODED) }), most);
}

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

/** HTML with relative links, bases and lists. */
export function linkPages(most: number): fc.Arbitrary<Buffer> {
  const value = fc.oneof({ weight: 4, arbitrary: pick(LINK_VALUES) }, { weight: 1, arbitrary: fc.oneof(withAuthority, pick(IN_VALUES)) });
  const attribute = fc
    .tuple(fc.constantFrom(...LINK_FORMS), fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([[before, after], parts]) => Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]));
  return mixed(fc.oneof({ weight: 6, arbitrary: attribute }, pick(MARKUP), pick(HTML_REFERENCES)), most);
}

/** Pages and texts with links that show something. */
export function linkTexts(most: number): fc.Arbitrary<Buffer> {
  return mixed(fc.oneof({ weight: 6, arbitrary: pick(TEXT_PIECES) }, withAuthority, pick(MARKUP), pick(HTML_REFERENCES)), most);
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
