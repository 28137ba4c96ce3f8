// Writes a file of results, and commits it to a store.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { named } from "../base/errors.ts";
import { keepTouched, unfinishedName } from "../base/unfinished.ts";
import type { ByteBatch } from "../matches/batch.ts";
import { JoinedBytes } from "../output/joined-bytes.ts";
import type { Result, Sink } from "../output/sink.ts";
import { sentOf } from "../threads/task.ts";
import { checkIn, headOf, type ResultFile } from "./frames.ts";
import type { Store } from "./store.ts";

/** Output bytes to join in one result: many, so that the cost for each result and each write is small. */
const JOINED_BYTES = 1 << 20;
const NO_NUMBERS = new Int32Array(0);

/** Writes results to a file that has an unfinished name until it is complete. Errors of writing name the folder, not the file. */
export class ResultWriter implements Sink {
  readonly #store: Store;
  readonly #name: string;
  readonly #path: string;
  readonly #fd: number;
  readonly #touching: NodeJS.Timeout;
  readonly #hash = createHash("sha256");
  readonly #joined = new JoinedBytes(new Uint8Array(JOINED_BYTES));
  #bytes = 0;
  #isOpen = true;
  /** Number of written records, or of groups of counted matches; 0 for summaries. */
  rows = 0;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
    this.#path = join(store.unfinished, unfinishedName(name));
    this.#fd = named(store.unfinished, "written", () => openSync(this.#path, "wx"));
    this.#touching = keepTouched(this.#fd);
  }

  /** Writes a result. Throws the error of a failed write, such as a full disk. */
  write(result: Result): void {
    if ("count" in result && result.kind !== "rejected") this.rows += result.count;
    if (result.kind === "bytes" && this.#joined.add(result)) return;
    this.#pushJoined();
    if (result.kind !== "bytes") this.#push([serialize(sentOf(repeatable(result)))]);
    else if (!this.#joined.add(result)) this.#pushBytes(result);
  }

  wait(): undefined {
    return undefined;
  }

  end(): undefined {
    this.#pushJoined();
  }

  /** Writes the remaining bytes, and commits the file under its final name, which contains the hash of its results. */
  async commit(): Promise<ResultFile> {
    this.end();
    const hash = this.#hash.digest("hex");
    const file = { name: `${this.#name}-${hash}.results`, hash, bytes: this.#bytes };
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

  #pushJoined(): void {
    const joined = this.#joined.take();
    if (joined !== undefined) this.#pushBytes(joined);
  }

  #pushBytes({ bytes, count, messageNumbers = NO_NUMBERS }: ByteBatch): void {
    const numbers = Buffer.from(messageNumbers.buffer, messageNumbers.byteOffset, messageNumbers.byteLength);
    this.#push([numbers, bytes], count, numbers.length);
  }

  #push(payload: readonly Uint8Array[], count?: number, numbersLength?: number): void {
    const head = headOf(payload, count, numbersLength);
    this.#hash.update(checkIn(head));
    const bytes = Buffer.concat([head, ...payload]);
    this.#bytes += bytes.length;
    named(this.#store.unfinished, "written", () => {
      for (let from = 0; from < bytes.length; ) from += writeSync(this.#fd, bytes, from);
    });
  }

  #close(): void {
    this.#isOpen = false;
    clearInterval(this.#touching);
    closeSync(this.#fd);
  }
}

/** Returns a result without members that differ from run to run: caches and found elements of matches, and the number of their scan. */
function repeatable(result: Result): Result {
  if (result.kind !== "matches") return result;
  const { view: _, text: __, found: ___, locations, ...rest } = result;
  return locations === undefined ? rest : { ...rest, locations: { ...locations, scan: 0 } };
}

export async function writeText(store: Store, name: string, text: string): Promise<void> {
  const path = join(store.unfinished, unfinishedName(name));
  await commit(store, path, name, () => writeFileSync(path, text, { flag: "wx", flush: true }));
}

/** Completes a file with `complete`, and stores it under its final name. Removes the unfinished file in any case. */
async function commit(store: Store, path: string, name: string, complete: () => void): Promise<void> {
  try {
    named(store.unfinished, "written", complete);
    await store.commit(path, name);
  } finally {
    rmSync(path, { force: true });
  }
}
