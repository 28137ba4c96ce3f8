// Where the results of shards lie: a folder that all workers share, or whatever else can give a name to one of two writers.
import { closeSync, createReadStream, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../errors.ts";

/** Where results lie. */
export interface Store {
  /** Folder for unfinished files: the results' folder itself, or the system's temporary folder. */
  readonly unfinished: string;
  /** Gives a complete, synced local file its final name, if no other has it: resolves to false, and removes the file, if one has. */
  commit(path: string, name: string): Promise<boolean>;
  /** Yields the bytes of a result. The error that it rejects with has the code `ENOENT` if there is none. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Yields the names of all results, in any order. */
  list(): AsyncIterable<string>;
  /** Removes a result that has turned out to be wrong; does nothing if there is none. */
  remove(name: string): Promise<void>;
}

/** File systems without links say so with one of these codes. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Results in a folder. */
export class FolderStore implements Store {
  readonly unfinished: string;

  constructor(folder: string) {
    this.unfinished = folder;
  }

  async commit(path: string, name: string): Promise<boolean> {
    const target = join(this.unfinished, name);
    const isFirst = isLinked(path, target);
    rmSync(path, { force: true });
    syncFolder(this.unfinished);
    return isFirst;
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    yield* createReadStream(join(this.unfinished, name), { highWaterMark: 1 << 20 });
  }

  async *list(): AsyncGenerator<string> {
    yield* readdirSync(this.unfinished);
  }

  async remove(name: string): Promise<void> {
    rmSync(join(this.unfinished, name), { force: true });
  }
}

/** Gives a file a second name, unless another file has it. Where files have one name alone, a writer may replace an equal result. */
function isLinked(path: string, target: string): boolean {
  try {
    linkSync(path, target);
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.includes(code)) throw error;
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(path, target);
  }
  return true;
}

/** Waits until the names in a folder are on the disk. Does nothing where a folder cannot be opened. */
function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // Some network file systems sync files alone.
  } finally {
    closeSync(fd);
  }
}
