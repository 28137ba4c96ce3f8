// The core by asc: a target of asconfig.json to a .wasm file and a base64 module of it.
import { join, resolve } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

/** Compiles one target of asconfig.json; throws with asc's messages where that fails. */
export async function compileWasm(root, target) {
  const { default: asc } = await import("assemblyscript/asc");
  const written = new Map();
  const args = ["--config", join(root, "asconfig.json"), "--baseDir", root, "--target", target];
  const { error, stderr } = await asc.main(args, { writeFile: (name, contents) => void written.set(name, contents) });
  if (error) throw new Error(`asc ${target}: ${error.message}\n${stderr.toString()}`);
  for (const [name, contents] of written) {
    const file = resolve(root, name);
    writeIfChanged(file, contents);
    if (target === "debug" || !name.endsWith(".wasm")) continue;
    const module = file.replace(/\.wasm$/, "");
    writeIfChanged(`${module}.js`, `export default "${Buffer.from(contents).toString("base64")}";\n`);
    writeIfChanged(`${module}.d.ts`, "declare const base64: string;\nexport default base64;\n");
  }
}
