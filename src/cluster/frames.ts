// The file of a shard's results: each as it would be sent to another thread, after its length and CRC-32.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { fileError, systemCode } from "../errors.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";
import { type SentResult, sentOf } from "../threads/task.ts";
import { ShardError } from "./errors.ts";
import type { Store } from "./store.ts";

/** Bytes that are written at a time. */
const BUFFER_BYTES = 1 << 20;
/** Bytes of an output that are one result: each result costs who reads it some microseconds. */
const JOINED_BYTES = 1 << 18;
/** Bytes before a result: its length, and the CRC-32 of its bytes. */
const HEAD_BYTES = 8;
const CRC_OFFSET = 4;

/** A file of results, by its name. */
export interface ResultFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Writes results to a file. */
export class FrameSink implements Sink {
  readonly #fd: number;
  readonly #name: string;
  readonly #hash = createHash("sha256");
  readonly #buffer: Buffer;
  readonly #joined = new JoinedBytes();
  #used = 0;
  /** Bytes of the file. */
  bytes = 0;
  /** Records, or groups of matches that are counted. */
  rows = 0;

  /** `name`: what errors call the file; `bufferBytes`: bytes that are written at a time. */
  constructor(fd: number, name: string, bufferBytes = BUFFER_BYTES) {
    this.#fd = fd;
    this.#name = name;
    this.#buffer = Buffer.alloc(bufferBytes);
  }

  /** Throws the system's error if the disk is full. */
  write(result: Result): void {
    if ("count" in result && result.kind !== "rejected") this.rows += result.count;
    if (result.kind === "bytes" && this.#joined.add(result)) return;
    this.#pushJoined();
    if (result.kind !== "bytes" || !this.#joined.add(result)) this.push(sentOf(repeatable(result)));
  }

  /** Writes anything that can be sent to another thread. */
  push(value: unknown): void {
    const payload = serialize(value);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(payload.length);
    head.writeUInt32LE(crc32(payload), CRC_OFFSET);
    this.#add(head);
    this.#add(payload);
  }

  wait(): undefined {
    return undefined;
  }

  /** Writes what is left. */
  end(): undefined {
    this.#pushJoined();
    this.#empty();
  }

  /** Returns the hash of all bytes. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  #pushJoined(): void {
    const joined = this.#joined.take();
    if (joined !== undefined) this.push(joined);
  }

  #empty(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #add(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#buffer.length) this.#empty();
    if (bytes.length > this.#buffer.length) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(this.#fd, bytes, from);
    } catch (error) {
      throw fileError(this.#name, "written", error);
    }
  }
}

/** Bytes of an output, batch after batch. */
class JoinedBytes {
  #bytes = new Uint8Array(0);
  #used = 0;
  #count = 0;
  #numbers: number[] = [];

  /** Takes a batch; returns false if there is no room for it. */
  add({ bytes, count, messageNumbers }: ByteBatch): boolean {
    if (this.#used + bytes.length > JOINED_BYTES) return false;
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(JOINED_BYTES);
    this.#bytes.set(bytes, this.#used);
    for (const [index, value] of messageNumbers?.entries() ?? []) this.#numbers.push(index % 2 === 0 ? this.#used + value : value);
    this.#used += bytes.length;
    this.#count += count;
    return true;
  }

  /** Returns all as one batch, valid until the next one is taken; undefined: there is none. */
  take(): ByteBatch | undefined {
    if (this.#used === 0 && this.#count === 0) return undefined;
    const messageNumbers = this.#numbers.length === 0 ? undefined : Int32Array.from(this.#numbers);
    const batch = { kind: "bytes", bytes: this.#bytes.subarray(0, this.#used), count: this.#count, messageNumbers } as const;
    [this.#used, this.#count, this.#numbers] = [0, 0, []];
    return batch;
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

/**
 * Yields what was written to a file. Bytes of an output are valid until the next value is asked for. Rejects with ShardError before the
 * first value that is not what was written, which its CRC-32 tells: the SHA-256 of the file would take three times as long.
 */
export async function* readFrames<T extends { kind: string } = Frame>(store: Store, { name, bytes }: ResultFile): AsyncGenerator<T> {
  let buffer = Buffer.alloc(Math.min(bytes, BUFFER_BYTES));
  let used = 0;
  let left = bytes;
  for await (const chunk of bytesOf(store, name)) {
    if (used + chunk.length > buffer.length) buffer = Buffer.concat([buffer.subarray(0, used)], 2 * (used + chunk.length));
    buffer.set(chunk, used);
    used += chunk.length;
    let at = 0;
    let isGiven = false;
    while (used - at >= HEAD_BYTES) {
      const end = at + HEAD_BYTES + buffer.readUInt32LE(at);
      if (end - at > left) throw lost(name, "damaged");
      if (end > used) break;
      const value = valueIn<T>(buffer.subarray(at + HEAD_BYTES, end), buffer.readUInt32LE(at + CRC_OFFSET), name);
      if (value.kind !== "bytes") isGiven = true;
      yield value;
      left -= end - at;
      at = end;
    }
    // Whoever has a result of another kind may keep what is in it.
    if (isGiven) buffer = Buffer.concat([buffer.subarray(at, used)], buffer.length);
    else buffer.copyWithin(0, at, used);
    used -= at;
  }
  if (used > 0 || left > 0) throw lost(name, "damaged");
}

function valueIn<T>(payload: Buffer, crc: number, name: string): T {
  if (payload.length === 0 || crc32(payload) !== crc) throw lost(name, "damaged");
  return deserialize(payload) as T;
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
