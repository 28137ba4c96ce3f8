// A file of results on its way to a store.
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "../errors.ts";
import { keepTouched, unfinishedName } from "../unfinished.ts";
import { FrameSink, type ResultFile } from "./frames.ts";
import type { Store } from "./store.ts";

/** A file that has an unfinished name until it is complete. */
export class ResultWriter {
  readonly sink: FrameSink;
  readonly #store: Store;
  readonly #name: string;
  readonly #path: string;
  readonly #fd: number;
  readonly #touching: NodeJS.Timeout;
  #isOpen = true;

  /** Opens a file whose final name begins with `name`. */
  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
    this.#path = join(store.unfinished, unfinishedName(name));
    this.#fd = writing(store, () => openSync(this.#path, "wx"));
    this.sink = new FrameSink(this.#fd, store.unfinished);
    this.#touching = keepTouched(this.#fd);
  }

  /** Gives the complete file its final name, which has its hash. */
  async commit(): Promise<ResultFile> {
    this.sink.end();
    const hash = this.sink.digest();
    const file = { name: `${this.#name}-${hash}.results`, hash, bytes: this.sink.bytes };
    await commit(this.#store, this.#path, file.name, () => {
      fsyncSync(this.#fd);
      this.#close();
    });
    return file;
  }

  /** Removes the file, unless it has been committed. */
  discard(): void {
    if (!this.#isOpen) return;
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    this.#isOpen = false;
    clearInterval(this.#touching);
    closeSync(this.#fd);
  }
}

/** Returns what `act` does. Throws the error of the system with the name of the folder: nobody knows unfinished names. */
function writing<T>(store: Store, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw fileError(store.unfinished, "written", error);
  }
}

/** Writes a text to a file of this name, unless there is one. */
export async function writeText(store: Store, name: string, text: string): Promise<void> {
  const path = join(store.unfinished, unfinishedName(name));
  await commit(store, path, name, () => writeFileSync(path, text, { flag: "wx", flush: true }));
}

/** Gives a file its name after `complete` has made it complete. The unfinished name is gone in any case. */
async function commit(store: Store, path: string, name: string, complete: () => void): Promise<void> {
  try {
    writing(store, complete);
    await store.commit(path, name);
  } finally {
    rmSync(path, { force: true });
  }
}
