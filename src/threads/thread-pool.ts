// Worker threads of piscina, which distributes tasks and reports which of them fail.
//
// `new Worker` throws if the process has too few handles or too little memory. A host of the library must be able to catch that, but
// piscina also starts threads in its own events. So:
// - `minThreads: 0`: a dead thread is not replaced.
// - `taskQueue` holds nothing: for a waiting task piscina would start a thread when another one becomes ready. Callers queue
//   tasks themselves, and run one only if a ready thread has room. A task without a ready thread starts a thread (`startThread`), and is
//   discarded.
// - `idleTimeout: Infinity`: a thread without a task stays.
// - `atomics: "disabled"`: a thread without a task turns its event loop, so that it notices when it must end.
// - `recordTiming: false`: nothing reads the histograms.
// - Errors of threads without a task are events of the pool. They end the process unless there is a listener.
import type { MessagePort, Worker } from "node:worker_threads";
import type { Piscina } from "piscina";

/** A thread that takes more milliseconds to end hangs: in a read that never returns, or in a pattern that backtracks. */
const HANGING_MS = 5000;
const TURN_MS = 5;
const QUIET_TURNS = 5; // Turns without work of V8's compilers after which a thread ends
const TURNS_MOST = 800; // Most turns until then: fewer than HANGING_MS

/** Returns a pool without threads, each for `tasks` tasks at a time. `start`: the `workerData`; `execArgv`: instead of the process's. */
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

export interface StartedThread {
  readonly thread: Worker;
  /** Resolves when the thread takes tasks. Rejects with the reason if the thread ends before. */
  readonly ready: Promise<unknown>;
  /** Resolves to the reason when the thread ends. */
  readonly ended: Promise<unknown>;
}

/** Starts one more thread of a pool. Throws errors of `new Worker`. */
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
    // The first message is for piscina, whose own listener is called before this one.
    thread.once("message", resolve);
    void ended.then(reject);
  });
  return { thread, ready, ended };
}

/**
 * Makes `terminate()`, which piscina calls before it closes its port, let a thread end on its own. A thread that hangs is stopped. Node
 * waits for V8's compilers when a thread has nothing left to do, but not when it stops a thread: if a compiler then finds that the heap
 * must be marked, Node 20 aborts the process.
 */
export function endOnItsOwn(thread: Worker, hangingMs = HANGING_MS): void {
  const stop = thread.terminate.bind(thread);
  thread.terminate = () =>
    new Promise((resolve) => {
      // An ended thread emits no more events.
      if (thread.threadId === -1) return resolve(0);
      const timer = setTimeout(() => void stop(), hangingMs);
      thread.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code);
      });
      // A thread without work does not keep the process alive: without `ref` the process could end first.
      thread.ref();
      thread.postMessage(null);
    });
}

/**
 * Returns the signal that fires when this worker thread must end. After the call only its work and V8's keep the thread alive. Must be
 * called while the file of the worker is loaded: by then the only message that piscina listens for on this port has come.
 */
export function endSignal(port: MessagePort): AbortSignal {
  const end = new AbortController();
  port.removeAllListeners("message");
  port.once("message", () => {
    end.abort();
    stayWhileCompiling();
  });
  port.unref();
  return end.signal;
}

// A thread with nothing left to do waits for V8's compilers, and does not turn its event loop. A compiler that needs a garbage collection
// waits for that loop. Then neither ends, nor does any thread that ends later, and none can be stopped (nodejs/node#54918).
function stayWhileCompiling(turns = TURNS_MOST, bytesBefore = 0, quietTurns = 0): void {
  // Mainly the memory of compilers: it changes while they work.
  const { malloced_memory: bytes } = process.getBuiltinModule("node:v8").getHeapStatistics();
  const quiet = bytes === bytesBefore ? quietTurns + 1 : 0;
  if (turns > 0 && quiet < QUIET_TURNS) setTimeout(stayWhileCompiling, TURN_MS, turns - 1, bytes, quiet);
}
