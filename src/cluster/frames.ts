// The file of a shard's results. Each comes after a head with a checksum. Bytes of an output are kept as they are, other results in the
// form in which they are sent to another thread.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { fileError, systemCode } from "../errors.ts";
import { addCrc32 } from "../input/containers/crc32.ts";
import { JoinedBytes } from "../output/joined-bytes.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";
import { type SentResult, sentOf } from "../threads/task.ts";
import { ShardError } from "./errors.ts";
import type { Store } from "./store.ts";
import { isWhole } from "./value-form.ts";

/** Counts the forms that results and markers have had: a plan says which one it is for. */
export const RESULTS_VERSION = 6;
/** Bytes that are written at a time. */
const BUFFER_BYTES = 1 << 20;
/** Bytes of an output that are one result: so many that what a result costs does not count. */
const JOINED_BYTES = 1 << 20;
/**
 * Bytes before a result: the CRC-32 of all that follows, the length of the result, and for bytes of an output the number of records and the
 * length of the message numbers, which come before the bytes.
 */
const HEAD_BYTES = 16;
const LENGTH_OFFSET = 4;
const COUNT_OFFSET = 8;
const NUMBERS_OFFSET = 12;
/** Stands for the length of the numbers if the result is no part of an output. */
const IS_VALUE = 0xffffffff;
const NO_NUMBERS = new Int32Array(0);

/** A file of results, by its name. */
export interface ResultFile {
  readonly name: string;
  /** SHA-256 of the checksums of its results. */
  readonly hash: string;
  readonly bytes: number;
}

/** Writes results to a file. */
export class FrameSink implements Sink {
  readonly #fd: number;
  readonly #name: string;
  readonly #hash = createHash("sha256");
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  readonly #joined = new JoinedBytes(new Uint8Array(JOINED_BYTES));
  #used = 0;
  /** Bytes of the file. */
  bytes = 0;
  /** Records, or groups of matches that are counted. */
  rows = 0;

  /** `name`: what errors call the file. */
  constructor(fd: number, name: string) {
    this.#fd = fd;
    this.#name = name;
  }

  /** Throws the system's error if the disk is full. */
  write(result: Result): void {
    if ("count" in result && result.kind !== "rejected") this.rows += result.count;
    if (result.kind === "bytes" && this.#joined.add(result)) return;
    this.#pushJoined();
    if (result.kind !== "bytes") this.#pushFrame(0, IS_VALUE, serialize(sentOf(repeatable(result))));
    else if (!this.#joined.add(result)) this.#pushBytes(result);
  }

  wait(): undefined {
    return undefined;
  }

  /** Writes what is left. */
  end(): undefined {
    this.#pushJoined();
    this.#empty();
  }

  /** Returns the hash of the checksums of all results. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  #pushJoined(): void {
    const joined = this.#joined.take();
    if (joined !== undefined) this.#pushBytes(joined);
  }

  #pushBytes({ bytes, count, messageNumbers = NO_NUMBERS }: ByteBatch): void {
    const numbers = Buffer.from(messageNumbers.buffer, messageNumbers.byteOffset, messageNumbers.byteLength);
    this.#pushFrame(count, numbers.length, numbers, bytes);
  }

  #pushFrame(count: number, numbersLength: number, ...payload: readonly Uint8Array[]): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(
      payload.reduce((sum, { length }) => sum + length, 0),
      LENGTH_OFFSET,
    );
    head.writeUInt32LE(count, COUNT_OFFSET);
    head.writeUInt32LE(numbersLength, NUMBERS_OFFSET);
    head.writeUInt32LE(payload.reduce((sum, part) => addCrc32(part, sum), addCrc32(head.subarray(LENGTH_OFFSET), 0)));
    this.#hash.update(head.subarray(0, LENGTH_OFFSET));
    for (const part of [head, ...payload]) this.#add(part);
  }

  #empty(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #add(bytes: Uint8Array): void {
    // A copy would cost more than another write.
    const isLarge = bytes.length * 4 > this.#buffer.length;
    if (isLarge || this.#used + bytes.length > this.#buffer.length) this.#empty();
    if (isLarge) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  #write(bytes: Uint8Array): void {
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
const SPARE_BYTES_MOST = 4 * JOINED_BYTES;
/** Where results of the last file were put together. */
let spare: Buffer<ArrayBuffer> | undefined;

/**
 * Yields what was written to a file. Bytes of an output are valid until the next value is asked for. Rejects with LostResults before the
 * first value that is not what was written.
 */
export async function* readFrames(store: Store, file: ResultFile): AsyncGenerator<Frame> {
  for await (const frame of checkedFrames(store, file)) {
    const value = valueIn(frame);
    if (value === undefined) throw new LostResults({ name: file.name, state: "damaged" });
    yield value;
  }
}

/** Yields the results of a file with their heads. They are valid until the next is asked for. Rejects as `readFrames` does. */
export async function* checkedFrames(store: Store, { name, bytes, hash }: ResultFile): AsyncGenerator<Buffer> {
  const checks = createHash("sha256");
  const checked = (frame: Buffer): Buffer => {
    if (frame.readUInt32LE() !== addCrc32(frame.subarray(LENGTH_OFFSET), 0)) throw new LostResults({ name, state: "damaged" });
    checks.update(frame.subarray(0, LENGTH_OFFSET));
    return frame;
  };
  // A result whose end is in a chunk to come.
  let begun = spare ?? Buffer.alloc(0);
  spare = undefined;
  let used = 0;
  let left = bytes;
  for await (const chunk of bytesOf(store, name)) {
    left -= chunk.length;
    const read = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let at = 0; at < read.length; ) {
      const rest = read.length - at;
      const length = used > 0 ? frameBytes(begun.subarray(0, used)) : frameBytes(read.subarray(at));
      if (length > used + rest + left) throw new LostResults({ name, state: "damaged" });
      if (used === 0 && length <= rest) {
        yield checked(read.subarray(at, at + length));
        at += length;
        continue;
      }
      const count = Math.min(length - used, rest);
      if (begun.length < length) begun = longer(begun.subarray(0, used), length);
      begun.set(read.subarray(at, at + count), used);
      used += count;
      at += count;
      const frame = begun.subarray(0, used);
      if (frameBytes(frame) !== used) continue;
      used = 0;
      yield checked(frame);
    }
  }
  // Results that are whole may be those of another file.
  if (used > 0 || left !== 0 || checks.digest("hex") !== hash) throw new LostResults({ name, state: "damaged" });
  if (begun.length <= SPARE_BYTES_MOST) spare = begun;
}

/** Returns a new buffer that begins with some bytes. */
function longer(bytes: Uint8Array, size: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafeSlow(size);
  buffer.set(bytes);
  return buffer;
}

/** Returns how many bytes the result that begins here has with its head; as many as a head has until that is known. */
function frameBytes(bytes: Buffer): number {
  return bytes.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + bytes.readUInt32LE(LENGTH_OFFSET);
}

/** Returns what a result is; undefined: it has another form. */
function valueIn(frame: Buffer): Frame | undefined {
  const payload = frame.subarray(HEAD_BYTES);
  const numbersLength = frame.readUInt32LE(NUMBERS_OFFSET);
  // What is in a result of another kind may be kept.
  if (numbersLength === IS_VALUE) return deserialized(payload) as Frame | undefined;
  if (numbersLength > payload.length || numbersLength % Int32Array.BYTES_PER_ELEMENT > 0) return undefined;
  const numbers = new Uint8Array(payload.subarray(0, numbersLength));
  const messageNumbers = numbersLength === 0 ? undefined : new Int32Array(numbers.buffer);
  return { kind: "bytes", bytes: payload.subarray(numbersLength), count: frame.readUInt32LE(COUNT_OFFSET), messageNumbers };
}

function deserialized(payload: Buffer): unknown {
  try {
    const value: unknown = deserialize(Buffer.from(payload));
    return isWhole(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function* bytesOf(store: Store, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* store.read(name);
  } catch (error) {
    if (error instanceof ShardError) throw new LostResults({ name, state: "damaged" });
    throw systemCode(error) === "ENOENT" ? new LostResults({ name, state: "gone" }) : error;
  }
}

/** A file of results that is no longer what was written. */
export interface Loss {
  readonly name: string;
  readonly state: "damaged" | "gone";
}

/** The error for results that are lost. */
export class LostResults extends ShardError {
  readonly loss: Loss;

  constructor(loss: Loss) {
    const { name, state } = loss;
    const advice =
      state === "gone" ? "urlmill verify lists its shard" : "urlmill verify --hash removes it, so that its shard can be run again";
    super("ERR_RESULTS", `${name} is ${state}; ${advice}`);
    this.loss = loss;
  }
}
