// What is a part of a file that an earlier part has read to its end counts for nothing; nothing else is lost with it.
import { expect, it } from "vitest";
import { matchBatch } from "../../src/matches/batch.ts";
import type { Result, Sink } from "../../src/output/sink.ts";
import { emptyTotals } from "../../src/run/totals.ts";
import { OrderedResults } from "../../src/threads/ordered-results.ts";
import type { Step } from "../../src/threads/plan.ts";

const dropped = new Int32Array(new SharedArrayBuffer(4));

function stepFrom(from: number): Step {
  return { kind: "parts", parts: [{ file: "a.gz", name: "a.gz", size: 100, from, to: from + 50, dropped }], listed: [] };
}

function matchesOf(source: string): Result {
  return matchBatch({ source, rows: new Int32Array(0), bytes: new Uint8Array(0), base: 0, count: 1 });
}

it("takes nothing of a dropped step, but the results of the next file", () => {
  const taken: (string | undefined)[] = [];
  const sink: Sink = {
    write: (result) => taken.push(result.kind === "matches" ? result.source : result.kind),
    wait: () => undefined,
    end: () => undefined,
  };
  const ordered = new OrderedResults({}, sink, emptyTotals());
  ordered.begin(stepFrom(0));
  ordered.sink.write(matchesOf("a.gz, its start"));
  ordered.sink.write({ kind: "over" });
  ordered.begin(stepFrom(50));
  ordered.sink.write(matchesOf("a.gz, once more"));
  ordered.begin({ kind: "parts", parts: [{ file: "b.txt", name: "b.txt", size: 9, from: 0, to: 9 }], listed: [] });
  ordered.sink.write(matchesOf("b.txt"));
  expect(taken).toEqual(["a.gz, its start", "b.txt"]);
});
