// Fills the tables in a core's memory: byte classes, nibble tables, schemes, Unicode ranges, hosts of short links and namespaces.
import * as set from "#core/bytes/classes.js";
import * as layout from "#core/layout/memory.js";
import { CLASS_TABLE, NIBBLE_TABLES, SCHEME_SLOTS, SCHEME_TABLE, UNICODE_TABLE } from "#core/layout/memory.js";
import * as row from "#core/layout/scheme-rows.js";
import { NAMESPACES } from "#core/tables/namespaces.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { SHORT_LINK_HOSTS } from "#core/tables/short-links.js";
import { UNICODE_RANGES } from "#core/tables/unicode.js";
import { NAMED_BYTES_LEAST, namedSlot } from "#core/url/named-host-hash.js";

export const ALPHA = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const DIGIT = "0123456789";
export const UNRESERVED = `${ALPHA}${DIGIT}-._~`;
export const SUB_DELIMS = "!$&'()*+,;=";
const BRACKETS = "()[]{}";

const BYTES = Array.from({ length: 256 }, (_, byte) => byte);
const NON_ASCII = BYTES.slice(128);
const CONTROLS = String.fromCharCode(...BYTES.slice(0, 0x20), 0x7f);
const DELIMITERS = codesOf(`${CONTROLS} "<>\`\\`);
const STOP = [...DELIMITERS, ...NON_ASCII, ...codesOf(`${BRACKETS}',;|&`)];
const PATH = `${UNRESERVED}${SUB_DELIMS}:@/`;
const RFC1738 = `${ALPHA}${DIGIT}$-_.+!*'(),;/?:@=&`;

function codesOf(characters: string): number[] {
  return Array.from(characters, (character) => character.charCodeAt(0));
}

function others(characters: string): number[] {
  return BYTES.filter((byte) => !characters.includes(String.fromCharCode(byte)));
}

/** The bytes of each set that can be searched for, in the order of SET_*. */
const SETS: readonly number[][] = [
  STOP,
  [...STOP, ...codesOf("/?#")],
  [...DELIMITERS, ...NON_ASCII, ...codesOf("|")],
  others(`${ALPHA}${DIGIT}-._`),
  others(`${PATH}?`),
  DELIMITERS,
  others(`${ALPHA}${DIGIT}+-.`),
  others(RFC1738),
  codesOf(".@"),
  [0x01, 0x02, 0x03, 0x11, 0x12, 0x13, ...codesOf("<&")],
  codesOf(":<"),
  codesOf("="),
  [0x01, 0x02, 0x03, 0x11, 0x12, 0x13, ...codesOf("\"'&")],
  others(`${ALPHA}${DIGIT}+/`),
];

const CLASSES: readonly (readonly [number, string])[] = [
  [set.CLASS_USERINFO, `${UNRESERVED}${SUB_DELIMS}:%`],
  [set.CLASS_PATH, PATH],
  [set.CLASS_QUERY, `${PATH}?`],
  [set.CLASS_RFC1738, RFC1738],
  [set.CLASS_UNRESERVED, UNRESERVED],
  [set.CLASS_TRAILING, ".,:;!?'|([{"],
  [set.CLASS_ALPHA, ALPHA],
  [set.CLASS_DIGIT, DIGIT],
  [set.CLASS_HEX, `${DIGIT}abcdefABCDEF`],
  [set.CLASS_FORBIDDEN_HOST, `${CONTROLS} #%/:<>?@[\\]^|`],
  [set.CLASS_MARK, "*_~=-+#"],
  [set.CLASS_BRACKET, BRACKETS],
  [set.CLASS_SEPARATOR, ",;|([{"],
  [set.CLASS_WORD, `${ALPHA}${DIGIT}-+_`],
  [set.CLASS_BEFORE_SCHEMELESS, `${ALPHA}${DIGIT}-._@/%`],
  [set.CLASS_USERINFO_KEPT, `${UNRESERVED}${SUB_DELIMS}:`],
  [set.CLASS_JSON, "\x03,:[]{}"],
  [set.CLASS_OPENING, "<> \t\r\n"],
];

// Rows 0 and 1 share a bit, which leaves one for the eight rows of the upper half.
const HIGH_NIBBLES = [1, 1, 2, 4, 8, 16, 32, 64, 128, 128, 128, 128, 128, 128, 128, 128];

/** Returns the nibble tables of the bytes whose class has `bit`: byte b has it if low[b & 15] & high[b >> 4] is not 0. */
function nibbleTables(classes: Int32Array, bit: number): Uint8Array {
  const tables = new Uint8Array(32);
  tables.set(HIGH_NIBBLES, 16);
  for (let byte = 0; byte < 256; byte++) {
    if ((classes[byte] & bit) !== 0) tables[byte & 15] |= tables[16 + (byte >> 4)];
  }
  return tables;
}

export interface CoreTables {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly words: Int32Array<ArrayBuffer>;
  /** Row number in SCHEME_TABLE of each scheme, by name. */
  readonly schemeRows: Map<string, number>;
  /** Whether SCHEME_TABLE holds schemes that a user added. */
  hasAddedSchemes: boolean;
  /** The only schemes that are reported; undefined if all are. */
  reportedSchemes: readonly string[] | undefined;
  /** Enters the scheme of a row into SCHEME_SLOTS. */
  indexScheme(row: number): void;
}

const SHAPES = { "//": row.SHAPE_AUTHORITY, opaque: row.SHAPE_OPAQUE, both: row.SHAPE_AUTHORITY | row.SHAPE_OPAQUE };

/** Adds the row of a scheme and indexes it; `shape`: SHAPE_* bits. */
function addRow(core: CoreTables, name: string, shape: number, special: number, port: number): void {
  const index = core.schemeRows.size;
  if (index >= row.SCHEME_ROWS_MAX || name.length > row.NAME_BYTES_MAX) throw new RangeError(`no room for the scheme "${name}"`);
  const at = SCHEME_TABLE + index * row.SCHEME_ROW_BYTES;
  core.bytes[at + row.ROW_LENGTH] = name.length;
  core.bytes[at + row.ROW_SHAPE] = shape;
  core.bytes[at + row.ROW_SPECIAL] = special;
  core.bytes[at + row.ROW_REPORTED] = 1;
  core.words[(at + row.ROW_PORT) >> 2] = port;
  core.bytes.set(codesOf(name), at + row.ROW_NAME);
  core.indexScheme(index);
  core.schemeRows.set(name, index);
}

/** Adds the known schemes and those of a user. A user's scheme replaces the known one of the same name. */
function addKnownSchemes(core: CoreTables, added: readonly AddedScheme[]): void {
  const own = added.map(({ name, shape, port = 0 }) => ({ name, shape, hierarchical: shape === "//", special: row.SPECIAL_NONE, port }));
  const schemes = new Map([...SCHEMES, ...own].map((scheme) => [scheme.name, scheme]));
  for (const { name, shape, hierarchical, special, port } of schemes.values()) {
    addRow(core, name, row.SHAPE_KNOWN | SHAPES[shape] | (hierarchical ? row.SHAPE_HIERARCHICAL : 0), special, port);
  }
  core.hasAddedSchemes = added.length > 0;
}

/** A scheme that a user adds to the known ones. (X1, X6) */
export interface AddedScheme {
  /** In lower case. */
  readonly name: string;
  /** `//`: an authority is needed; `opaque`: one byte after the colon is enough. */
  readonly shape: "//" | "opaque";
  /** Default port; undefined: none. */
  readonly port?: number | undefined;
}

/**
 * Makes the schemes `added` known instead of those of an earlier call. Only the schemes `names` are reported, or all if it is undefined
 * (X11). Unknown names get rows too. Throws RangeError if the rows do not fit.
 */
export function setSchemes(core: CoreTables, names: readonly string[] | undefined, added: readonly AddedScheme[]): void {
  // Whether the table holds more than the known schemes: those of a user, or names of a filter.
  const isExtended = core.hasAddedSchemes || core.schemeRows.size > SCHEMES.length;
  // Consecutive small texts mostly ask for the same schemes.
  if (names === core.reportedSchemes && added.length === 0 && !isExtended) return;
  core.reportedSchemes = names;
  const others = (names ?? []).filter((name) => ![...SCHEMES, ...added].some((scheme) => scheme.name === name));
  if (others.length > 0 || added.length > 0 || isExtended) {
    core.bytes.fill(0, SCHEME_SLOTS, SCHEME_SLOTS + 256);
    core.schemeRows.clear();
    addKnownSchemes(core, added);
    for (const name of new Set(others)) addRow(core, name, row.SHAPE_HIERARCHICAL, row.SPECIAL_NONE, 0);
  }
  for (const [name, index] of core.schemeRows) {
    core.bytes[SCHEME_TABLE + index * row.SCHEME_ROW_BYTES + row.ROW_REPORTED] = names?.includes(name) === false ? 0 : 1;
  }
}

/** Returns whether a scheme, in lower case, takes part in matching. A scheme that only a filter names does not (X1). */
export function isMatchedScheme(core: CoreTables, name: string): boolean {
  const index = core.schemeRows.get(name);
  if (index === undefined) return false;
  return (core.bytes[SCHEME_TABLE + index * row.SCHEME_ROW_BYTES + row.ROW_SHAPE] & row.SHAPE_KNOWN) !== 0;
}

type NamedRow = readonly [kind: number, host: string, path: string, suffix: string];

function namespaceRow(name: string): NamedRow {
  const slash = name.indexOf("/");
  const [path = "", suffix = ""] = name.slice(slash).split(/[*$]/);
  const kind = name.includes("*") ? layout.NAMED_BOTH : name.endsWith("$") ? layout.NAMED_WHOLE : layout.NAMED_BEGIN;
  return [kind, name.slice(0, slash), path, suffix];
}

/** Writes the hosts of short links and of namespaces, and their slots. (C213, C215) */
function addNamedHosts({ bytes }: CoreTables): void {
  const shortLinks = SHORT_LINK_HOSTS.map((host): NamedRow => [layout.NAMED_SHORT, host.replace("*", ""), "", ""]);
  let at = layout.NAMED_ROWS;
  for (const [kind, host, path, suffix] of [...shortLinks, ...NAMESPACES.map(namespaceRow)]) {
    const end = at + layout.NAMED_HOST + host.length;
    bytes.set([host.length, kind, path.length, suffix.length, ...codesOf(host + path + suffix)], at);
    const last = new DataView(bytes.buffer).getInt32(end - NAMED_BYTES_LEAST, true);
    let slot = namedSlot(last, host.length > NAMED_BYTES_LEAST ? bytes[end - NAMED_BYTES_LEAST - 1] : 0);
    const isTaken = (): boolean => (bytes[layout.NAMED_SLOTS + 2 * slot] | bytes[layout.NAMED_SLOTS + 2 * slot + 1]) !== 0;
    while (isTaken()) slot = (slot + 1) & (layout.NAMED_SLOTS_COUNT - 1);
    const number = ((at - layout.NAMED_ROWS) >> 3) + 1;
    bytes.set([number & 255, number >> 8], layout.NAMED_SLOTS + 2 * slot);
    at = (end + path.length + suffix.length + 7) & ~7;
  }
}

/** Fills the tables of a fresh memory that every use of a core needs. Decoders and some options fill further tables later. */
export function fillTables(core: CoreTables): void {
  const table = new Int32Array(core.words.buffer, CLASS_TABLE, 256);
  SETS.forEach((members, index) => {
    for (const byte of members) table[byte] |= 1 << index;
    core.bytes.set(nibbleTables(table, 1 << index), NIBBLE_TABLES + index * 32);
  });
  for (const [bit, characters] of CLASSES) {
    for (const byte of codesOf(characters)) table[byte] |= bit;
  }
  addKnownSchemes(core, []);
  core.words[UNICODE_TABLE >> 2] = UNICODE_RANGES.length;
  core.words.set(UNICODE_RANGES, (UNICODE_TABLE >> 2) + 1);
  addNamedHosts(core);
}
