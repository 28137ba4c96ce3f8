// The core as scalar WebAssembly (assembly/platform/scalar/), which only benches and comparisons use, finds what the others find.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { GENERATED_KINDS, generate } from "../../bench/generator.ts";
import type * as library from "../../src/index.ts";
import { COMMAND } from "../cli/run.ts";
import { readCases } from "../vectors/cases.ts";

const root = resolve(import.meta.dirname, "../..");

const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/build.mjs"), "scalar"], { encoding: "utf8" });
if (status !== 0) throw new Error(stderr);
// The package in the clone: modules of src/ have the builds inside them, and not this one.
const { createExtractor } = createRequire(import.meta.url)(join(root, "build/node/index.cjs")) as typeof library;

const BUILDS = ["scalar", "simd"] as const;
const extractors = new Map<string, library.Extractor>();

/** Returns an extractor, one for all cases with the same options: each has a core of its own. */
function extractorOf(options: library.ExtractorOptions): library.Extractor {
  const key = JSON.stringify(options);
  const made = extractors.get(key) ?? createExtractor(options);
  extractors.set(key, made);
  return made;
}

it("every case of extraction gives the same records as with SIMD", () => {
  const cases = readCases().filter(({ op }) => op === "extract");
  expect(cases.length).toBeGreaterThan(500);
  for (const { id, bytes, options } of cases) {
    const { chunks: _, ...given } = options;
    const [scalar, simd] = BUILDS.map((core) => JSON.stringify(extractorOf({ ...given, core })(bytes)));
    expect(scalar, id).toBe(simd);
  }
});

it.each(GENERATED_KINDS)("generated text gives the same records: %s", (kind) => {
  const text = generate(kind, 3, 1 << 20);
  const [scalar, simd] = BUILDS.map((core) => JSON.stringify(extractorOf({ core })(text)));
  expect(scalar === simd).toBe(true);
});

it("an archive gives the same records", () => {
  const [scalar, simd] = BUILDS.map((core) =>
    spawnSync(process.execPath, [COMMAND, "-f", "ndjson", "--parts", "all", join(root, "examples")], {
      encoding: "utf8",
      env: { ...process.env, URLMILL_CORE: core },
    }),
  );
  expect(scalar?.stdout.length).toBeGreaterThan(1000);
  expect([scalar?.stdout, scalar?.status]).toEqual([simd?.stdout, simd?.status]);
});
