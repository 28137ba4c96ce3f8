// Groups whose keys are one text of the rows: what a core counts is what a Map counts, also where it has no room for all texts.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as code from "#core/layout/codes.js";
import * as memory from "#core/layout/memory.js";
import * as layout from "#core/layout/texts.js";
import { loadCore } from "../../src/core/core.ts";
import { Counter } from "../../src/count/counter.ts";
import type { Group, GroupBatch } from "../../src/count/groups.ts";
import { BUILDS } from "../core/builds.ts";
import { RUNS, seeded } from "../core/check.ts";
import { smallMemory } from "./settings.ts";
import { batchOf, type Found, timeOf } from "./url-batch.ts";

/** Bytes of some long texts: six of them are more than a core has room for. */
const LONG = 1_200_000;

/** Counts with a Map. */
function naive(batches: readonly (readonly Found[])[]): Group[] {
  const groups = new Map<string, { count: number; messages: Set<number>; times: number[] }>();
  for (const [url, message] of batches.flat()) {
    const group = groups.get(url) ?? { count: 0, messages: new Set(), times: [] };
    groups.set(url, group);
    group.count++;
    if (message > 0) group.messages.add(message);
    if (message > 0 && !Number.isNaN(timeOf(message))) group.times.push(timeOf(message));
  }
  const dateOf = (times: number[], pick: (...all: number[]) => number): string | undefined =>
    times.length === 0 ? undefined : new Date(pick(...times) * 1000).toISOString().replace(".000Z", "Z");
  const list = [...groups].map(([url, { count, messages, times }]) => {
    const [first, last] = [dateOf(times, Math.min), dateOf(times, Math.max)];
    return { values: [url === "" ? undefined : url], count, messages: messages.size, first, last };
  });
  return list.sort((one, other) => other.count - one.count || Buffer.compare(keyOf(one), keyOf(other)));
}

const keyOf = ({ values }: Group): Buffer => Buffer.from(values[0] ?? "");

function counted(batches: readonly (readonly Found[])[], bytes: number): Group[] {
  const spill = smallMemory(bytes);
  const counter = new Counter(["url"], spill);
  for (const found of batches) counter.add(batchOf(found));
  const groups = [...counter.groups()].filter((group) => group !== undefined);
  spill.file.close();
  return groups;
}

/** The same by a counter that gives its groups away whenever it has more than `most` bytes. */
function relieved(batches: readonly (readonly Found[])[], most: number): Group[] {
  const spill = smallMemory(1 << 26);
  const sum = new Counter(["url"], spill);
  const give = (groups: GroupBatch): void => sum.merge(groups);
  const counter = new Counter(["url"], smallMemory(Number.POSITIVE_INFINITY), { bytes: most, give });
  for (const found of batches) counter.add(batchOf(found));
  give(counter.take());
  return [...sum.groups()].filter((group) => group !== undefined);
}

/** Compares without the texts, which are long. */
const shortened = (groups: readonly Group[]): unknown[] => groups.map((group) => ({ ...group, values: group.values[0]?.slice(0, 20) }));

describe("by URL", () => {
  it("counts what a Map counts, however matches are cut into batches", () => {
    const url = fc.nat(40).map((number) => (number === 0 ? "" : `http://h${number % 7}.example/${"p".repeat(number)}`));
    const batches = fc.array(fc.array(fc.tuple(url, fc.nat(2)), { maxLength: 30 }), { maxLength: 8 });
    const check = (cuts: [string, number][][], bytes: number): void => {
      // Messages follow each other, and may go on in the next batch.
      let message = 0;
      const found = cuts.map((cut) =>
        cut.map(([text, step]): Found => {
          message += step;
          return [text, message % 5 === 4 ? 0 : message];
        }),
      );
      expect(counted(found, bytes)).toEqual(naive(found));
      expect(relieved(found, bytes)).toEqual(naive(found));
    };
    fc.assert(fc.property(batches, fc.constantFrom(1, 2000, 1 << 20), check), { numRuns: 200 * RUNS, ...seeded });
  });

  it("more texts than a core has room for, in one message and in the next", () => {
    const urls = Array.from({ length: layout.TEXTS_MOST + 5000 }, (_, index) => `http://${index % 977}.example/${index}`);
    const batches = [1, 1, 2, 3].map((message) => urls.map((url): Found => [url, message]));
    for (const bytes of [1 << 20, 1 << 26]) expect(counted(batches, bytes)).toEqual(naive(batches));
  });

  it("texts that are too long together, and batches that are too long for a core", () => {
    const long = Array.from({ length: 8 }, (_, index) => `http://${index}.example/${"x".repeat(LONG)}`);
    const short = ["http://a.example/", ...long.slice(0, 2)];
    // The messages of a batch: the last one goes on in the next batch.
    const messages: readonly (readonly number[])[] = [[1], [1], [1, 2], [2], [2, 3], [3, 4], [4]];
    const batches = [short, long, short, long.slice(0, 4), long.slice(4), short, long].map((urls, cut) => {
      const [first, last = first] = messages[cut] as [number, number?];
      return urls.map((url, index): Found => [url, index < 2 ? first : last]);
    });
    expect(shortened(counted(batches, 1 << 26))).toEqual(shortened(naive(batches)));
    expect(shortened(relieved(batches, 1000))).toEqual(shortened(naive(batches)));
  });
});

describe.each(BUILDS)("build %s", (build) => {
  it("numbers texts in the order in which they come, up to the first that it has no room for", async () => {
    const core = await loadCore(build);
    const number = (texts: readonly string[]): { next: number; numbers: number[] } => {
      const { rows, bytes } = batchOf(texts.map((text): Found => [text, 1]));
      core.bytes.set(bytes, layout.BATCH_REGION);
      core.words.set(rows, memory.RECORD_REGION >> 2);
      const next = core.numberTexts(0, texts.length, code.RECORD_URL);
      return { next, numbers: [...core.words.subarray(layout.NUMBER_REGION >> 2, (layout.NUMBER_REGION >> 2) + next)] };
    };
    const check = (texts: string[], seed: number): void => {
      const inOrder = [...new Set(texts)];
      core.beginTexts(seed);
      for (let again = 0; again < 2; again++) {
        expect(number(texts)).toEqual({ next: texts.length, numbers: texts.map((text) => inOrder.indexOf(text)) });
      }
    };
    const text = fc.oneof(fc.string({ maxLength: 9 }), fc.nat(700).map(String));
    fc.assert(fc.property(fc.array(text, { maxLength: 2000 }), fc.integer(), check), { numRuns: 30 * RUNS, ...seeded });
    core.beginTexts(1);
    const long = Array.from({ length: 5 }, (_, index) => `${index}`.repeat(LONG));
    expect(number(long)).toEqual({ next: 5, numbers: [0, 1, 2, 3, 4] });
    expect(number(["x".repeat(LONG), "y"])).toEqual({ next: 0, numbers: [] });
    expect(number([long[3] as string, "y", long[0] as string])).toEqual({ next: 3, numbers: [3, 5, 0] });
  });
});
