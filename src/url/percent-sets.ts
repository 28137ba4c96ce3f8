// The named sets of the percent codec (P11): which bytes become triplets. docs/percent.md shows them as a table.

const ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGIT = "0123456789";

// RFC 3986: a set is told by what stays.
const UNRESERVED = `${ALPHA}${DIGIT}-._~`;
const SUB_DELIMS = "!$&'()*+,;=";
const SEGMENT = `${UNRESERVED}${SUB_DELIMS}:@`;

// RFC 1738 section 5: a set of a scheme is told by what stays, its classes by what goes.
const SAFE = "$-_.+";
const EXTRA = "!*'(),";
const RESERVED = ";/?:@&=";
const NATIONAL = "{}|\\^~[]`";
const PUNCTUATION = '<>#%"';
const UCHAR = `${ALPHA}${DIGIT}${SAFE}${EXTRA}`;

// WHATWG: each set is an earlier one and more.
const FRAGMENT = ' "<>`';
const QUERY = ' "#<>';
const PATH = `${QUERY}?^\`{}`;
const USERINFO = `${PATH}/:;=@[\\]|`;
const COMPONENT = `${USERINFO}$%&+,`;

const STAYS = {
  "rfc3986-unreserved": UNRESERVED,
  "rfc3986-userinfo": `${UNRESERVED}${SUB_DELIMS}:`,
  "rfc3986-user": `${UNRESERVED}${SUB_DELIMS}`,
  "rfc3986-host": `${UNRESERVED}${SUB_DELIMS}`,
  "rfc3986-segment": SEGMENT,
  "rfc3986-segment-nc": `${UNRESERVED}${SUB_DELIMS}@`,
  "rfc3986-path": `${SEGMENT}/`,
  "rfc3986-query": `${SEGMENT}/?`,
  "rfc3986-fragment": `${SEGMENT}/?`,
  "rfc1738-uchar": UCHAR,
  "rfc1738-xchar": `${UCHAR}${RESERVED}`,
  "rfc1738-login": `${UCHAR};?&=`,
  "rfc1738-ftp": `${UCHAR}?:@&=`,
  "rfc1738-file": `${UCHAR}?:@&=`,
  "rfc1738-http": `${UCHAR};:@&=`,
  "rfc1738-gopher": `${UCHAR}${RESERVED}`,
  "rfc1738-mailto": `${UCHAR}${RESERVED}`,
  "rfc1738-news": `${UCHAR};/?:&=`,
  "rfc1738-nntp": `${ALPHA}${DIGIT}-.+_`,
  "rfc1738-wais": UCHAR,
  "rfc1738-search": `${UCHAR};:@&=`,
  "rfc1738-prospero": `${UCHAR}?:@&=`,
  "rfc1738-field": `${UCHAR}?:@&`,
} as const;

const GOES = {
  "rfc1738-safe": SAFE,
  "rfc1738-extra": EXTRA,
  "rfc1738-reserved": RESERVED,
  "rfc1738-national": NATIONAL,
  "rfc1738-punctuation": PUNCTUATION,
  "rfc1738-unsafe": ` ${PUNCTUATION}${NATIONAL}`,
  "whatwg-c0-control": "",
  "whatwg-fragment": FRAGMENT,
  "whatwg-query": QUERY,
  "whatwg-special-query": `${QUERY}'`,
  "whatwg-path": PATH,
  "whatwg-userinfo": USERINFO,
  "whatwg-component": COMPONENT,
  "whatwg-form": `${COMPONENT}!'()~`,
} as const;

/**
 * A named set of bytes that become triplets; controls and bytes above 7E are in every one.
 *
 * - `rfc3986-*`: what the component's production does not allow, and `%`. `segment-nc` is a segment without a colon, `user` is what
 *   stands before the colon of a userinfo, `unreserved` leaves nothing else.
 * - `rfc1738-*` of a scheme or a production: what section 5 does not allow there, and `%`. `login` is a user or a password, `search` what
 *   stands behind the `?` of http and wais, `field` a name or value of prospero; `ftp`, `file`, `http` and `prospero` are one segment of
 *   a path, `news` is what stands before the `@` of a message-id, `nntp` a group.
 * - `rfc1738-safe`, `extra`, `reserved`, `national`, `punctuation`: the characters of that class; `unsafe`: the space, and what section
 *   2.2 says must always be encoded.
 * - `whatwg-*`: the percent-encode sets of the URL Standard; only `component` and `form` hold `%`.
 *
 * @see docs/rules.md P11
 */
export type PercentEncodeSet = keyof typeof STAYS | keyof typeof GOES;

const SETS: ReadonlyMap<string, string> = new Map(Object.entries({ ...STAYS, ...GOES }));

/** The names of all sets. */
export const ENCODE_SETS = [...SETS.keys()] as readonly PercentEncodeSet[];

const encoded = new Map<string, Uint8Array>();

/** A set as 256 bytes, made when it is asked for first: 1 for a byte that becomes a triplet. Undefined where there is no such set. */
export function encodedBytes(set: string): Uint8Array | undefined {
  const known = encoded.get(set);
  const characters = SETS.get(set);
  if (known !== undefined || characters === undefined) return known;
  const stays = set in STAYS;
  const isPrinted = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
    !isPrinted(byte) || characters.includes(String.fromCharCode(byte)) !== stays ? 1 : 0,
  );
  encoded.set(set, bytes);
  return bytes;
}
