// The form of a file of results. A head with a checksum precedes each result. Output bytes are stored unchanged. Other results have the
// form in which they are sent to another thread, serialized by node:v8.
import { createHash } from "node:crypto";
import { deserialize } from "node:v8";
import { systemCode } from "../base/errors.ts";
import { ByteReader } from "../input/containers/byte-reader.ts";
import { crc32 } from "../input/containers/crc32.ts";
import { Pacer } from "../input/pacer.ts";
import { fromAsync, waited } from "../input/steps.ts";
import type { SentResult } from "../threads/task.ts";
import { ShardError } from "./errors.ts";
import type { Store, StoredFile } from "./store.ts";
import { isWhole } from "./value-form.ts";

/** Version of the form of results and markers. A plan names its version. */
export const RESULTS_VERSION = 7;
/**
 * Bytes of the head of a result. It has the CRC-32 of the bytes after the checksum, the length of the result, and for output bytes the
 * number of records and the length of the message numbers, which precede the output bytes.
 */
const HEAD_BYTES = 16;
const LENGTH_OFFSET = 4;
const COUNT_OFFSET = 8;
const NUMBERS_OFFSET = 12;
/** Stored instead of the length of the numbers in the head of a result that is not output bytes. */
const IS_VALUE = 0xffffffff;
const NOTHING = new Uint8Array(0);

/** Name, hash and bytes of a file of results. */
export interface ResultFile {
  readonly name: string;
  /** SHA-256 of the checksums of its results. */
  readonly hash: string;
  readonly bytes: number;
}

/**
 * Returns the head of a result whose bytes are `payload`. For output bytes `count` is the number of records, and `numbersLength` the bytes
 * of the message numbers. Without `numbersLength` the result is not output bytes.
 */
export function headOf(payload: readonly Uint8Array[], count = 0, numbersLength = IS_VALUE): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  head.writeUInt32LE(length, LENGTH_OFFSET);
  head.writeUInt32LE(count, COUNT_OFFSET);
  head.writeUInt32LE(numbersLength, NUMBERS_OFFSET);
  head.writeUInt32LE(checksum(head, ...payload));
  return head;
}

export function checkIn(head: Buffer): Buffer {
  return head.subarray(0, LENGTH_OFFSET);
}

function checksum(head: Buffer, ...payload: readonly Uint8Array[]): number {
  return payload.reduce((sum, part) => crc32(part, sum), crc32(head.subarray(LENGTH_OFFSET)));
}

/** Yields the results in a file. Rejects with LostResults if the file is missing, and at the first sign of damage. */
export async function* readFrames(store: Store, file: ResultFile): AsyncGenerator<SentResult> {
  for await (const [head, payload] of checkedFrames(store, file)) {
    const value = valueIn(head, payload);
    if (value === undefined) throw new LostResults(file.name, "damaged");
    yield value;
  }
}

/** Yields the results of a file with their heads. Rejects as `readFrames` does. */
async function* checkedFrames(store: Store, { name, bytes, hash }: ResultFile): AsyncGenerator<readonly [head: Buffer, payload: Buffer]> {
  const reader = new ByteReader(fromAsync(bytesOf(store, name)), new Pacer());
  const take = async (count: number): Promise<Buffer> => {
    const taken = reader.position + count > bytes ? NOTHING : await waited(reader.take(count));
    if (taken.length < count) throw new LostResults(name, "damaged");
    return Buffer.from(taken.buffer, taken.byteOffset, count);
  };
  const checks = createHash("sha256");
  try {
    while (reader.position < bytes) {
      const head = await take(HEAD_BYTES);
      const payload = await take(head.readUInt32LE(LENGTH_OFFSET));
      if (head.readUInt32LE() !== checksum(head, payload)) throw new LostResults(name, "damaged");
      checks.update(checkIn(head));
      yield [head, payload];
    }
    // Complete results may still belong to another file.
    if ((await waited(reader.take(1))).length > 0 || checks.digest("hex") !== hash) throw new LostResults(name, "damaged");
  } finally {
    reader.close();
  }
}

function valueIn(head: Buffer, payload: Buffer): SentResult | undefined {
  const numbersLength = head.readUInt32LE(NUMBERS_OFFSET);
  if (numbersLength === IS_VALUE) return deserialized(payload) as SentResult | undefined;
  if (numbersLength > payload.length || numbersLength % Int32Array.BYTES_PER_ELEMENT > 0) return undefined;
  // A copy, because the numbers need not be at a multiple of four.
  const numbers = new Uint8Array(payload.subarray(0, numbersLength));
  const messageNumbers = numbersLength === 0 ? undefined : new Int32Array(numbers.buffer);
  return { kind: "bytes", bytes: payload.subarray(numbersLength), count: head.readUInt32LE(COUNT_OFFSET), messageNumbers };
}

function deserialized(payload: Buffer): unknown {
  try {
    // A copy, because a kept value must not keep the whole buffer alive.
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
    if (error instanceof ShardError) throw new LostResults(name, "damaged");
    throw systemCode(error) === "ENOENT" ? new LostResults(name, "gone") : error;
  }
}

export class LostResults extends ShardError {
  readonly file: string;
  readonly state: "damaged" | "gone";

  constructor(file: string, state: "damaged" | "gone") {
    const advice =
      state === "gone" ? "urlmill verify lists its shard" : "urlmill verify --hash removes it, so that its shard can be run again";
    super("ERR_URLMILL_RESULTS", `${file} is ${state}; ${advice}`);
    this.file = file;
    this.state = state;
  }
}

export async function storedFiles(store: Store): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  for await (const file of store.list()) files.set(file.name, file);
  return files;
}

/**
 * Returns the error for a lost file of results, or undefined if nothing is lost. With `hash`, or if `files` lacks it, reads the file.
 * Otherwise only compares sizes.
 */
export async function lossOf(
  store: Store,
  file: ResultFile,
  files: ReadonlyMap<string, StoredFile>,
  hash = false,
): Promise<LostResults | undefined> {
  const { name, bytes } = file;
  const size = files.get(name)?.size();
  if (size !== undefined && size !== bytes) return new LostResults(name, "damaged");
  // A file that is not in the list may be newer than the list, so it is read.
  if (size !== undefined && !hash) return undefined;
  try {
    for await (const _ of checkedFrames(store, file));
    return undefined;
  } catch (error) {
    if (error instanceof LostResults) return error;
    throw error;
  }
}
