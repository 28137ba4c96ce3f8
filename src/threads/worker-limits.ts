// The number of worker threads that the limits of this process allow. Node may end the whole process if a starting thread cannot get its
// resources, so threads without room are not started.
import { readdirSync, readFileSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import type { CoreBuild } from "../core/core.ts";

/** File descriptors that a thread needs: 4 for its event loop, one for the file that is read, and some for files of Node itself. */
const HANDLES_OF_THREAD = 8;
/** File descriptors reserved for this thread: inputs, folders, archives in archives, modules. */
const HANDLES_HERE = 12;
/** Address space of a WebAssembly.Memory: V8 reserves the whole range of 32-bit addresses and offsets, and guard pages. */
const KIB_OF_MEMORY = 11 << 20;
/** Further address space of a thread: heap, stack, the range for compiled code, the arenas of malloc. */
const KIB_OF_THREAD = 1 << 20;
/** Address space reserved for the heap of this thread. */
const KIB_HERE = 1 << 20;

/**
 * Returns how many of `wanted` worker threads with a core of `build` may start. If not all may, `shortage` names the scarce resource. Only
 * Linux shows its limits; elsewhere all may start.
 */
export function roomForWorkers(wanted: number, build: CoreBuild): { threads: number; shortage: string | undefined } {
  let room: number[];
  try {
    room = readRoom(build);
  } catch (error) {
    room = systemCode(error) === "EMFILE" ? [0, wanted] : [wanted, wanted];
  }
  const [byHandles = 0, bySpace = 0] = room;
  const threads = Math.max(0, Math.min(wanted, byHandles, bySpace));
  if (threads === wanted) return { threads, shortage: undefined };
  return { threads, shortage: byHandles <= bySpace ? "too few file descriptors" : "too little address space" };
}

/** Returns the number of threads that the file descriptors allow, and the number that the address space allows. */
function readRoom(build: CoreBuild): [number, number] {
  const limits = readFileSync("/proc/self/limits", "latin1");
  const handles = limitOf(limits, "Max open files") - readdirSync("/proc/self/fd").length;
  const space = limitOf(limits, "Max address space") / 1024;
  const used =
    space === Number.POSITIVE_INFINITY ? 0 : Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
  const kibOfThread = KIB_OF_THREAD + (build === "javascript" ? 0 : KIB_OF_MEMORY);
  return [Math.floor((handles - HANDLES_HERE) / HANDLES_OF_THREAD), Math.floor((space - used - KIB_HERE) / kibOfThread)];
}

/** Returns a soft limit of /proc/self/limits, or Infinity. */
function limitOf(limits: string, name: string): number {
  const [, soft = "unlimited"] = new RegExp(`^${name} +(\\w+)`, "m").exec(limits) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
