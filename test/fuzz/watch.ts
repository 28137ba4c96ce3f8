// Watches the thread that tries: writes its findings, and ends it when a trial takes more than its time.
import { Worker } from "node:worker_threads";
import type { Finding } from "./case-file.ts";
import type { Trial } from "./target.ts";
import type { Board, Message, Work } from "./worker.ts";

/** A trial takes some milliseconds, one of the command a second: what takes longer than this hangs, also on a busy machine. */
const TRIAL_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 500;
const MODULE = new URL("./targets.ts", import.meta.url).href;

/** What is tried, and who gets the reports. */
export interface FuzzOptions extends Pick<Work, "targets" | "seed" | "seconds" | "turnSeconds"> {
  readonly log: (line: string) => void;
  /** Writes a finding, and returns its path. */
  readonly write: (finding: Finding) => string;
  /** Milliseconds that a trial may take. */
  readonly trialMilliseconds?: number;
  /** Address of the module with the targets. */
  readonly module?: string;
}

function makeBoard(targets: number): Board {
  return {
    state: new Int32Array(new SharedArrayBuffer(8)),
    numbers: new Int32Array(new SharedArrayBuffer(4 * targets)),
    seconds: new Float64Array(new SharedArrayBuffer(8 * targets)),
  };
}

/** Why a thread ended: undefined when it was done. */
type Ending = string | undefined;

/** Runs a thread to its end, and ends it when its board stands still for too long. */
function runThread(work: Work, milliseconds: number, take: (message: Message) => void): Promise<Ending> {
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), { workerData: work, execArgv: [] });
  return new Promise((resolve) => {
    let [seen, since] = [-1, performance.now()];
    let isReady = work.only !== undefined;
    const timer = setInterval(() => {
      const now = performance.now();
      const attempts = Atomics.load(work.board.state, 0);
      if (attempts !== seen || !isReady) [seen, since] = [attempts, now];
      if (now - since < milliseconds) return;
      end(`hang: more than ${milliseconds} ms`);
      void worker.terminate();
    }, LOOK_MILLISECONDS);
    const end = (ending: Ending): void => {
      clearInterval(timer);
      resolve(ending);
    };
    worker.on("message", (message: Message) => {
      if (message.kind === "ready") isReady = true;
      take(message);
    });
    worker.on("error", (error) => end(`died: ${error.stack ?? error.message}`));
    worker.on("exit", (code) => end(code === 0 ? undefined : `died: exit code ${code}`));
  });
}

/** Tries one trial alone, and returns what is wrong with it, or null. */
export async function tryOne(
  { target, bytes, given }: Trial & Pick<Finding, "target">,
  milliseconds = TRIAL_MILLISECONDS,
  module = MODULE,
): Promise<string | null> {
  let failure: string | null = null;
  const work: Work = { module, targets: [], seed: 0, seconds: 0, turnSeconds: 0, board: makeBoard(0), only: { target, bytes, given } };
  const ending = await runThread(work, milliseconds, (message) => {
    if (message.kind === "only") failure = message.failure;
  });
  return ending ?? failure;
}

/** Tries for some seconds, tells what was tried, and returns the number of findings. */
export async function fuzz({ targets, seed, seconds, turnSeconds, log, write, ...rest }: FuzzOptions): Promise<number> {
  const { trialMilliseconds = TRIAL_MILLISECONDS, module = MODULE } = rest;
  const board = makeBoard(targets.length);
  const found = new Map<string, number>();
  const add = (target: string, line: string): void => {
    found.set(target, (found.get(target) ?? 0) + 1);
    log(line);
  };
  const addFinding = (finding: Finding): void => {
    const path = write(finding);
    const { target, number, failure, bytes } = finding;
    add(target, `${target}: finding in case ${number} (${bytes.length} bytes): ${failure.split("\n")[0]?.slice(0, 300)}`);
    log(`  npm run fuzz -- --case ${path}`);
  };
  const total = (): void => {
    for (const [index, target] of targets.entries()) log(summary(target, index));
  };
  const summary = (target: string, index: number): string => {
    const [cases = 0, spent = 0] = [board.numbers[index], board.seconds[index]];
    const each = (cases / Math.max(spent, 0.001)).toFixed(1);
    return `${target}: seed ${seed}, ${cases} cases in ${spent.toFixed(1)} s, ${each} a second, ${found.get(target) ?? 0} findings`;
  };
  const spent = (): number => board.seconds.reduce((sum, one) => sum + one, 0);
  let isLogged = false;
  const take = (message: Message): void => {
    if (message.kind === "ready" && !isLogged) log(message.seeds);
    if (message.kind === "ready") isLogged = true;
    // A buffer arrives as what it is made of.
    if (message.kind === "finding") addFinding({ ...message.finding, bytes: Buffer.from(message.finding.bytes) });
    if (message.kind === "again") add(message.target, `${message.target}: again in case ${message.number}: ${message.failure}`);
    if (message.kind === "round") total();
  };
  while (spent() < seconds) {
    const before = spent();
    const ending = await runThread({ module, targets, seed, seconds: seconds - before, turnSeconds, board }, trialMilliseconds, take);
    if (ending === undefined) break;
    const index = board.state[1] ?? 0;
    const number = board.numbers[index] ?? 0;
    Atomics.store(board.numbers, index, number + 1);
    const target = targets[index] ?? "";
    addFinding(await findingOf({ target, seed, number, ending }, (trial) => tryOne(trial, trialMilliseconds, module), module));
    // A thread that dies as it starts would do so for ever.
    if (spent() === before) break;
  }
  return [...found.values()].reduce((sum, count) => sum + count, 0);
}

/** The trial that ended a thread: it is tried once more alone, so that the finding says whether it was the trial. */
async function findingOf(
  { target, seed, number, ending }: Pick<Finding, "target" | "seed" | "number"> & { ending: string },
  tryAlone: (trial: Trial & Pick<Finding, "target">) => Promise<string | null>,
  module: string,
): Promise<Finding> {
  const [{ TARGETS }, { trialsFrom }] = await Promise.all([import(module), import("./trials.ts")]);
  const [, trial] = trialsFrom(TARGETS[target], seed, number).next().value as [number, Trial];
  const failure = (await tryAlone({ target, ...trial })) ?? `ended the thread: alone nothing is wrong (${ending})`;
  return { target, seed, number, ...trial, failure };
}
