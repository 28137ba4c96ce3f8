// Which build of the core is the best that runs here.

/** A build of the core. */
export type CoreBuild = "simd" | "javascript";

// A module with one function, in hexadecimal: i32.const 0, i8x16.splat, v128.any_true.
const SIMD_PROBE = "0061736d010000000105016000017f030201000a0a0108004100fd0ffd530b";

function findBest(): CoreBuild {
  if (typeof WebAssembly === "undefined") return "javascript";
  const probe = Uint8Array.from(SIMD_PROBE.match(/../g) as string[], (byte) => Number.parseInt(byte, 16));
  return WebAssembly.validate(probe) ? "simd" : "javascript";
}

/** WebAssembly with SIMD where it runs, else the JavaScript build. */
export const BEST_BUILD: CoreBuild = findBest();
