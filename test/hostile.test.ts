// X14: time is linear in the input for any input. Each family is a unit repeated to 2, 4, 8 and 16 MiB and scanned on the SIMD core.
import { afterAll, describe, expect, it } from "vitest";
import { Scanner } from "../src/window/scanner.ts";
import { coreOf, type ScanSettings, scanOptions } from "./core-builds.ts";

const MIB = 1 << 20;
const SIZES = [2, 4, 8, 16].map((mebibytes) => mebibytes * MIB);
/** Every size is run this often, in turn, and the best time counts; more often, up to the most, while the times look bad. */
const ROUNDS = 3;
const ROUNDS_MOST = 12;
/** Time(2n)/time(n) must stay below this: twice the bytes, and room for what a busy machine adds. */
const RATIO_MAX = 2.5;
/** X14 asks for 100 MB/s on a thread that has a processor for itself; half of it leaves room for machines that do more at the same time. */
const FLOOR_MB_PER_SECOND = Number(process.env.URLMILL_FLOOR ?? 50);

/** Unit, and what stands once behind all of them. */
const FAMILIES: readonly (readonly [name: string, unit: string, tail?: string])[] = [
  ["colons", ":"],
  ["openers of wrappers", "<"],
  ["round brackets", "("],
  ["square brackets", "["],
  ["http://", "http://"],
  ["wrappers that never close", "<URL:http://a"],
  ["wrappers of two words", "<URL:a b "],
  ["bare wrappers that never close", "<http://a\n"],
  ["wrappers with spaces", "< ", ">"],
  ["percent signs", "%"],
  ["closers behind matches", "http://a)"],
  ["mid:", "mid:"],
  ["mailto:a@", "mailto:a@"],
  ["mailto:a@(", "mailto:a@("],
  ["mailto and commas", "mailto:a@b,"],
  ["news:a(", "news:a("],
  ["news groups of one part", "news:a "],
  ["open references", "&#0"],
  ["references", "http://a/&amp;amp;"],
  ["ampersands in a path", "&amp;"],
  ["quotes before schemes", "'http://a"],
  ["commas before schemes", ",http://"],
  ["userinfo without end", "http://a@"],
  ["at signs", "@"],
  ["open IP literals", "http://["],
  ["IP literals", "http://[::1]"],
  ["ports without digits", "http://a:"],
  ["ports and colons", "http://a:80:"],
  ["runs of scheme characters", "x-"],
  ["marks of emphasis", "*_"],
  ["marks behind matches", "*http://a*"],
  ["joiners", "\u200d"],
  ["joiners in a path", "http://a/\u200d\u200d"],
  ["URL: runs", "URL:"],
  ["URL: and white space", "URL: \n"],
  ["dots and hosts", "http://."],
  ["full stops", "."],
  ["line breaks", "\r\n"],
  ["reply marks", "> "],
  ["reply marks and wrappers", "> <http://a\n"],
  ["NUL bytes", "\0"],
  ["urn namespaces", "urn:a-"],
  ["letters", "a"],
  ["openers and mid:", "<mid:"],
  ["opaque wrappers that never close", "<mid:a@b\n"],
  ["openers and mailto:", "<mailto:"],
  ["hosts and commas", "http://a,"],
  ["commas before two schemes", "http://a;ftp://"],
  ["urn:aa:b", "urn:aa:b "],
  ["addresses without hosts", "mailto:-@"],
  ["mailto without @", "mailto:x"],
  ["mailto and question marks", "mailto:x?"],
  ["brackets in candidates", "mid:("],
  ["triplets", "http://%4"],
  ["upper case", "HTTP://A"],
  ["dot segments", "/../"],
  ["words that are no schemes", "http: "],
];

const BROKEN_LINE = "http://a/".padEnd(76, "b");

/** With the option `guess` (X8). */
const BROKEN_LINES: readonly (readonly [name: string, unit: string])[] = [
  ["lines that all go on", `${BROKEN_LINE}\n${"c/".padEnd(76, "d")}\n`],
  ["lines that begin a new URL", `${BROKEN_LINE}\n`],
  ["a long word behind a line", `${BROKEN_LINE}\n${"c/".repeat(8000)}\n`],
  ["a word that is too long behind a line", `${BROKEN_LINE}\n${"c/".repeat(12_000)}\n`],
  ["spaces where reply marks are looked for", `>${BROKEN_LINE}\n${" ".repeat(10_000)}`],
  ["reply marks without end", `${"> ".repeat(12)}${BROKEN_LINE.slice(24)}\n${">".repeat(2000)}\n`],
  ["brackets over a break", `${BROKEN_LINE.slice(20)}${"(".repeat(20)}\n${")".repeat(20)}/x\n`],
];

/** Units of scheme-less text (X10), and of URLs with unknown schemes (X1 c) with it and without. */
const SCHEMELESS: readonly string[] = [
  "a.b,",
  "a+",
  "a.b/(",
  "www.a.b/(",
  "a@b.c:",
  "@",
  ".",
  "a@",
  "x@-",
  "a.com,",
  "a.com/(",
  "a.com:1(",
].concat(["a.b@", "a.c+:/", "<www.a.b\n", "<a@b.c ", "\u00e9."]);
const UNKNOWN: readonly string[] = ["a+a://", "aa://", "a.a://(", "1+://", "aa://-"];
/** Here each name is another question to the list of public suffixes, which TypeScript answers. */
const ASKED: readonly string[] = ["a.com ", "a.b ", "<a.com "];
const LONG_NAMES = `${"a.com+".repeat(2700)} `;

/**
 * Inside a URL of 16 KiB with the option `nested` (X11): what stands there is scanned again, to a depth of four, twice where it is
 * percent-encoded, and every match that is found is a row of its own.
 */
const NESTED: readonly string[] = ["http://a/?", "%3C:", "%3A", "a%3A", "http%3A//a,", "mid:", "mid%3A", "mid%3Amid:", "urn:", "&:"].concat(
  ["mailto%3Aa@(", "http:%2F%2Fa(", "http%3A//a/%20", "'http%3A", "%2527", "news%3Aa("],
);

/** Inputs that are no repetition: a head, a body of the wanted size made of two halves, a tail. */
const SHAPES: readonly (readonly [name: string, first: string, second: string])[] = [
  ["brackets opened, then closed", "(", ")"],
  ["one match and closers", "http://a/(", ")"],
  ["path, then full stops", "x", "."],
  ["host, then hyphens", "a", "-"],
  ["marks, then marks", "*", "*"],
  ["wrapper, then spaces", "a", " "],
];

/** Units of HTML (X9). */
const PAGES: readonly (readonly [name: string, unit: string, head?: string])[] = [
  ["ampersands", "&"],
  ["openers of tags", "<"],
  ["tags", "<a>"],
  ["start tags that never end", "<a "],
  ["values that never end", '<a href="'],
  ["values and tags", "<a b='"],
  ["attributes", "b=c ", "<a "],
  ["equals signs", "=", "<a "],
  ["quotes", '"', "<a "],
  ["comments that never end", "<!--"],
  ["dashes", "-", "<!--"],
  ["almost ends of comments", "--!", "<!--"],
  ["declarations", "<!"],
  ["end tags", "</"],
  ["ends of scripts", "</scrip", "<script>"],
  ["scripts", "<script>"],
  ["numbers without digits", "&#"],
  ["numbers", "&#6"],
  ["zeros", "0", "&#"],
  ["legacy names", "&amp"],
  ["names", "&lt;"],
  ["unknown names", "&aa;"],
  ["almost names", "&notAAAA"],
  ["two characters of a name", "&nGt;"],
  ["letters behind an ampersand", "a", "&"],
  ["wrappers", "&lt;http://a"],
  ["openers and schemes", "<http:"],
  ["references in matches", "http://a/&amp;lt;"],
  ["references in attributes", "http://a/&amp;lt; ", '<a href="'],
  ["cid: in an attribute", "cid:a ", '<a href="'],
  ["cid: in text", "cid:a "],
  ["bytes of regions", "\u0001\u0002"],
];

function repeated(unit: string, size: number, tail = ""): Uint8Array {
  const bytes = Buffer.alloc(size, unit);
  bytes.write(tail, size - Buffer.byteLength(tail));
  return bytes;
}

/** One scan of all bytes, in milliseconds. */
function timeOf(bytes: Uint8Array, settings: ScanSettings): number {
  const sink = { lines: () => {}, matches: () => {}, rejected: () => {} };
  // Processor time: what else the machine does must not count.
  const begin = process.cpuUsage();
  const scanner = new Scanner(coreOf("simd"), scanOptions(settings, settings.nested ? "matches" : "lines"), sink);
  scanner.write(bytes);
  scanner.end();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e3;
}

/** Times below this are too short to compare. */
const SHORTEST_MS = 4;

const figures: string[] = [];

function worstRatio(times: readonly number[]): number {
  const ratios = times.slice(1).map((time, index) => time / Math.max(times[index] ?? 0, SHORTEST_MS));
  return Math.max(...ratios);
}

interface Limits {
  sizes?: readonly number[];
  settings?: ScanSettings;
  floor?: number;
}

function measure(name: string, make: (size: number) => Uint8Array, limits: Limits = {}): void {
  const { sizes = SIZES, settings = {}, floor = FLOOR_MB_PER_SECOND } = limits;
  const inputs = sizes.map(make);
  const best = inputs.map((bytes) => timeOf(bytes, settings));
  const largest = sizes.at(-1) ?? 0;
  const rate = (): number => largest / 1e3 / (best.at(-1) ?? 0);
  const looksBad = (): boolean => worstRatio(best) >= RATIO_MAX || rate() <= floor;
  // No noise makes a scan four times slower in every round.
  const isHopeless = (): boolean => rate() < floor / 4;
  for (let round = 1; round < ROUNDS || (round < ROUNDS_MOST && looksBad() && !isHopeless()); round++) {
    for (const [index, bytes] of inputs.entries()) best[index] = Math.min(best[index] ?? 0, timeOf(bytes, settings));
  }
  figures.push(`${name}: ${best.map((time, index) => ((sizes[index] ?? 0) / 1e3 / time).toFixed(0)).join(" ")} MB/s`);
  expect(worstRatio(best), `time(2n)/time(n) of ${best.map((time) => time.toFixed(1)).join(", ")} ms`).toBeLessThan(RATIO_MAX);
  expect(rate(), `MB/s over ${largest} bytes`).toBeGreaterThan(floor);
}

describe("X14 hostile inputs take linear time", () => {
  for (const [name, unit, tail] of FAMILIES) {
    it(`${name}: ${JSON.stringify(unit)}`, () => measure(name, (size) => repeated(unit, size, tail)));
  }
  for (const [name, first, second] of SHAPES) {
    it(name, () =>
      measure(name, (size) =>
        Buffer.concat([Buffer.from("<URL:http://a/"), Buffer.alloc(size / 2, first), Buffer.alloc(size / 2, second)]),
      ),
    );
  }
  for (const [name, unit] of FAMILIES.filter(([, unit]) => /[a-z]:/i.test(unit))) {
    it(`${name}: ${JSON.stringify(unit)}, urlBytesMax 1 MiB`, () => {
      measure(`${name}, urlBytesMax 1 MiB`, (size) => repeated(unit, size), { sizes: [4 * MIB, 8 * MIB], settings: { urlBytesMax: MIB } });
    });
  }
  for (const [name, unit] of BROKEN_LINES) {
    it(`guess: ${name}`, () => measure(`guess: ${name}`, (size) => repeated(unit, size), { settings: { guess: true } }));
  }
  for (const [name, unit, head = ""] of PAGES) {
    it(`HTML, ${name}: ${JSON.stringify(head + unit)}`, () => {
      const make = (size: number): Uint8Array => Buffer.concat([Buffer.from(head), Buffer.alloc(size - head.length, unit)]);
      measure(`HTML, ${name}`, make, { settings: { type: "html" } });
    });
  }
  const bare: ScanSettings = { bare: ["www", "email", "domain"] };
  for (const unit of [...SCHEMELESS, ...UNKNOWN]) {
    it(`scheme-less text: ${JSON.stringify(unit)}`, () => {
      // Each `<` is read as a wrapper of scheme-less text first: about 60 MB/s on a free processor.
      const limits = unit.startsWith("<") ? { floor: FLOOR_MB_PER_SECOND / 2 } : {};
      const settings = { ...bare, anyScheme: true };
      measure(`bare ${unit}`, (size) => repeated(unit, size), { sizes: SIZES.slice(0, 3), settings, ...limits });
    });
  }
  for (const unit of UNKNOWN) {
    it(`unknown schemes: ${JSON.stringify(unit)}`, () => {
      measure(`any scheme ${unit}`, (size) => repeated(unit, size), { sizes: SIZES.slice(0, 3), settings: { anyScheme: true } });
    });
  }
  for (const unit of [...ASKED, LONG_NAMES]) {
    it(`names that are asked about: ${JSON.stringify(unit.slice(0, 12))}`, () => {
      measure(`asked ${unit.slice(0, 12)}`, (size) => repeated(unit, size), { sizes: [MIB, 2 * MIB], settings: bare, floor: 2 });
    });
  }
  for (const unit of ["http://a/?http://a/?", "%3C:"]) {
    it(`URLs in URLs: ${JSON.stringify(unit)}`, () => {
      measure(`nested ${unit}`, (size) => repeated(unit, size), { sizes: SIZES.slice(0, 3), settings: { nested: true } });
    });
  }
  for (const unit of NESTED) {
    it(`inside URLs: ${JSON.stringify(unit)}`, () => {
      const block = Buffer.concat([Buffer.from("http://a/?"), Buffer.alloc(16_000, unit), Buffer.from(" ")]);
      measure(`inside ${unit}`, (size) => Buffer.alloc(size, block), { sizes: [MIB, 2 * MIB], settings: { nested: true }, floor: 1 });
    });
  }
  // The platform's URL makes A-labels of each host that is not ASCII (N1): a microsecond a host, so X14's 100 MB/s are not reached.
  it("hosts that are not ASCII", () => {
    measure("not ASCII", (size) => repeated("http://\u00e9/ ", size), { sizes: [MIB, 2 * MIB], floor: 4 });
  });
  it("hosts that are not ASCII, each another", () => {
    const hosts = Array.from({ length: 1 << 18 }, (_, index) => `http://\u00e9${index.toString(36)}/ `).join("");
    measure("not ASCII, distinct", (size) => Buffer.from(hosts).subarray(0, size), { sizes: [MIB, 2 * MIB], floor: 4 });
  });
  it("pieces of 4 KiB of every family in turn", () => {
    const block = Buffer.concat(FAMILIES.map(([, unit]) => Buffer.alloc(4096, unit)));
    measure("in turn", (size) => Buffer.alloc(size, block));
  });
  afterAll(() => {
    if (process.env.URLMILL_FIGURES !== undefined) console.log(figures.join("\n"));
  });
});
