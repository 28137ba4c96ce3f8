// The file of a shard's results: each as it would be sent to another thread, after its length and CRC-32.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { fileError, systemCode } from "../errors.ts";
import { JoinedBytes } from "../output/joined-bytes.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";
import { type SentResult, sentOf } from "../threads/task.ts";
import { ShardError } from "./errors.ts";
import type { Store } from "./store.ts";

/** Bytes that are written at a time. */
const BUFFER_BYTES = 1 << 20;
/** Bytes of an output that are one result. */
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
  /** Made with the first bytes: files of partitions have none. */
  #joined: JoinedBytes | undefined;
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
    if (result.kind === "bytes" && this.#join(result)) return;
    this.#pushJoined();
    if (result.kind !== "bytes" || !this.#join(result)) this.push(sentOf(repeatable(result)));
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

  #join(batch: ByteBatch): boolean {
    this.#joined ??= new JoinedBytes(new Uint8Array(JOINED_BYTES));
    return this.#joined.add(batch);
  }

  #pushJoined(): void {
    const joined = this.#joined?.take();
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

/** Returns a result without what differs from run to run: what is made when it is needed, and numbers that count in a thread. */
function repeatable(result: Result): Result {
  if (result.kind !== "matches") return result;
  const { view: _, text: __, found: ___, locations, ...rest } = result;
  return locations === undefined ? rest : { ...rest, locations: { ...locations, scan: 0 } };
}

/** What a file of results holds. */
export type Frame = Exclude<SentResult, { kind: "end" }>;

/** A buffer with more is not kept. */
const SPARE_BYTES_MOST = 4 * BUFFER_BYTES;
/** What the last file was read into. */
let spare: Buffer<ArrayBuffer> | undefined;

/**
 * Yields what was written to a file. Bytes of an output are valid until the next value is asked for. Rejects with ShardError before the
 * first value that is not what was written, which its CRC-32 tells: the SHA-256 of the file would take three times as long.
 */
export async function* readFrames<T extends { kind: string } = Frame>(store: Store, { name, bytes }: ResultFile): AsyncGenerator<T> {
  let buffer = spare ?? Buffer.allocUnsafeSlow(Math.min(bytes, 2 * BUFFER_BYTES));
  spare = undefined;
  let used = 0;
  let left = bytes;
  for await (const chunk of bytesOf(store, name)) {
    if (used + chunk.length > buffer.length) buffer = moved(buffer.subarray(0, used), 2 * (used + chunk.length));
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
    if (isGiven) buffer = moved(buffer.subarray(at, used), buffer.length);
    else buffer.copyWithin(0, at, used);
    used -= at;
  }
  if (used > 0 || left > 0) throw lost(name, "damaged");
  if (buffer.length <= SPARE_BYTES_MOST) spare = buffer;
}

/** Returns a new buffer that begins with some bytes. */
function moved(bytes: Uint8Array, size: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafeSlow(size);
  buffer.set(bytes);
  return buffer;
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
