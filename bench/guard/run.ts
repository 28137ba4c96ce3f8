// One run of the guard: everything is seen and judged.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCore } from "../../src/core/core.ts";
import { checksum } from "../corpora.ts";
import { allocationsApart } from "./allocations.ts";
import { observeCosts } from "./costs.ts";
import { observeGrowth } from "./growth.ts";
import {
  allocationLimits,
  betterOf,
  floorsFor,
  type GuardRecord,
  judgeExact,
  judgeGrowth,
  judgeLimits,
  judgeRatios,
  type Recorded,
  type Seen,
} from "./judge.ts";
import { kindOfMachine, withOthersBusy } from "./processes.ts";
import type { Slowed } from "./slow.ts";
import { type Speed, speedApart } from "./speed.ts";

/** A row fails if it does so in so many processes: the best of them counts. */
const PROCESSES_MOST = { ratios: 3, allocations: 5 };
/** Processes that are measured to record something, with the other cores idle, and again with them busy. */
const PROCESSES_RECORDED = 3;
/** Checksum of the yardstick's files: it is not measured anew when it changes, it must not change. */
const YARDSTICK_FILES = ["yardstick.ts", "yardstick/extract.ts", "yardstick/lines.ts", "yardstick/scheme.ts", "yardstick/tables.ts"];
const YARDSTICK_CHECKSUM = "257539aa";

/** What a run of the guard finds. */
export interface Verdict {
  readonly ratios: Record<string, number>;
  /** Processes that were needed for the ratios. */
  readonly processes: number;
  readonly seen: Omit<Seen, "speed">;
  readonly wrong: readonly string[];
}

function judgeYardstick(): string[] {
  const text = YARDSTICK_FILES.map((name) => readFileSync(join(import.meta.dirname, "..", name), "utf8")).join("");
  return checksum(Buffer.from(text)) === YARDSTICK_CHECKSUM ? [] : ["the yardstick has been changed: its files are frozen"];
}

/** Speeds, of one process after another while a row is below its floor. */
export async function observeRatios(floors: Record<string, number>, slowed?: Slowed): Promise<{ speed: Speed; processes: number }> {
  let speed = await speedApart(slowed);
  let processes = 1;
  for (; processes < PROCESSES_MOST.ratios && judgeRatios(speed.ratios, floors).length > 0; processes++) {
    const again = await speedApart(slowed);
    speed = { ...again, ratios: betterOf(speed.ratios, again.ratios, true) };
  }
  return { speed, processes };
}

async function observeAllocations(recorded: GuardRecord): Promise<Record<string, number>> {
  const limits = allocationLimits(process.version, recorded);
  let allocations = await allocationsApart();
  for (let tries = 1; tries < PROCESSES_MOST.allocations && judgeLimits(allocations, limits).length > 0; tries++)
    allocations = betterOf(allocations, await allocationsApart(), false);
  return allocations;
}

/** One run of the guard. */
export async function runGuard(recorded: GuardRecord): Promise<Verdict> {
  const floors = floorsFor(kindOfMachine(), recorded);
  const { speed, processes } = await observeRatios(floors);
  const seen = {
    costs: await observeCosts(),
    allocations: await observeAllocations(recorded),
    growth: observeGrowth(await loadCore("simd")),
  };
  const wrong = [
    ...judgeYardstick(),
    ...judgeExact(speed, recorded),
    ...judgeLimits(seen.costs, recorded.costs),
    ...judgeLimits(seen.allocations, allocationLimits(process.version, recorded)),
    ...judgeGrowth(seen.growth),
    ...judgeRatios(speed.ratios, floors),
  ];
  return { ratios: speed.ratios, processes, seen, wrong };
}

/**
 * What is seen of several processes: of ratios the best with idle and with busy other cores, and the lower of these two; of slowed cores
 * the best of all.
 */
export async function observeToRecord(): Promise<Recorded> {
  const observe = async (): Promise<Omit<Recorded, "costs">> => {
    let speed = await speedApart();
    let allocations = await allocationsApart();
    let slowed: Record<string, number> = {};
    for (let processes = 1; processes < PROCESSES_RECORDED; processes++) {
      speed = { ...speed, ratios: betterOf(speed.ratios, (await speedApart()).ratios, true) };
      slowed = betterOf(slowed, (await speedApart("all")).ratios, true);
      allocations = betterOf(allocations, await allocationsApart(), false);
    }
    return { speed, allocations, slowed };
  };
  const idle = await observe();
  const busy = await withOthersBusy(observe);
  return {
    speed: { ...idle.speed, ratios: betterOf(idle.speed.ratios, busy.speed.ratios, false) },
    allocations: betterOf(idle.allocations, busy.allocations, false),
    slowed: betterOf(idle.slowed, busy.slowed, true),
    costs: await observeCosts(),
  };
}
