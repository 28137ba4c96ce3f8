// Worker threads of piscina, which gives out their tasks and says which of them fail.
//
// `new Worker` throws where the process has too few handles or too little memory. A host of the library must be able to catch that, and
// piscina starts threads in its own events too. So:
// - `minThreads: 0`: no thread replaces one that has died.
// - `taskQueue` holds nothing: for a task that waits there piscina would start a thread when another one becomes ready. Its users queue
//   tasks themselves, and run one only where a ready thread has room. A task for which there is none starts a thread (`startThread`), and
//   is forgotten.
// - `idleTimeout: Infinity`: a thread without a task stays.
// - `atomics: "disabled"`: a thread without a task turns its event loop, so that it notices that it is to end.
// - `recordTiming: false`: nobody reads the histograms.
// - Errors of threads without a task are events of the pool, which end the process where nobody listens.
import type { MessagePort, Worker } from "node:worker_threads";
import type { Piscina } from "piscina";

/** What takes longer hangs: a read that never returns, a pattern that backtracks. */
const HANGING_MS = 5000;

/**
 * Returns a pool without threads. Each will have `tasks` at a time at most, which the default export of a file carries out; the file gets
 * `start` as `workerData`. `execArgv`: options of Node for the threads, instead of those of the process.
 */
export async function openPool(filename: string, start: unknown, tasks: number, execArgv?: string[]): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  const pool = new Piscina({
    filename,
    workerData: start,
    ...(execArgv === undefined ? {} : { execArgv }),
    concurrentTasksPerWorker: tasks,
    minThreads: 0,
    maxThreads: Number.POSITIVE_INFINITY,
    taskQueue: { size: 0, shift: () => null, push: () => undefined, remove: () => undefined },
    idleTimeout: Number.POSITIVE_INFINITY,
    atomics: "disabled",
    recordTiming: false,
  });
  pool.on("error", () => undefined);
  return pool;
}

/** A thread that was started. */
export interface StartedThread {
  readonly thread: Worker;
  /** Resolves when it takes tasks. Rejects with the reason where it ends before. */
  readonly ready: Promise<unknown>;
  /** Resolves to the reason when it ends. */
  readonly ended: Promise<unknown>;
}

/** Starts one more thread of a pool. Throws what `new Worker` throws. */
export function startThread(pool: Piscina): StartedThread {
  const others = new Set(pool.threads);
  pool.run(null).catch(() => undefined);
  const thread = pool.threads.find((one) => !others.has(one));
  if (thread === undefined) throw new Error("the pool is being closed");
  endOnItsOwn(thread);
  const ended = new Promise<unknown>((resolve) => {
    thread.once("error", resolve);
    thread.once("exit", (code) => resolve(new Error(`it exited with code ${code}`)));
  });
  const ready = new Promise<unknown>((resolve, reject) => {
    // The first is that of piscina, whose own listener comes before this one.
    thread.once("message", resolve);
    void ended.then(reject);
  });
  return { thread, ready, ended };
}

/**
 * Has `terminate()`, which piscina calls before it closes its port, let a thread end on its own; one that hangs is stopped. Node waits for
 * V8's compilers when a thread has nothing left to do, but not when it stops one: where a compiler then finds that the heap must be marked,
 * Node 20 aborts the process.
 */
export function endOnItsOwn(thread: Worker, hangingMs = HANGING_MS): void {
  const stop = thread.terminate.bind(thread);
  thread.terminate = () =>
    new Promise((resolve) => {
      // One that has ended says nothing any more.
      if (thread.threadId === -1) return resolve(0);
      const timer = setTimeout(() => void stop(), hangingMs);
      thread.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code);
      });
      // A thread without work does not keep the process: the process could end before it otherwise.
      thread.ref();
      thread.postMessage(null);
    });
}

/**
 * Returns the signal that fires when this worker thread is to end. From then on nothing but its work keeps it. Called as its file is
 * loaded: the only message that piscina listens for on this port has come.
 */
export function endSignal(port: MessagePort): AbortSignal {
  const end = new AbortController();
  port.removeAllListeners("message");
  port.once("message", () => end.abort());
  port.unref();
  return end.signal;
}
