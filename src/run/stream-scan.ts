// Scans an input chunk by chunk on this thread: a text, compressed data, or an archive.

import { Signal } from "../base/signal.ts";
import { releaseCore } from "../core/core.ts";
import { type InputFormat, isContainer, StreamStart } from "../input/input-format.ts";
import { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { type OpenScanner, openScanner, scanMembers, sourceErrorOf } from "./scan-source.ts";
import { emptyTotals } from "./totals.ts";

/** Bytes that are scanned before the sink may ask to wait. */
const PIECE_BYTES = 1 << 18;

/** Scans chunks of any size. Unless the format is given, the first bytes wait until they decide it. */
export class StreamScan {
  readonly #sink: Sink;
  readonly #begin: (format: InputFormat) => OpenScanner | MemberScan;
  #start: StreamStart | undefined;
  #open: OpenScanner | MemberScan | undefined;
  /** True during a call of `#run`. If code inside the call closes this StreamScan, the core is released after the call. */
  #isRunning = false;
  #isClosed = false;

  /** `source`: the name of the input. */
  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, source: string | undefined, format?: InputFormat) {
    this.#sink = sink;
    this.#begin = (found) =>
      isContainer(found)
        ? new MemberScan(settings, range, sink, source)
        : openScanner(settings, found, sink, { ...range, source, offset: 0 });
    if (format === undefined) this.#start = new StreamStart(settings.type);
    else this.#open = this.#begin(format);
  }

  /**
   * Scans the next bytes. Returns a promise for compressed data and archives: it resolves when more bytes may come, and rejects with
   * SourceError for damaged data. An error that is thrown closes the scan.
   */
  write(chunk: Uint8Array): Promise<void> | undefined {
    return this.#run(() => {
      const start = this.#start;
      if (start === undefined) return this.#scan(chunk);
      const format = start.take(chunk);
      return format === undefined ? undefined : this.#scanStart(start, format);
    });
  }

  /** Scans a chunk of any size in pieces, and waits after each if the sink asks for it. */
  async writeInPieces(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      await this.write(chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(from, from + PIECE_BYTES));
      const pause = this.#sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  /** Ends the stream: scans the bytes that have waited. A returned promise resolves at the end. Throws and rejects as `write` does. */
  end(): Promise<void> | undefined {
    const start = this.#start;
    const scanned = this.#run(() => (start === undefined ? undefined : this.#scanStart(start, start.end())));
    if (scanned !== undefined) return scanned.then(() => this.#finish());
    return this.#finish();
  }

  /** Gives up the rest of the stream, and releases the core. */
  close(): void {
    this.#isClosed = true;
    const open = this.#open;
    if (this.#isRunning || open === undefined) return;
    this.#open = undefined;
    if (open instanceof MemberScan) open.close();
    else releaseCore(open.core);
  }

  #finish(): Promise<void> | undefined {
    const ended = this.#run(() => {
      if (this.#open instanceof MemberScan) return this.#open.end();
      this.#open?.scanner.end();
      return undefined;
    });
    if (ended !== undefined) return ended.finally(() => this.close());
    this.close();
    return undefined;
  }

  #run(scan: () => Promise<void> | undefined): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    this.#isRunning = true;
    try {
      return scan();
    } catch (error) {
      this.#isClosed = true;
      throw error;
    } finally {
      this.#isRunning = false;
      if (this.#isClosed) this.close();
    }
  }

  #scan(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#open instanceof MemberScan) return this.#open.write(chunk);
    this.#open?.scanner.write(chunk);
    return undefined;
  }

  #scanStart({ bytes }: StreamStart, format: InputFormat): Promise<void> | undefined {
    this.#start = undefined;
    this.#open = this.#begin(format);
    return this.#scan(bytes);
  }
}

/** Scans the members of compressed data or of an archive (A11). Ends at the first source that cannot be read. */
class MemberScan {
  #chunk: Uint8Array | undefined;
  #isEnded = false;
  #isClosed = false;
  /** Wakes the scan, which waits for a chunk. */
  readonly #given = new Signal();
  /** Wakes a writer, which waits until the scan needs the next chunk or has ended. */
  readonly #wanted = new Signal();
  readonly #over: Promise<void>;
  #isOver = false;

  /** `name`: the name of the source in records and errors. */
  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, name: string | undefined) {
    this.#over = this.#scan(settings, range, sink, name).finally(() => {
      this.#isOver = true;
      this.#wanted.wake();
    });
    this.#over.catch(() => undefined);
  }

  /** Takes the next bytes; resolves when the scan needs more or has ended. Rejects with SourceError, and with errors of the sink. */
  async write(chunk: Uint8Array): Promise<void> {
    const wanted = this.#wanted.wait();
    // A decoder may keep bytes until the next ones come.
    this.#chunk = new Uint8Array(chunk);
    this.#given.wake();
    // `Promise.race` would add a reaction to `#over` for each chunk.
    if (!this.#isOver) await wanted;
    if (this.#isOver) await this.#over;
  }

  /** Ends the data; resolves when the sink has everything. Rejects as `write` does. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#given.wake();
    await this.#over;
  }

  /** Discards the rest. */
  close(): void {
    this.#isClosed = true;
    this.#given.wake();
  }

  async #scan(settings: ScanSettings, range: OwnedRange, sink: Sink, name: string | undefined): Promise<void> {
    const context = { settings, sink, totals: emptyTotals(), pacer: new Pacer(), failureOf: sourceErrorOf };
    for await (const _ of scanMembers({ name, chunks: this.#chunks() }, range, context)) {
      const pause = sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#isClosed) throw new Error("the scan was closed");
      const chunk = this.#chunk;
      this.#chunk = undefined;
      if (chunk !== undefined) yield chunk;
      else if (this.#isEnded) return;
      else {
        this.#wanted.wake();
        await this.#given.wait();
      }
    }
  }
}
