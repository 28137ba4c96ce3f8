// Measures small calls in one process: `extract` of texts from 50 bytes to 64 KiB, `parse`, `resolve` and `normalize` of one URL, beside
// a Node user's other choices. Arguments: --record; --install installs the packages of bench:peers.
import { parseArgs } from "node:util";
import { createExtractor, extract, normalize, parse, resolve } from "urlmill";
import { installedFinders, installPeers } from "./contenders.ts";
import { type Effort, FULL_EFFORT, measure, type Row, type Timing } from "./measure.ts";
import { HTTPS_PATTERN } from "./peers.ts";
import { printTable, type Table, writeRecord } from "./records.ts";

/** Calls in a run of a row: the clock cannot measure a single one. */
const CALLS = 100;

const CHAT = "Did you see what came of it? I think we should talk to the others first, and then decide next week. ";
const MAIL = "> On Monday Ann wrote:\n> The minutes are ready; please send me your changes before we meet again.\n\nI have none. ";
const LOG = '192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326 "-" "Mozilla/5.0 (X11)"\n';
const URLS = ["https://www.example.org/notes/2024/may.html", "http://b.example/x?y=1&z=two", "https://c.example:8443/~ann/#top"];

const SIZES = [50, 150, 1 << 10, 4 << 10, 64 << 10] as const;
const SENTENCES = [CHAT, MAIL, LOG];

/** Returns a text of `size` bytes with `count` URLs at about equal distances. In 50 bytes there is room for one. */
export function smallText(size: number, count: number): string {
  const filler = (SENTENCES[count % SENTENCES.length] as string).repeat(Math.ceil(size / CHAT.length) + 1);
  const urls = URLS.slice(0, count);
  const room = size - urls.reduce((sum, url) => sum + url.length + 2, 0);
  const share = Math.floor(room / (count + 1));
  return urls.map((url) => `${filler.slice(0, share)} ${url} `).join("") + filler.slice(0, size - count * share - (size - room));
}

/** Returns a row whose `run` calls `one` often, and returns the result of the last call. */
function rowOf(name: string, one: () => number): Row {
  return {
    name,
    run: () => {
      let found = 0;
      for (let call = 0; call < CALLS; call++) found = one();
      return found;
    },
  };
}

const WEB = new RegExp(HTTPS_PATTERN, "g");

function countNormal(text: string): number {
  let found = 0;
  for (const [url] of text.matchAll(WEB)) if (new URL(url).href.length > 0) found++;
  return found;
}

/** Returns the number of matches with a URL, which it reads. */
export function countUrls(matches: readonly { readonly url: string | null }[]): number {
  let found = 0;
  for (const { url } of matches) if (url !== null && url.length > 0) found++;
  return found;
}

/** Returns the row of a Node user's code without a package. */
export function plainRow(text: string): Row {
  return rowOf("regular expression and new URL()", () => countNormal(text));
}

/** Returns the row of `extract` of a string. */
export function extractRow(text: string): Row {
  return rowOf("urlmill, extract(string)", () => countUrls(extract(text)));
}

/** Returns the rows of the functions for one URL; the last row is `new URL()`. */
export function urlRows(): Row[] {
  const [url, base, reference] = [URLS[1] as string, URLS[0] as string, "../x.html"];
  return [
    rowOf("urlmill, parse", () => Number(parse(url).ok)),
    rowOf("urlmill, resolve", () => Number(resolve(base, reference) !== null)),
    rowOf("urlmill, normalize", () => Number(normalize(url) !== null)),
    rowOf("new URL(), with a base", () => Number(new URL(reference, base).href.length > 0)),
    rowOf("new URL()", () => Number(new URL(url).href.length > 0)),
  ];
}

function microseconds({ median }: Timing): number {
  return (median * 1000) / CALLS;
}

/** Returns a table with the time of one call of each row, and its ratio to that of the last row, `new URL()`. */
function tableOf(title: string, notes: string[], timings: readonly Timing[]): Table {
  const yardstick = microseconds(timings.at(-1) as Timing);
  return {
    title,
    notes,
    columns: ["row", "found", "µs a call", "x new URL()"],
    rows: timings.map((timing) => {
      const time = microseconds(timing);
      return [timing.name, timing.count, time.toFixed(2), (time / yardstick).toFixed(2)];
    }),
  };
}

/** Times all rows. */
export async function measureSmall(effort: Effort): Promise<Table[]> {
  const { found: finders, missing } = await installedFinders([
    ["linkify-it", "linkify-it"],
    ["linkifyjs", "linkifyjs"],
  ]);
  for (const message of missing) process.stderr.write(`${message}\n`);
  const find = createExtractor({ bare: ["www"] });
  const tables: Table[] = [];
  for (const size of SIZES) {
    for (const count of size === 50 ? [0, 1] : [0, 1, 3]) {
      const text = smallText(size, count);
      const bytes = Buffer.from(text);
      const timings = measure(
        [
          extractRow(text),
          rowOf("urlmill, extract(bytes)", () => countUrls(extract(bytes))),
          rowOf("urlmill, createExtractor({ bare })", () => countUrls(find(text))),
          ...finders.map(([name, finder]) => rowOf(name, () => finder(text).length)),
          plainRow(text),
        ],
        effort,
      );
      tables.push(tableOf(`${size} bytes, ${count} URLs`, [], timings));
    }
  }
  return [...tables, tableOf("one URL", [], measure(urlRows(), effort))];
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { record: { type: "boolean" }, install: { type: "boolean" } } });
  if (values.install) installPeers();
  const tables = await measureSmall(FULL_EFFORT);
  for (const table of tables) printTable(table);
  if (values.record) await writeRecord("small", tables);
}

if (process.argv[1] === import.meta.filename) await main();
