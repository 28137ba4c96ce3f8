// Values and errors of another realm: under Jest and in contexts of node:vm the library has other constructors than its caller or Node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { createContext, runInContext, runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type * as library from "../../src/index.ts";
import { extract, extractFiles, extractFrom, normalizeLines } from "../../src/index.ts";
import { percentDecode } from "../../src/url/index.ts";

const TEXT = "http://a.example/ ";
const bytesOf = (text: string): Uint8Array => runInNewContext("Uint8Array.from(bytes)", { bytes: [...Buffer.from(text)] });

describe("values of another realm", () => {
  it("bytes", async () => {
    expect(bytesOf(TEXT)).not.toBeInstanceOf(Uint8Array);
    expect(extract(bytesOf(TEXT))).toHaveLength(1);
    expect(Buffer.from(normalizeLines(bytesOf("HTTP://a.example"))).toString()).toBe("http://a.example/\n");
    expect(Buffer.from(percentDecode(bytesOf("%41"))).toString()).toBe("A");
    for (const source of [bytesOf(TEXT), [bytesOf("http://a.exa"), bytesOf("mple/ ")]]) {
      const found: (string | null)[] = [];
      for await (const { url } of extractFrom(source)) found.push(url);
      expect(found).toEqual(["http://a.example/"]);
    }
    for (const wrong of [new DataView(new ArrayBuffer(1)), new Uint16Array(1), { [Symbol.toStringTag]: "Uint8Array" }])
      expect(() => extract(wrong as unknown as Uint8Array)).toThrow(/must be a string, Uint8Array/);
  });
});

/** Loads the library into a context, as Jest does: Node's modules are of this realm, all constructors of JavaScript of another. */
function loadInRealm(): typeof library {
  const context = createContext({
    process,
    Buffer,
    URL,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
    structuredClone,
    setImmediate,
    setTimeout,
  });
  const loaded = new Map<string, { exports: object }>();
  const load = (path: string): object => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const requireHere = createRequire(path);
    const require = (name: string): unknown => (name.startsWith(".") ? load(requireHere.resolve(name)) : requireHere(name));
    const wrapped = `(function (module, exports, require, __filename, __dirname) {${readFileSync(path, "utf8")}\n})`;
    runInContext(wrapped, context, { filename: path })(module, module.exports, Object.assign(require, requireHere), path, dirname(path));
    return module.exports;
  };
  return load(resolve(import.meta.dirname, "../../build/node/index.cjs")) as typeof library;
}

describe("the library in another realm", () => {
  const other = loadInRealm();
  const urls = async (matches: AsyncIterable<library.Match>): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    for await (const { url } of matches) found.push(url);
    return found;
  };

  it("opens data that Node unpacks", async () => {
    expect(other.extract(Buffer.from(TEXT))).toHaveLength(1);
    expect(await urls(other.extractFrom(gzipSync(TEXT.repeat(3))))).toEqual(Array(3).fill("http://a.example/"));
  });

  it("gives its own errors for those of the system", async () => {
    await expect(urls(other.extractFiles("/no/such/file"))).rejects.toMatchObject({
      name: "SourceError",
      code: "ERR_URLMILL_NOT_FOUND",
      source: "/no/such/file",
    });
    await expect(urls(extractFiles("/no/such/file"))).rejects.toMatchObject({ code: "ERR_URLMILL_NOT_FOUND" });
  });
});
