// The steps that a trial may take: work is counted on copies of the builds and of the TypeScript around them (test/counted/).
import { type Counter, judgeEachByte, makeCounter, workOf } from "../counted/growth.ts";
import { loadCountingScript } from "../counted/script.ts";
import type { HostileText } from "../hostile/texts.ts";

/** Of a text that nobody chose a byte may cost more than of those that were made to be slow: other costs meet. */
const ALLOWANCE = 4;
/** What is begun for any text counts as so many bytes. */
const FREE_BYTES = 1 << 13;
/** Bytes to which a text is repeated, so that work that grows with more than the size shows. */
const REPEATED_BYTES = 1 << 16;

let counters: Promise<Counter[]> | undefined;

async function makeCounters(): Promise<Counter[]> {
  const script = await loadCountingScript();
  return [makeCounter("simd", script), makeCounter("javascript", script)];
}

/** What is scanned, and how. */
export type Counted = Pick<HostileText, "type" | "options">;

/** Returns what is wrong with the work on a text, which is repeated, or null. */
export async function workFailure(bytes: Buffer, counted: Counted): Promise<string | null> {
  counters ??= makeCounters();
  const size = Math.max(REPEATED_BYTES, bytes.length);
  const text: HostileText = { name: "", floor: 1, make: (length) => Buffer.alloc(length, bytes), ...counted };
  for (const counter of await counters) {
    const { build } = counter.core;
    const [complaint] = judgeEachByte(build, workOf(counter, text, size), ALLOWANCE * (size + FREE_BYTES));
    if (complaint !== undefined) return `work of ${build}: ${complaint}`;
  }
  return null;
}
