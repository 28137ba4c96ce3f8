// The size of the house: lines and files of each part, which may only fall. Who makes a part smaller lowers its number here. Lines that
// hold nothing but a comment do not count in the parts. They count in the sum of src.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
/** Lines from which on a file with one importer may stand alone. */
const SMALL_FILE_LINES = 60;

interface Size {
  files: number;
  lines: number;
}

/** Paths below a file or a folder, of text. */
function filesOf(path: string): string[] {
  const full = join(root, path);
  if (statSync(full).isFile()) return [path];
  const isText = (name: string): boolean => /\.(?:[cm]?ts|mjs|cjs|css|json|jsonl|md|html|csv|tsv|txt)$/.test(name);
  return readdirSync(full, { recursive: true, encoding: "utf8" })
    .filter(isText)
    .map((name) => join(path, name));
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/;

const allLinesOf = (path: string): string[] => readFileSync(join(root, path), "utf8").split("\n").slice(0, -1);

function linesOf(path: string): number {
  const lines = allLinesOf(path);
  return /\.(?:ts|css)$/.test(path) ? lines.filter((line) => !COMMENT.test(line)).length : lines.length;
}

function sizeOf(paths: readonly string[], isCounted: (path: string) => boolean = () => true): Size {
  const files = paths.flatMap(filesOf).filter(isCounted);
  return { files: files.length, lines: files.reduce((sum, path) => sum + linesOf(path), 0) };
}

const isScript = (path: string): boolean => path.endsWith(".ts");

it.each([
  ["src", ["src"], isScript, { lines: 35_732, files: 353 }],
  ["containers", ["src/input/containers"], isScript, { lines: 5_274, files: 44 }],
  ["output", ["src/output"], isScript, { lines: 2_175, files: 28 }],
  ["count and summary", ["src/count", "src/summary"], isScript, { lines: 3_240, files: 29 }],
  ["run and threads", ["src/run", "src/threads"], isScript, { lines: 2_190, files: 22 }],
  ["cluster", ["src/cluster"], isScript, { lines: 2_206, files: 24 }],
  ["cli", ["src/cli"], isScript, { lines: 2_908, files: 26 }],
  ["page", ["src/page"], isScript, { lines: 4_399, files: 41 }],
  ["styles of the page", ["src/page"], (path: string) => path.endsWith(".css"), { lines: 1_426, files: 2 }],
  ["bench with its records", ["bench"], () => true, { lines: 4_642, files: 49 }],
  ["README", ["README.md"], () => true, { lines: 182, files: 1 }],
  ["ARCHITECTURE", ["ARCHITECTURE.md"], () => true, { lines: 186, files: 1 }],
] as const)("%s is within its budget", (_, paths, isCounted, budget) => {
  const { lines, files } = sizeOf(paths, isCounted);
  expect({ lines: Math.max(lines, budget.lines), files: Math.max(files, budget.files) }).toEqual(budget);
});

it("src with its comments and styles is within its budget", () => {
  expect(filesOf("src").reduce((sum, path) => sum + allLinesOf(path).length, 0)).toBeLessThanOrEqual(43_253);
});

it("few small files have one importer", () => {
  const paths = filesOf("src").filter(isScript);
  const importers = new Map<string, number>();
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    const targets = new Set([...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, name]) => join(dirname(path), name ?? "")));
    for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  const small = paths.filter((path) => importers.get(path) === 1 && allLinesOf(path).length <= SMALL_FILE_LINES);
  expect(small.length).toBeLessThanOrEqual(18);
});

it("the tests that npm test leaves out exist, each named once", () => {
  const names = [...readFileSync(join(root, "vitest.config.ts"), "utf8").matchAll(/^ {2}"(.+)",$/gm)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name, index) => names.indexOf(name) < index || !existsSync(join(root, `test/${name}.test.ts`)))).toEqual([]);
});
