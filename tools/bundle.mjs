// The command and the pool's worker, each as one file: Node takes half a millisecond for every module that it loads.
import { join } from "node:path";
import { build } from "esbuild";
import { writeIfChanged } from "./write-file.mjs";

/** Bundles build/cli/main.js and build/pool/worker.js to build/command/, with chunks for what they load later; returns the files. */
export async function bundle(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { main: "build/cli/main.js", worker: "build/pool/worker.js" },
    outdir: "build/command",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    legalComments: "none",
    write: false,
    logLevel: "error",
  });
  for (const { path, contents } of outputFiles) writeIfChanged(path, Buffer.from(contents));
  return new Set(outputFiles.map(({ path }) => join(path)));
}
