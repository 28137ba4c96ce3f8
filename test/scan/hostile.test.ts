// X14: work is linear in the input for any input. It is counted, not timed (bench/counted/), so that a busy machine sees the same.
import { describe, expect, it } from "vitest";
import { WINDOW_REGION } from "#core/layout/memory.js";
import { type Counter, judgeEachByte, judgeGrowth, judgeText, makeCounter, workOf } from "../../bench/counted/growth.ts";
import { ARCHIVE_TEXTS, type HostileText, TEXTS } from "../../bench/hostile-texts.ts";
import { BUILDS } from "../core/builds.ts";

const MIB = 1 << 20;
/** Work that grows with more than the size takes far more for a byte here already. */
const SMALL = MIB >> 2;

const counters = new Map<string, Counter>();
for (const build of BUILDS) counters.set(build, await makeCounter(build));
const [simd, ...others] = [...counters.values()] as [Counter, Counter, Counter];

/** Several windows of a scan; of texts whose every byte is looked at in TypeScript fewer. */
function sizeOf({ floor }: HostileText): number {
  return floor < 5 ? 2 * MIB : 4 * MIB;
}

function judge(text: HostileText): string[] {
  const small = others.flatMap((counter) => judgeEachByte(counter.core.build, workOf(counter, text, SMALL), SMALL));
  return [...judgeText(simd, text, sizeOf(text)), ...small];
}

describe("X14 hostile inputs take linear work", () => {
  it.each(TEXTS.map((text) => [text.name, text] as const))("%s", (_, text) => {
    expect(judge(text)).toEqual([]);
  });
});

describe("X14 hostile archives take linear work", () => {
  it.each(ARCHIVE_TEXTS.map((text) => [text.name, text] as const))("%s", (_, text) => {
    expect(judge(text)).toEqual([]);
  });

  it("one line of 64 MiB", () => {
    const line = ARCHIVE_TEXTS.find(({ name }) => name === "one line") as HostileText;
    expect(judgeText(simd, line, 64 * MIB)).toEqual([]);
  });
});

describe("counted work shows what is not linear", () => {
  const textOf = (name: string): HostileText => [...TEXTS, ...ARCHIVE_TEXTS].find((text) => text.name.startsWith(name)) as HostileText;
  const growthOf = (counter: Counter, text: HostileText, size: number): string[] => {
    return judgeGrowth([workOf(counter, text, size / 4), workOf(counter, text, size / 2), workOf(counter, text, size)], size, 0);
  };

  it("a core whose scans take longer each time", () => {
    let calls = 0;
    const { core, script, count } = simd;
    const scan: typeof core.scan = (high, ...rest) => {
      for (let turn = calls++; turn > 0; turn--) {
        core.writeText(WINDOW_REGION, high);
        core.bytes.slice(WINDOW_REGION, high);
      }
      return core.scan(high, ...rest);
    };
    const slow = { core: { ...core, scan }, script, count };
    const text = textOf("letters");
    expect(growthOf(simd, text, MIB)).toEqual([]);
    expect(growthOf(slow, text, MIB)).toEqual([expect.stringMatching(/^core: /), expect.stringMatching(/^native: /)]);
  });

  it("a core that forgets how far it has looked back", async () => {
    const change = { file: "javascript/scan/state.js", from: "delimiter + 1;\n        runChecked = start;", to: "delimiter + 1;" };
    const forgetful = await makeCounter("javascript", [change]);
    const text = textOf("closers behind matches");
    const size = 1 << 15;
    expect(judgeEachByte("javascript", workOf(forgetful, text, size), size)).toEqual([expect.stringMatching(/^script: /)]);
  });

  it("a reader of mail that looks for the start of a line from every match", async () => {
    const change = { file: "mail-decoder.ts", from: "known.offset < offset ? Math.max(low, ", to: "false ? Math.max(low, " };
    const forgetful = await makeCounter("simd", [change]);
    const work = workOf(forgetful, textOf("URLs in a line that is quoted"), SMALL);
    expect(judgeEachByte("simd", work, SMALL)).toEqual([expect.stringMatching(/^script: /)]);
  });

  it("a search of nested URLs that goes on behind its part", async () => {
    const change = { file: "scanner/nested.ts", from: "subarray(start, end).includes", to: "subarray(start).includes" };
    const searching = await makeCounter("simd", [change]);
    const size = SMALL >> 2;
    const work = workOf(searching, textOf('inside URLs: "&:"'), size);
    expect(judgeEachByte("simd", work, size)).toEqual([expect.stringMatching(/^native: /)]);
  });
});
