// The Transform of node:stream.
import { Transform, type TransformCallback } from "node:stream";
import { bytesOf } from "../input/chunks.ts";
import { StreamStart } from "../input/format.ts";
import { type CheckedOptions, checkOptions, type ExtractStreamOptions, type TextType } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import type { Result, Sink } from "../output/sink.ts";
import { StreamScan } from "../run/stream-scan.ts";
import { Match } from "../scanner/batch.ts";
import { BlockFeed } from "../threads/block-feed.ts";
import { reportRejected } from "./match-list.ts";

/** Matches that wait on the side of the output with `objectMode`. */
const MATCHES_WAITING = 1024;

/**
 * Bytes in; out come the bytes of a format, or `Match` objects with `objectMode`. With `threads` above 1 the bytes are cut into
 * blocks for worker threads if they are plain text, and the output is the same. Throws OptionError; fails with SourceError
 * (`ERR_COMPRESSED`), WorkerError, and with what `onRejected` throws.
 */
export class ExtractStream extends Transform {
  readonly #options: CheckedOptions;
  readonly #sink: Sink;
  #scan: StreamScan | undefined;
  #blocks: Promise<BlockFeed | undefined> | undefined;
  /** With threads: the first bytes, until they decide what the stream is. */
  #start: StreamStart | undefined;
  #full = false;
  #resume: (() => void) | undefined;

  /** Throws OptionError. */
  constructor(options?: ExtractStreamOptions) {
    const checked = checkOptions("ExtractStream", options);
    const { settings, highWaterMark, signal, threads = 1 } = checked;
    const objectMode = settings.format === "matches";
    super({
      readableObjectMode: objectMode,
      readableHighWaterMark: objectMode ? MATCHES_WAITING : highWaterMark,
      writableHighWaterMark: highWaterMark,
      ...(signal === undefined ? {} : { signal }),
    });
    this.#options = checked;
    this.#sink = { write: (result) => this.#take(result), wait: () => this.#wait(), end: () => undefined };
    if (threads > 1) this.#start = new StreamStart(settings.type);
  }

  override _transform(chunk: unknown, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#write(chunk).then(() => callback(), callback);
  }

  override _flush(callback: TransformCallback): void {
    this.#end().then(() => callback(), callback);
  }

  override _read(size: number): void {
    this.#full = false;
    this.#wake();
    super._read(size);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#wake();
    const stopped = this.#blocks?.then((blocks) => blocks?.stop());
    if (stopped === undefined) callback(error);
    else stopped.then(() => callback(error), callback);
  }

  async #write(chunk: unknown): Promise<void> {
    const bytes = this.#begin(bytesOf(chunk), false);
    if (bytes === undefined) return;
    const blocks = await this.#blocks;
    if (blocks === undefined) await this.#scanHere().writeInPieces(bytes);
    else await blocks.write(bytes);
  }

  async #end(): Promise<void> {
    const bytes = this.#begin(new Uint8Array(0), true);
    if (bytes !== undefined) await this.#write(bytes);
    const blocks = await this.#blocks;
    if (blocks === undefined) this.#scanHere().end();
    else await blocks.end();
  }

  #scanHere(type?: TextType): StreamScan {
    const { settings, range } = this.#options;
    this.#scan ??= new StreamScan(settings, range, formatted(settings, this.#sink), type);
    return this.#scan;
  }

  /** Returns the bytes to scan, or undefined while they do not decide what the stream is. Only text can be cut into blocks. */
  #begin(bytes: Uint8Array, isEnd: boolean): Uint8Array | undefined {
    const start = this.#start;
    if (start === undefined) return bytes;
    const type = start.take(bytes) ?? (isEnd ? start.end() : undefined);
    if (type === undefined) return undefined;
    this.#start = undefined;
    const { settings, range, threads = 1 } = this.#options;
    if (type !== "text") this.#scanHere(type);
    else {
      this.#blocks = BlockFeed.start(settings, range, threads, this.#sink);
      this.#blocks.catch(() => undefined);
    }
    return start.bytes;
  }

  #take(result: Result): void {
    if (result.kind === "bytes") this.#give(Buffer.from(result.bytes));
    if (result.kind === "matches") for (let index = 0; index < result.count; index++) this.#give(new Match(result, index));
    if (result.kind === "rejected" && !this.destroyed) reportRejected(this.#options, result);
  }

  // Whoever takes one of many may have had enough, or have fired the signal.
  #give(output: Buffer | Match): void {
    if (this.destroyed) return;
    if (!this.push(output)) this.#full = true;
  }

  // Asked for between two pieces; after the reader has had enough, the next _read says that it wants more.
  #wait(): Promise<void> | undefined {
    if (!this.#full || this.destroyed) return undefined;
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #wake(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }
}
