// The fuzzer: what it tries holds for a few trials of each target, and what is wrong is found, made small and can be tried again.
import { describe, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";
import { type Finding, readCase, writeCase } from "./case-file.ts";
import { TARGETS as FAULTY } from "./faulty-targets.ts";
import { minimizedTrial } from "./minimize.ts";
import { failureOf, kindOf, type Target, type Trial } from "./target.ts";
import { TARGETS } from "./targets.ts";
import { trialsFrom } from "./trials.ts";
import { fuzz, tryOne } from "./watch.ts";

const FAULTY_MODULE = new URL("./faulty-targets.ts", import.meta.url).href;

function trialsOf(target: Target | undefined, count: number, seed = 1): Trial[] {
  const trials: Trial[] = [];
  for (const [number, trial] of trialsFrom(target as Target, seed, 0)) {
    if (number === count) break;
    trials.push(trial);
  }
  return trials;
}

describe("a few trials", () => {
  it.each([
    ["core", 60],
    ["html", 60],
    ["mail", 40],
    ["warc", 40],
    ["containers", 30],
    ["large", 20],
    ["url", 200],
    ["cli", 2],
  ])("of %s find nothing", async (name, count) => {
    for (const trial of trialsOf(TARGETS[name], count)) {
      // The copies that count and check take seconds to make.
      const given = { ...trial.given, isCounted: false, isChecked: false };
      expect(await failureOf(TARGETS[name] as Target, { ...trial, given })).toBe(null);
    }
  });

  it("are the same for the same seed, wherever they begin, and hold what JSON holds", () => {
    for (const target of Object.values(TARGETS)) {
      const [, ...later] = trialsOf(target, 3);
      const [[number, second]] = [trialsFrom(target, 1, 1).next().value as [number, Trial]];
      expect([number, second]).toEqual([1, later[0]]);
      expect(trialsOf(target, 3, 2)).not.toEqual([...trialsOf(target, 1), ...later]);
      for (const { given } of later) expect(JSON.parse(JSON.stringify(given))).toEqual(given);
    }
  });
});

/** `milliseconds`: how long a trial may take; a busy machine needs seconds to begin one, and to end a thread. */
async function findingsOf(
  target: string,
  seconds = 2,
  milliseconds = 60_000,
): Promise<{ count: number; findings: Finding[]; lines: string[] }> {
  const [findings, lines]: [Finding[], string[]] = [[], []];
  const count = await fuzz({
    module: FAULTY_MODULE,
    targets: [target],
    seed: 1,
    seconds,
    turnSeconds: seconds / 2,
    trialMilliseconds: milliseconds,
    log: (line) => lines.push(line),
    write: (finding) => `${findings.push(finding)}.json`,
  });
  return { count, findings, lines };
}

describe("what is wrong", () => {
  it("is made as small as it fails, its options too", async () => {
    const target = FAULTY.wrong as Target;
    const trial = trialsOf(target, 50).find((one) => target.check(one) !== null) as Trial;
    const [smallest, failure] = await minimizedTrial(target, trial, "letters: x", () => undefined);
    expect({ ...smallest, bytes: smallest.bytes.toString() }).toEqual({ bytes: "cd", given: { options: { needed: true }, places: [] } });
    expect(failure).toBe("letters: cd");
  });

  it("is written to a file, from which it is tried again", async () => {
    const folder = newFolder();
    const finding: Finding = {
      target: "wrong",
      seed: 1,
      number: 2,
      failure: "letters: cd",
      bytes: Buffer.from("cd\xff\0", "latin1"),
      given: {},
    };
    const path = writeCase(folder, finding);
    const { bytes, ...rest } = readCase(path);
    removeFolder(folder);
    expect({ ...rest, bytes }).toMatchObject(finding);
    const given = { options: { needed: true } };
    expect(await tryOne({ target: "wrong", bytes, given }, 60_000, FAULTY_MODULE)).toMatch(/^letters: cd/);
    expect(await tryOne({ target: "right", bytes, given }, 60_000, FAULTY_MODULE)).toBe(null);
  });

  it("is found, told once for each kind in full, and counted", async () => {
    const { count, findings, lines } = await findingsOf("wrong");
    expect(findings.map(({ bytes }) => bytes.toString())).toEqual(["cd", "cd", "cd"]);
    expect(count).toBeGreaterThan(3);
    expect(lines.join("\n")).toMatch(/npm run fuzz -- --case 1\.json\n[\s\S]*again in case/);
    expect((await findingsOf("right")).count).toBe(0);
  });

  it("is found if it throws, hangs or ends the thread", async () => {
    expect((await findingsOf("throws")).findings[0]?.failure).toMatch(/^RangeError: out of bounds at /);
    expect((await findingsOf("hangs", 60, 1000)).findings[0]?.failure).toBe("hang: more than 1000 ms");
    expect((await findingsOf("dies", 60)).findings[0]?.failure).toBe("died: exit code 3");
    const { findings } = await findingsOf("dies among others", 60);
    expect(findings[0]?.failure).toBe("ended the thread: alone nothing is wrong (died: exit code 3)");
  });

  it("has a kind, which numbers do not change", () => {
    expect(kindOf("in 12 chunks: x")).toBe(kindOf("in 7 chunks: y"));
  });
});
