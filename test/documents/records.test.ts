// The tables of speed in README.md, docs/internals/performance.md and docs/wasm-and-typescript.md have the numbers of bench/records/.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Returns the cells of the rows of a record's table, whose title begins so, by their first cell. */
function recorded(record: string, title: string): Map<string, readonly string[]> {
  const name = readdirSync(join(root, "bench/records")).find((file) => file.endsWith(`-${record}.md`)) ?? "";
  const table = read(`bench/records/${name}`)
    .split(/^## /m)
    .find((section) => section.startsWith(title));
  return new Map(cellsOf(table ?? "").map(([first = "", ...rest]) => [first, rest]));
}

/** Returns the cells of the lines of text that are rows of a table. */
function cellsOf(text: string): string[][] {
  return [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
}

/** Returns the rows of the table in a page whose first line begins so, the first or a later one, without its head. */
function tableOf(page: string, head: string, index = 0): string[][] {
  const text = read(page);
  const start = [...text.matchAll(new RegExp(`^${head.replaceAll("|", "\\|")}`, "gm"))][index]?.index ?? 0;
  return cellsOf(text.slice(start, text.indexOf("\n\n", start))).slice(1);
}

it("README.md has the seconds of the records", () => {
  const names = ["urlmill -j 1", "urlmill -j 2", "messages taken apart, -j 1", "rg, all schemes", "rg, https?://", "V8 regex, all schemes"];
  const records = [
    recorded("files-list-mail-4096", "list-mail: whole processes"),
    recorded("files-html-spam-1536", "html-spam: whole processes"),
  ];
  const rows = tableOf("README.md", "| command | 4.3 GB of list mail");
  expect(rows.length).toBe(names.length);
  for (const [index, [, ...said]] of rows.entries()) {
    for (const [column, cell] of said.entries()) {
      const milliseconds = Number(records[column]?.get(names[index] as string)?.[1]);
      expect(Math.abs((Number.parseFloat(cell) * 1000) / milliseconds - 1), `${names[index]}: ${cell}`).toBeLessThan(0.006);
    }
  }
});

it("docs/internals/performance.md has the ratios of the records", () => {
  const files = ["rg, all schemes", "rg, https?://", "V8 regex, all schemes", "wc -l"];
  const peers = ["rg -j 1, all schemes", "rg -j 1, https?://", "node, V8 regex all schemes", "wc -l"];
  const records: (readonly [record: string, corpus: string, rows: readonly string[]])[] = [
    ["files-list-mail-4096", "list-mail", files],
    ["files-1536", "list-mail", files],
    ["peers", "list-mail", peers],
    ["files-html-spam-1536", "html-spam", files],
    ["peers", "html-spam", peers],
    ["peers", "log", peers],
    ["peers", "url-list", peers],
    ["peers", "none", peers],
  ];
  const rows = tableOf("docs/internals/performance.md", "| corpus | ripgrep, all schemes");
  expect(rows.length).toBe(records.length);
  for (const [index, [corpus, ...said]] of rows.entries()) {
    const [record, name, names] = records[index] as (typeof records)[number];
    const table = recorded(record, `${name}: whole processes`);
    // Records of files have a column for a floor after the ratio.
    const ratios = names.map((row) => Number((table.get(row) ?? [])[record === "peers" ? 4 : 3]));
    for (const [column, cell] of said.entries())
      expect(Math.abs(Number(cell) - (ratios[column] ?? Number.NaN)), `${corpus}: ${cell}`).toBeLessThan(0.06);
  }
});

describe("docs/wasm-and-typescript.md", () => {
  const page = "docs/wasm-and-typescript.md";

  describe.each([
    ["wasm-and-typescript", "MB for", 0],
    ["wasm-and-typescript-real", "MB for", 1],
    ["wasm-and-typescript", "Node 24", 2],
  ])("%s, %s", (record, title, index) => {
    const speeds = recorded(record, title);
    const medians = (row: string): number[] => (speeds.get(row) ?? []).map((cell) => Number.parseFloat(cell));

    it("has its medians on the page", () => {
      const rows = tableOf(page, "| row | list mail", index);
      expect(rows.map(([row = "", ...said]) => [row, said.map(Number)])).toEqual(
        [...speeds.keys()].slice(1).map((row) => [row, medians(row)]),
      );
    });

    it("has the ratios of its medians on the page", () => {
      const [regex, walk, careful, javascript, scalar, simd] = [...speeds.keys()].slice(1).map(medians);
      const pairs = [
        [careful, regex],
        [careful, walk],
        [scalar, javascript],
        [simd, scalar],
        [simd, careful],
      ];
      const ratios = pairs.map(([one, other]) => one?.map((value, column) => (value / (other?.[column] as number)).toFixed(1)));
      expect(tableOf(page, "| step | list mail", index).map(([, ...said]) => said)).toEqual(ratios);
    });
  });

  it.each([
    ["| row | bytes", "Size in bytes"],
    ["| stage | list mail", "Stages"],
    ["| row | list mail | HTML | log | list of URLs | no URLs | import", "Platforms"],
  ])("has the rows of the record in the table %s", (head, title) => {
    const all = [...recorded("wasm-and-typescript", title)].slice(1).map(([row, cells]) => [row, ...cells]);
    const rows = title === "Platforms" ? all.filter(([row]) => row?.endsWith(", simd")) : all;
    expect(rows.length).toBeGreaterThan(3);
    expect(tableOf(page, head)).toEqual(rows);
  });
});
