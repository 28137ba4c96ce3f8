// Which build of the core is used where. A fall back to a slower build would pass every other test.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compiledCore, getCore } from "../src/core/core.ts";

it("the SIMD build is the one that is used where SIMD runs", () => {
  expect(getCore().build).toBe("simd");
  const { buffer, byteOffset, byteLength } = readFileSync(new URL("../build/wasm/simd.wasm", import.meta.url));
  const module = new WebAssembly.Module(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  expect(WebAssembly.Module.exports(compiledCore() as WebAssembly.Module)).toEqual(WebAssembly.Module.exports(module));
});

it("the SIMD build holds SIMD instructions, the scalar build none", () => {
  const hasV128Load = (name: string): boolean =>
    readFileSync(new URL(`../build/wasm/${name}.wasm`, import.meta.url)).includes(Uint8Array.of(0xfd, 0x00, 0x00));
  expect(hasV128Load("simd")).toBe(true);
  expect(hasV128Load("scalar")).toBe(false);
});
