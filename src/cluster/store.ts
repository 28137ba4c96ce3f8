// Stores for the results of shards: a folder that all workers share, or a service that lets only the first writer have a name.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { fileError, named, systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { ShardError } from "./errors.ts";

/** A file in a store: a marker, a file of results, or any other file of the folder. */
export interface StoredFile {
  readonly name: string;
  /** Returns the size of the file in bytes, or undefined if it is gone. */
  readonly size: () => number | undefined;
}

/** A store of results. */
export interface Store {
  /** Folder for unfinished files: the results' folder itself, or the system's temporary folder. */
  readonly unfinished: string;
  /** Stores a complete, synced local file under its final name, unless the name is taken. The caller removes the local file. */
  commit(path: string, name: string): Promise<void>;
  /**
   * Yields the bytes of a marker or result, which never change. Rejects with the code `ENOENT` if there is no such file. In a folder,
   * rejects with ShardError for links, which are not followed, and for pipes and devices.
   */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Yields all files, in any order. */
  list(): AsyncIterable<StoredFile>;
  /** Removes a damaged marker or result; does nothing if there is none. */
  remove(name: string): Promise<void>;
}

const READ_BYTES = 1 << 20;

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]; // Error codes of file systems without hard links

/** Flags to open a file without following a link or waiting for a pipe. Windows has neither flag. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function noFile(name: string): ShardError {
  return new ShardError("ERR_URLMILL_RESULTS", `${shown(name)} is no regular file; urlmill verify removes it`);
}

export class FolderStore implements Store {
  readonly unfinished: string;

  constructor(folder: string) {
    this.unfinished = folder;
  }

  async commit(path: string, name: string): Promise<void> {
    const target = join(this.unfinished, name);
    try {
      fs.linkSync(path, target);
    } catch (error) {
      const code = systemCode(error) ?? "";
      // Without links a writer may replace an equal result.
      if (NO_LINKS.includes(code) && !fs.existsSync(target)) fs.renameSync(path, target);
      else if (code !== "EEXIST" && !NO_LINKS.includes(code)) throw error;
    }
    syncFolder(this.unfinished);
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const path = join(this.unfinished, name);
    try {
      const file = await fs.promises.open(path, OPEN_FLAGS);
      const stats = await file.stat();
      if (!stats.isFile() && !stats.isDirectory()) {
        await file.close();
        throw noFile(name);
      }
      // Buffers no larger than the file, because many small markers are read at the same time.
      yield* file.createReadStream({ highWaterMark: Math.min(READ_BYTES, stats.size + 1) });
    } catch (error) {
      if (error instanceof ShardError) throw error;
      throw systemCode(error) === "ELOOP" ? noFile(name) : fileError(path, "read", error);
    }
  }

  async *list(): AsyncGenerator<StoredFile> {
    const names = named(this.unfinished, "read", () => fs.readdirSync(this.unfinished));
    for (const name of names) yield { name, size: () => fs.lstatSync(join(this.unfinished, name), { throwIfNoEntry: false })?.size };
  }

  async remove(name: string): Promise<void> {
    const path = join(this.unfinished, name);
    named(path, "removed", () => fs.rmSync(path, { force: true }));
  }
}

/** Makes a folder for results and its parents, unless they exist. Throws ShardError if the name is a file, or the system's error. */
export function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
  } catch (error) {
    if (["EEXIST", "ENOTDIR"].includes(systemCode(error) ?? ""))
      throw new ShardError("ERR_URLMILL_PLAN", `${shown(folder)} is a file, or in one; results need a folder`);
    throw fileError(folder, "written", error);
  }
}

// Node's recursive mkdir never ends in an existing folder that allows no new folders, such as /proc.
function makeWithParents(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !fs.existsSync(parent)) makeWithParents(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    if (systemCode(error) !== "EEXIST" || !fs.statSync(folder).isDirectory()) throw error;
  }
}

/** Waits until the names in a folder are on the disk, if the folder can be opened. */
function syncFolder(folder: string): void {
  try {
    const fd = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // Some network file systems can sync only files.
  }
}
