// Runs the library where the web has JavaScript: in a page, a Web Worker and a service worker of chromium, and in workerd.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Scripts of pages that start the program in each place. */
const STARTS = {
  "a page": 'document.head.append(Object.assign(document.createElement("script"), { src: "program.js" }))',
  "a Web Worker": 'new Worker("program.js")',
  "a service worker": 'navigator.serviceWorker.register("program.js")',
};

/** workerd behaves as it did then: later than November 2022, when it got the TransformStream of the standard. */
const COMPATIBLE = "2025-01-01";

/** Returns the name of the browser that is installed, or undefined. */
export function findBrowser() {
  return ["chromium", "chromium-browser", "google-chrome"].find((name) => {
    try {
      return execFileSync(name, ["--version"], { stdio: ["ignore", "pipe", "ignore"] }).length > 0;
    } catch {
      return false;
    }
  });
}

/** The places in a browser. */
export const BROWSER_PLACES = Object.keys(STARTS);

/** Returns what `run` of the module at `program` gives in a place of a browser. */
export async function runInBrowser(browser, place, program, folder, timeout) {
  const entry = `import { run } from ${JSON.stringify(program)};
    run().then((body) => fetch("/given", { method: "POST", body }));`;
  const [script] = await bundle(entry, folder, "iife", ["browser"]);
  const { promise, resolve, reject } = withResolvers();
  const server = createServer(async (request, response) => {
    if (request.method === "POST") resolve(await text(request));
    const isScript = request.url === "/program.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script.contents : `<!doctype html><meta charset="utf-8"><script>${STARTS[place]}</script>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const profile = join(folder, `profile-${port}`);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
  const child = spawn(browser, [...flags, `http://127.0.0.1:${port}/`], { stdio: "ignore", detached: true });
  const closed = once(child, "close");
  const timer = setTimeout(() => reject(new Error(`${place} gives nothing`)), timeout);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    // The browser has processes of its own, in the group of this one.
    process.kill(-child.pid, "SIGKILL");
    await closed;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

// Node 20 has no Promise.withResolvers.
function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/**
 * Returns what `run` of the module at `program` gives in workerd, which the miniflare in `tools` starts, and whether the WebAssembly is
 * there as a module: that is so with the condition `workerd` of bundlers. Without it the JavaScript build runs.
 */
export async function runInWorkerd(tools, program, folder, conditions) {
  const { Miniflare } = await import(pathToFileURL(createRequire(join(tools, "package.json")).resolve("miniflare")).href);
  const entry = `import { run } from ${JSON.stringify(program)};
    export default { fetch: async () => new Response(await run()) };`;
  const files = await bundle(entry, folder, "esm", conditions);
  const typeOf = (path) => (path.endsWith(".wasm") ? "CompiledWasm" : "ESModule");
  const modules = files.map(({ path, contents }) => ({ type: typeOf(path), path: basename(path), contents }));
  const worker = new Miniflare({ modules, compatibilityDate: COMPATIBLE });
  try {
    const response = await worker.dispatchFetch("http://a.example/");
    return { given: await response.text(), hasWasm: modules.some(({ path }) => /simd-\w+\.wasm$/.test(path)) };
  } finally {
    await worker.dispose();
  }
}

/** Returns the files of a bundle, the program first. */
async function bundle(contents, resolveDir, format, conditions) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    outdir: join(resolveDir, "bundled"),
    bundle: true,
    minify: true,
    format,
    conditions,
    mainFields: ["browser", "module", "main"],
    platform: "neutral",
    loader: { ".wasm": "copy" },
    write: false,
    logLevel: "silent",
  });
  return outputFiles.sort((one) => (one.path.endsWith(".js") ? -1 : 1));
}
