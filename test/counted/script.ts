// A copy of the library's TypeScript that counts its own work: starts of functions and turns of loops, and what JavaScript's own methods
// read or write for it, which have loops that no one else sees.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import { build, type Plugin } from "esbuild";
import ts from "typescript";
import type instantiate from "#core/instantiate.js";
import type { importsOf, makeCallbacks } from "../../src/core/callbacks.ts";
import type { releaseCore, takeCore } from "../../src/core/core.ts";
import type { fillTables } from "../../src/core/tables.ts";
import type { readMailDate } from "../../src/mail/date.ts";
import type { Describer, MessageHeader } from "../../src/mail/describe.ts";
import type { decodeHeaderText } from "../../src/mail/words.ts";
import type { Library } from "../hostile/texts.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const ENTRY = `
export { Describer, MessageHeader } from "./src/mail/describe.ts";
export { readMailDate } from "./src/mail/date.ts";
export { decodeHeaderText } from "./src/mail/words.ts";
export { Scanner } from "./src/scan/scanner.ts";
export { checkOptions } from "./src/options/options.ts";
export { formatted } from "./src/output/formatted.ts";
export { scanOptionsOf } from "./src/run/open-scanner.ts";
export { importsOf, makeCallbacks } from "./src/core/callbacks.ts";
export { fillTables } from "./src/core/tables.ts";
export { releaseCore, takeCore } from "./src/core/core.ts";
export { default as makeJavaScript } from "./build/javascript/instantiate.js";
`;

/** What the copy exports. */
export interface CountingScript extends Library {
  readonly Describer: typeof Describer;
  readonly MessageHeader: typeof MessageHeader;
  readonly readMailDate: typeof readMailDate;
  readonly decodeHeaderText: typeof decodeHeaderText;
  /** Makes an instance of the JavaScript build, whose work is counted like all other. */
  readonly makeJavaScript: typeof instantiate;
  readonly makeCallbacks: typeof makeCallbacks;
  readonly importsOf: typeof importsOf;
  readonly fillTables: typeof fillTables;
  /** The copy has a pool of cores of its own. */
  readonly releaseCore: typeof releaseCore;
  readonly takeCore: typeof takeCore;
  /** Returns the steps since the last call. */
  readonly takeSteps: () => number;
}

/** Text to be replaced in a file of the copy: a mistake that is made on purpose. */
export interface Change {
  /** End of its path, below src/ or build/javascript/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const STEP = "$steps++";

interface Insertion {
  readonly at: number;
  readonly text: string;
}

function insertionsFor(node: ts.Node, file: ts.SourceFile): Insertion[] {
  const isArrowOfExpression = ts.isArrowFunction(node) && !ts.isBlock(node.body);
  if (isArrowOfExpression) return around(node.body, file, `(${STEP},(`, "))");
  if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) return atStart(node.body as ts.Block, file);
  if (!ts.isIterationStatement(node, false)) return [];
  const { statement } = node;
  return ts.isBlock(statement) ? atStart(statement, file) : around(statement, file, `{${STEP};`, "}");
}

function atStart(block: ts.Block, file: ts.SourceFile): Insertion[] {
  return [{ at: block.getStart(file) + 1, text: `${STEP};` }];
}

function around(node: ts.Node, file: ts.SourceFile, before: string, after: string): Insertion[] {
  return [
    { at: node.getStart(file), text: before },
    { at: node.getEnd(), text: after },
  ];
}

/** Returns a script whose functions and loops count their turns. */
export function withSteps(text: string): string {
  const file = ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const insertions: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    insertions.push(...insertionsFor(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  let counted = "";
  let from = 0;
  for (const { at, text: inserted } of insertions.sort((a, b) => a.at - b.at)) {
    counted += text.slice(from, at) + inserted;
    from = at;
  }
  return counted + text.slice(from);
}

/** Puts the command's loader of builds in the place of the library's, which is a module. */
const buildsOfCommand: Plugin = {
  name: "builds of the command",
  setup({ onResolve }) {
    onResolve({ filter: /^#(?:builds|suffixes)$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, `${path.slice(1)}-files.ts`) }));
  },
};

/** Makes the changes. */
function changing(changes: readonly Change[]): Plugin {
  return {
    name: "changes",
    setup({ onLoad }) {
      for (const { file, from, to } of changes) {
        onLoad({ filter: new RegExp(`/${file.replaceAll(".", "\\.")}$`) }, ({ path }) => {
          const text = readFileSync(path, "utf8");
          if (text.split(from).length !== 2) throw new Error(`not once in ${file}: ${from}`);
          return { contents: text.replace(from, () => to), loader: path.endsWith(".ts") ? "ts" : "js" };
        });
      }
    },
  };
}

async function bundledText(changes: readonly Change[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [buildsOfCommand, changing(changes)],
    define: { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" },
    write: false,
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}

/** Returns a copy of the library's TypeScript that counts; `changes` are made to it before. */
export async function loadCountingScript(changes: readonly Change[] = []): Promise<CountingScript> {
  const text = withSteps(await bundledText(changes));
  const take = `module.exports.takeSteps = () => { const taken = $steps; $steps = 0; return taken; };`;
  const filename = join(ROOT, "counted.cjs");
  const run = compileFunction(`let $steps = 0;${text}\n${take}`, ["require", "module", "exports", "__filename"], { filename });
  const module = { exports: {} };
  run(createRequire(filename), module, module.exports, filename);
  return module.exports as CountingScript;
}
