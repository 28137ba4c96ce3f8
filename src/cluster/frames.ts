// The file of a shard's results: each as it would be sent to another thread, after its length.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { systemCode } from "../errors.ts";
import type { Result, Sink } from "../output/sink.ts";
import { type SentResult, sentOf } from "../threads/task.ts";
import { ShardError } from "./errors.ts";
import type { Store } from "./store.ts";

/** Bytes that are written at a time. */
const BUFFER_BYTES = 1 << 20;
/** Bytes of the length before a result. */
const LENGTH_BYTES = 4;

/** A file of results, by its name. */
export interface ResultFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Writes results to a file. */
export class FrameSink implements Sink {
  readonly #fd: number;
  readonly #hash = createHash("sha256");
  readonly #buffer: Buffer;
  #used = 0;
  /** Bytes of the file. */
  bytes = 0;
  /** Records, or groups of matches that are counted. */
  rows = 0;

  /** `bufferBytes`: bytes that are written at a time. */
  constructor(fd: number, bufferBytes = BUFFER_BYTES) {
    this.#fd = fd;
    this.#buffer = Buffer.alloc(bufferBytes);
  }

  /** Throws the system's error if the disk is full. */
  write(result: Result): void {
    if ("count" in result && result.kind !== "rejected") this.rows += result.count;
    this.push(sentOf(repeatable(result)));
  }

  /** Writes anything that can be sent to another thread. */
  push(value: unknown): void {
    const payload = serialize(value);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(payload.length);
    this.#add(length);
    this.#add(payload);
  }

  wait(): undefined {
    return undefined;
  }

  /** Writes what is left. */
  end(): undefined {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  /** Returns the hash of all bytes. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  #add(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#buffer.length) this.end();
    if (bytes.length > this.#buffer.length) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#fd, bytes, from);
  }
}

/** Returns a result without what differs from run to run: what is made when it is needed, and numbers that count in a thread. */
function repeatable(result: Result): Result {
  if (result.kind !== "matches") return result;
  const { view: _, text: __, found: ___, locations, ...rest } = result;
  return locations === undefined ? rest : { ...rest, locations: { ...locations, scan: 0 } };
}

/** What a file of results holds. */
export type Frame = Exclude<SentResult, { kind: "end" }>;

/** Yields what was written to a file. Rejects with ShardError if its bytes are not those that were written. */
export async function* readFrames<T = Frame>(store: Store, { name, sha256 }: ResultFile): AsyncGenerator<T> {
  const hash = createHash("sha256");
  let rest = Buffer.alloc(0);
  let wanted = LENGTH_BYTES;
  let waiting: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of bytesOf(store, name)) {
    hash.update(chunk);
    waiting.push(chunk);
    held += chunk.length;
    if (held < wanted) continue;
    rest = Buffer.concat(waiting);
    let at = 0;
    for (;;) {
      wanted = LENGTH_BYTES + (at + LENGTH_BYTES > rest.length ? 0 : rest.readUInt32LE(at));
      if (wanted === LENGTH_BYTES || at + wanted > rest.length) break;
      yield valueIn(rest.subarray(at + LENGTH_BYTES, at + wanted), name);
      at += wanted;
    }
    waiting = [rest.subarray(at)];
    held = rest.length - at;
  }
  if (held > 0 || hash.digest("hex") !== sha256) throw lost(name, "damaged");
}

function valueIn<T>(payload: Buffer, name: string): T {
  try {
    return deserialize(payload) as T;
  } catch {
    throw lost(name, "damaged");
  }
}

async function* bytesOf(store: Store, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* store.read(name);
  } catch (error) {
    throw systemCode(error) === "ENOENT" ? lost(name, "gone") : error;
  }
}

/** Returns the error for results that are no longer what was written: those of a shard, or `pNNNNN-HASH.results` of a reduce. */
function lost(name: string, what: "damaged" | "gone"): ShardError {
  const partition = /^p(\d+)-/.exec(name)?.[1];
  const verify =
    what === "gone" ? "urlmill verify lists its shard" : "urlmill verify --hash removes it, so that its shard can be run again";
  return new ShardError(
    "ERR_RESULTS",
    `${name} is ${what}; ${partition === undefined ? verify : `run urlmill merge --partition ${+partition}`}`,
  );
}
