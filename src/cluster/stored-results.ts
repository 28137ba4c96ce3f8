// One list of the files of a store. It shows which results are missing, and which have another length than the one in their marker.
import { checkedFrames, type Loss, LostResults, type ResultFile } from "./frames.ts";
import type { Store, StoredFile } from "./store.ts";

/** The files of a store at one time. */
export class StoredResults {
  readonly #store: Store;
  readonly #files = new Map<string, StoredFile>();

  private constructor(store: Store) {
    this.#store = store;
  }

  /** Lists the files. */
  static async of(store: Store): Promise<StoredResults> {
    const all = new StoredResults(store);
    for await (const file of store.list()) all.#files.set(file.name, file);
    return all;
  }

  /** Returns whether a file was there. */
  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Returns what is wrong with results, if anything is. With `hash` they are read. */
  async lossOf(file: ResultFile, hash = false): Promise<Loss | undefined> {
    const { name, bytes } = file;
    const size = this.#files.get(name)?.size();
    if (size !== undefined && size !== bytes) return { name, state: "damaged" };
    // The file may have come after the list was made.
    return size === undefined || hash ? await lossIn(this.#store, file) : undefined;
  }
}

/** Reads a result; returns what is wrong with it, if anything is. */
async function lossIn(store: Store, file: ResultFile): Promise<Loss | undefined> {
  try {
    for await (const _ of checkedFrames(store, file));
    return undefined;
  } catch (error) {
    if (error instanceof LostResults) return error.loss;
    throw error;
  }
}
