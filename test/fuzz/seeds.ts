// Real texts from which trials are made: the archives and suites at hand, else the cases of the tests and the examples.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { shareToEnd } from "../core/shares.ts";
import { ARCHIVES, mutatedFrom, realMessages } from "../mail/mutations.ts";
import { readCases } from "../vectors/cases.ts";

const SUITES = process.env.URLMILL_SUITES ?? resolve(ARCHIVES, "../suites");
/** The oracle reads a byte in microseconds: what is longer is cut. */
const TEXT_BYTES_MAX = 1500;
/** Texts that are taken of each file, at even distances. */
const TEXTS_OF_FILE = 200;

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const cases = readCases();

function textsOf(path: string): Buffer[] {
  const bytes = path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const count = Math.min(TEXTS_OF_FILE, Math.ceil(bytes.length / TEXT_BYTES_MAX));
  return Array.from({ length: count }, (_, index) => {
    const start = bytes.indexOf("\n", Math.floor((index * bytes.length) / count)) + 1;
    return Buffer.from(bytes.subarray(start, start + TEXT_BYTES_MAX));
  });
}

function filesIn(folder: string, pattern: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}

const logs = filesIn(ARCHIVES, /\.(?:txt|log)\.gz$/).flatMap(textsOf);
const suites = filesIn(SUITES, /links\.txt$|\.json$/);
const inputs = cases.filter(({ op }) => op === "extract").map(({ bytes }) => bytes);

/** Plain text: lines of logs, drafts and mail, and the inputs of the cases. */
export const realTexts: readonly Buffer[] = [...logs, ...realMessages.map((message) => message.subarray(-TEXT_BYTES_MAX)), ...inputs];

/** Markup of real mail, and of the cases. */
export const realPages: readonly Buffer[] = [
  ...realMessages.flatMap((message) => {
    const text = message.toString("latin1");
    const at = text.search(/<(?:html|body|table|a )/i);
    return at < 0 ? [] : [latin1(text.slice(at, at + TEXT_BYTES_MAX))];
  }),
  ...cases.filter(({ options }) => options.type === "html").map(({ bytes }) => bytes),
];

/** Texts with mistakes in them, and with pieces put in at which rules meet. */
export function mutatedOf(texts: readonly Buffer[], pieces: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const put = fc.tuple(fc.constantFrom(...texts), fc.array(fc.tuple(shareToEnd, pieces), { maxLength: 4 })).map(([text, inserted]) =>
    inserted.reduce((before, [share, piece]) => {
      const at = Math.floor(share * before.length);
      return Buffer.concat([before.subarray(0, at), piece, before.subarray(at)]);
    }, text),
  );
  return fc.oneof(put, mutatedFrom(put));
}

function urlsOfSuites(): string[] {
  return suites.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    if (!path.endsWith(".json")) return text.split("\n").filter((line) => line !== "" && !line.startsWith("%"));
    return [...text.matchAll(/"input": ("(?:[^"\\]|\\.)*")/g)].map(([, quoted = '""']) => JSON.parse(quoted) as string);
  });
}

/** URLs and what is nearly one, of the suites and the cases. */
export const realUrls: readonly string[] = [...urlsOfSuites(), ...cases.filter(({ op }) => op !== "extract").map(({ input }) => input)];

/** Says what the seeds are. */
export function seedsShown(): string {
  const archives = existsSync(ARCHIVES) ? `those of ${ARCHIVES}` : `the examples (${ARCHIVES} is absent)`;
  const urls = suites.length > 0 ? `${suites.length} suites of ${SUITES}` : `the cases (${SUITES} is absent)`;
  const texts = `${realMessages.length} messages, ${realTexts.length} texts and ${realPages.length} pages`;
  return `seeds: ${texts} of ${archives}; ${realUrls.length} URLs of ${urls}`;
}
