// The thread that tries: the main thread watches it, and ends it when a trial takes too long.
import { parentPort, workerData } from "node:worker_threads";
import type { Finding } from "./case-file.ts";
import { minimizedTrial } from "./minimize.ts";
import { seedsShown } from "./seeds.ts";
import { failureOf, kindOf, type Target, type Trial } from "./target.ts";
import { trialsFrom } from "./trials.ts";

/** What the thread is to do. */
export interface Work {
  /** Address of the module whose `TARGETS` these are. */
  readonly module: string;
  readonly targets: readonly string[];
  readonly seed: number;
  /** Seconds of work in all, and those of each target in its turn. */
  readonly seconds: number;
  readonly turnSeconds: number;
  readonly board: Board;
  /** Trials of one target instead: they are not made smaller. */
  readonly only?: { readonly target: string; readonly bytes: Uint8Array; readonly given: Trial["given"] };
}

/** What the thread tells at any time, in shared memory. */
export interface Board {
  /** Attempts so far, and the index of the target that is tried. */
  readonly state: Int32Array<SharedArrayBuffer>;
  /** For each target the number of the trial that is next or runs. */
  readonly numbers: Int32Array<SharedArrayBuffer>;
  /** Seconds spent on each. */
  readonly seconds: Float64Array<SharedArrayBuffer>;
}

/** What the thread sends. */
export type Message =
  | { readonly kind: "ready"; readonly seeds: string }
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "again"; readonly target: string; readonly number: number; readonly failure: string }
  | { readonly kind: "round" }
  | { readonly kind: "only"; readonly failure: string | null };

/** Failures of one kind that are made smaller; more are counted. */
const OF_KIND_MAX = 3;

const { module, targets, seed, seconds, turnSeconds, board, only } = workerData as Work;
const { TARGETS } = (await import(module)) as { TARGETS: Readonly<Record<string, Target>> };
const kinds = new Map<string, number>();
const send = (message: Message): void => parentPort?.postMessage(message);
const mark = (): void => void Atomics.add(board.state, 0, 1);

async function take(name: string, target: Target, number: number, trial: Trial): Promise<void> {
  const failure = await failureOf(target, trial);
  if (failure === null) return;
  const kind = `${name} ${kindOf(failure)}`;
  const count = (kinds.get(kind) ?? 0) + 1;
  kinds.set(kind, count);
  if (count > OF_KIND_MAX) {
    send({ kind: "again", target: name, number, failure: kindOf(failure) });
    return;
  }
  const [{ bytes, given }, shown] = await minimizedTrial(target, trial, failure, mark);
  send({ kind: "finding", finding: { target: name, seed, number, failure: shown, bytes, given } });
}

async function turn(index: number, end: number): Promise<void> {
  const name = targets[index] ?? "";
  const target = TARGETS[name] as Target;
  const begin = performance.now();
  const before = board.seconds[index] ?? 0;
  Atomics.store(board.state, 1, index);
  for (const [number, trial] of trialsFrom(target, seed, board.numbers[index] ?? 0)) {
    if (performance.now() >= end) break;
    Atomics.store(board.numbers, index, number);
    mark();
    await take(name, target, number, trial);
    Atomics.store(board.numbers, index, number + 1);
    board.seconds[index] = before + (performance.now() - begin) / 1000;
  }
}

async function work(): Promise<void> {
  if (only !== undefined) {
    const { target, bytes, given } = only;
    send({ kind: "only", failure: await failureOf(TARGETS[target] as Target, { bytes: Buffer.from(bytes), given }) });
    return;
  }
  send({ kind: "ready", seeds: seedsShown() });
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    for (let index = 0; index < targets.length && performance.now() < end; index++) {
      await turn(index, Math.min(end, performance.now() + turnSeconds * 1000));
    }
    send({ kind: "round" });
  }
}

await work();
// What a target leaves open does not keep the thread.
process.exit();
