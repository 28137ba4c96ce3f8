// URLs that are remembered: what is added by the core's numbers is what is added by keys, also where the core or the table has no room.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as layout from "#core/layout/texts.js";
import { encodedValue } from "../../src/count/key-fields.ts";
import { KnownUrls } from "../../src/summary/known-urls.ts";
import { noAddition } from "../../src/summary/month-cells.ts";
import { packedTable } from "../../src/summary/packed-table.ts";
import { ValueTable } from "../../src/summary/value-table.ts";
import { check } from "../core/check.ts";
import { HASHES } from "../count/settings.ts";
import { batchOf } from "../count/url-batch.ts";

const AMPLE = 1 << 28;
/** Three of these texts are more than a batch that a core takes. */
const LONG = 2_200_000;

function newTable(memory: number): ValueTable {
  return new ValueTable({ memory, hash: HASHES.murmur3 as NonNullable<typeof HASHES.murmur3>, seed: 1 });
}

/** Adds the URLs of each batch twice, once to each of two tables; an empty text is no URL. Returns how often the second table forgot. */
function addTwice(batches: readonly (readonly string[])[], memory: number): number {
  const [table, other] = [newTable(memory), newTable(memory)];
  const urls = new KnownUrls();
  const more = { ...noAddition(), matches: 1, messages: 1 };
  for (const [message, texts] of batches.entries()) {
    Object.assign(more, { month: message % 3, serial: message + 1, first: message, last: message });
    const batch = batchOf(texts.map((text) => [text, message + 1] as const));
    urls.put(batch);
    for (const [index, text] of texts.entries()) {
      const key = encodedValue("url", text);
      expect(urls.add(table, batch, index, more)).toBe(text !== "");
      if (text === "") other.rest.add(more);
      else other.add(new DataView(key.buffer), 0, key.length, more);
    }
    if (message % 4 === 3) urls.close();
  }
  urls.close();
  const [found, wanted] = [packedTable(table), packedTable(other)];
  expect(Buffer.compare(found.bytes, wanted.bytes)).toBe(0);
  expect([found.count, found.bound, found.rest]).toEqual([wanted.count, wanted.bound, wanted.rest]);
  expect(table.epoch).toBe(other.epoch);
  return other.epoch;
}

describe("URLs that are remembered are added as by their keys", () => {
  it("in any batches, in tables that forget too", () => {
    const text = fc.nat(60).map((number) => (number === 0 ? "" : `http://h${number % 7}.example/${"p".repeat(number)}`));
    let forgotten = 0;
    check(
      200,
      fc.tuple(fc.array(fc.array(text, { maxLength: 40 }), { maxLength: 9 }), fc.constantFrom(1, 8000, AMPLE)),
      ([batches, memory]) => {
        forgotten += addTwice(batches, memory);
      },
    );
    expect(forgotten).toBeGreaterThan(0);
  });

  it("more of them than a core has room for", () => {
    const many = Array.from({ length: layout.TEXTS_MOST + 3000 }, (_, index) => `http://${index % 977}.example/${index}`);
    addTwice([many, many.slice(0, 10), many.slice(-10), many], AMPLE);
  });

  it("in batches that are too long for a core", () => {
    const long = Array.from({ length: 3 }, (_, index) => `http://${index}.example/${"x".repeat(LONG)}`);
    const short = ["http://a.example/", ...long.slice(0, 1)];
    expect(long.join("").length).toBeGreaterThan(layout.BATCH_BYTES_MOST);
    addTwice([short, long, short, long], AMPLE);
  });
});
