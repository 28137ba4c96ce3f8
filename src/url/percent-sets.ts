// The named sets of the percent codec: which bytes become triplets (P11). docs/percent.md shows them as a table.

const ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGIT = "0123456789";

// Sets of RFC 3986 list the characters that stay.
const UNRESERVED = `${ALPHA}${DIGIT}-._~`;
const SUB_DELIMS = "!$&'()*+,;=";
const SEGMENT = `${UNRESERVED}${SUB_DELIMS}:@`;

// Sets of RFC 1738 section 5: sets of schemes list the characters that stay, classes list the characters that become triplets.
const SAFE = "$-_.+";
const EXTRA = "!*'(),";
const RESERVED = ";/?:@&=";
const NATIONAL = "{}|\\^~[]`";
const PUNCTUATION = '<>#%"';
const UCHAR = `${ALPHA}${DIGIT}${SAFE}${EXTRA}`;

// Sets of the URL Standard list the characters that become triplets. From PATH on, each contains the one before it.
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
 * The name of a set of bytes that become triplets (P11). Every set contains controls and the bytes above 7E.
 *
 * - `rfc3986-*`: the characters that the component's production does not allow, and `%`. `segment-nc` is a segment without a colon, `user`
 *   the text before the colon of a userinfo; `unreserved` encodes all but the unreserved characters.
 * - `rfc1738-*` of a scheme or a production: the characters that section 5 does not allow there, and `%`. `login` is a user or a password,
 *   `search` the text after the `?` of http and wais, `field` a name or value of prospero; `ftp`, `file`, `http` and `prospero` are one
 *   segment of a path, `news` is the text before the `@` of a message-id, `nntp` a group.
 * - `rfc1738-safe`, `extra`, `reserved`, `national`, `punctuation`: the characters of that class; `unsafe`: the space, and the characters
 *   that section 2.2 always encodes.
 * - `whatwg-*`: the percent-encode sets of the URL Standard; only `component` and `form` contain `%`.
 */
export type PercentEncodeSet = keyof typeof STAYS | keyof typeof GOES;

const SETS: ReadonlyMap<string, string> = new Map(Object.entries({ ...STAYS, ...GOES }));

export const ENCODE_SETS = [...SETS.keys()] as readonly PercentEncodeSet[];

const encoded = new Map<string, Uint8Array>();

/** Returns a set as 256 bytes: 1 for a byte that becomes a triplet. Returns undefined if there is no such set. */
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
