// The extracting stream of Node.
import { addAbortSignal, Transform, type TransformCallback } from "node:stream";
import { Signal } from "../base/signal.ts";
import { bytesOf } from "../input/chunks.ts";
import { type InputFormat, StreamStart } from "../input/input-format.ts";
import { type DerivedReader, derivedReaderOf, Match } from "../matches/match.ts";
import { type CheckedOptions, checkOptions, type ExtractStreamOptions } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { nodeOutput } from "../output/node-output.ts";
import { reportRejected } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { StreamScan } from "../run/stream-scan.ts";
import { isRangeable } from "../scan/range.ts";
import { BlockFeed } from "../threads/block-feed.ts";

const MATCHES_WAITING = 1024; // Matches buffered for the reader with `objectMode` before the scan waits

/** With `objectMode`, excludes the options of formats: matches have no format. */
type Fitting<ObjectMode> = ObjectMode extends true ? { readonly [Name in "format" | "print" | "header" | "csvSafe"]?: undefined } : unknown;

/**
 * A transform stream from bytes to the bytes of a format, or to `Match` objects with `objectMode`. It opens compressed data and archives,
 * unless `type` is "text". With `threads` above 1 it cuts plain text into blocks for worker threads; the output is the same. It fails with
 * SourceError for damaged data, with WorkerError, or with an error that `onRejected` throws, after all earlier matches are read.
 */
export class ExtractStream<ObjectMode extends boolean = false> extends Transform {
  readonly #options: CheckedOptions;
  readonly #readDerived: DerivedReader | undefined;
  #sink: Sink;
  #start: StreamStart | undefined; // The first bytes, until their format is known. Then `#reading` takes them
  #reading: Promise<StreamScan | BlockFeed> | undefined;
  #opened: StreamScan | BlockFeed | undefined; // The result of `#reading`: to await that for each chunk would make promises
  #full = false;
  readonly #asked = new Signal();
  #emptied: (() => void) | undefined; // Reports a waiting error, after the reader has taken all buffered output

  /** Throws OptionError. */
  constructor(options?: Omit<ExtractStreamOptions, "objectMode"> & { readonly objectMode?: ObjectMode | undefined } & Fitting<ObjectMode>) {
    const checked = checkOptions("ExtractStream", options);
    const { settings, highWaterMark, signal } = checked;
    const objectMode = settings.format === "matches";
    super({
      readableObjectMode: objectMode,
      readableHighWaterMark: objectMode ? MATCHES_WAITING : highWaterMark,
      writableHighWaterMark: highWaterMark,
    });
    this.#options = checked;
    this.#readDerived = derivedReaderOf(settings.fields);
    this.#sink = { write: (result) => this.#take(result), wait: () => this.#wait(), end: () => undefined };
    this.#start = new StreamStart(settings.type);
    // Not as an option of Transform: a signal that has already fired would destroy the stream before its fields exist.
    if (signal !== undefined) addAbortSignal(signal, this);
  }

  /** Adds a `data` listener, which gets matches with `objectMode: true`, else chunks of bytes. */
  override on(event: "data", listener: (chunk: ObjectMode extends true ? Match : Buffer) => void): this;
  override on(event: string | symbol, listener: Parameters<Transform["on"]>[1]): this;
  override on(event: string | symbol, listener: Parameters<Transform["on"]>[1]): this {
    return super.on(event, listener);
  }

  /** Yields matches with `objectMode: true`, else chunks of bytes. */
  // The second type makes it a stream for the types of `pipeline`, whose chunks are bytes or text.
  override [Symbol.asyncIterator](): NodeJS.AsyncIterator<ObjectMode extends true ? Match : Buffer> &
    ReturnType<Transform[typeof Symbol.asyncIterator]> {
    return super[Symbol.asyncIterator]();
  }

  /** @internal Node calls it. */
  override _transform(chunk: unknown, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#settle(this.#write(chunk), callback);
  }

  /** @internal Node calls it. */
  override _flush(callback: TransformCallback): void {
    this.#settle(this.#end(), callback);
  }

  /** @internal Node calls it. */
  override _read(size: number): void {
    this.#full = false;
    this.#asked.wake();
    super._read(size);
  }

  /** @internal Readers call it. */
  override read(size?: number): ReturnType<Transform["read"]> {
    const output = super.read(size);
    if (this.readableLength === 0) this.#emptied?.();
    return output;
  }

  /** @internal Node calls it. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#asked.wake();
    const stopped = this.#reading?.then(
      (reading) => reading.stop(),
      () => undefined,
    );
    if (stopped === undefined) callback(error);
    else stopped.then(() => callback(error), callback);
  }

  // The error waits until the reader has taken all buffered output: an error drops the buffer.
  #settle(work: Promise<void>, callback: TransformCallback): void {
    work.then(
      () => callback(),
      (error: unknown) => {
        this.#emptied = () => {
          this.#emptied = undefined;
          callback(errorOf(error));
        };
        if (this.readableLength === 0 || this.destroyed) this.#emptied();
      },
    );
  }

  async #write(chunk: unknown): Promise<void> {
    const bytes = bytesOf(chunk);
    const start = this.#start;
    if (start === undefined) return await this.#opened?.write(bytes);
    const format = start.take(bytes);
    if (format !== undefined) await this.#begin(format, start.bytes);
  }

  async #end(): Promise<void> {
    const start = this.#start;
    if (start !== undefined) await this.#begin(start.end(), start.bytes);
    await this.#opened?.end();
    this.#sink.end();
  }

  /** Begins the output, and scans the first bytes. */
  async #begin(format: InputFormat, first: Uint8Array): Promise<void> {
    this.#start = undefined;
    this.#reading = this.#open(format);
    this.#opened = await this.#reading;
    await this.#opened.write(first);
  }

  /** Only text can be cut into blocks, and only if a worker can start. */
  async #open(format: InputFormat): Promise<StreamScan | BlockFeed> {
    const { settings, range, source, threads = 1 } = this.#options;
    const begin = await nodeOutput(settings);
    this.#sink = begin(this.#sink);
    const isCut = threads > 1 && isRangeable(format, settings);
    const blocks = isCut ? await BlockFeed.start(settings, { ...range, source }, threads, this.#sink) : undefined;
    return blocks ?? new StreamScan(settings, range, formatted(settings, this.#sink), source, format);
  }

  #take(result: Result): void {
    if (result.kind === "failed") throw result.error;
    if (result.kind === "bytes" && result.bytes.length > 0) this.#give(Buffer.from(result.bytes));
    if (result.kind === "matches")
      for (let index = 0; index < result.count; index++) this.#give(new Match(result, index, undefined, this.#readDerived));
    if (result.kind === "rejected" && !this.destroyed) reportRejected(result, this.#options);
  }

  // The reader of a match may destroy the stream, or fire the signal, before the next match.
  #give(output: Buffer | Match): void {
    if (this.destroyed) return;
    if (!this.push(output)) this.#full = true;
  }

  #wait(): Promise<void> | undefined {
    return this.#full && !this.destroyed ? this.#asked.wait() : undefined;
  }
}

/** Returns the error for a value thrown by `onRejected` or a listener. Node treats a falsy value as success. */
function errorOf(thrown: unknown): Error {
  return thrown ? (thrown as Error) : new Error(`a function that the stream called has thrown ${String(thrown)}`, { cause: thrown });
}
