// Prints a sample of the matches that the option guess joins (X8), or with --missed of plain matches at the end of a line that it leaves
// alone, with the lines around, for judging by eye whether each is right; the last line has the counts:
//   node tools/line-wrap-sample.mjs [--missed] [--type text] [--count 200] [--seed 1] FILE...
// Files may be gzip. What --missed shows has a path after its host and no "=" at its end (a soft break of quoted-printable), and the next
// line, after the same quote marks and two spaces at most, begins with a letter, a digit or a sign of URLs.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { extract } from "../build/index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    missed: { type: "boolean" },
    type: { type: "string", default: "auto" },
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
  },
});

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator modulo 2^32. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `count` of `items`, in their order. */
function sampleOf(items, count, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item)
    .sort((a, b) => a.order - b.order);
}

/** Whether the next line may go on with the URL that ends this one, as far as a quick look tells. */
function mayGoOn(text, start, end) {
  const lineBreak = /^\r?\n/.exec(text.slice(end, end + 2));
  if (lineBreak === null || text[end - 1] === "=" || !/^[^:]*:\/\/[^/?#]+[/?#]/.test(text.slice(start, end))) return false;
  const lineStart = text.lastIndexOf("\n", start) + 1;
  const marks = /^(?: *>)*/.exec(text.slice(lineStart, start))[0].replaceAll(" ", "").length;
  const next = text.slice(end + lineBreak[0].length, end + 300);
  return new RegExp(`^(?: *>){${marks}} {0,2}[A-Za-z0-9/?&=%_~+.-]`).test(next);
}

/** The lines of [start, end), and the next one where the match ends its line. */
function linesAround(text, start, end) {
  const after = text.indexOf("\n", end);
  const last = /^\r?\n/.test(text.slice(end, end + 2)) ? text.indexOf("\n", after + 1) : after;
  return text
    .slice(text.lastIndexOf("\n", start) + 1, last < 0 ? text.length : last)
    .split(/\r?\n/)
    .map((line) => `    ${line.slice(0, 160)}`);
}

/** Matches of one file that are shown or counted. */
function matchesOf(path) {
  const read = readFileSync(path);
  const bytes = path.endsWith(".gz") ? gunzipSync(read) : read;
  const text = bytes.toString("latin1");
  const found = [];
  for (const { kind, raw, start, end } of extract(bytes, { guess: true, type: values.type })) {
    const isShown = values.missed ? kind === "plain" && mayGoOn(text, start, end) : kind === "guessed";
    if (isShown) found.push({ raw, title: `${basename(path)} ${start}`, lines: linesAround(text, start, end) });
  }
  return found;
}

const found = positionals.flatMap(matchesOf);
const distinct = new Map(found.map((match) => [match.lines.join("\n"), match]));
const items = [...distinct.values()].map((match, order) => ({ ...match, order }));
const sample = sampleOf(items, Number(values.count), randomNumbers(Number(values.seed)));
for (const { title, raw, lines } of sample) console.log(`${title}\n${lines.join("\n")}\n  = ${raw}`);
console.log(`${found.length} matches, ${items.length} distinct, ${sample.length} shown`);
