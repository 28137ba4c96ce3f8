// Cores that are slowed on purpose, to prove that the guard sees it. Nothing of the core itself is changed.
import type { Core, CoreBuild } from "../../src/core/core.ts";

interface Slowing {
  readonly builds: readonly CoreBuild[];
  readonly functions: readonly ("scan" | "emit" | "normalizeLines")[];
}

/** What of the core is slowed: the build, or all, and its functions. */
export const SLOWED = {
  all: { builds: ["simd", "javascript"], functions: ["scan", "emit", "normalizeLines"] },
  scan: { builds: ["simd"], functions: ["scan"] },
  list: { builds: ["simd"], functions: ["normalizeLines"] },
  javascript: { builds: ["javascript"], functions: ["scan", "emit"] },
} as const satisfies Record<string, Slowing>;
/** A name of SLOWED. */
export type Slowed = keyof typeof SLOWED;

/** `work`, and then doing nothing for a third of the time that it took. */
function slowedByAThird(work: (...given: unknown[]) => number): (...given: unknown[]) => number {
  return (...given) => {
    const begin = performance.now();
    const result = work(...given);
    const end = performance.now();
    const until = end + (end - begin) / 3;
    while (performance.now() < until);
    return result;
  };
}

/** `core` with the functions slowed that `slowed` names for its build. */
export function slowCore(core: Core, slowed: Slowed | undefined): Core {
  if (slowed === undefined) return core;
  const { builds, functions }: Slowing = SLOWED[slowed];
  if (!builds.includes(core.build)) return core;
  return { ...core, ...Object.fromEntries(functions.map((name) => [name, slowedByAThird(core[name] as (...given: unknown[]) => number)])) };
}

/** `core` whose scan waits longer each time that it is called: `time` ms more. */
export function quadraticCore(core: Core, time: number): Core {
  let calls = 0;
  const scan: Core["scan"] = (...given) => {
    const result = core.scan(...given);
    const until = performance.now() + time * calls++;
    while (performance.now() < until);
    return result;
  };
  return { ...core, scan };
}
