// The files of code that tests of the written style read.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

export const root = resolve(import.meta.dirname, "..");

export interface File {
  path: string;
  text: string;
  lines: string[];
  tree: ts.SourceFile;
}

function readFolder(folder: string): File[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?ts$|\.mjs$/.test(name))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, lines: text.split("\n"), tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) };
    });
}

export const assembly = readFolder("assembly");
export const source = readFolder("src");
export const tests = readFolder("test");
export const code = [...assembly, ...source, ...readFolder("bench"), ...tests, ...readFolder("tools")];
