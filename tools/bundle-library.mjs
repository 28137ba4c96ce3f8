// The library for Node, as a few modules: Node takes half a millisecond for every module, and little for the bytes of one.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { packagesOf } from "./generate-notices.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** The entries of build/library/, by name. */
const ENTRIES = {
  index: "build/index.js",
  url: "build/url/index.js",
  explain: "build/explain.js",
  summarize: "build/summarize.js",
  cluster: "build/cluster.js",
  bullmq: "build/bullmq.js",
  "shard-thread": "build/cluster/shard-thread.js",
};

/**
 * Bundles the modules of the library that stand in build/ to build/library/, for Node. All that `url` loads is one module, and what `index`
 * loads beside it is another; what is loaded when it is needed is in modules of its own. Returns the files, and the packages that are in
 * them.
 */
export async function bundleLibrary(root) {
  const imports = new Map();
  const bundle = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: "node",
    external: (id) => !/^[./#]/.test(id),
    logLevel: "warn",
    // What index loads when it is needed, cluster loads at once.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: "builds from files",
        // The builds of the core are read as files, not imported as package.json says.
        resolveId: (id) => (id === "#builds" ? join(root, "build/core/builds-files.js") : undefined),
        moduleParsed({ id, importedIds }) {
          imports.set(id, importedIds);
        },
      },
    ],
  });
  const loadedWith = (entry) => {
    let loaded;
    return (id) => {
      loaded ??= closureOf(join(root, ENTRIES[entry]), imports);
      return loaded.has(id);
    };
  };
  const groups = [
    { name: "shared-url", priority: 2, test: loadedWith("url") },
    { name: "shared", priority: 1, test: loadedWith("index") },
  ];
  const { output } = await bundle.generate({ format: "esm", comments: false, codeSplitting: { groups } });
  await bundle.close();
  const written = output.map(({ fileName, code }) => ({ file: join(root, "build/library", fileName), code }));
  for (const { file, code } of written) writeIfChanged(file, code);
  return { files: new Set(written.map(({ file }) => file)), packages: packagesOf(imports.keys()) };
}

/** Returns a module and all that it loads at its import. */
function closureOf(entry, imports) {
  const found = new Set([entry]);
  for (const id of found) for (const imported of imports.get(id) ?? []) found.add(imported);
  return found;
}
