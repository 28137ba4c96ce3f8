// How worker threads end, on their own and with the process.
import type { Worker } from "node:worker_threads";

/** How many calls of `endThreads` are under way. */
let endings = 0;
let isExitWatched = false;

/**
 * Ends worker threads, also in the midst of their work. Node 20 forgets a thread before V8's compiler has stopped in it. Where the compiler
 * then finds a heap so full that it must be marked, Node aborts the process. So no marking begins until the threads have ended.
 */
export async function endThreads(threads: readonly Worker[]): Promise<void> {
  if (threads.length === 0) return;
  if (endings++ === 0) allowMarking(false);
  await Promise.allSettled(threads.map((thread) => thread.terminate()));
  if (--endings === 0) allowMarking(true);
}

/** Has threads end in the same way when the process exits. To be called where one is started. */
export function watchExit(): void {
  if (isExitWatched) return;
  isExitWatched = true;
  process.once("exit", () => allowMarking(false));
}

/** Decides whether V8 may begin to mark a heap while the program runs; a heap that is full is marked all the same. */
function allowMarking(isAllowed: boolean): void {
  try {
    process.getBuiltinModule("node:v8").setFlagsFromString(isAllowed ? "--incremental-marking" : "--no-incremental-marking");
  } catch {
    // Other platforms have no such flag, and not this fault of Node's.
  }
}
