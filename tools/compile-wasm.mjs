// The core by asc: a target of asconfig.json to a .wasm file, and a module in base64 of each packaged one.
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { deflateRawSync } from "node:zlib";
import { withoutAsserts } from "./asserts.mjs";
import { writeIfChanged } from "./write-file.mjs";

/**
 * An optimized module with small kernels inlined where they are called: V8 (Node 20) does not inline one function of a module into another,
 * and a call costs as much as the 16 bytes that most of them look at. asc does not optimize, because it would inline more.
 */
function optimized(binaryen, wasm, isScalar) {
  const module = binaryen.readBinary(wasm);
  const { SIMD128, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt } = binaryen.Features;
  module.setFeatures((isScalar ? 0 : SIMD128) | BulkMemory | BulkMemoryOpt | SignExt | NontrappingFPToInt);
  binaryen.setOptimizeLevel(4);
  binaryen.setShrinkLevel(0);
  binaryen.setAllowInliningFunctionsWithLoops(true);
  binaryen.setAlwaysInlineMaxSize(20);
  // Not more: V8 optimizes a function as a whole, and the sooner the larger it is. Of a run over 1 MiB that was a quarter.
  binaryen.setFlexibleInlineMaxSize(40);
  // A function with one caller may be larger: inlined there, it is still compiled once.
  binaryen.setOneCallerInlineMaxSize(200);
  module.optimize();
  const code = module.emitBinary();
  module.dispose();
  return code;
}

/** Returns the text of a file of a released core. Null: there is no such file. */
function readRelease(file) {
  return existsSync(file) ? withoutAsserts(readFileSync(file, "utf8")) : null;
}

/**
 * Returns the text of a file of the scalar core: the kernels of the JavaScript build over linear memory, and a search for triggers of its
 * own (assembly/platform/scalar/). Null: there is no such file.
 */
function readScalar(root, file) {
  const name = relative(join(root, "assembly/platform"), file);
  if (name === "trigger.ts") return readFileSync(join(root, "assembly/platform/scalar/trigger.ts"), "utf8");
  if (name !== "kernel.ts") return readRelease(file);
  const kernel = readFileSync(join(root, "assembly/platform/javascript/kernel.ts"), "utf8");
  return kernel.replace('import { heap } from "./memory.ts"', 'import { heap } from "./scalar/heap.ts"');
}

/** Compiles one target of asconfig.json; throws with asc's messages where that fails. */
export async function compileWasm(root, target) {
  const { default: asc } = await import("assemblyscript/asc");
  const { default: binaryen } = await import("binaryen");
  const written = new Map();
  const entry = target.startsWith("url-") ? "assembly/url.ts" : "assembly/index.ts";
  const args = [entry, "--config", join(root, "asconfig.json"), "--baseDir", root, "--target", target];
  const isScalar = target.endsWith("scalar");
  const read = isScalar ? (file) => readScalar(root, file) : readRelease;
  const { error, stderr } = await asc.main(args, {
    writeFile: (name, contents) => void written.set(name, contents),
    ...(target !== "debug" && { readFile: (name, folder) => read(resolve(folder, name)) }),
  });
  if (error) throw new Error(`asc ${target}: ${error.message}\n${stderr.toString()}`);
  for (const [name, contents] of written) {
    const file = resolve(root, name);
    const isRelease = target !== "debug" && name.endsWith(".wasm");
    const code = isRelease ? optimized(binaryen, contents, isScalar) : contents;
    writeIfChanged(file, code);
    if (!isRelease || isScalar) continue;
    // A page loads less, also when it is compressed: base64 hides repetitions from gzip.
    const embedded = target === "release" ? deflateRawSync(code, { level: 9 }) : Buffer.from(code);
    writeIfChanged(file.replace(/\.wasm$/, ".js"), `export default "${embedded.toString("base64")}";\n`);
  }
}

/** Compiles targets on a thread of its own. The declarations of their modules are there at once. */
export async function compileBeside(root, targets, modules) {
  for (const name of modules)
    writeIfChanged(join(root, `build/wasm/${name}.d.ts`), "declare const base64: string;\nexport default base64;\n");
  await new Promise((resolve, reject) => {
    new Worker(import.meta.filename, { workerData: { root, targets } }).on("error", reject).on("exit", resolve);
  });
}

if (!isMainThread) for (const target of workerData.targets) await compileWasm(workerData.root, target);
