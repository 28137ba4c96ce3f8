// Groups by URL: a counter finds what a Map finds, also where it gives groups away or has no room for all.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import type { Group, GroupBatch } from "../../src/count/group-table.ts";
import { RUNS, seeded } from "../core/check.ts";
import { smallMemory } from "./settings.ts";
import { batchOf, type Found, timeOf } from "./url-batch.ts";

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
  const counter = new Counter({ by: ["url"] }, spill);
  for (const found of batches) counter.add(batchOf(found));
  const groups = [...counter.groups()].filter((group) => group !== undefined);
  spill.file.close();
  return groups;
}

/** The same by a counter that gives its groups away whenever it has more than `most` bytes. */
function relieved(batches: readonly (readonly Found[])[], most: number): Group[] {
  const spill = smallMemory(1 << 26);
  const sum = new Counter({ by: ["url"] }, spill);
  const give = (groups: GroupBatch): void => sum.merge(groups);
  const counter = new Counter({ by: ["url"] }, smallMemory(Number.POSITIVE_INFINITY), { bytes: most, give });
  for (const found of batches) counter.add(batchOf(found));
  give(counter.take());
  return [...sum.groups()].filter((group) => group !== undefined);
}

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
});
