// Selects the build of the core: the best one that runs here, or the one that the environment names.
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";

const BUILDS = ["javascript", "scalar", "simd"] as const;

/** A build of the core; `scalar` is WebAssembly without SIMD: it is for comparisons, and not in the package. */
export type CoreBuild = (typeof BUILDS)[number];

/** Returns `name` if it is the name of a build. Else throws OptionError, which names `option`. */
export function checkBuild(name: unknown, option: string): CoreBuild {
  const build = BUILDS.find((known) => known === name);
  if (build !== undefined) return build;
  throw new OptionError("ERR_URLMILL_BAD_OPTION", option, `must be ${BUILDS.join(", ")}, not ${shownValue(name)}`);
}

/** Returns the build that the variable URLMILL_CORE names; undefined if it is empty or not set, and in Deno. Throws OptionError. */
export function namedBuild(): CoreBuild | undefined {
  // Deno asks its user before a program may read a variable.
  const name = typeof process === "undefined" || "Deno" in globalThis ? undefined : process.env?.URLMILL_CORE;
  return name === undefined || name === "" ? undefined : checkBuild(name, "URLMILL_CORE");
}

// A module with one function, in hexadecimal: i32.const 0, i8x16.splat, v128.any_true.
const SIMD_PROBE = "0061736d010000000105016000017f030201000a0a0108004100fd0ffd530b";

function findBest(): CoreBuild {
  if (typeof WebAssembly === "undefined") return "javascript";
  const probe = Uint8Array.from(SIMD_PROBE.match(/../g) as string[], (byte) => Number.parseInt(byte, 16));
  return WebAssembly.validate(probe) ? "simd" : "javascript";
}

/** WebAssembly with SIMD where it runs, else the JavaScript build. */
export const BEST_BUILD: CoreBuild = findBest();
