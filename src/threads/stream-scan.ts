// A scan of one stream on this thread, chunk by chunk.
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { SourceError } from "../errors.ts";
import { SourceStart } from "../input/source-start.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import { scanOptionsOf } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import type { ScanCounts } from "../scanner/scan.ts";
import { Scanner } from "../scanner/scanner.ts";
import { emptyCounts } from "./totals.ts";

/** Bytes that are scanned before somebody may want to wait. */
const PIECE_BYTES = 1 << 18;

/** Takes the bytes of one stream in chunks of any size. What the stream is, is told by its first bytes, which wait for that. */
export class StreamScan {
  readonly #settings: ScanSettings;
  readonly #range: OwnedRange;
  readonly #source: string | undefined;
  readonly #sink: Sink;
  readonly #start: SourceStart;
  #core: Core | undefined;
  #scanner: Scanner | undefined;

  constructor(settings: ScanSettings, range: OwnedRange, source: string | undefined, sink: Sink) {
    this.#settings = settings;
    this.#range = range;
    this.#source = source;
    this.#sink = sink;
    this.#start = new SourceStart(settings.type, source);
  }

  /** True when the rest of the stream is of no interest. */
  get done(): boolean {
    return this.#scanner?.done === true;
  }

  /** Scans the next bytes. Throws SourceError for compressed data. */
  write(chunk: Uint8Array): void {
    if (this.#scanner === undefined) {
      this.#start.take(chunk);
      if (this.#start.isEnough) this.#begin().write(this.#start.release());
    } else this.#scanner.write(chunk);
  }

  /** Scans a chunk of any size in pieces, waiting after each when the sink says so. */
  async writeInPieces(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      this.write(chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(from, from + PIECE_BYTES));
      const pause = this.#sink.wait();
      if (pause !== undefined) await pause;
    }
  }

  /** What has been counted so far. */
  get counts(): ScanCounts {
    return this.#scanner?.counts ?? emptyCounts();
  }

  /** The stream is over: reports what was held back. Throws as `write` does. */
  end(): void {
    if (this.#scanner === undefined) this.#begin().write(this.#start.release());
    this.#scanner?.end();
    this.#release();
  }

  /** The stream failed: reports what was held back, but for what a cut may have halved. Something behind whole data cuts nothing. */
  fail({ code }: SourceError): void {
    if (this.#scanner === undefined) this.#begin().write(this.#start.release());
    if (code === "ERR_TRAILING") this.#scanner?.end();
    else this.#scanner?.cut();
    this.#release();
  }

  #release(): void {
    if (this.#core !== undefined) releaseCore(this.#core);
    this.#core = undefined;
  }

  #begin(): Scanner {
    const options = scanOptionsOf(this.#settings, this.#start.type);
    this.#core = takeCore();
    this.#scanner = new Scanner(this.#core, options, this.#sink, { source: this.#source, offset: 0, ...this.#range });
    return this.#scanner;
  }
}
