// A text that comes chunk by chunk, scanned on this thread.
import { releaseCore } from "../core/core.ts";
import { StreamStart } from "../input/input-format.ts";
import type { OwnedRange, ScanSettings, TextType } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { type OpenScanner, openScanner } from "./scan-source.ts";

/** Bytes that are scanned before the sink may ask to wait. */
const PIECE_BYTES = 1 << 18;

/** Scans chunks of any size. The first bytes wait until they decide the type of the text, if it is not given. */
export class StreamScan {
  readonly #sink: Sink;
  readonly #begin: (type: TextType) => OpenScanner;
  #start: StreamStart | undefined;
  #open: OpenScanner | undefined;
  /** The scan runs: the code that it calls may close it, but not release its core. */
  #isRunning = false;
  #isClosed = false;

  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, type?: TextType) {
    this.#sink = sink;
    this.#begin = (found) => openScanner(settings, found, sink, { ...range, offset: 0 });
    if (type === undefined) this.#start = new StreamStart(settings.type);
    else this.#open = this.#begin(type);
  }

  /** Scans the next bytes. Throws SourceError for compressed data. A scan that has thrown is closed. */
  write(chunk: Uint8Array): void {
    this.#run(() => {
      if (this.#start === undefined) this.#open?.scanner.write(chunk);
      else this.#scanStart(this.#start, this.#start.take(chunk));
    });
  }

  /** Scans a chunk of any size in pieces, and waits after each if the sink asks for it. */
  async writeInPieces(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      this.write(chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(from, from + PIECE_BYTES));
      const pause = this.#sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  /** Ends the stream: scans what has waited. Throws as `write` does. */
  end(): void {
    this.#run(() => {
      if (this.#start !== undefined) this.#scanStart(this.#start, this.#start.end());
      this.#open?.scanner.end();
    });
    this.close();
  }

  /** Gives up the rest of the stream. */
  close(): void {
    this.#isClosed = true;
    if (this.#isRunning || this.#open === undefined) return;
    releaseCore(this.#open.core);
    this.#open = undefined;
  }

  #run(scan: () => void): void {
    if (this.#isClosed) return;
    this.#isRunning = true;
    try {
      scan();
    } catch (error) {
      this.#isClosed = true;
      throw error;
    } finally {
      this.#isRunning = false;
      if (this.#isClosed) this.close();
    }
  }

  #scanStart({ bytes }: StreamStart, type: TextType | undefined): void {
    if (type === undefined) return;
    this.#start = undefined;
    this.#open = this.#begin(type);
    this.#open.scanner.write(bytes);
  }
}
