// The package in a page: bundled for browsers by esbuild and by vite, and run where there is nothing of Node.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { build as buildByEsbuild } from "esbuild";
import { rolldown } from "rolldown";
import { build as buildByVite } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { tar, zip } from "../input/archives.ts";
import { COMPRESS, LONG, SHORT, TEXT, XZ_SHA256, ZIP_ENCRYPTED, ZSTD, ZSTD_SHORT } from "../input/packed.ts";
import { GZIP, WHOLE } from "../input/whole.ts";
import { report } from "./report.js";
import { ROOT, unpackTo } from "./unpacked.ts";

/** Bytes that the whole library may have in a page: minified, and then compressed by gzip. */
const MINIFIED_BYTES_MAX = 600_000;
const GZIPPED_BYTES_MAX = 260_000;

/** The global names of a page that the library may use, beside those of the language. */
const WEB_NAMES = ["Blob", "ReadableStream", "Response", "TextDecoder", "TextEncoder", "URL", "WritableStream"] as const;
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

function writePage(name: string, ...more: string[]): string {
  const page = join(folder, `page-${name.replace("/", "-")}-${more.length}.js`);
  const imports = [
    `import * as library from "${name}";`,
    ...more.map((path) => `import "${path}";`),
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

/** Returns `bytes` with another byte at `at`. */
function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x55;
  return copy;
}

/** Returns a record of a web archive whose body is in a coding of HTTP. */
function webRecord(coding: string, body: Buffer): Buffer {
  const header = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: ${coding}\r\n\r\n`;
  const start = `WARC/1.0\r\nWARC-Type: response\r\nContent-Length: ${header.length + body.length}\r\n\r\n${header}`;
  return Buffer.concat([Buffer.from(start), body, Buffer.from("\r\n\r\n")]);
}

/** Returns a web archive with bodies in each coding that a page undoes. */
function webArchive(): Buffer {
  const bodies = [
    webRecord("gzip", Buffer.concat([gzipSync(TEXT), gzipSync(SHORT)])),
    webRecord("deflate", deflateSync(TEXT)),
    webRecord("deflate", deflateRawSync(SHORT)),
    webRecord("zstd, gzip", gzipSync(ZSTD_SHORT)),
    webRecord("gzip", gzipSync(TEXT).subarray(0, 60)),
  ];
  return Buffer.concat(bodies);
}

describe.each(["urlmill", "urlmill/web"])("%s in a page", (name) => {
  it.each(Object.entries({ esbuild, vite }))("bundled by %s gives what it gives in Node", async (_, bundle) => {
    const page = runPage(await bundle(writePage(name)));
    const gzipped = gzipSync(archive);
    expect(JSON.parse(await page.report(page.library, archive, gzipped))).toEqual(JSON.parse(await report(library, archive, gzipped)));
  });
});

describe("a loader of CommonJS with the condition browser, such as Jest with jsdom,", () => {
  it("is given CommonJS", () => {
    type Target = string | { readonly [condition: string]: Target };
    const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/urlmill/package.json"), "utf8")) as {
      exports: Record<string, Target>;
    };
    const targetOf = (target: Target | undefined): string | undefined =>
      typeof target !== "object"
        ? target
        : targetOf(Object.entries(target).find(([name]) => /^(?:browser|require|default)$/.test(name))?.[1]);
    const modules = Object.values(exports)
      .map(targetOf)
      .filter((path) => path?.endsWith(".json") === false);
    expect(modules).toHaveLength(8);
    for (const path of modules) expect(path).toMatch(/^\.\/build\/node\/\w+\.cjs$/);
  });

  it("needs nothing that jsdom lacks", () => {
    const lacking = ["MessageChannel", "ReadableStream", "TextDecoder", "TextEncoder", "setImmediate", "structuredClone"];
    const code = `for (const name of ${JSON.stringify(lacking)}) delete globalThis[name];
      const text = "see http://a.example/ ".repeat(200_000);
      console.log(require("urlmill").extract("see http://a.example/")[0].url, require("urlmill/url").percentDecode("%41").length);
      console.log(require("urlmill/explain").explain("http://a.example/.")[0].raw);
      require("urlmill/summary").summarize(text).then(({ totals }) => console.log(totals.matches));`;
    const printed = "http://a.example/ 1\nhttp://a.example/\n200000\n";
    expect(execFileSync(process.execPath, ["-C", "browser", "-e", code], { cwd: folder, encoding: "utf8" })).toBe(printed);
  });
});

it("a bundle for Node has the JavaScript build", async () => {
  const [entry, dir] = [join(folder, "node.js"), join(folder, "node-bundle")];
  writeFileSync(
    entry,
    'import { extract, normalize } from "urlmill"; console.log(extract("http://a.example/").length, normalize("http://A"));',
  );
  const bundle = await rolldown({ input: entry, platform: "node", logLevel: "silent" });
  await bundle.write({ dir, entryFileNames: "bundle.mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  const env = { ...process.env, URLMILL_CORE: "javascript" };
  expect(execFileSync(process.execPath, [join(dir, "bundle.mjs")], { env, encoding: "utf8" })).toBe("1 http://a/\n");
});

it.each(["cjs", "esm"] as const)("a bundle for Node warns that it has no file for threads: %s", async (format) => {
  const [entry, outfile] = [join(folder, "threads.js"), join(folder, `threads-bundle.${format === "cjs" ? "cjs" : "mjs"}`)];
  const code = `import { ExtractStream } from "urlmill";
    const stream = new ExtractStream({ threads: 2 });
    stream.pipe(process.stdout);
    stream.end("see http://a.example/\\n".repeat(100_000));`;
  writeFileSync(entry, code);
  await buildByEsbuild({ bundle: true, format, platform: "node", logLevel: "silent", entryPoints: [entry], outfile });
  const { status, stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8", maxBuffer: 2 ** 24 });
  expect([status, stdout.length, stderr.split("\n")[0]]).toEqual([0, 1_800_000, expect.stringMatching("URLMILL_NO_WORKERS")]);
  const { stderr: unbundled } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });
  expect(unbundled).toBe("");
});

describe("compressed data in a page", () => {
  let find: typeof library.extractFrom;

  beforeAll(async () => {
    find = runPage(await esbuild(writePage("urlmill/web"))).library.extractFrom;
  });

  /** Returns the records of `bytes` and, if reading them ends with an error, its code and message. */
  async function outcomeOf(extractFrom: typeof library.extractFrom, bytes: Uint8Array): Promise<unknown> {
    const records: unknown[] = [];
    try {
      for await (const match of extractFrom(bytes)) records.push(match.toJSON());
    } catch (error) {
      const { name, code, message } = error as library.SourceError;
      return { records, error: { name, code, message } };
    }
    return { records };
  }

  const INPUTS: readonly (readonly [name: string, bytes: Uint8Array])[] = [
    ...WHOLE.map(([name, bytes]) => [name, bytes] as const),
    ["compress", COMPRESS],
    ["gzip that is cut off", GZIP.subarray(0, -10)],
    ["gzip with data after it", Buffer.concat([GZIP, Buffer.from("else")])],
    ["gzip with a wrong checksum", changed(GZIP, GZIP.length - 8)],
    ["gzip that is corrupt", changed(GZIP, 40)],
    ["zstd with a wrong checksum", changed(ZSTD, ZSTD.length - 1)],
    ["xz with a wrong checksum", changed(XZ_SHA256, XZ_SHA256.length - 40)],
    [
      "zip",
      zip([
        { name: "a", text: TEXT },
        { name: "b", text: SHORT, method: 0 },
        { name: `${"c/".repeat(800)}d`, text: SHORT },
      ]),
    ],
    [
      "zip from a pipe",
      zip([
        { name: "a", text: TEXT, isOpenEnded: true },
        { name: "b", text: SHORT, method: 0, isOpenEnded: true },
      ]),
    ],
    [
      "zip from a pipe with damaged data",
      changed(
        zip([
          { name: "a", text: TEXT, isOpenEnded: true },
          { name: "b", text: SHORT },
        ]),
        60,
      ),
    ],
    ["zip with a wrong checksum", zip([{ name: "a", text: TEXT, sum: 1 }])],
    ["encrypted zip", ZIP_ENCRYPTED],
    [
      "tar in gzip",
      gzipSync(
        tar([
          { name: "a", text: TEXT },
          { name: "b/c", text: ZSTD },
        ]),
      ),
    ],
    ["a web archive", gzipSync(webArchive())],
  ];
  it.each(INPUTS)("of %s gives what it gives in Node", async (_, bytes) => {
    const found = await outcomeOf(find, bytes);
    // What the page gives is of its own realm.
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(await outcomeOf(library.extractFrom, bytes))));
  });

  it("has no body of a web archive that is in brotli", async () => {
    const archived = webRecord("br", brotliCompressSync(SHORT));
    expect(await outcomeOf(library.extractFrom, archived)).toMatchObject({ records: [{ url: SHORT.trim() }] });
    expect(await outcomeOf(find, archived)).toEqual({ records: [] });
  });

  it("passes on what its source throws", async () => {
    const source = (async function* () {
      yield gzipSync(TEXT).subarray(0, 100);
      throw new Error("the line is dead");
    })();
    await expect(outcomeOf(find, source as never)).resolves.toMatchObject({ error: { message: "the line is dead" } });
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

it("says what to import where there is no WebAssembly", async () => {
  const { library } = runPage(await esbuild(writePage("urlmill/web")), "WebAssembly");
  for (const find of [() => library.extract("http://a.example/"), () => library.normalize("http://a.example/")]) {
    expect(find).toThrow(/^core has no JavaScript build.*: import "urlmill\/javascript" first$/);
  }
});

it("tries WebAssembly again after there was no memory for it", async () => {
  const page = runPage(await esbuild(writePage("urlmill/web"))) as ReturnType<typeof runPage> & { WebAssembly: object };
  const { WebAssembly } = page;
  const Memory = class {
    constructor() {
      throw new RangeError("no memory");
    }
  };
  page.WebAssembly = Object.create(WebAssembly, { Memory: { value: Memory } });
  expect(() => page.library.extract("http://a.example/")).toThrow(/^no memory$/);
  page.WebAssembly = WebAssembly;
  expect(page.library.extract("http://a.example/")).toHaveLength(1);
});

it.each(["WebAssembly", "FinalizationRegistry"])("finds the same where there is no %s", async (missing) => {
  const page = runPage(await esbuild(writePage("urlmill/web", "urlmill/javascript")), missing);
  const gzipped = gzipSync(archive);
  expect(await page.report(page.library, archive, gzipped)).toEqual(await report(library, archive, gzipped));
  const controller = new AbortController();
  const stream = page.library.extractWebStream({ signal: controller.signal });
  const read = stream.readable.getReader().read();
  controller.abort(new Error("enough"));
  await expect(read).rejects.toThrow("enough");
});

it("has only what they need where a page takes single functions", async () => {
  const page = join(folder, "page-of-one.js");
  const text = readFileSync(join(ROOT, "docs/library.md"), "utf8");
  for (const [name, call, most] of [
    ["parse", library.parse, 61_000],
    ["normalize", library.normalize, 92_000],
    ["extract", library.extract, 485_000],
  ] as const) {
    writeFileSync(page, `import { ${name} } from "urlmill"; Object.assign(globalThis, { library: ${name}("http://A.example") });`);
    const bundle = await esbuild(page);
    // What the page gives is of its own realm.
    const [given, wanted] = [runPage(bundle).library, call("http://A.example")].map((value) => JSON.stringify(value));
    expect(given).toBe(wanted);
    const [, named] = new RegExp(`\\x60${name}\\x60 (?:alone )?(\\d+)`).exec(text) ?? [];
    expect([name, Math.abs(Buffer.byteLength(bundle) - Number(named) * 1000) < 3000]).toEqual([name, true]);
    expect(Buffer.byteLength(bundle)).toBeLessThan(most);
  }
});

it("keeps within the bytes that a page may load, and has those that docs/library.md names", async () => {
  const bundle = await esbuild(writePage("urlmill/web"));
  const [, minified, gzipped] = /has (\d+) kB minified, (\d+) kB with gzip/.exec(readFileSync(join(ROOT, "docs/library.md"), "utf8")) ?? [];
  expect(Math.abs(Buffer.byteLength(bundle) - Number(minified) * 1000)).toBeLessThan(15_000);
  expect(Math.abs(gzipSync(bundle, { level: 9 }).length - Number(gzipped) * 1000)).toBeLessThan(6000);
  expect(Buffer.byteLength(bundle)).toBeLessThan(MINIFIED_BYTES_MAX);
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThan(GZIPPED_BYTES_MAX);
  expect(bundle).not.toMatch(/import\.meta/);
});
