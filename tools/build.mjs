// Builds build/ from assembly/ and src/:
//   build/wasm/simd.js   the core by asc as a module of deflate data in base64 (and simd.wasm beside it);
//                        url-simd: its part for single URLs, in base64
//   build/javascript/    the core by tsc, with assembly/platform/javascript/X.ts in the place of assembly/platform/X.ts
//                        and tables/unicode.js, tables/references.js from the data of packages
//   build/               src/ by tsc
//   build/types/         those declarations that the package has
//   build/web/           the library for browsers, workerd and bundlers, bundled, with the core inside
//   build/node/          the library for Node, its worker threads and the command, bundled
//   build/urlmill.1      the manual page, from the table of options
//   build/schema.json    the JSON Schema of records, from the table of fields
//   build/summary-schema.json  the JSON Schema of summaries, from their type
//   build/report/        the template of reports, bundled from src/page/
//   build/page/          the application in a web page, bundled from src/page/
//   build/NOTICES        licences of what other packages have in build/
// What is bundled is in the package (`files` of package.json); modules are for tools and tests.
// A step whose inputs have not changed since it last ran is left out. `node tools/build.mjs debug` makes build/wasm/debug.wasm instead;
// `node tools/build.mjs checked` makes all of the above, and build/wasm/debug-checked.wasm, with asserts and checks of each load and store;
// `node tools/build.mjs scalar` makes all of the above, and build/wasm/scalar.wasm, the core without SIMD, for comparisons.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { bundleCore, bundleForNode, bundleForWeb, EXPORTED, JAVASCRIPT } from "./bundle.mjs";
import { bundlePage, bundleReport } from "./bundle-html.mjs";
import { compileChecked } from "./compile-checked.mjs";
import { compileJavaScript, compileSource, copyTypes } from "./compile-ts.mjs";
import { compileBeside, compileWasm } from "./compile-wasm.mjs";
import { generateManual } from "./generate-manual.mjs";
import { generateNotices } from "./generate-notices.mjs";
import { generateSchema } from "./generate-schema.mjs";
import { generateSummarySchema } from "./generate-summary-schema.mjs";
import { generateTables } from "./generate-tables.mjs";
import { writeIfChanged } from "./write-file.mjs";

const root = resolve(import.meta.dirname, "..");
const build = join(root, "build");
const stampsFile = join(build, "inputs.json");

/** Files below `folder`, as absolute paths in a fixed order. */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Hash of the names and contents of a step's inputs. */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

/** Removes what an earlier run left below `folder` and this one did not write; `kept` are folders of other steps. */
function removeOthers(folder, written, kept) {
  for (const file of listFiles(folder)) {
    if (!written.has(file) && !kept.some((other) => file.startsWith(other))) rmSync(file);
  }
}

const assembly = listFiles(join(root, "assembly"));
const shared = [...listFiles(join(root, "tools")), join(root, "package-lock.json")];
const core = [...assembly, ...shared, join(root, "asconfig.json")];
const javascript = join(build, "javascript");
/** What other steps make in build/; docs/ is by typedoc, when it is asked for (`npm run docs`). */
const others = ["wasm/", "javascript/", "types/", "web/", "node/", "report/template.html", "page/", "docs/"];
const otherFiles = ["urlmill.1", "schema.json", "summary-schema.json", "NOTICES", "inputs.json"];
const source = [
  ...listFiles(join(root, "src")),
  ...assembly,
  ...shared,
  join(root, "tsconfig.json"),
  join(root, "tools/tsconfig.build.json"),
];

/**
 * Returns a step that bundles to a folder, after that of the core; it returns the packages whose code is in what it writes, as those of
 * HTML files do.
 */
const bundling = (name, inputs, bundle) => ({
  name,
  inputs,
  after: "simd",
  run: async () => {
    const { files, packages } = await bundle(root);
    removeOthers(join(build, name), files, []);
    return packages;
  },
});

const steps = [
  { name: "simd", inputs: core, isBeside: true, run: () => compileBeside(root, ["release", "url-simd"], ["simd", "url-simd"]) },
  {
    name: "javascript",
    inputs: [...assembly, ...shared, join(root, "assembly/tsconfig.json")],
    run: async () =>
      removeOthers(javascript, new Set([...compileJavaScript(root), ...(await generateTables(root)), ...(await bundleCore(root))]), []),
  },
  {
    name: "src",
    inputs: source,
    run: () => {
      const kept = [...others, ...otherFiles].map((name) => join(build, name));
      removeOthers(build, compileSource(root), kept);
      removeOthers(join(build, "types"), copyTypes(root, [...Object.values(EXPORTED), JAVASCRIPT]), []);
    },
  },
  {
    name: "manual",
    inputs: [...source, join(root, "package.json")],
    run: async () => void (await generateManual(root)),
  },
  {
    name: "schemas",
    inputs: source,
    run: async () => {
      await generateSchema(root);
      await generateSummarySchema(root);
    },
  },
  bundling("web", source, bundleForWeb),
  bundling("node", source, bundleForNode),
  { name: "report", inputs: source, after: "simd", run: () => bundleReport(root) },
  { name: "page", inputs: source, after: "simd", isBeside: true, run: () => bundlePage(root) },
];

if (process.argv[2] === "debug") {
  await compileWasm(root, "debug");
} else {
  const extra = [
    { name: "checked", inputs: core, run: async () => void (await compileChecked(root)) },
    { name: "scalar", inputs: core, run: () => compileBeside(root, ["scalar", "url-scalar"], []) },
  ].filter(({ name }) => name === process.argv[2]);
  const before = existsSync(stampsFile) ? JSON.parse(readFileSync(stampsFile, "utf8")) : {};
  // Those of an older build may have another form.
  const stamps = Object.fromEntries(Object.entries(before).filter(([, { packages }]) => packages !== undefined));
  const runStep = async (step, inputs) => {
    delete stamps[step.name];
    const begin = performance.now();
    try {
      stamps[step.name] = { inputs, packages: (await step.run()) ?? [] };
    } catch (error) {
      console.error(error.message);
      process.exit(1);
    }
    writeIfChanged(stampsFile, `${JSON.stringify(stamps, null, 2)}\n`);
    console.error(`build: ${step.name} ${Math.round(performance.now() - begin)} ms`);
  };
  const running = new Map();
  for (const step of [...steps, ...extra]) {
    const inputs = hashOf(step.inputs);
    if (stamps[step.name]?.inputs === inputs) continue;
    await running.get(step.after);
    running.set(step.name, runStep(step, inputs));
    if (!step.isBeside) await running.get(step.name);
  }
  await Promise.all(running.values());
  const bundled = steps.flatMap(({ name }) => stamps[name].packages);
  generateNotices(root, [...new Set(bundled)].sort());
}
