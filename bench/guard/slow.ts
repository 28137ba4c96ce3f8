// A core that takes four times as long, to show that the guard notices slow code.
import { type Core, type CoreBuild, loadCore } from "../../src/core/core.ts";

/** Returns a function that does `work`, then waits three times as long as `work` took. */
function slow<T extends unknown[]>(work: (...given: T) => number): (...given: T) => number {
  return (...given) => {
    const begin = performance.now();
    const result = work(...given);
    const until = performance.now() + 3 * (performance.now() - begin);
    while (performance.now() < until);
    return result;
  };
}

/** Returns a core of a build whose functions are slow. */
export async function loadSlowCore(build: CoreBuild): Promise<Core> {
  const core = await loadCore(build);
  return { ...core, scan: slow(core.scan), emit: slow(core.emit), normalizeLines: slow(core.normalizeLines) };
}
