// The texts of the benches: real ones if there is a folder of corpora, else generated ones of the same densities.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { crc32, gunzipSync } from "node:zlib";
import { concat } from "../src/base/arrays.ts";
import { type GeneratedKind, generate, Random } from "./generator.ts";
import { yardstickLines } from "./yardstick.ts";

/** A text to measure on. */
export interface Corpus {
  /** Short and fixed, because rows of records and of counts.json have this name. */
  readonly name: string;
  /** Source of the text, and its changes. */
  readonly origin: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Recipe {
  readonly name: string;
  readonly files: readonly string[];
  readonly generated: GeneratedKind;
  /** Whether lines with a URL are removed. */
  readonly withoutUrls?: true;
}

/** The recipes by falling density of URLs. */
const RECIPES: readonly Recipe[] = [
  { name: "log", files: ["apache-w3af.log.gz"], generated: "log" },
  { name: "html-spam", files: ["spamassassin-hard_ham.mbox.gz", "spamassassin-spam.mbox.gz"], generated: "html" },
  { name: "list-mail", files: ["r-help-1999.pipermail.mbox.gz", "spamassassin-easy_ham_2.mbox.gz"], generated: "mail" },
  { name: "none", files: ["cypherpunks-1995.crlf.mbox.gz", "linux-mips-2000.mbox.gz"], generated: "none", withoutUrls: true },
];

function recipeOf(name: string): Recipe {
  const recipe = RECIPES.find((one) => one.name === name);
  if (recipe === undefined) throw new Error(`no corpus ${name}; there are ${RECIPES.map((one) => one.name).join(", ")}`);
  return recipe;
}

/** Returns the folder of the corpora: URLMILL_CORPUS, else ../shared/corpus beside the repository. */
const corpusFolder = (): string => process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../shared/corpus");

const BLOCK_BYTES = 4096;
const LF = 10;

/** Returns the ends of blocks of whole lines. Each but the last has at least BLOCK_BYTES. */
function blocksOf(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lf = bytes.indexOf(LF, Math.min(at + BLOCK_BYTES, bytes.length - 1));
    at = lf < 0 ? bytes.length : lf + 1;
    ends.push(at);
  }
  return ends;
}

/** Writes `source` to `out` from `at` on, with its blocks of lines shuffled and one in ten left out; returns the new end. */
function appendVaried(source: Uint8Array, seed: number, out: Uint8Array, at: number): number {
  const random = new Random(seed);
  const ends = blocksOf(source);
  const order = ends.map((_, index) => index).filter(() => random.below(10) !== 0);
  for (let i = order.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [order[i], order[k]] = [order[k] as number, order[i] as number];
  }
  let o = at;
  for (const index of order) {
    const block = source.subarray(index === 0 ? 0 : ends[index - 1], ends[index]).subarray(0, out.length - o);
    out.set(block, o);
    o += block.length;
  }
  return o;
}

/** Removes each line in which the yardstick finds a URL. */
function withoutUrls(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept = new Uint8Array(bytes.length);
  const urls = new Uint8Array(3 * bytes.length + 64);
  let length = 0;
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    const lf = bytes.indexOf(LF, at);
    end = lf < 0 ? bytes.length : lf + 1;
    if (yardstickLines(bytes, at, end, urls) > 0) continue;
    kept.set(bytes.subarray(at, end), length);
    length += end - at;
  }
  return kept.subarray(0, length);
}

/** Returns a file of the corpora, unpacked; undefined if it is missing. */
export function readCorpusFile(name: string): Uint8Array<ArrayBuffer> | undefined {
  const path = join(corpusFolder(), name);
  return existsSync(path) ? new Uint8Array(gunzipSync(readFileSync(path))) : undefined;
}

/** Returns generated text of a kind as a corpus. */
export function generatedCorpus(kind: GeneratedKind, size: number): Corpus {
  return { name: `generated-${kind}`, origin: `generated text (${kind}), no corpus`, bytes: generate(kind, 1, size) };
}

/** Returns `size` bytes of a corpus: its files, then varied copies of them. If files are missing, returns generated text. */
export function loadCorpus(name: string, size: number): Corpus {
  const recipe = recipeOf(name);
  const files = recipe.files.map(readCorpusFile).filter((file) => file !== undefined);
  if (files.length < recipe.files.length) return generatedCorpus(recipe.generated, size);
  const joined = concat(files);
  const source = recipe.withoutUrls ? withoutUrls(joined) : joined;
  const bytes = new Uint8Array(size);
  bytes.set(source.subarray(0, size));
  let copies = 0;
  for (let at = Math.min(source.length, size); at < size; copies++) at = appendVaried(source, copies + 1, bytes, at);
  const names = recipe.files.map((file) => file.replace(/\.gz$/, "")).join(" + ");
  const how = recipe.withoutUrls ? ", lines with URLs taken out" : "";
  const more = copies === 0 ? "" : `, then ${copies} copies with their 4 KiB blocks of lines shuffled and one in ten left out`;
  return { name, origin: `${names} (${(source.length / 1e6).toFixed(1)} MB${how})${more}`, bytes };
}

/** Returns whether a corpus has all its files. */
export function hasCorpus(name: string): boolean {
  return recipeOf(name).files.every((file) => existsSync(join(corpusFolder(), file)));
}

/** Yields corpora one after the other, so that only one is in memory. Yields a generated text once, even if it replaces several. */
export function* loadCorpora(names: readonly string[], size: number): Generator<Corpus> {
  const generated = new Set<GeneratedKind>();
  for (const name of names) {
    const kind = recipeOf(name).generated;
    if (!hasCorpus(name)) {
      if (generated.has(kind)) continue;
      generated.add(kind);
    }
    yield loadCorpus(name, size);
  }
}

/** Returns a note about missing corpora and the generated texts that replace them; empty if none is missing. */
export function missingNote(names: readonly string[]): string {
  const missing = names.filter((name) => !hasCorpus(name));
  if (missing.length === 0) return "";
  const kinds = [...new Set(missing.map((name) => recipeOf(name).generated))];
  return (
    `No corpora in ${corpusFolder()}: generated texts (${kinds.join(", ")}) take the places of ${missing.join(", ")}. ` +
    "Their figures cannot be compared with recorded ones. URLMILL_CORPUS names another folder.\n\n"
  );
}

/** Returns a checksum that distinguishes texts. */
export function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
