// Format parquet, but for what DuckDB reads in it.
import { describe, expect, it } from "vitest";
import { Dictionary } from "../../src/output/parquet/dictionary.ts";

/** The factor of the hash. */
const FACTOR = 0x9e3779b1;

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, FACTOR);
  return product ^ (product >>> 16);
}

/** Returns the text of an entry of a page. */
function textOf(page: Uint8Array, index: number): string {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let at = 0;
  for (let entry = 0; entry < index; entry++) at += 4 + view.getUint32(at, true);
  return Buffer.from(page.subarray(at + 4, at + 4 + view.getUint32(at, true))).toString("hex");
}

describe("the dictionary of a column", () => {
  it("has an entry for each text, in the order in which they come first", () => {
    const dictionary = new Dictionary();
    const bytes = Buffer.from("http://a.example/b");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    expect([dictionary.indexOfString("x"), dictionary.indexOfBytes(view, 0, bytes.length), dictionary.indexOfString("")]).toEqual([
      0, 1, 2,
    ]);
    expect([dictionary.indexOfString(bytes.toString()), dictionary.indexOfBytes(view, 3, 0), dictionary.count]).toEqual([1, 2, 3]);
    const names = Array.from({ length: 20_000 }, (_, index) => `name ${index}`);
    expect(names.map((name) => dictionary.indexOfString(name))).toEqual(names.map((_, index) => index + 3));
    expect(names.map((name) => dictionary.indexOfString(name))).toEqual(names.map((_, index) => index + 3));
    dictionary.clear();
    expect([dictionary.size, dictionary.indexOfString("y")]).toEqual([0, 0]);
  });

  it("looks at few entries of texts that all have one hash: some become entries again", () => {
    const dictionary = new Dictionary();
    const texts = Array.from({ length: 200 }, (_, index) => {
      const view = new DataView(new ArrayBuffer(8));
      view.setInt32(0, index, true);
      view.setInt32(4, mixed(8, index), true);
      return view;
    });
    const wanted = [...texts, ...texts].map((view) => Buffer.from(view.buffer).toString("hex"));
    const indexes = [...texts, ...texts].map((view) => dictionary.indexOfBytes(view, 0, 8));
    expect(indexes.map((index) => textOf(dictionary.page, index))).toEqual(wanted);
    expect(dictionary.count).toBe(200 + 200 - 64);
  });
});
