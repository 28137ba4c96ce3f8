// The command and the pool's worker, each as one CommonJS file: Node's loader of modules takes 10 ms to start, and half a millisecond for
// every module.
import { join } from "node:path";
import { build } from "esbuild";
import { writeIfChanged } from "./write-file.mjs";

/** Puts core/builds-command.js in the place of core/builds.js. */
const buildsOfCommand = {
  name: "builds of the command",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/builds\.js$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "builds-command.js") }));
  },
};

/** Bundles build/cli/main.js, build/pool/worker.js and build/core/twin.js to build/command/; returns the files. */
export async function bundle(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { main: "build/cli/main.js", worker: "build/pool/worker.js", twin: "build/core/twin.js" },
    outdir: "build/command",
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [buildsOfCommand],
    define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
    // Packages are loaded by require, when they are needed.
    supported: { "dynamic-import": false },
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  for (const { path, contents } of outputFiles) writeIfChanged(path, Buffer.from(contents));
  return new Set(outputFiles.map(({ path }) => join(path)));
}
