// Writes bytes to a file descriptor in order while the scan continues. Deals with partial writes, and with full and closed pipes.
import { fstatSync, statSync, write, writeSync } from "node:fs";
import { fileError, systemCode } from "../base/errors.ts";
import { linesForTerminal, MARK_END, MARK_START } from "../base/shown.ts";

const BUFFER_BYTES = 1 << 20; // Bytes of one buffer: large, so that system calls cost little
const WRITE_BYTES_LEAST = 1 << 16; // Fewer bytes than this wait for the next turn of the event loop, because more may follow
const WAITING_BYTES_MOST = 4 << 20; // With more unwritten bytes than this, `wait` returns a promise
const RETRY_MS = 2; // Pause before the next try of a descriptor that is not ready (EAGAIN), in milliseconds

type WriteAll = (bytes: Buffer) => Promise<void>;

/** Collects bytes and writes them asynchronously, so that the process sees signals while a reader is slow. */
export class Output {
  #writeAll: WriteAll;
  readonly #writeUnchanged: WriteAll; // Writes without the changes that make data safe on a terminal
  #current = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;
  /** Buffers to write, in order; `used`: their used bytes. */
  readonly #full: { buffer: Buffer<ArrayBuffer>; used: number }[] = [];
  readonly #spare: Buffer<ArrayBuffer>[] = []; // Written buffers for reuse, because garbage of this size is collected late
  #waiting = 0;
  /** Number of bytes that `write` has taken. */
  taken = 0;
  #writing: Promise<void> | undefined;
  #isDue = false; // Whether the next turn of the event loop will start writing
  #error: unknown;
  readonly fd: number;
  readonly #name: string;
  #writesAtOnce = false;

  /** Writes to `fd`. `path`: the user's name of the output; absent: standard output. */
  constructor(fd: number, path?: string) {
    this.fd = fd;
    this.#name = path ?? "standard output";
    this.#writeUnchanged = fd === 1 && isSlow(fd) ? writeToStdout : (bytes) => writeToFile(fd, bytes);
    this.#writeAll = isTerminal(fd) ? shownOnTerminal(this.#writeUnchanged) : this.#writeUnchanged;
  }

  /** Lets `write` write all bytes unchanged even to a terminal: the caller has already made data safe, and adds colors. */
  leaveUnchanged(): void {
    this.#writeAll = this.#writeUnchanged;
  }

  /** Makes `write` write large pieces to a file at once. Callers that only copy bytes are faster so: the bytes stay in one cache. */
  writeAtOnce(): void {
    this.#writesAtOnce = fstatSync(this.fd).isFile();
  }

  /** Takes a copy of `bytes`, or writes them now (`writeAtOnce`). Throws the error of an earlier write, or of this one. */
  write(bytes: Uint8Array): void {
    if (this.#error !== undefined) throw this.#error;
    this.taken += bytes.length;
    if (this.#writesAtOnce && this.#waiting === 0 && bytes.length >= WRITE_BYTES_LEAST) this.#writeNow(bytes);
    else this.#keep(bytes);
  }

  #writeNow(bytes: Uint8Array): void {
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(this.fd, bytes, from);
    } catch (error) {
      this.#error = fileError(this.#name, "written", error);
      throw this.#error;
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#waiting += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      if (this.#used === BUFFER_BYTES) this.#turnOver();
      const count = Math.min(bytes.length - from, BUFFER_BYTES - this.#used);
      this.#current.set(from === 0 && count === bytes.length ? bytes : bytes.subarray(from, from + count), this.#used);
      this.#used += count;
      from += count;
    }
  }

  /** Starts writing. Returns a promise if the caller should wait for it before it writes more. Throws as `write` does. */
  wait(): Promise<void> | undefined {
    if (this.#error !== undefined) throw this.#error;
    if (this.#waiting >= WRITE_BYTES_LEAST && this.#writesAtOnce) return this.flush();
    if (this.#waiting >= WRITE_BYTES_LEAST) this.#writing ??= this.#drain();
    else if (this.#waiting > 0 && !this.#isDue) this.#writeSoon();
    return this.#waiting > WAITING_BYTES_MOST ? this.flush() : undefined;
  }

  /** Resolves when everything is written. Rejects with the error of a failed write, which names the output. */
  async flush(): Promise<void> {
    while (this.#waiting > 0 && this.#error === undefined) {
      this.#writing ??= this.#drain();
      await this.#writing;
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #writeSoon(): void {
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#waiting > 0) this.#writing ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting > 0) {
        if (this.#full.length === 0) this.#turnOver();
        const { buffer, used } = this.#full[0];
        await this.#writeAll(buffer.subarray(0, used));
        this.#full.shift();
        this.#spare.push(buffer);
        this.#waiting -= used;
      }
    } catch (error) {
      this.#error = fileError(this.#name, "written", error);
    }
    this.#writing = undefined;
  }

  #turnOver(): void {
    this.#full.push({ buffer: this.#current, used: this.#used });
    this.#current = this.#spare.pop() ?? Buffer.allocUnsafe(BUFFER_BYTES);
    this.#used = 0;
  }
}

/** Returns whether `fd` is a terminal. Only character devices get Node's own test, because that test loads the network streams. */
export function isTerminal(fd: number): boolean {
  const stats = fstatSync(fd);
  if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev) return false;
  return process.getBuiltinModule("node:tty").isatty(fd);
}

/** Returns whether a write may have to wait for a reader: true for pipes, sockets and terminals. */
function isSlow(fd: number): boolean {
  const stats = fstatSync(fd);
  return !stats.isFile() && (!stats.isCharacterDevice() || isTerminal(fd));
}

/** Returns a function that passes safe text to `writeAll`: a subject or a file name may hold controls that act on the terminal. */
function shownOnTerminal(writeAll: WriteAll): WriteAll {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // Data may hold these noncharacters too, so a color ends in the line where it begins.
  const marked = new RegExp(`${MARK_START}([^${MARK_START}${MARK_END}\n]*)${MARK_END}`, "g");
  const inColor = (text: string): string => text.replace(marked, "\x1b[1;31m$1\x1b[0m");
  return (bytes) => writeAll(Buffer.from(inColor(linesForTerminal(decoder.decode(bytes, { stream: true })))));
}

// Node's stream polls the descriptor. A blocking write in libuv's thread pool would keep the process from ending.
function writeToStdout(bytes: Buffer): Promise<void> {
  // Other listeners may exist, because the streams of workers are piped there while the workers live.
  if (!process.stdout.listeners("error").includes(isSeenByWriter)) process.stdout.on("error", isSeenByWriter);
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Does nothing: the callback of the write gets the error. */
function isSeenByWriter(): void {}

async function writeToFile(fd: number, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += await new Promise<number>((resolve, reject) => {
        write(fd, bytes, from, bytes.length - from, null, (error, count) => (error === null ? resolve(count) : reject(error)));
      });
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
