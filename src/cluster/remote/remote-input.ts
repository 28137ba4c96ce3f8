// Reads an object on a server by ranges. After a failed connection, the next one continues at the same byte.
import { systemCode } from "../../base/errors.ts";
import { brokenConnection, changedObject, nextTry, type Patience, RefusedAnswer, RemoteError, tried, unstalled } from "./tries.ts";

/** Bytes of a chunk. After the range itself only one chunk is requested at a time, because a scan ends soon after its range. */
const CHUNK_BYTES = 1 << 18;

const NOTHING = new Uint8Array(0);

/** Identifies the state of an object. A plan stores it, and every answer must match it. */
export interface ObjectVersion {
  readonly size: number;
  /** The ETag, which is strong; absent if there is none. */
  readonly etag?: string | undefined;
  /** Time of the last write, in milliseconds since 1970; absent if there is a strong ETag, or if the server does not give it. */
  readonly mtime?: number | undefined;
}

/** Bytes of an object, with headers of the server. */
export interface RangeAnswer extends Omit<ObjectVersion, "size"> {
  /** The header `Content-Range`; null if it is missing. */
  readonly range: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** An object on a server. The caller repeats failed requests. */
export interface RemoteObject {
  readonly name: string;
  /** Whether one answer may mix bytes of two states, if the object is overwritten at the same time. */
  readonly mayMix: boolean;
  version(signal: AbortSignal): Promise<ObjectVersion>;
  /** Requests the bytes `[from, to)` of the state `version`. The signal aborts the request, and also reading the answer. */
  read(from: number, to: number, version: ObjectVersion, signal: AbortSignal): Promise<RangeAnswer>;
}

/** Requests the present state of an object, with retries. */
export function presentVersion(object: RemoteObject, patience: Patience): Promise<ObjectVersion> {
  return tried(object.name, patience, (signal) => unstalled(object.version(signal), patience));
}

export class RemoteInput {
  readonly name: string;
  readonly size: number;
  readonly #object: RemoteObject;
  readonly version: ObjectVersion;
  readonly #patience: Patience;
  /** The error of the first failed read, or undefined. A decoder may hide it, so the caller checks it at the end. */
  failure: unknown;
  /** The first bytes of the object, from the last `load` at offset 0. */
  #start = NOTHING;

  /** Throws RemoteError for an impossible size. */
  constructor(object: RemoteObject, version: ObjectVersion, patience: Patience) {
    if (!Number.isSafeInteger(version.size) || version.size < 0)
      throw new RemoteError("ERR_URLMILL_REFUSED", object.name, "the server tells a size that no file has");
    this.name = object.name;
    this.size = version.size;
    this.#object = object;
    this.version = version;
    this.#patience = patience;
  }

  /** Returns `count` bytes at `offset`, fewer at the end, or before an error, which `failure` keeps. */
  async load(offset: number, count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(count, this.size - offset)));
    let length = 0;
    try {
      for await (const chunk of this.#read(offset, offset + bytes.length)) {
        bytes.set(chunk, length);
        length += chunk.length;
        if (length === bytes.length) break;
      }
    } catch {}
    if (offset === 0) this.#start = bytes.subarray(0, length);
    return bytes.subarray(0, length);
  }

  /** Yields the bytes from `from` on. Few are wanted after `to`. */
  chunks(from: number, to: number): AsyncIterable<Uint8Array> {
    return inChunks(this.#read(from, CHUNK_BYTES * (1 + Math.ceil(Math.min(this.size, to) / CHUNK_BYTES))), from);
  }

  /** Rejects if the object has changed and its answers may mix bytes of two states. */
  async confirm(): Promise<void> {
    if (!this.#object.mayMix) return;
    const present = await presentVersion(this.#object, this.#patience).catch((error: unknown) => {
      throw systemCode(error) === "ENOENT" ? changedObject(this.name) : error;
    });
    if (present.size !== this.size || this.#isOther(present)) throw changedObject(this.name);
  }

  /** Yields the bytes from `from` on. Requests the bytes before `firstEnd` first, then one chunk at a time. Sets `failure`. */
  async *#read(from: number, firstEnd: number): AsyncGenerator<Uint8Array> {
    const known = this.#start.subarray(from, firstEnd);
    if (known.length > 0) yield known;
    if (this.failure !== undefined) throw this.failure;
    let failed = 0;
    for (let position = from + known.length; position < this.size; ) {
      const end = Math.min(this.size, position < firstEnd ? firstEnd : position + CHUNK_BYTES);
      const connection = new AbortController();
      try {
        const answer = await unstalled(this.#object.read(position, end, this.version, connection.signal), this.#patience);
        const answerEnd = this.#check(answer, position, end);
        const body = answer.body[Symbol.asyncIterator]();
        // Reads to the end of the answer, so that the connection can serve the next request.
        for (let isOver = false; !isOver; ) {
          const { done, value = NOTHING } = await unstalled(body.next(), this.#patience);
          const chunk = value.subarray(0, answerEnd - position);
          isOver = done === true || chunk.length < value.length;
          if (chunk.length === 0) continue;
          position += chunk.length;
          failed = 0;
          yield chunk;
        }
        if (position < answerEnd) throw brokenConnection("the answer ended early");
      } catch (error) {
        // All bytes came before the error.
        if (position === end) continue;
        await nextTry(this.name, isGone(error) ? changedObject(this.name) : error, failed++, this.#patience).catch((final: unknown) => {
          this.failure ??= final;
          throw final;
        });
      } finally {
        connection.abort();
      }
    }
  }

  /** Returns the end offset of the answer to a request for `[from, to)`. Throws for bytes of another state or another range. */
  #check({ range, etag, mtime }: RangeAnswer, from: number, to: number): number {
    const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range ?? "") ?? [];
    if (this.#isOther({ etag, mtime }) || (size !== undefined && size !== "*" && Number(size) !== this.size))
      throw changedObject(this.name);
    if (Number(first) !== from || Number(last) < from)
      throw new RemoteError("ERR_URLMILL_REFUSED", this.name, "the server sent other bytes than it was asked for");
    return Math.min(to, Number(last) + 1);
  }

  #isOther({ etag, mtime }: Omit<ObjectVersion, "size">): boolean {
    const { version } = this;
    return version.etag === undefined ? version.mtime !== undefined && version.mtime !== mtime : version.etag !== etag;
  }
}

/** Cuts bytes from the offset `from` on into chunks like those of files, so that results do not depend on the network. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(CHUNK_BYTES - (from % CHUNK_BYTES));
  let used = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + chunk.length - used);
      chunk.set(part, used);
      at += part.length;
      used += part.length;
      if (used < chunk.length) continue;
      yield chunk;
      chunk = new Uint8Array(CHUNK_BYTES);
      used = 0;
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}

/** Returns whether the error means that the object was removed, or became too short for the range. */
function isGone(error: unknown): boolean {
  return error instanceof RefusedAnswer && [404, 410, 416].includes(error.status);
}
