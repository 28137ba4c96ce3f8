// An output file that appears under its name only when it is complete.
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { findResumable, keepTouched, openOwn, removeAbandoned, unfinishedName } from "../base/unfinished.ts";

const READER_MS = 20; // Pause before the next try to open a pipe without a reader, in milliseconds

/** A file that stays when its writer ends early, so that a later run can continue it. */
export interface KeptFile {
  /** Id by which a later run finds it. */
  readonly id: string;
  readonly bytes: number;
  /** Number of the file in the file system (`Stats.ino`); absent: nothing was written yet. */
  readonly inode?: number | undefined;
}

interface Opened {
  /** The user's name of the file. */
  readonly path: string;
  /** The file that the name stands for, after links. */
  readonly target: string;
  /** State of the target before the run; absent: it did not exist, or the name is that of a descriptor. */
  readonly replaced?: Stats | undefined;
  readonly fd: number;
  /** Name until the file is complete; absent: the target itself is open. */
  readonly temporary?: string;
  /** Whether a later run can continue the file. */
  readonly isKept?: boolean;
}

/** A file that is written beside its target and renamed at the end. A pipe, a device or an open descriptor is written directly. */
export class NewFile {
  readonly fd: number;
  readonly stats: Stats;
  /** State of the older file that it will replace, or of the pipe or device that it is; undefined: there is none. */
  readonly replaced: Stats | undefined;
  readonly #opened: Opened;
  readonly #touching: NodeJS.Timeout | undefined;

  private constructor(opened: Opened) {
    const { replaced, fd, temporary } = opened;
    this.#opened = opened;
    this.replaced = replaced;
    this.fd = fd;
    this.stats = fstatSync(fd);
    if (temporary === undefined) return;
    this.#touching = keepTouched(fd);
    try {
      // The permissions of the older file before the first byte, including bits that the umask removed.
      if (replaced !== undefined) withWriteError(opened.path, () => fchmodSync(fd, replaced.mode & 0o777));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /**
   * Opens `path` for writing, and removes the files that killed writers left in its folder. Waits for the reader of a pipe. Rejects with
   * an error that names the path, or with the reason of `signal`. A `kept` file is continued if it exists.
   */
  static async open(path: string, signal: AbortSignal, kept?: KeptFile): Promise<NewFile> {
    const descriptor = descriptorOf(path);
    if (descriptor !== undefined) return withWriteError(path, () => new NewFile({ path, target: path, fd: descriptor }));
    const target = targetOf(path);
    const replaced = withWriteError(path, () => statSync(target, { throwIfNoEntry: false }));
    if (replaced?.isFIFO() === true) return new NewFile({ path, target, replaced, fd: await openPipe(path, target, signal) });
    if (replaced?.isFile() === false) {
      const fd = withWriteError(path, () => openSync(target, "w"));
      return new NewFile({ path, target, replaced, fd });
    }
    removeAbandoned(dirname(target));
    const found = kept && findResumable(dirname(target), kept.id);
    if (found?.isWritten === true) throw new Error(`${shown(path)}: is written by another run that goes on with it; wait for its end`);
    // The name of a kept file names this process, and only one of two runs can rename the older file.
    const temporary = join(dirname(target), unfinishedName(target, kept?.id));
    const fd = withWriteError(path, () => {
      // Without kept bytes a new file is made.
      const isNew = found === undefined || kept?.bytes === 0;
      if (isNew && found !== undefined) rmSync(found.path);
      return isNew ? openSync(temporary, "wx", replaced && replaced.mode & 0o777) : openKept(found.path, temporary, kept as KeptFile);
    });
    return new NewFile({ path, target, replaced, fd, temporary, isKept: kept !== undefined });
  }

  /** Closes the complete file, and gives it its name. Leaves an open descriptor alone. Throws an error that names the path. */
  commit(): void {
    const { path, target, temporary, isKept } = this.#opened;
    clearInterval(this.#touching);
    if (descriptorOf(path) !== undefined) return;
    // The checkpoint is removed next. After a power cut at least the complete file or the checkpoint must exist.
    if (isKept === true) withWriteError(path, () => fdatasyncSync(this.fd));
    closeSync(this.fd);
    if (temporary !== undefined) withWriteError(path, () => renameSync(temporary, target));
  }

  /** Removes the incomplete file, unless a later run can continue it. */
  discard(): void {
    clearInterval(this.#touching);
    if (this.#opened.isKept !== true) this.remove();
  }

  remove(): void {
    const { temporary } = this.#opened;
    clearInterval(this.#touching);
    if (temporary !== undefined) rmSync(temporary, { force: true });
  }
}

/** Opens the unfinished file that a run has left, and renames it to `temporary`. Throws if another file has its name. */
function openKept(found: string, temporary: string, { inode, bytes }: KeptFile): number {
  const { fd, stats } = openOwn(found, constants.O_WRONLY | constants.O_APPEND);
  try {
    if (stats.ino !== inode) throw Object.assign(new Error(`${found} is another file`), { code: "EFOREIGN" });
    renameSync(found, temporary);
    ftruncateSync(fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

// Opens a pipe without blocking, because a signal could not end an open that waits for a reader.
async function openPipe(path: string, target: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return openSync(target, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (systemCode(error) !== "ENXIO") throw notWritten(path, error);
    }
    await new Promise((resolve) => setTimeout(resolve, READER_MS));
  }
}

/** Returns the result of `act`. Throws its error as one that names the path. */
function withWriteError<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw notWritten(path, error);
  }
}

function notWritten(path: string, cause: unknown): Error {
  const code = systemCode(cause);
  const reason =
    code === "EISDIR"
      ? "is a folder; give the name of a file"
      : code === "EFOREIGN"
        ? "its unfinished file is not the one that the earlier run wrote; remove the checkpoint to begin anew"
        : `cannot be written (${code}); give a file in a folder that is there and that you may write to`;
  return new Error(`${shown(path)}: ${reason}`, { cause });
}

/** Returns the open descriptor that a path names (`/dev/stdout`, `/dev/fd/5`). Its file is not replaced: others may write to it too. */
export function descriptorOf(path: string): number | undefined {
  const [, name = "", number] = /^\/(?:dev\/(stdin|stdout|stderr)|(?:dev|proc\/self)\/fd\/(\d+))$/.exec(path) ?? [];
  if (number !== undefined) return Number(number);
  const known = ["stdin", "stdout", "stderr"].indexOf(name);
  return known < 0 ? undefined : known;
}

/** Returns the path of the file that an output replaces: of the target of a link, even if the target does not exist yet. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return resolve(dirname(path), readlinkSync(path));
    } catch {
      return path;
    }
  }
}
