// Opens inputs: regular files, whose bytes are read at any offset, and streams.
import { closeSync, createReadStream, fstatSync, open, openSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { SourceError } from "../base/errors.ts";
import type { SourceType } from "../options/options.ts";
import { recognizeContainer } from "./containers/recognize.ts";
import { FORMAT_BYTES, fileFormatOf, type InputFormat, isPacked } from "./input-format.ts";
import type { FileName, FileSource } from "./paths.ts";
import { detectTextType, FIRST_BYTES } from "./text-type.ts";

export const READ_BYTES = 1 << 18; // Most bytes of a chunk: few enough to stay in the L2 cache until they are decoded

const NOTHING = new Uint8Array(0);
const startBytes = new Uint8Array(FORMAT_BYTES);

/** A file to open. `format` is set if the plan has detected it. */
export interface FileToOpen {
  readonly file: FileName;
  readonly name: string;
  /** Bytes of the file when it was listed. */
  readonly size: number;
  readonly format?: InputFormat | undefined;
}

/** An open regular file. The constructor throws SourceError; `close` keeps a descriptor that was given. */
export class InputFile {
  readonly fd: number;
  readonly name: string;
  readonly size: number;
  readonly format: InputFormat;
  /** The bytes that gave the format; empty if it was given. Opening another file overwrites them, unless this one is a container. */
  readonly start: Uint8Array;
  readonly #isOwn: boolean;

  constructor({ file, name, size, format }: FileToOpen, type: SourceType) {
    this.name = name;
    this.size = size;
    this.#isOwn = typeof file !== "number";
    this.fd = typeof file === "number" ? file : openFile(file, name);
    try {
      const start = format === undefined ? this.#readStart(type) : NOTHING;
      this.format = format ?? fileFormatOf(type, start);
      // Copied, because other files are opened while a container is read.
      this.start = isPacked(this.format) ? start.slice() : start;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  // Reads more than FIRST_BYTES only if these do not decide the type, because reading more costs time for every small file.
  #readStart(type: SourceType): Uint8Array {
    const length = this.read(startBytes, FIRST_BYTES, 0);
    const start = startBytes.subarray(0, length);
    if (length < FIRST_BYTES || recognizeContainer(start) !== undefined || detectTextType(type, start) !== undefined) return start;
    return startBytes.subarray(0, this.read(startBytes, FORMAT_BYTES, 0));
  }

  /** Whether the read of `start` has reached the end of the file. Also true if `start` is empty because it was not read. */
  get isAllStart(): boolean {
    const { length } = this.start;
    return this.isEnd(length, length > FIRST_BYTES ? FORMAT_BYTES : FIRST_BYTES, length);
  }

  /** Reads at most `count` bytes from `position` on into `target`; returns how many, 0 at the end. Throws SourceError. */
  read(target: Uint8Array, count: number, position: number): number {
    try {
      return readSync(this.fd, target, 0, count, position);
    } catch (error) {
      throw SourceError.from(this.name, error);
    }
  }

  /** Resolves to at most `count` bytes from `offset` on, read without blocking; to none at the end or if the file cannot be read. */
  load(offset: number, count: number): Promise<Uint8Array> {
    return new Promise((resolve) => {
      read(this.fd, Buffer.allocUnsafeSlow(count), 0, count, offset, (error, length, bytes) => {
        resolve(bytes.subarray(0, error === null ? length : 0));
      });
    });
  }

  /** Returns whether a read of `count` of `wanted` bytes, up to `position`, has reached the end. Files of /proc have the size 0. */
  isEnd(count: number, wanted: number, position: number): boolean {
    return count === 0 || (count < wanted && position >= this.size && this.size > 0);
  }

  /** Yields the bytes of the file from `offset` on. A complete read ends at a multiple of READ_BYTES. Throws SourceError. */
  *chunks(offset = 0): Generator<Uint8Array> {
    let position = offset;
    for (let known = offset === 0 ? this.start : NOTHING; ; known = NOTHING) {
      const chunk = new Uint8Array(READ_BYTES - (position % READ_BYTES));
      chunk.set(known);
      const space = chunk.subarray(known.length);
      const count = this.read(space, space.length, position + known.length);
      position += known.length + count;
      if (known.length + count > 0) yield chunk.subarray(0, known.length + count);
      if (this.isEnd(count, space.length, position)) return;
    }
  }

  close(): void {
    if (this.#isOwn) closeSync(this.fd);
  }
}

function openFile(path: string | Uint8Array, name: string): number {
  try {
    return openSync(typeof path === "string" ? path : Buffer.from(path), "r");
  } catch (error) {
    throw SourceError.from(name, error);
  }
}

/** Opens a source that is not regular (`FileSource.isRegular`): its bytes are read in order. Rejects with SourceError. */
export async function openStream(source: FileSource): Promise<AsyncIterable<Uint8Array>> {
  if (source.isRepository === true) return await (await import("./git-mail.ts")).openGitMail(source);
  const { file, name } = source;
  if (typeof file === "number") return process.stdin;
  const fd = await promisify(open)(typeof file === "string" ? file : Buffer.from(file), "r").catch((error: unknown) => {
    throw SourceError.from(name, error);
  });
  if (!fstatSync(fd).isFIFO()) return createReadStream("", { fd });
  // A socket polls the descriptor. A blocking read in the thread pool would keep the process from ending.
  const { Socket } = await import("node:net");
  return new Socket({ fd, readable: true, writable: false });
}
