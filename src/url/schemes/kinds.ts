// What every part that `format` reads may be, by scheme.

/** What a part may be: the end of a sentence that begins with its name, and whether a value is that. */
export interface PartKind {
  readonly expected: string;
  readonly isRight: (part: unknown) => boolean;
}

/** Kinds of parts by name. */
export type PartKinds = Readonly<Record<string, PartKind>>;

const isText = (part: unknown): part is string => typeof part === "string";
// Array.from: a hole is no text, and `every` would step over it.
const isList = (part: unknown, isRight: (one: unknown) => boolean): boolean => Array.isArray(part) && Array.from(part).every(isRight);
const isField = (part: unknown): boolean => isList(part, isText) && (part as readonly string[]).length === 2;

const TEXT: PartKind = { expected: "must be a string", isRight: isText };
const TEXTS: PartKind = { expected: "must be an array of strings", isRight: (part) => isList(part, isText) };
const FIELDS: PartKind = { expected: "must be an array of pairs of strings", isRight: (part) => isList(part, isField) };
const ALL: PartKind = { expected: "must be true", isRight: (part) => part === true };
const ARTICLE: PartKind = {
  expected: "must be a whole number that is not negative",
  isRight: (part) => Number.isSafeInteger(part) && (part as number) >= 0,
};
const SCHEME: PartKind = {
  expected: "must be a letter, then letters, digits, +, . or -, in lower case",
  isRight: (part) => isText(part) && /^[a-z][a-z0-9+.-]*$/.test(part),
};
const PORT: PartKind = {
  expected: "must be a whole number from 0 to 65535",
  isRight: (part) => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 65535,
};
const FTP_TYPE: PartKind = { expected: "must be a, i or d", isRight: (part) => part === "a" || part === "i" || part === "d" };

function orNull({ expected, isRight }: PartKind): PartKind {
  return { expected: `${expected}, or null`, isRight: (part) => part === null || isRight(part) };
}

const TEXT_OR_NULL = orNull(TEXT);
const LOGIN: PartKinds = { user: TEXT_OR_NULL, password: TEXT_OR_NULL };
const SEARCHPART: PartKinds = { searchpart: TEXT_OR_NULL };
const NEWS: PartKinds = { messageId: TEXT_OR_NULL, group: TEXT_OR_NULL, all: orNull(ALL) };
const Z3950: PartKinds = { databases: TEXTS, docid: TEXT_OR_NULL };

const OWN: ReadonlyMap<string, PartKinds> = new Map<string, PartKinds>([
  ["http", SEARCHPART],
  ["https", SEARCHPART],
  ["ws", SEARCHPART],
  ["wss", SEARCHPART],
  ["ftp", { user: TEXT, password: TEXT_OR_NULL, type: orNull(FTP_TYPE), cwd: TEXTS, name: TEXT }],
  ["gopher", { type: TEXT, selector: TEXT, search: TEXT_OR_NULL, plus: TEXT_OR_NULL }],
  ["mailto", { addresses: TEXTS, fields: FIELDS }],
  ["news", NEWS],
  ["snews", NEWS],
  ["nntp", { group: TEXT, article: orNull(ARTICLE) }],
  ["telnet", LOGIN],
  ["rlogin", LOGIN],
  ["tn3270", LOGIN],
  ["wais", { database: TEXT, search: TEXT_OR_NULL, wtype: TEXT_OR_NULL, wpath: TEXT_OR_NULL, fields: orNull(FIELDS) }],
  ["file", { segments: TEXTS }],
  ["prospero", { hsoname: TEXT, fields: FIELDS, version: TEXT_OR_NULL, attributes: TEXTS }],
  ["mid", { messageId: TEXT, contentId: TEXT_OR_NULL }],
  ["cid", { contentId: TEXT }],
  ["mailserver", { address: TEXT, rest: TEXT_OR_NULL }],
  ["afs", { cell: TEXT }],
  ["z39.50r", Z3950],
  ["z39.50s", Z3950],
  ["whois++", { lookup: TEXT }],
  ["urn", { nid: TEXT, nss: TEXT, r: TEXT_OR_NULL, q: TEXT_OR_NULL, f: TEXT_OR_NULL }],
]);

/** The generic components. @see docs/rules.md P0 */
export const GENERIC_KINDS: PartKinds = {
  scheme: SCHEME,
  userinfo: TEXT_OR_NULL,
  ...LOGIN,
  host: TEXT_OR_NULL,
  port: orNull(PORT),
  path: TEXT,
  query: TEXT_OR_NULL,
  fragment: TEXT_OR_NULL,
};

/** The parts of a scheme that `format` reads; none for a scheme that has the generic components alone. @see docs/rules.md P1, P9 */
export function ownKinds(scheme: string): PartKinds {
  return OWN.get(scheme) ?? {};
}
