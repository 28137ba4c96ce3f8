// Files that are written beside their target until they are complete. Their names say who writes them: no reader takes one for input,
// and the next writer in the folder removes those whose writer is gone.
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** Characters of the target's name that the temporary one has: no name may be longer than 255 bytes. */
const NAME_LENGTH_MOST = 50;
/** `.NAME.HOST-PID-START-RANDOM.urlmill-partial`, HOST being two numbers. */
const UNFINISHED = /^\..*\.([0-9a-f]{8}-\d+)-(\d+)-(\d+)-[0-9a-f]{8}\.urlmill-partial$/s;
/** A writer on another host, or in another container, counts as gone once its file has not been touched for so long. */
const ABANDONED_MS = 3_600_000;

/** A writer touches its files at least this often. */
export const TOUCH_MS = 60_000;

/** Returns a new name beside `target`, another one at each call. */
export function unfinishedName(target: string): string {
  const random = Math.floor(Math.random() * 2 ** 32);
  const writer = `${hostId()}-${process.pid}-${startOf(process.pid)}`;
  return `.${basename(target).slice(0, NAME_LENGTH_MOST)}.${writer}-${hex(random)}.urlmill-partial`;
}

/** Returns whether a file of this name is one that is not complete, or never was completed. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Removes the unfinished files in `folder` whose writers are gone. What cannot be listed or removed stays. */
export function removeAbandoned(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    if (isUnfinished(name) && isAbandoned(folder, name)) attempt(() => rmSync(join(folder, name), { force: true }));
  }
}

function isAbandoned(folder: string, name: string): boolean {
  const [, host, pid, start] = UNFINISHED.exec(name) ?? [];
  if (host === hostId()) return !isRunning(Number(pid)) || !mayBe(startOf(Number(pid)), Number(start));
  const stats = attempt(() => statSync(join(folder, name)));
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

/** Whether two starts may be those of one process: 0 is one that is not known. */
function mayBe(one: number, other: number): boolean {
  return one === other || one === 0 || other === 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process started, in clock ticks since the system did; 0 where the system does not tell, -1 for one that has ended. */
function startOf(pid: number): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return 0;
  // The name of the program, in parentheses, may hold anything.
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Until its parent asks for it, a process that has ended keeps its number.
  return /[ZX]/.test(state) ? -1 : Number(fields[18] ?? 0);
}

/** What tells apart systems, and the containers on one: in another one the number of a process names another process. */
function hostId(): string {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))?.slice(0, 8) ?? hostHash();
  const namespace = attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  return `${boot}-${/\d+/.exec(namespace)?.[0] ?? 0}`;
}

/** Where the system has no number for its start: its name stands for it. */
function hostHash(): string {
  let hash = 0;
  for (const byte of Buffer.from(process.getBuiltinModule("node:os").hostname())) hash = (Math.imul(hash, 31) + byte) >>> 0;
  return hex(hash);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
