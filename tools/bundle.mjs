// The modules of build/ as the bundles that the package has: build/node/, build/web/; and the JavaScript build of the core.
import { chmodSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import ts from "typescript";
import { packagesOf } from "./generate-notices.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** The modules that package.json exports, by the names of their bundles. */
export const EXPORTED = {
  index: "build/index.js",
  url: "build/url/index.js",
  web: "build/web.js",
  explain: "build/explain.js",
  summarize: "build/summarize.js",
  cluster: "build/cluster.js",
  bullmq: "build/bullmq.js",
};
/** The module `urlmill/javascript` in bundles for browsers. */
export const JAVASCRIPT = "build/core/javascript.js";
/** Modules for one platform: the imports of package.json say which. */
const PLATFORM = {
  "builds-embedded": "build/core/builds-embedded.js",
  "builds-node": "build/core/builds-node.js",
  "builds-workerd": "build/core/builds-workerd.js",
  "suffixes-embedded": "build/core/suffixes-embedded.js",
  "codings-pako": "build/input/containers/codings-pako.js",
  "codings-zlib": "build/input/containers/codings-zlib.js",
};
/** What Node takes in the place of these imports: the core is a file beside the bundles, read when it is needed. */
const NODE_IMPORTS = {
  "#builds": "build/core/builds-files.js",
  "#javascript": "build/core/builds-files.js",
  "#suffixes": "build/core/suffixes-files.js",
  "#codings": PLATFORM["codings-zlib"],
};

/** Writes code of which each character is one byte: V8 reads and keeps it in half of the memory. Returns the file. */
function writeCode(file, code) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeIfChanged(file, code.replace(/[^\0-\x7f]/g, escaped));
  return file;
}

/** Names that stay: `console.log` of an error shows that of its class. */
const KEPT = { class: true, function: false };
/** Columns from which on a statement begins a line in bundles for Node, which prints the line on which an error is thrown. */
const COLUMNS = 100;

/**
 * Bundles for Node that load when something of them is first needed: their modules, by folder. A plain run of the command loads none
 * of them, an import of the library only `api`, which has the functions. No module may need these while it is loaded itself.
 */
const LATER = {
  api: {
    api: /^(?:code|extract|web)/,
    input: /^chunks/,
    matches: /^match\./,
    run: /^stream-scan/,
    threads: /^block-feed/,
    url: /^(?:normalize|resolve)/,
  },
  containers: { "input/containers": /^(?!recognize|limits)/ },
  decoding: { decoders: /^(?!json)/, mail: /^(?!names)/, scan: /^source-/ },
  json: { decoders: /^json-/ },
  matches: {
    matches: /^(?:batch|field)/,
    output: /^(?:cells|re[cj]|row)/,
    rewrite: /^url-forms/,
    scan: /^(?:rows|rejections)/,
  },
  rewriting: {
    core: /^(?:character|public)/,
    matches: /^filter/,
    rewrite: /^(?!steps|url-forms)/,
    url: /^(?:cdx|core-url|defang|host-a|percent|redirect|text|userinfo|write)/,
    "url/schemes": /./,
  },
  threading: { threads: /^(?:worker-|thread-pool|scan-state|task)/ },
};

/** Returns the modules that an entry imports, as paths below the root. */
function importedBy(root, entry) {
  const texts = readFileSync(join(root, entry), "utf8").matchAll(/ from "(\.[^"]+)"/g);
  return [...texts].map(([, name]) => join(dirname(entry), name));
}

/** Begins lines where statements begin. */
function inLines(code) {
  const starts = [];
  const visit = (node) => {
    if (ts.isStatement(node) && !ts.isBlock(node) && (ts.isBlock(node.parent) || ts.isSourceFile(node.parent)))
      starts.push(node.getStart());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("bundle.cjs", code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS));
  let from = 0;
  let lines = "";
  for (const start of starts) {
    if (start - Math.max(from, code.lastIndexOf("\n", start - 1) + 1) < COLUMNS) continue;
    lines += `${code.slice(from, start)}\n`;
    from = start;
  }
  return lines + code.slice(from);
}

/** Has a bundle take from Node what jsdom, where Jest tests pages, lacks. */
function withCoders(code) {
  const coders = 'const { TextDecoder, TextEncoder } = globalThis.TextEncoder ? globalThis : require("node:util");\n';
  return /\bnew Text(?:De|En)coder\b/.test(code) ? code.replace(/^(?:#!.*\n)?/, (start) => start + coders) : code;
}

/** Has a bundle load others when it first needs something of them. Nothing shadows the names, which rolldown makes. */
function loadLate(code) {
  const loads = /^const (require_\w+) = (require\("\.\/[^"]+"\));$/gm;
  let late = code.replace(loads, "let loaded_$1;\nconst $1 = () => loaded_$1 ??= $2;").replace(/^require\("\.\/[^"]+"\);$/gm, "");
  for (const [, name] of code.matchAll(loads)) {
    // `new name().X` would construct what the function returns.
    late = late.replace(new RegExp(`\\bnew ${name}\\.(\\w+)`, "g"), `new (${name}().$1)`).replaceAll(`${name}.`, `${name}().`);
  }
  // A getter for each export takes V8 a function. Only what is assigned later needs one.
  const getters =
    /Object\.defineProperty\(exports, "(\w+)", \{\s+enumerable: true,\s+get: function\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/g;
  return late.replace(getters, (whole, exported, name) => (late.includes(`let ${name}`) ? whole : `exports.${exported} = ${name};`));
}

/** Takes the texts of `--help` out of the tables of options and fields: a page has no command. */
const withoutHelp = (code, id) =>
  /\/options\/(?:table|fields)\.js$/.test(id) ? code.replace(/\bhelp: (?:"(?:[^"\\]|\\.)*"|`[^`]*`)/g, 'help: ""') : undefined;

/** Bundles entries to minified files in a folder. Returns these, the names that each entry exports, and the packages that are in them. */
async function bundleTo(root, folder, { input, ownImports = {}, extension, ...options }) {
  const parsed = new Set();
  // require() gives all exports of a module of ECMAScript, of which a bundle would make the default one.
  const isRequired = (id, importer) => id === "string-width" && options.format === "cjs" && importer?.startsWith("\0") === false;
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: options.format === "cjs" ? "node" : "neutral",
    external: (id, importer) => !/^[./]|^#(?:core|wasm)\//.test(id) && !(id in ownImports) && !isRequired(id, importer),
    // As `includeDependenciesRecursively: false` wants it. No entry gets further exports: no group has what an entry is.
    ...(options.format === "cjs" && { preserveEntrySignatures: "allow-extension" }),
    optimization: { inlineConst: { mode: "all" } },
    logLevel: "warn",
    // What one entry loads when it is needed, another loads at once.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: "own imports",
        resolveId(id, importer) {
          if (id in ownImports) return join(root, ownImports[id]);
          if (id.endsWith(".wasm")) return { id: `../wasm/${basename(id)}`, external: true };
          if (isRequired(id, importer)) return `\0${id}`;
        },
        transform: options.format === "cjs" ? undefined : withoutHelp,
        load: (id) => (id === "\0string-width" ? `export default require("string-width").default;` : undefined),
        renderChunk: (code) => (options.format === "cjs" ? withCoders(loadLate(code)) : undefined),
        moduleParsed: ({ id }) => void parsed.add(id),
      },
    ],
  });
  const { output } = await bundle.generate({
    minify: {
      compress: { keepNames: KEPT, sequences: options.format !== "cjs" },
      mangle: { keepNames: KEPT },
      codegen: { removeWhitespace: true },
    },
    comments: { legal: false, annotation: true, jsdoc: false },
    exports: "named",
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `[name]${extension}`,
    ...options,
  });
  await bundle.close();
  const files = output.map(({ fileName, code }) =>
    writeCode(join(root, folder, fileName), options.format === "cjs" ? inLines(code) : code),
  );
  const exported = new Map(output.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk.exports]));
  return { files, exported, packages: packagesOf(parsed) };
}

/**
 * Bundles the library for Node to build/node/, with the command, the files of its threads and the JavaScript build. It is CommonJS, which
 * all can load, and which starts 10 ms sooner; modules take their exports from it, so that there is one of each class. What `url`, the
 * command and `index` load at once is a file each: Node takes half a millisecond for each.
 */
export async function bundleForNode(root) {
  // Entries are in no group: their bundles have no exports but their own.
  const among = (...entries) => {
    const modules = new Set(entries.flatMap((entry) => importedBy(root, entry)).filter((path) => !Object.values(EXPORTED).includes(path)));
    return (id) => modules.has(relative(root, id));
  };
  const isOfLibrary = among(EXPORTED.index, EXPORTED.web);
  const later = { priority: 4, tags: ["$initial"], includeDependenciesRecursively: false };
  // A group has what its modules load at their import too.
  const codeSplitting = {
    groups: [
      ...Object.entries(LATER).map(([name, folders]) => ({
        ...later,
        name,
        test: (id) => folders[relative(join(root, "build"), dirname(id))]?.test(basename(id)) === true,
      })),
      { name: "shared-url", priority: 3, test: among(EXPORTED.url) },
      { name: "shared-command", priority: 2, test: /\/build\/options\/(?:table|nearest)\.js$/ },
      { name: "shared", priority: 1, test: (id) => isOfLibrary(id) || /\/(?:api\/results|run\/command-settings)\.js$/.test(id) },
    ],
  };
  const input = {
    ...EXPORTED,
    command: "build/cli/main.js",
    worker: "build/threads/worker.js",
    "shard-thread": "build/cluster/shard-thread.js",
    javascript: "build/javascript/instantiate.js",
    "javascript-url": "build/javascript/instantiate-url.js",
  };
  const options = { input, ownImports: NODE_IMPORTS, extension: ".cjs", format: "cjs", dynamicImportInCjs: false, codeSplitting };
  const { files, exported, packages } = await bundleTo(root, "build/node", options);
  for (const name of Object.keys(EXPORTED)) {
    const names = exported.get(name).sort().join(", ");
    // An import of CommonJS would have Node read the file twice, and look for the names in it.
    const required = `import { createRequire } from "node:module";\nconst library = createRequire(import.meta.url)("./${name}.cjs");\n`;
    files.push(writeCode(join(root, `build/node/${name}.mjs`), `${required}export const { ${names} } = library;\n`));
  }
  // The core itself loads the JavaScript build.
  files.push(writeCode(join(root, "build/node/javascript.mjs"), "export {};\n"));
  chmodSync(join(root, "build/node/command.cjs"), 0o755);
  return { files: new Set(files), packages };
}

/**
 * Bundles the library for browsers, workerd and bundlers to build/web/. What an entry exports is an entry too, so its code is in files of
 * its own: a bundler leaves out whole files, but of a file no statement of which it does not know that it has no effect.
 */
export async function bundleForWeb(root) {
  const input = { ...EXPORTED, ...PLATFORM, javascript: JAVASCRIPT };
  for (const entry of [EXPORTED.web, EXPORTED.url]) {
    for (const path of importedBy(root, entry)) input[path.slice("build/".length, -".js".length).replaceAll("/", "-")] = path;
  }
  const { files, packages } = await bundleTo(root, "build/web", { input, extension: ".js", format: "esm" });
  return { files: new Set(files), packages };
}

/** Bundles a module of the JavaScript build as a function that makes an instance with variables and a memory of its own. */
async function bundleInstance(folder, module) {
  const entry = `
    export * as functions from "./${module}.js";
    export { heap } from "./platform/memory.js";
    export { setCallbacks } from "./platform/callbacks.js";
    export { setListener } from "./platform/note.js";`;
  const path = join(folder, "entry.js");
  const load = (id) => (id === path ? entry : undefined);
  const bundle = await rolldown({
    input: path,
    logLevel: "warn",
    plugins: [{ name: "entry", resolveId: (id) => (id === path ? path : undefined), load }],
  });
  // V8 would check at each use of a `const` or a class in a closure that it is initialized: 8 % of the time of a scan.
  const { output } = await bundle.generate({ format: "cjs", topLevelVar: true, comments: { legal: false } });
  await bundle.close();
  return `export default () => {\nconst exports = {};\n${output[0].code}return exports;\n};\n`;
}

/** Returns the declarations of what `bundleInstance` writes. */
const instanceTypes = (module, callbacks) => `import type * as functions from "./${module}.js";
import type { heap } from "./platform/memory.js";
import type { Callbacks } from "./platform/callbacks.js";
import type { setListener } from "./platform/note.js";
interface Instance {
  functions: typeof functions;
  heap: typeof heap;
  setCallbacks(callbacks: ${callbacks}): void;
  setListener: typeof setListener;
}
declare const instantiate: () => Instance;
export default instantiate;
`;

/** Bundles the JavaScript build: instantiate.js, and its part for single URLs, instantiate-url.js. Returns the files. */
export async function bundleCore(root) {
  const folder = join(root, "build/javascript");
  const texts = {
    "instantiate.js": await bundleInstance(folder, "index"),
    "instantiate.d.ts": instanceTypes("index", "Callbacks"),
    "instantiate-url.js": await bundleInstance(folder, "url"),
    "instantiate-url.d.ts": instanceTypes("url", 'Pick<Callbacks, "toALabels">'),
  };
  for (const [name, text] of Object.entries(texts)) writeIfChanged(join(folder, name), text);
  return Object.keys(texts).map((name) => join(folder, name));
}
