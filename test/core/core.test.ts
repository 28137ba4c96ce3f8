// Which build of the core is used where. A fall back to a slower build would pass every other test.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { takeCore } from "../../src/core/core.ts";
import { getUrlCore } from "../../src/core/url-core.ts";

/** v128.const with 16 colons: what the trigger filter compares with. */
const SIXTEEN_COLONS = Buffer.from([0xfd, 0x0c, ...Array<number>(16).fill(0x3a)]);

it("the WebAssembly build is the one that is used where SIMD runs", () => {
  expect([takeCore().build, getUrlCore().build]).toEqual(["simd", "simd"]);
});

it("the WebAssembly build holds SIMD instructions", () => {
  expect(readFileSync(new URL("../../build/wasm/simd.wasm", import.meta.url)).includes(SIXTEEN_COLONS)).toBe(true);
});
