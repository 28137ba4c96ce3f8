// The file of results of a shard. A head with a checksum precedes each result. Output bytes are stored unchanged. Other results have the
// form in which they are sent to another thread, serialized by node:v8.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import * as code from "#core/layout/codes.js";
import { named, systemCode } from "../base/errors.ts";
import { keepTouched, unfinishedName } from "../base/unfinished.ts";
import { ROW_HEAD_BYTES } from "../count/count-rows.ts";
import { ByteReader } from "../input/containers/byte-reader.ts";
import { crc32 } from "../input/containers/crc.ts";
import { Pacer } from "../input/pacer.ts";
import { fromAsync, waited } from "../input/steps.ts";
import type { ByteBatch } from "../matches/batch.ts";
import { JoinedBytes } from "../output/joined-bytes.ts";
import type { Result, Sink } from "../output/sink.ts";
import { type SentResult, sentOf } from "../threads/task.ts";
import { isCount, isObject, isOmission } from "./checked-json.ts";
import { LostFile, ShardError } from "./errors.ts";
import type { Store, StoredFile } from "./store.ts";

/** Version of the form of results and markers. A plan names its version. */
export const RESULTS_VERSION = 7;
// The head of a result has the CRC-32 of the bytes after the checksum, and the length of the result. For output bytes it also has the
// number of records, and the length of the message numbers before these bytes.
const HEAD_BYTES = 16;
const LENGTH_OFFSET = 4;
const COUNT_OFFSET = 8;
const NUMBERS_OFFSET = 12;
const IS_VALUE = 0xffffffff; // Stored instead of the length of the numbers in the head of a result that is not output bytes
const NOTHING = new Uint8Array(0);
const NO_NUMBERS = new Int32Array(0);
const JOINED_BYTES = 1 << 20; // Output bytes to join in one result: many, so that the cost for each result and each write is small

/** Name, hash and bytes of a file of results. */
export interface ResultFile {
  readonly name: string;
  /** SHA-256 of the checksums of its results. */
  readonly hash: string;
  readonly bytes: number;
}

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
    this.end();
    if (result.kind !== "bytes") this.#push([serialize(sentOf(repeatable(result)))]);
    else if (!this.#joined.add(result)) this.#pushBytes(result);
  }

  wait(): undefined {}

  end(): undefined {
    const joined = this.#joined.take();
    if (joined !== undefined) this.#pushBytes(joined);
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

  #pushBytes({ bytes, count, messageNumbers = NO_NUMBERS }: ByteBatch): void {
    const numbers = Buffer.from(messageNumbers.buffer, messageNumbers.byteOffset, messageNumbers.byteLength);
    this.#push([numbers, bytes], count, numbers.length);
  }

  #push(payload: readonly Uint8Array[], count = 0, numbersLength = IS_VALUE): void {
    const frame = Buffer.concat([new Uint8Array(HEAD_BYTES), ...payload]);
    frame.writeUInt32LE(frame.length - HEAD_BYTES, LENGTH_OFFSET);
    frame.writeUInt32LE(count, COUNT_OFFSET);
    frame.writeUInt32LE(numbersLength, NUMBERS_OFFSET);
    frame.writeUInt32LE(crc32(frame.subarray(LENGTH_OFFSET)));
    this.#hash.update(frame.subarray(0, LENGTH_OFFSET));
    this.#bytes += frame.length;
    named(this.#store.unfinished, "written", () => {
      for (let from = 0; from < frame.length; ) from += writeSync(this.#fd, frame, from);
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

/** Yields the results in a file. Rejects with LostFile if the file is missing, and at the first sign of damage. */
export async function* readFrames(store: Store, { name, bytes, hash }: ResultFile): AsyncGenerator<SentResult> {
  const reader = new ByteReader(fromAsync(readStored(store, name)), new Pacer());
  const damaged = (): LostFile => new LostFile(name, "damaged");
  const take = async (count: number): Promise<Buffer> => {
    const taken = reader.position + count > bytes ? NOTHING : await waited(reader.take(count));
    if (taken.length < count) throw damaged();
    return Buffer.from(taken.buffer, taken.byteOffset, count);
  };
  const checks = createHash("sha256");
  try {
    while (reader.position < bytes) {
      const head = await take(HEAD_BYTES);
      const payload = await take(head.readUInt32LE(LENGTH_OFFSET));
      const isIntact = head.readUInt32LE() === crc32(payload, crc32(head.subarray(LENGTH_OFFSET)));
      const value = isIntact ? valueIn(head, payload) : undefined;
      if (value === undefined) throw damaged();
      checks.update(head.subarray(0, LENGTH_OFFSET));
      yield value;
    }
    // Complete results may still belong to another file.
    if ((await waited(reader.take(1))).length > 0 || checks.digest("hex") !== hash) throw damaged();
  } finally {
    reader.close();
  }
}

/** Yields the bytes of a marker or result. Rejects with LostFile if it is missing or no regular file. */
export async function* readStored(store: Store, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* store.read(name);
  } catch (error) {
    if (error instanceof ShardError) throw new LostFile(name, "damaged");
    throw systemCode(error) === "ENOENT" ? new LostFile(name, "gone") : error;
  }
}

function valueIn(head: Buffer, payload: Buffer): SentResult | undefined {
  const numbersLength = head.readUInt32LE(NUMBERS_OFFSET);
  if (numbersLength === IS_VALUE) return deserialized(payload);
  if (numbersLength > payload.length || numbersLength % Int32Array.BYTES_PER_ELEMENT > 0) return undefined;
  // A copy, because the numbers need not be at a multiple of four.
  const numbers = new Uint8Array(payload.subarray(0, numbersLength));
  const messageNumbers = numbersLength === 0 ? undefined : new Int32Array(numbers.buffer);
  return { kind: "bytes", bytes: payload.subarray(numbersLength), count: head.readUInt32LE(COUNT_OFFSET), messageNumbers };
}

function deserialized(payload: Buffer): SentResult | undefined {
  try {
    // A copy, because a kept value must not keep the whole buffer alive.
    const value: unknown = deserialize(Buffer.from(payload));
    return isWhole(value) ? (value as SentResult) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a value in results is an object with a kind. Rows and groups must be at least `count`; an omission must be valid. */
export function isWhole(value: unknown): boolean {
  if (!isObject(value) || typeof value.kind !== "string") return false;
  const { kind, count, rows, bytes, omission } = value;
  const hasRows = (memory: unknown, rowBytes: number): boolean =>
    ArrayBuffer.isView(memory) && isCount(count) && count * rowBytes <= memory.byteLength;
  if (kind === "matches") return hasRows(rows, 4 * code.RECORD_WORDS);
  if (kind === "rejected") return hasRows(rows, 4 * code.REJECTED_WORDS);
  if (kind === "groups") return hasRows(bytes, ROW_HEAD_BYTES);
  return kind !== "omitted" || isOmission(omission);
}

export async function storedFiles(store: Store): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  for await (const file of store.list()) files.set(file.name, file);
  return files;
}

/** Rejects with LostFile if results are damaged or gone. Compares the size of `stored`; without it, or with `hash`, reads the file. */
export async function checkResults(store: Store, file: ResultFile, stored?: StoredFile, hash = false): Promise<undefined> {
  const size = stored?.size();
  if (size !== undefined && size !== file.bytes) throw new LostFile(file.name, "damaged");
  if (size === undefined || hash) for await (const _ of readFrames(store, file));
}
