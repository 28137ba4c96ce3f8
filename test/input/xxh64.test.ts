// The checksum of zstd in JavaScript, which serves where there is no WebAssembly, beside that in WebAssembly.
import { expect, it } from "vitest";
import xxhash from "xxhash-wasm";
import { Xxh64 } from "../../src/input/containers/hashes.ts";

it("gives the same sums, however the text is cut", async () => {
  const { create64 } = await xxhash();
  for (let length = 0; length < 200; length++) {
    const text = Buffer.from(Array.from({ length }, (_, index) => (index * 7919 + length) & 0xff));
    for (const cut of [0, 1, length >> 1, 32, length]) {
      const sum = new Xxh64();
      sum.update(text.subarray(0, cut));
      sum.update(text.subarray(cut));
      expect(sum.digest()).toBe(create64().update(text).digest());
    }
  }
});
