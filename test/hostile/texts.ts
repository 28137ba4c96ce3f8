// Every hostile text with the options it is hostile to. The tests count the work of a scan of each, bench/hostile-speed.ts times it.

import type { Core } from "../../src/core/core.ts";
import type * as settings from "../../src/options/options.ts";
import type { formatted } from "../../src/output/formatted.ts";
import type { scanOptionsOf } from "../../src/run/open-scanner.ts";
import type * as scanner from "../../src/scan/scanner.ts";
import { ARCHIVES, type HostileArchive } from "./archives.ts";
import {
  ASKED,
  BROKEN_LINES,
  CUT_LINES,
  DEFANGED,
  ENCODED,
  ESCAPED,
  FAMILIES,
  insideUrl,
  LONG_NAMES,
  LONG_RECEIVED,
  NESTED,
  PAGES,
  pageOf,
  repeated,
  SCHEMELESS,
  SHAPES,
  shapeOf,
  UNKNOWN,
} from "./families.ts";

const MIB = 1 << 20;
/** Bytes that a scanner is given at a time, as by a stream. */
const CHUNK_BYTES = 1 << 16;
/** Archives whose matches are all written out as records. */
const RECORDS_FLOOR = 5;
/** An archive of nothing but the ends of parts is the slowest. */
const ARCHIVES_FLOOR = 15;
/** X14 asks for 100 MB/s on a thread that has a processor for itself; half of it leaves room for machines that do more at the same time. */
const FLOOR = 50;

/** A text of any size, what is looked for in it, and how fast it has to be. */
export interface HostileText {
  readonly name: string;
  readonly make: (size: number) => Uint8Array;
  readonly type: settings.TextType;
  readonly options: settings.ExtractStreamOptions;
  /** MB/s that a scan reaches at least. */
  readonly floor: number;
}

const ALL_SCHEMELESS: settings.ExtractOptions = { bare: ["www", "email", "domain", "ip"] };

type Rest = Partial<Omit<HostileText, "name" | "make">>;

function text(name: string, make: (size: number) => Uint8Array, rest: Rest = {}): HostileText {
  return { name, make, type: "text", options: {}, floor: FLOOR, ...rest };
}

function ofUnits(title: string, units: readonly string[], rest: Rest): HostileText[] {
  return units.map((unit) => text(`${title}: ${JSON.stringify(unit.slice(0, 20))}`, (size) => repeated(unit, size), rest));
}

function inTurn(size: number): Uint8Array {
  return Buffer.alloc(size, Buffer.concat(FAMILIES.map(([, unit]) => Buffer.alloc(4096, unit))));
}

function distinctHosts(size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  for (let at = 0, number = 0; at < size; number++) at += bytes.write(`http://\u00e9${number.toString(36)}/ `, at);
  return bytes;
}

/** HTML with links (C106). */
const LINKED = [
  ["short ones", "<a href=x>"],
  ["unresolved in a srcset", "<img srcset='a 1x,b 2x,c"],
  ["a srcset that does not end", "a 1x,"],
  ["bases", "<base href=x/>"],
  ["dot segments", "<a href='../../.././..'>"],
  [
    "a long value",
    "<a href='////////////////////////////////////////////////////////////////////////////////////////////////////////////////'>",
  ],
  ["ill-formed", "<a href='\u00e4\u00e4\u00e4\u00e4\u00e4'>"],
] as const;

/** Texts that are read as they are, and HTML. */
export const TEXTS: readonly HostileText[] = [
  ...FAMILIES.map(([name, unit, tail]) => text(`${name}: ${JSON.stringify(unit.slice(0, 20))}`, (size) => repeated(unit, size, tail))),
  ...SHAPES.map(([name, first, second]) => text(name, (size) => shapeOf(first, second, size))),
  ...FAMILIES.filter(([, unit]) => /[a-z]:/i.test(unit)).map(([name, unit]) =>
    text(`${name}, urlBytesMax 1 MiB`, (size) => repeated(unit, size), { options: { urlBytesMax: MIB } }),
  ),
  ...BROKEN_LINES.map(([name, unit]) => text(`guess: ${name}`, (size) => repeated(unit, size), { options: { guess: true } })),
  ...CUT_LINES.map(([name, unit]) => text(`unwrap: ${name}`, (size) => repeated(unit, size), { options: { unwrap: true }, floor: 1 })),
  // Each mark is a row of the source map, and the raw form of each match is put together again.
  ...ofUnits("defanged text", DEFANGED, { options: { refang: true }, floor: 2 }),
  ...PAGES.map(([name, unit, head = ""]) =>
    text(`HTML, ${name}: ${JSON.stringify(head + unit)}`, (size) => pageOf(head, unit, size), { type: "html" }),
  ),
  // A record of each link is made of an object: resolving one costs several times what finding it does.
  ...LINKED.map(([name, unit]) =>
    text(`links, ${name}: ${JSON.stringify(unit)}`, (size) => repeated(unit, size), {
      type: "html",
      options: { links: true, base: "http://a.example/b/c" },
      floor: 0.5,
    }),
  ),
  // Each `<` is read as a delimited URL of schemeless text first: about 60 MB/s on a free processor.
  ...[...SCHEMELESS, ...UNKNOWN].flatMap((unit) => {
    const floor = unit.startsWith("<") ? FLOOR / 2 : FLOOR;
    return ofUnits("scheme-less text", [unit], { options: { ...ALL_SCHEMELESS, anyScheme: true }, floor });
  }),
  ...ofUnits("text with escapes of JSON", ESCAPED, {}),
  ...ofUnits("unknown schemes", UNKNOWN, { options: { anyScheme: true } }),
  ...ofUnits("names that are asked about", [...ASKED, ...LONG_NAMES, LONG_RECEIVED], {
    options: { ...ALL_SCHEMELESS, anyScheme: true },
    floor: 2,
  }),
  ...ofUnits("URLs in URLs", ["http://a/?http://a/?", "%3C:"], { options: { nested: true } }),
  ...ofUnits("encoded URLs", ENCODED, { options: { nested: true } }),
  ...NESTED.map((unit) =>
    text(`inside URLs: ${JSON.stringify(unit)}`, (size) => insideUrl(unit, size), { options: { nested: true }, floor: 1 }),
  ),
  // The platform's URL makes A-labels of each host that is not ASCII (N1): a microsecond a host.
  ...ofUnits("hosts that are not ASCII", ["http://\u00e9/ "], { floor: 4 }),
  text("hosts that are not ASCII, each another", distinctHosts, { floor: 4 }),
  text("pieces of 4 KiB of every family in turn", inTurn),
];

function archive({ name, unit, head = "", type = "eml", mbox = "auto", charset = "utf-8", parts = "text" }: HostileArchive): HostileText {
  const make = (size: number): Uint8Array => Buffer.concat([Buffer.from(head), Buffer.alloc(size - Buffer.byteLength(head), unit)]);
  return text(name, make, {
    type,
    options: { mbox, charset, parts, format: "ndjson" },
    floor: name.startsWith("URLs") ? RECORDS_FLOOR : ARCHIVES_FLOOR,
  });
}

/** Archives. Each match is written as a record, which costs most. */
export const ARCHIVE_TEXTS: readonly HostileText[] = ARCHIVES.map(archive);

/** What of the library scans a text: that of src/, or a copy that counts. */
export interface Library {
  readonly checkOptions: typeof settings.checkOptions;
  readonly scanOptionsOf: typeof scanOptionsOf;
  readonly formatted: typeof formatted;
  readonly Scanner: typeof scanner.Scanner;
}

/** Scans the bytes of a text and returns the number of matches. `took` gets the number of bytes taken after each chunk. */
export function scanHostile(
  { checkOptions, scanOptionsOf, formatted, Scanner }: Library,
  core: Core,
  bytes: Uint8Array,
  text: Rest,
  took: (bytes: number) => void = () => undefined,
): number {
  const { settings } = checkOptions("ExtractStream", { ...text.options, type: "text" });
  const sink = formatted(settings, { write: () => undefined, wait: () => undefined, end: () => undefined });
  const scanner = new Scanner(core, scanOptionsOf(settings, text.type ?? "text"), sink);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    scanner.write(bytes.subarray(at, at + CHUNK_BYTES));
    took(at + CHUNK_BYTES);
  }
  scanner.end();
  return scanner.counts.matches;
}
