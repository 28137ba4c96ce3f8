// How worker threads end, on their own and with the process.
import type { Worker } from "node:worker_threads";

/** A thread that is in a system call may never end. V8's compiler is done with what it has begun long before this. */
const PAUSE_MS = 5000;
/** The flag of V8, as it may be given to Node. */
const USERS_OWN = /--(?:no[-_]?)?incremental[-_]marking/;

/** How many calls of `endThreads` are under way. */
let pauses = 0;
let isExitWatched = false;

/**
 * Ends worker threads, also in the midst of their work. Node 20 forgets a thread before V8's compiler has stopped in it. Where the compiler
 * then finds a heap so full that it must be marked, Node aborts the process. So no marking begins until the threads have ended.
 */
export async function endThreads(threads: readonly Worker[]): Promise<void> {
  if (threads.length === 0) return;
  const resume = pauseMarking();
  const timer = setTimeout(resume, PAUSE_MS).unref();
  await Promise.allSettled(threads.map((thread) => thread.terminate()));
  clearTimeout(timer);
  resume();
}

/** Has threads end in the same way when the process exits. To be called where one is started. */
export function watchExit(): void {
  if (isExitWatched) return;
  isExitWatched = true;
  process.once("exit", pauseMarking);
}

/** Has V8 begin to mark heaps only when they are full, in all threads; returns what ends that. */
function pauseMarking(): () => void {
  if (pauses++ === 0) allowMarking(false);
  let isPaused = true;
  return () => {
    if (!isPaused) return;
    isPaused = false;
    if (--pauses === 0) allowMarking(true);
  };
}

function allowMarking(isAllowed: boolean): void {
  // The flag is the process's: a thread of the user's that ends would leave it to all others.
  if (!process.getBuiltinModule("node:worker_threads").isMainThread || USERS_OWN.test(process.execArgv.join(" "))) return;
  try {
    process.getBuiltinModule("node:v8").setFlagsFromString(isAllowed ? "--incremental-marking" : "--no-incremental-marking");
  } catch {
    // Other platforms have no such flag, and not this fault of Node's.
  }
}
