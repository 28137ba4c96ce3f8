// The command and the pool's worker, each as one CommonJS file: Node's loader of modules takes 10 ms to start, and half a millisecond for
// every module.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { packagesOf } from "./generate-notices.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** Puts core/builds-files.js in the place of what package.json names. */
const buildsFromFiles = {
  name: "builds from files",
  setup({ onResolve }) {
    onResolve({ filter: /^#builds$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "builds-files.js") }));
  },
};

/** Takes the default export of a module of ECMAScript: require() gives all exports, of which esbuild makes the default one. */
const defaultOfModule = {
  name: "default of module",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ path, namespace }) =>
      namespace === "module" ? { path, external: true } : { path, namespace: "module" },
    );
    onLoad({ filter: /./, namespace: "module" }, ({ path }) => ({ contents: `export default require("${path}").default;` }));
  },
};

/** What all bundles have in common. */
const COMMON = {
  bundle: true,
  platform: "node",
  target: "node20",
  packages: "external",
  plugins: [buildsFromFiles, defaultOfModule],
  legalComments: "none",
};

async function bundleTo(root, entryPoints, options) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: "build/command",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
    // Packages are loaded by require, when they are needed.
    supported: { "dynamic-import": false },
    write: false,
    metafile: true,
    logLevel: "warning",
    ...COMMON,
    ...options,
  });
  return { files: writeAll(outputFiles), modules: Object.keys(metafile.inputs) };
}

function writeAll(files) {
  for (const { path, contents } of files) writeIfChanged(path, Buffer.from(contents));
  return files.map(({ path }) => path);
}

/**
 * Bundles what stands in build/ to build/command/: main.cjs, which starts command.cjs (a function) with command.cache; worker.cjs of the
 * pool. Returns the files, and the packages that are in them.
 */
export async function bundle(root) {
  const start = { main: "build/cli/start.js", worker: "build/threads/worker.js" };
  const started = await bundleTo(root, start, {});
  const wrapper = { banner: { js: "(function (require, __dirname, __filename) {" }, footer: { js: "})" } };
  const cache = join(root, "build/command/command.cache");
  // V8 knows a source by its length: what an interrupted build left must not be taken for that of a new one.
  rmSync(cache, { force: true });
  const called = await bundleTo(root, { command: "build/cli/main.js" }, wrapper);
  const [command] = called.files;
  // A folder of text with URLs: what a run on it needs is compiled.
  const program = join(root, "tools/compile-command.mjs");
  const args = ["--hash-seed=1", program, command, cache, join(root, "examples")];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  chmodSync(join(root, "build/command/main.cjs"), 0o755);
  return { files: new Set([...started.files, command, cache]), packages: packagesOf([...started.modules, ...called.modules]) };
}

/**
 * Bundles the JavaScript build of the core as a function that makes an instance with variables and a memory of its own: instantiate.js and
 * instantiate.cjs, which require() loads at once. Returns the files.
 */
export async function bundleCore(root) {
  const folder = join(root, "build/javascript");
  const entry = `
    export * as functions from "./index.js";
    export { heap } from "./platform/memory.js";
    export { setCallbacks } from "./platform/callbacks.js";
    export { setListener } from "./platform/note.js";`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder },
    bundle: true,
    format: "cjs",
    target: "es2022",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  const make = `() => {\nconst module = { exports: {} };\n${outputFiles[0].text}return module.exports;\n};\n`;
  const types = `import type * as functions from "./index.js";
import type { heap } from "./platform/memory.js";
import type { setCallbacks } from "./platform/callbacks.js";
import type { setListener } from "./platform/note.js";
interface Instance {
  functions: typeof functions;
  heap: typeof heap;
  setCallbacks: typeof setCallbacks;
  setListener: typeof setListener;
}
declare const instantiate: () => Instance;
export default instantiate;
`;
  const texts = {
    "instantiate.js": `export default ${make}`,
    "instantiate.cjs": `module.exports = ${make}`,
    "instantiate.d.ts": types,
  };
  for (const [name, text] of Object.entries(texts)) writeIfChanged(join(folder, name), text);
  return Object.keys(texts).map((name) => join(folder, name));
}
