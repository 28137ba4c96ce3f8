// Divides the time for a text into stages: each row does the work of the row before it, and one step more.

import { extract } from "urlmill";
import { WINDOW_BYTES, WINDOW_REGION } from "#core/layout/memory.js";
import type { Core } from "../src/core/core.ts";
import { timed } from "./contenders.ts";
import { linesOf, PIECE_BYTES, scanBytes } from "./in-memory.ts";
import { medianOf } from "./measure.ts";
import type { Table } from "./records.ts";
import { measureInTurn } from "./side-by-side.ts";

/** A scheme that is in none of the texts, so that nothing after a colon is read. */
const ABSENT = ["afs"];

const STAGES: readonly (readonly [stage: string, run: (core: Core, bytes: Uint8Array) => number])[] = [
  ["copy into the memory", copied],
  ["search for triggers and schemes", (core, bytes) => scanBytes(core, bytes, undefined, "none", ABSENT)],
  ["read candidates, write them as they are", (core, bytes) => scanBytes(core, bytes, undefined, "none")],
  ["normalize", linesOf],
  ["Match objects, in the place of lines", (_core, bytes) => extract(bytes, { type: "text" }).length],
  ["JSON of these", (_core, bytes) => JSON.stringify(extract(bytes, { type: "text" })).length],
];

function copied(core: Core, bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    core.bytes.set(bytes.subarray(at, at + PIECE_BYTES), WINDOW_REGION + (at % WINDOW_BYTES));
  }
  return bytes.length;
}

/** The ms of each stage for a megabyte of a text. */
export interface Stages {
  readonly text: string;
  readonly added: readonly number[];
}

/** Measures the stages on a text: medians of rounds over all stages in turn. A stage that saves time is below 0. */
export function measureStages(text: string, core: Core, bytes: Uint8Array, rounds: number): Stages {
  const rows = STAGES.map(([stage, run]) => timed("urlmill", stage, () => run(core, bytes)));
  const medians = measureInTurn(rows, rounds).map(({ processor }) => (medianOf(processor) / bytes.length) * 1e6);
  return { text, added: medians.map((milliseconds, index) => milliseconds - (medians[index - 1] ?? 0)) };
}

/** Returns a table of the stages, with a column for each text. */
export function stagesTable(texts: readonly Stages[]): Table {
  return {
    title: "Stages, ms a megabyte",
    notes: ["processor time: what each step adds to those before it, core with SIMD; the search is for a scheme that is in no text"],
    columns: ["stage", ...texts.map(({ text }) => text)],
    rows: STAGES.map(([stage], index) => [stage, ...texts.map(({ added }) => shown(added[index] as number))]),
  };
}

/** Returns ms with two digits, without a sign for a value that rounds to 0. */
const shown = (milliseconds: number): string => Number(milliseconds.toFixed(2)).toFixed(2);
