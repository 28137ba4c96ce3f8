// One list of the files of a store. It shows which results are missing, and which have another length than the one in their marker.
import { createHash } from "node:crypto";
import { systemCode } from "../errors.ts";
import type { Loss, ResultFile } from "./frames.ts";
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

  /** Returns the first of some results that is wrong, and how; undefined: none is. With `hash` they are read. */
  async lossOf(results: readonly ResultFile[], hash = false): Promise<Loss | undefined> {
    for (const { name, sha256, bytes } of results) {
      const size = this.#files.get(name)?.size();
      if (size !== undefined && size !== bytes) return { name, state: "damaged" };
      if (size !== undefined && !hash) continue;
      // The file may have come after the list was made.
      const found = await hashOf(this.#store, name);
      if (found !== sha256) return { name, state: found === undefined ? "gone" : "damaged" };
    }
    return undefined;
  }
}

/** Returns the hash of a result; undefined: there is none. */
async function hashOf(store: Store, name: string): Promise<string | undefined> {
  const sum = createHash("sha256");
  try {
    for await (const chunk of store.read(name)) sum.update(chunk);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return sum.digest("hex");
}
