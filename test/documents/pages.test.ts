// The pages that a reader meets: the examples of README.md give what they show, and links work, in the npm package too.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { FLAGS, KINDS, REASONS } from "../../src/core/names.ts";
import { FIELD_NAMES } from "../../src/options/fields.ts";
import { COMMAND } from "../cli/run.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { files } = JSON.parse(read("package.json")) as { files: string[] };

const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
const packed = ["README.md", "CHANGELOG.md", ...documents];
const unpacked = [
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  "bench/README.md",
  "examples/README.md",
  "examples/batch/README.md",
  "examples/cluster/README.md",
  "test/vectors/README.md",
];
const pages = [...packed, ...unpacked].filter((path) => path.endsWith(".md"));

/** The anchors of a page: those that GitHub and npm make of its headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

it.each(pages)("the links of %s work", (page) => {
  const references = [...read(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  const dead = references.filter(([, target = "", anchor]) => {
    const path = target === "" ? page : relative(root, resolve(root, dirname(page), target));
    const reaches = packed.includes(page) ? files.some((name) => path === name || path.startsWith(`${name}/`)) : true;
    return !reaches || !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(read(path)).includes(anchor));
  });
  expect(dead.map(([reference]) => reference)).toEqual([]);
});

it("docs/internals/hostile-input.md names tests that exist", () => {
  const rows = [...read("docs/internals/hostile-input.md").matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, last = ""]) => last);
  const named = rows.flatMap((last) => [...last.matchAll(/`([\w/-]+)`/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !existsSync(join(root, `test/${name}.test.ts`)))).toEqual([]);
});

it("CONTRIBUTING.md names files that exist", () => {
  const named = [...read("CONTRIBUTING.md").matchAll(/`((?:assembly|bench|docs|src|test|tools)\/[\w./-]*)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !path.includes("NAME") && !existsSync(join(root, path)))).toEqual([]);
});

it("ARCHITECTURE.md names files that exist", () => {
  const named = [...read("ARCHITECTURE.md").matchAll(/[\w-]+(?:\/[\w-]+)+(?:\.test)?\.(?:ts|mjs)/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "src", path)))).toEqual([]);
});

it.each(["CONTRIBUTING.md", "ARCHITECTURE.md"])("%s names no file without its folder that does not exist", (page) => {
  const folders = ["assembly", "bench", "src", "test", "tools"];
  const files = folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }));
  const names = new Set([...files, ...readdirSync(root)].map((file) => basename(file)));
  const named = [...read(page).matchAll(/`([\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|jsonl|json))`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => name !== "NAME.ts" && !names.has(name))).toEqual([]);
});

/** The commands that a page shows, with what they print. */
const examplesOf = (page: string): (readonly [page: string, command: string, output: string])[] =>
  [...read(page).matchAll(/^```console\n(.*?)^```$/gms)]
    .flatMap(([, text = ""]) => text.split(/^\$ /m).slice(1))
    .map((text) => [page, text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)] as const)
    .filter(([, command]) => command.includes("npx urlmill"));
const examples = pages.flatMap(examplesOf);

it.each(["README.md", "docs/guide.md"])("%s has examples", (page) => expect(examplesOf(page).length).toBeGreaterThan(1));

it.each(examples)("%s: %s", (_page, command, output) => {
  const shell = `urlmill() { "${process.execPath}" "${COMMAND}" "$@"; }; ${command.replaceAll("npx urlmill", "urlmill")}`;
  expect(execFileSync("bash", ["-c", shell], { cwd: root, encoding: "utf8" }).replaceAll("\r\n", "\n")).toBe(output);
});

it("docs/terminal.svg shows what the commands in it print", () => {
  const drawn = execFileSync(process.execPath, [join(root, "tools/terminal-picture.mjs"), "--print"], { cwd: root, encoding: "utf8" });
  expect(drawn).toBe(read("docs/terminal.svg"));
});

it("README.md: the record is what -f ndjson gives for the first example", () => {
  const record = /^```json\n(.*)\n```$/m.exec(read("README.md"))?.[1];
  const input = "See <URL:HTTP://www.Mill.example:80/%7eben/a-\n    b.html> (or gopher://gopher.mill.example).\n";
  const output = execFileSync(process.execPath, [COMMAND, "-f", "ndjson"], { input, encoding: "utf8" });
  expect(output.split("\n")[0]).toBe(record);
});

it("docs/record.md names every field, kind, flag and reason", () => {
  const [, fields = "", kinds = "", flags = "", reasons = ""] =
    /## Fields(.*)## Kinds(.*)## Flags(.*)## Reasons(.*)/s.exec(read("docs/record.md")) ?? [];
  const named = (text: string): string[] => [...text.matchAll(/`([a-z_-]+)`/g)].map(([, name = ""]) => name);
  const inRows = (text: string): string[] => [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => named(cell)).sort();
  expect(inRows(fields)).toEqual([...FIELD_NAMES].sort());
  expect(inRows(kinds)).toEqual([...KINDS].sort());
  expect(inRows(flags)).toEqual([...FLAGS].sort());
  const OF_LINES = ["", "empty", "no-scheme"]; // reasons of `normalize`, `parse` and `resolve` alone
  expect(named(reasons)).toEqual(expect.arrayContaining(REASONS.filter((reason) => !OF_LINES.includes(reason))));
});
