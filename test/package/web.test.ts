// The package in a page: bundled for browsers by esbuild and by vite, and run where there is nothing of Node.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build as buildByEsbuild } from "esbuild";
import { build as buildByVite } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Match } from "../../src/index.ts";
import * as library from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { tar, zip } from "../input/archives.ts";
import { BZIP2, COMPRESS, LONG, SHORT, TEXT, XZ, ZSTD } from "../input/packed.ts";
import { report } from "./report.js";
import { ROOT, unpackTo } from "./unpacked.ts";

/** Bytes that the whole library may have in a page: minified, and then compressed by gzip. */
const MINIFIED_BYTES_MAX = 680_000;
const GZIPPED_BYTES_MAX = 256_000;

/** The global names of a page that the library may use, beside those of the language. */
const WEB_NAMES = ["Blob", "DecompressionStream", "Response", "TextDecoder", "TextEncoder", "TransformStream", "URL"] as const;
const MORE_NAMES = ["AbortController", "AbortSignal", "WebAssembly", "atob", "performance", "setTimeout"] as const;
/** Names of the language: what Node's streams give is of its own realm. */
const LANGUAGE_NAMES = ["Array", "ArrayBuffer", "BigUint64Array", "Error", "Float64Array", "Int32Array", "Object", "RangeError"] as const;
const MORE_LANGUAGE_NAMES = ["TypeError", "Uint8Array", "Uint16Array", "Uint32Array"] as const;

let folder: string;
const archive = new Uint8Array(readFileSync(join(ROOT, "examples/archive.mbox")));

beforeAll(() => {
  folder = newFolder();
  unpackTo(folder);
});
afterAll(() => removeFolder(folder));

function writePage(name: string): string {
  const page = join(folder, `page-${name.replace("/", "-")}.js`);
  const imports = [
    `import * as library from "${name}";`,
    `import { report } from ${JSON.stringify(join(ROOT, "test/package/report.js"))};`,
  ];
  writeFileSync(page, [...imports, "Object.assign(globalThis, { library, report });"].join("\n"));
  return page;
}

async function esbuild(page: string): Promise<string> {
  const options = { bundle: true, minify: true, format: "iife", platform: "browser", write: false, logLevel: "silent" } as const;
  const { outputFiles, warnings } = await buildByEsbuild({ ...options, entryPoints: [page] });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? "";
}

async function vite(page: string): Promise<string> {
  const warnings: unknown[] = [];
  // Vite's own module for chunks that are loaded later is in bundles of one chunk too.
  const onwarn = (warning: { id?: string }): boolean => warning.id === "\0vite/preload-helper.js" || warnings.push(warning) > 0;
  const rollupOptions = { input: page, onwarn, output: { format: "iife" as const } };
  const build = { write: false, minify: true, rollupOptions };
  const built = await buildByVite({ configFile: false, root: folder, logLevel: "silent", build });
  expect(warnings).toEqual([]);
  if (!("output" in built)) throw new Error("vite has made more than one bundle");
  expect(built.output).toHaveLength(1);
  return built.output[0].code;
}

/** Runs a bundle in a realm whose global names are those of every browser and worker. */
function runPage(bundle: string, missing = ""): { library: typeof library; report: typeof report } {
  const names = [...WEB_NAMES, ...MORE_NAMES, ...LANGUAGE_NAMES, ...MORE_LANGUAGE_NAMES];
  const page = createContext(Object.fromEntries(names.map((name) => [name, globalThis[name]])));
  expect(runInContext("[typeof process, typeof Buffer, typeof require, typeof setImmediate].join()", page)).toBe(
    "undefined,undefined,undefined,undefined",
  );
  if (missing !== "") runInContext(`delete globalThis.${missing}`, page);
  runInContext(bundle, page);
  return page as { library: typeof library; report: typeof report };
}

describe.each(["urlmill", "urlmill/web"])("%s in a page", (name) => {
  it.each(Object.entries({ esbuild, vite }))("bundled by %s gives what it gives in Node", async (_, bundle) => {
    const page = runPage(await bundle(writePage(name)));
    const gzipped = gzipSync(archive);
    expect(JSON.parse(await page.report(page.library, archive, gzipped))).toEqual(JSON.parse(await report(library, archive, gzipped)));
  });
});

describe("compressed data in a page", () => {
  let find: (bytes: Uint8Array) => AsyncIterable<Match>;

  beforeAll(async () => {
    find = runPage(await esbuild(writePage("urlmill/web"))).library.extractFrom;
  });

  async function urlsOf(bytes: Uint8Array): Promise<(string | null)[]> {
    const urls = [];
    for await (const { url } of find(bytes)) urls.push(url);
    return urls;
  }

  it.each([
    ["gzip", gzipSync(TEXT), TEXT],
    ["bzip2", BZIP2, TEXT],
    ["compress", COMPRESS, SHORT],
  ])("of %s is read", async (_, bytes, text) => {
    expect(await urlsOf(bytes)).toEqual(library.extract(text).map(({ url }) => url));
  });

  const REFUSED = { xz: XZ, zstd: ZSTD, zip: zip([{ name: "a", text: SHORT }]), tar: tar([{ name: "a", text: SHORT }]) };
  it.each(Object.entries(REFUSED))("of %s is refused, with the reason", async (format, bytes) => {
    const message = expect.stringMatching(`^has the format ${format}, which urlmill reads only under Node; unpack it first \\(`);
    await expect(urlsOf(bytes)).rejects.toMatchObject({ name: "SourceError", code: "ERR_METHOD", message });
  });

  it("that is cut off is an error", async () => {
    const cut = gzipSync(TEXT).subarray(0, -10);
    await expect(urlsOf(cut)).rejects.toMatchObject({ name: "SourceError", code: "ERR_CORRUPT" });
  });

  it("passes on what its source throws", async () => {
    const source = (async function* () {
      yield gzipSync(TEXT).subarray(0, 100);
      throw new Error("the line is dead");
    })();
    await expect(urlsOf(source as never)).rejects.toThrow("the line is dead");
  });

  it("is not read on after the caller has stopped", async () => {
    let isClosed = false;
    const source = (async function* () {
      try {
        for (;;) yield gzipSync(LONG);
      } finally {
        isClosed = true;
      }
    })();
    for await (const _ of find(source as never)) break;
    await new Promise(setImmediate);
    expect(isClosed).toBe(true);
  });
});

it.each(["WebAssembly", "FinalizationRegistry", "WeakRef"])("finds the same where there is no %s", async (missing) => {
  const page = runPage(await esbuild(writePage("urlmill/web")), missing);
  const gzipped = gzipSync(archive);
  expect(await page.report(page.library, archive, gzipped)).toEqual(await report(library, archive, gzipped));
  const controller = new AbortController();
  const stream = page.library.extractWebStream({ signal: controller.signal });
  const read = stream.readable.getReader().read();
  controller.abort(new Error("enough"));
  await expect(read).rejects.toThrow("enough");
});

it("keeps within the bytes that a page may load, and has those that README.md names", async () => {
  const bundle = await esbuild(writePage("urlmill/web"));
  const [, minified, gzipped] = /has (\d+) kB minified, (\d+) kB with gzip/.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  expect(Math.abs(Buffer.byteLength(bundle) - Number(minified) * 1000)).toBeLessThan(15_000);
  expect(Math.abs(gzipSync(bundle, { level: 9 }).length - Number(gzipped) * 1000)).toBeLessThan(6000);
  expect(Buffer.byteLength(bundle)).toBeLessThan(MINIFIED_BYTES_MAX);
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThan(GZIPPED_BYTES_MAX);
  expect(bundle).not.toMatch(/import\.meta/);
});
