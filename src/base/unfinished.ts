// Names of unfinished files. Until an output file is complete, it has a temporary name beside its target. The name identifies the writer.
// Readers skip unfinished files. The next writer in the folder removes the ones whose writers are gone, but keeps files of runs that can
// be resumed. Another user may replace a file by a different one, so a file that is continued is opened with care.
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { systemCode } from "./errors.ts";

const NAME_LENGTH_MOST = 50; // Most characters of the target's name in the temporary name, because a file name may have at most 255 bytes
/** `.NAME.HOST-PID-START-ID.urlmill-partial`, or `-resumable` at the end; HOST is two numbers, ID is a random number. */
const UNFINISHED = /^\..*\.([0-9a-f]{8}-\d+)-(\d+)-(\d+)-([0-9a-f]{8})\.urlmill-(partial|resumable)$/s;
/** A writer on another host or in another container counts as gone if it has not touched its file for this long. */
const ABANDONED_MS = 3_600_000;
const TOUCH_MS = 60_000;

/** Touches an open file at intervals, until the timer is cleared: its writer may have nothing to write for hours. Ignores errors. */
export function keepTouched(fd: number): NodeJS.Timeout {
  return setInterval(() => attempt(() => futimesSync(fd, new Date(), new Date())), TOUCH_MS).unref();
}

/** Returns a temporary name for `target`: a new one, or with `id` that of a file that a later run can find by this id and continue. */
export function unfinishedName(target: string, id?: string): string {
  const writer = `${hostId()}-${process.pid}-${startOf(process.pid)}`;
  const kind = id === undefined ? "partial" : "resumable";
  return `.${basename(target).slice(0, NAME_LENGTH_MOST)}.${writer}-${id ?? newId()}.urlmill-${kind}`;
}

export function newId(): string {
  return hex(Math.floor(Math.random() * 2 ** 32));
}

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Removes the unfinished files in `folder` whose writers are gone, except resumable ones. Ignores errors. */
export function removeAbandoned(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const isRemoved = UNFINISHED.exec(name)?.[5] === "partial" && isAbandoned(folder, name);
    if (isRemoved) attempt(() => rmSync(join(folder, name), { force: true }));
  }
}

/** Returns the path of the resumable file in `folder` with this `id`, and whether its writer counts as running; undefined: no such file. */
export function findResumable(folder: string, id: string): { path: string; isWritten: boolean } | undefined {
  const names = attempt(() => readdirSync(folder)) ?? [];
  const name = names.find((one) => {
    const [, , , , oneId, kind] = UNFINISHED.exec(one) ?? [];
    return oneId === id && kind === "resumable";
  });
  return name === undefined ? undefined : { path: join(folder, name), isWritten: !isAbandoned(folder, name) };
}

function isAbandoned(folder: string, name: string): boolean {
  const [, host, pid, start] = UNFINISHED.exec(name) ?? [];
  if (host === hostId()) return !isRunning(Number(pid)) || !isSame(startOf(Number(pid)), Number(start));
  const stats = attempt(() => statSync(join(folder, name)));
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

// A start time of 0 is unknown.
const isSame = (start: number, other: number): boolean => start === other || start === 0 || other === 0;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs as another user.
    return systemCode(error) === "EPERM";
  }
}

/** Returns when a process started, in clock ticks since boot; 0 if /proc does not show it, -1 for an ended process that it still lists. */
function startOf(pid: number): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return 0;
  // The program's name, in parentheses, may contain anything.
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // An ended process keeps its number until its parent collects it.
  return /[ZX]/.test(state) ? -1 : Number(fields[18] ?? 0);
}

/** Returns an id of this system and container: a process number is unique only in one container of one system. */
function hostId(): string {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))?.slice(0, 8) ?? hostHash();
  const namespace = attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  return `${boot}-${/\d+/.exec(namespace)?.[0] ?? 0}`;
}

function hostHash(): string {
  let hash = 0;
  for (const byte of Buffer.from(process.getBuiltinModule("node:os").hostname())) hash = (Math.imul(hash, 31) + byte) >>> 0;
  return hex(hash);
}

const hex = (value: number): string => value.toString(16).padStart(8, "0");

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Returns an error with the code `EFOREIGN`, in the form of a system error. */
function foreign(path: string, what: string): Error {
  return Object.assign(new Error(`${path} ${what}`), { code: "EFOREIGN" });
}

/** Opens a regular file of this user without another name; follows no link, waits for no pipe. Throws the system's error, or `EFOREIGN`. */
export function openOwn(path: string, flags: number): { fd: number; stats: Stats } {
  const fd = openHere(path, flags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw foreign(path, "is no regular file");
    if (stats.nlink > 1) throw foreign(path, "has another name too");
    if (process.getuid !== undefined && stats.uid !== process.getuid()) throw foreign(path, "is another user's");
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openHere(path: string, flags: number): number {
  try {
    // Windows has neither of these flags, and no numeric user ids.
    return openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // ELOOP: a symbolic link. ENXIO: a pipe that nobody reads.
    if (["ELOOP", "ENXIO"].includes(systemCode(error) ?? "")) throw foreign(path, "is no regular file");
    throw error;
  }
}
