// How worker threads end.
import type { Worker } from "node:worker_threads";

/** The message that has a thread leave its work, and close its port. */
export const END = "end";
/** What takes longer hangs: a read that never returns, a pattern that backtracks. */
const HANGING_MS = 5000;

/**
 * Has worker threads end on their own; terminates those that hang. Node waits for V8's compilers when a thread has nothing left to do, but
 * not when it terminates one: where a compiler then finds that the heap must be marked, Node 20 aborts the process.
 */
export async function endThreads(threads: readonly Worker[], hangingMs = HANGING_MS): Promise<void> {
  await Promise.all(threads.map((thread) => endThread(thread, hangingMs)));
}

async function endThread(thread: Worker, hangingMs: number): Promise<void> {
  const ended = new Promise((resolve) => {
    thread.once("exit", resolve);
    // One that has ended sends nothing any more.
    if (thread.threadId === -1) resolve(undefined);
  });
  const timer = setTimeout(() => void thread.terminate(), hangingMs);
  // A thread without work does not keep the process: who waits here would never go on.
  thread.ref();
  thread.postMessage(END);
  await ended;
  clearTimeout(timer);
}
