// The core stays in the regions of its memory, for texts that were made to be hard for it; the copy that shows this is seen to check.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROFILE_NONE, RESULT_POSITION, STOP_END } from "#core/layout/memory.js";
import { type Core, releaseCore, takeCore } from "../../src/core/core.ts";
import { ARCHIVE_TEXTS, TEXTS } from "../hostile/texts.ts";
import { checkedFailure, HAS_CHECKED, makeCheckedCore, OutsideError } from "./checked.ts";

const ARCHIVE = readFileSync(new URL("../../examples/archive.mbox", import.meta.url));
const BYTES = 1 << 16;

it("the copy has been built", () => {
  expect(HAS_CHECKED, "node tools/build.mjs checked").toBe(true);
});

describe.runIf(HAS_CHECKED)("no load and no store leaves its region", () => {
  it("of an archive under any options, in chunks", async () => {
    for (const options of [{}, { nested: true, bare: ["www", "email", "domain", "ip"] as const }, { guess: true }, { refang: true }]) {
      expect(await checkedFailure(ARCHIVE, { type: "mbox", options }, [1000, 1001, 5000])).toBe(null);
    }
  });

  it("of texts and archives that were made to be slow", async () => {
    for (const { name, make, type, options } of [...TEXTS, ...ARCHIVE_TEXTS]) {
      expect(await checkedFailure(make(BYTES), { type, options }, [BYTES >> 1]), name).toBe(null);
    }
  });

  it.each(["RECORD_REGION", "OUTPUT_REGION", "HEAP_REGION"])("or it would be seen: %s", async (region) => {
    await expect(checkedFailure(ARCHIVE, { type: "mbox", options: {} }, [], region)).rejects.toThrow(OutsideError);
  });
});

describe.runIf(HAS_CHECKED)("a range that ends before it begins", () => {
  const scanRange = (core: Core, from: number, to: number): number => {
    core.configure(0, 0x10000, PROFILE_NONE, 10, 0);
    return core.scan(core.words[RESULT_POSITION >> 2] as number, true, from, to);
  };

  it("breaks an assert of the core with checks", async () => {
    const core = await makeCheckedCore();
    expect(() => scanRange(core, 1, 0)).toThrow(WebAssembly.RuntimeError);
    expect(scanRange(core, 0, 1)).toBe(STOP_END);
  });

  it("goes unseen in a core that is shipped, because it has no asserts", () => {
    const core = takeCore();
    expect(scanRange(core, 1, 0)).toBe(STOP_END);
    releaseCore(core);
  });
});
