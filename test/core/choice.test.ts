// Which build of the core runs: the one that URLMILL_CORE or the option `core` of createExtractor names, never another in its place.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { coresOf } from "../../src/core/core.ts";
import { createExtractor, extract } from "../../src/index.ts";
import { COMMAND } from "../cli/run.ts";

const root = resolve(import.meta.dirname, "../..");
const TEXT = "see <http://a.example/x\n/y>, HTTP://B.Example:80/%7eb and news:comp.lang.c";

/** Runs Node with a value of URLMILL_CORE; returns what it printed, and the exit code. */
function node(core: string, args: readonly string[], input = ""): { stdout: string; stderr: string; status: number | null } {
  return spawnSync(process.execPath, args, { cwd: root, input, encoding: "utf8", env: { ...process.env, URLMILL_CORE: core } });
}

/** Prints the build of the first core. */
const PRINT_BUILD = ["--input-type=module", "-e", 'import { takeCore } from "./build/core/core.js"; console.log(takeCore().build);'];

describe("URLMILL_CORE", () => {
  it.each([
    ["javascript", "javascript"],
    ["simd", "simd"],
    ["", "simd"],
  ])("%j: the core is %s", (core, build) => expect(node(core, PRINT_BUILD).stdout).toBe(`${build}\n`));

  it.each(["javascript", "simd"])("the command finds the same with %s", (core) => {
    const { stdout, status } = node(core, [COMMAND], TEXT);
    expect([stdout, status]).toEqual(["http://a.example/x/y\nhttp://b.example/~b\nnews:comp.lang.c\n", 0]);
  });

  it.each([
    ["a name of no build", "avx", [COMMAND], 2, 'URLMILL_CORE must be javascript, scalar, simd, not "avx"'],
    ["a build that is not there", "scalar", PRINT_BUILD, 1, "node tools/build.mjs scalar"],
    ["a build that does not run here", "simd", ["--no-expose-wasm", COMMAND], 2, "core simd does not run here"],
  ] as const)("%s is an error", (_what, core, args, code, message) => {
    const { stdout, stderr, status } = node(core, args, TEXT);
    expect(stderr).toContain(message);
    expect([stdout, status]).toEqual(["", code]);
  });
});

describe("createExtractor({ core })", () => {
  const records = (matches: readonly { toJSON(): unknown }[]): string => JSON.stringify(matches);

  it.each(["javascript", "simd"] as const)("finds the same with %s, and leaves the core of others alone", (core) => {
    const find = createExtractor({ core, bare: ["www"] });
    const wanted = records(extract(`${TEXT} www.a.example`, { bare: ["www"] }));
    for (let round = 0; round < 2; round++) {
      expect(records(find(`${TEXT} www.a.example`))).toBe(wanted);
      expect(records(extract("www.a.example"))).toBe("[]");
    }
    expect(coresOf(core).take().build).toBe(core);
  });

  it("without a build is as extract", () => expect(records(createExtractor({ core: undefined })(TEXT))).toBe(records(extract(TEXT))));

  it("refuses other names, and a build that is not there", () => {
    expect(() => createExtractor({ core: "avx" as "simd" })).toThrow('core must be javascript, scalar, simd, not "avx"');
    expect(() => createExtractor({ core: "scalar" })).toThrow("node tools/build.mjs scalar");
    expect(() => extract(TEXT, { core: "simd" } as object)).not.toThrow();
  });
});
