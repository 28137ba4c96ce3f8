// Facts about the package itself: what a user installs, and what a contributor gets.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inflateRawSync } from "node:zlib";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, it } from "vitest";
import simd from "#wasm/simd.js";
import { makeCallbacks } from "../../src/core/callbacks.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));
/** The files that exports name, under whatever conditions. */
const targetsOf = (exports: object): string[] =>
  Object.values(exports).flatMap((target: string | object) => (typeof target === "string" ? [target] : targetsOf(target)));

describe("package.json", () => {
  it("pins every dependency", () => {
    const versions: string[] = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("names files that the build has made", () => {
    const named: string[] = [manifest.bin.urlmill, ...manifest.man, ...targetsOf(manifest.exports)];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("exports modules that the programs of consumers use, all of them", () => {
    const folder = "test/package/consumers";
    const used = readdirSync(join(root, folder))
      .map((name) => read(`${folder}/${name}`))
      .join("");
    const modules = Object.keys(manifest.exports).filter((path) => !path.endsWith(".json"));
    expect(modules.filter((path) => !new RegExp(`(?:from|import) "urlmill${path.slice(1)}"`).test(used))).toEqual([]);
  });

  it("exports modules that the reference of the library describes, all of them", () => {
    // One module has no names.
    const types = targetsOf(manifest.exports).filter((path) => path.endsWith(".d.ts") && path !== "./build/types/core/javascript.d.ts");
    const sources = types.map((path) => path.replace(/^\.\/build\/types\/(.*)\.d\.ts$/, "src/$1.ts"));
    expect(new Set(JSON.parse(read("typedoc.json")).entryPoints)).toEqual(new Set(sources));
  });

  it("is what publint takes for a good package", async () => {
    const { messages } = await publint({ pkgDir: root, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });
});

it("package-lock.json names no registry", () => {
  expect(read("package-lock.json")).not.toMatch(/"resolved"/);
});

it("the command starts Node and may be run", () => {
  expect(read(manifest.bin.urlmill)).toMatch(/^#!\/usr\/bin\/env node\n/);
});

describe("the WebAssembly that is embedded", () => {
  const binary = inflateRawSync(Buffer.from(simd, "base64"));

  it("imports its memory and the callbacks and nothing else", () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(binary)).map(({ module, name }) => `${module}.${name}`);
    const callbacks = Object.keys(makeCallbacks(new Uint8Array(0))).map((name) => `callbacks.${name}`);
    expect(imports.sort()).toEqual([...callbacks, "env.memory"].sort());
  });
});
