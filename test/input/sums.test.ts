// Checksums and inflate of our own, for where there is no Node, compared with Node's.
import { createHash } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { RawInflate } from "../../src/input/containers/codings-pako.ts";
import { addByTables } from "../../src/input/containers/crc.ts";
import { OwnSha256 } from "../../src/input/containers/hashes.ts";

const BYTES = Uint8Array.from({ length: 1000 }, (_, index) => (index * index * 31) >> 3);

describe("without Node", () => {
  it("CRC-32 is that of zlib, for every length and whatever was before", () => {
    for (let length = 1; length < 40; length++) {
      const bytes = BYTES.subarray(length, 2 * length);
      expect(addByTables(bytes, 0)).toBe(crc32(bytes));
      expect(addByTables(bytes, 0xfedcba98)).toBe(crc32(bytes, 0xfedcba98));
    }
  });

  it("SHA-256 is that of Node, for every length and however it is cut", () => {
    for (let length = 0; length < 200; length++) {
      const hash = new OwnSha256();
      for (let at = 0; at < length; at += 70) hash.update(BYTES.subarray(at, Math.min(at + 70, length)));
      const wanted = createHash("sha256").update(BYTES.subarray(0, length)).digest("hex");
      expect(Buffer.from(hash.digest()).toString("hex")).toBe(wanted);
    }
  });

  it("deflate data says how much of the input it took, however it is cut", () => {
    const packed = Buffer.concat([deflateRawSync(BYTES), Buffer.from("else")]);
    for (const step of [1, 7, packed.length]) {
      const inflate = new RawInflate();
      const texts: Uint8Array[] = [];
      let taken = 0;
      while (!inflate.hasEnded) {
        const bytes = packed.subarray(taken, taken + step);
        inflate.feed(bytes);
        do texts.push(inflate.decode(64));
        while (inflate.hasMore);
        taken += bytes.length - inflate.left;
      }
      expect([Buffer.concat(texts).equals(BYTES), packed.length - taken]).toEqual([true, 4]);
    }
  });
});
