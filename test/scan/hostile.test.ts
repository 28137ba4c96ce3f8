// Work is linear in the input for any input (X14). It is counted (test/counted/), not timed, so that a busy machine sees the same.
import { describe, expect, it } from "vitest";
import { OUTPUT_REGION, WINDOW_REGION } from "#core/layout/memory.js";
import { type Counter, judgeEachByte, judgeGrowth, judgeText, makeCounter, workOf, worksInOne } from "../counted/growth.ts";
import { type Change, type CountingScript, loadCountingScript } from "../counted/script.ts";
import { ARCHIVE_TEXTS, type HostileText, TEXTS } from "../hostile/texts.ts";

const MIB = 1 << 20;
/** A copy that scans has smaller windows: smaller texts fill them. */
const SMALL_WINDOW: Change = { file: "scan/window.ts", from: "USED_BYTES = 1 << 20", to: "USED_BYTES = 1 << 18" };
/** Work that grows with more than the size takes far more for a byte here already. */
const SMALL = MIB >> 4;

const script = await loadCountingScript([SMALL_WINDOW]);
const simd = makeCounter("simd", script);
const javascript = makeCounter("javascript", script);

/**
 * Two windows of a scan and more; where TypeScript looks at every byte one is enough, and limits of a mebibyte need more. Text that is
 * decoded comes in steps that are larger than these windows, and a line that is joined looks far ahead.
 */
function sizeOf({ floor, options, type }: HostileText): number {
  if (options.urlBytesMax === MIB) return 4 * MIB;
  if (type !== "text" || options.guess === true || (options.unwrap ?? false) !== false) return 2 * MIB;
  return floor < 5 ? MIB >> 1 : MIB;
}

function judge(text: HostileText): string[] {
  return [...judgeText(simd, text, sizeOf(text)), ...judgeEachByte("javascript", workOf(javascript, text, SMALL), SMALL)];
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

  it("one line of 24 MiB, more than the core's memory", () => {
    const line = ARCHIVE_TEXTS.find(({ name }) => name === "one line") as HostileText;
    expect(judgeEachByte("simd", workOf(simd, line, 24 * MIB), 24 * MIB)).toEqual([]);
  });
});

describe("a decoder that has no room for a step", () => {
  it("ends with an error, not in a loop", async () => {
    const room: Change = { file: "scan/scanner.ts", from: "DECODED_BYTES = 3 << 18", to: "DECODED_BYTES = 1 << 17" };
    const narrow = await loadCountingScript([SMALL_WINDOW, room]);
    const counter = makeCounter("simd", narrow);
    const text = ARCHIVE_TEXTS.find(({ name }) => name === "one line") as HostileText;
    narrow.takeSteps();
    expect(() => workOf(counter, text, SMALL)).toThrow("no progress after byte 0 of the source");
    expect(narrow.takeSteps()).toBeLessThan(20_000);
  });
});

describe("counted work shows what is not linear", () => {
  const textOf = (name: string): HostileText => [...TEXTS, ...ARCHIVE_TEXTS].find((text) => text.name.startsWith(name)) as HostileText;
  const growthOf = (counter: Counter, text: HostileText, size: number): string[] => {
    return judgeGrowth(worksInOne(counter, text, size), size, 0);
  };

  it("a core whose scans take longer each time", () => {
    let calls = 0;
    const { core } = simd;
    const scan: typeof core.scan = (high, ...rest) => {
      for (let turn = calls++; turn > 0; turn--) {
        core.writeAsWritten(WINDOW_REGION, high, OUTPUT_REGION);
        core.bytes.slice(WINDOW_REGION, high);
      }
      return core.scan(high, ...rest);
    };
    const slow = { ...simd, core: Object.create(core, { scan: { value: scan } }) as typeof core };
    const text = textOf("letters");
    expect(growthOf(simd, text, MIB)).toEqual([]);
    expect(growthOf(slow, text, MIB)).toEqual([expect.stringMatching(/^core: /), expect.stringMatching(/^native: /)]);
  });

  /** Mistakes made on purpose, each in the way of another text. */
  const mistakes: readonly Change[] = [
    { file: "javascript/instantiate.js", from: "delimiter + 1;\n\t\trunChecked = start", to: "delimiter + 1;\n\t\tvoid start" },
    { file: "provenance.ts", from: "(isNear ? distance : most)", to: "most" },
    { file: "rewrite/nested.ts", from: "subarray(at, end).includes", to: "subarray(at).includes" },
  ];

  let mistaken: Promise<CountingScript> | undefined;

  it.each([
    ["a core that forgets how far it has looked back", "javascript", "closers after matches", 1 << 15, /^script: /],
    [
      "a reader of mail that looks for the start of a line from every match",
      "simd",
      "URLs in a line that is quoted",
      MIB >> 2,
      /^script: /,
    ],
    ["a search of nested URLs that continues after its part", "simd", 'inside URLs: "&:"', MIB >> 4, /^native: /],
  ] as const)("%s", async (_, build, name, size, complaint) => {
    mistaken ??= loadCountingScript(mistakes);
    const counter = makeCounter(build, await mistaken);
    expect(judgeEachByte(build, workOf(counter, textOf(name), size), size)).toEqual([expect.stringMatching(complaint)]);
  });
});
