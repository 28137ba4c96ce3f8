// A scan of one stream on this thread, chunk by chunk.
import type { Core } from "../core/core.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import { type Receiver, scanOptionsOf, sinkOf } from "../sinks/receiver.ts";
import { StreamStart } from "../sources/encoding.ts";
import type { ScanCounts } from "../window/scan.ts";
import { Scanner } from "../window/scanner.ts";

/** Bytes that are scanned before somebody may want to wait. */
const PIECE_BYTES = 1 << 18;

/** Takes the bytes of one stream in chunks of any size. */
export class StreamScan {
  readonly #scanner: Scanner;
  readonly #start: StreamStart;

  constructor(core: Core, settings: ScanSettings, range: OwnedRange, source: string | undefined, receiver: Receiver) {
    this.#scanner = new Scanner(core, scanOptionsOf(settings), sinkOf(settings, source, receiver), { offset: 0, ...range });
    this.#start = new StreamStart(source);
  }

  /** True when the rest of the stream is of no interest. */
  get done(): boolean {
    return this.#scanner.done;
  }

  /** Scans the next bytes. Throws SourceError for UTF-16. */
  write(chunk: Uint8Array): void {
    this.#start.check(chunk);
    this.#scanner.write(chunk);
  }

  /** Scans a chunk of any size, between two pieces of it waiting for the room of `receiver`. */
  async writeInPieces(chunk: Uint8Array, receiver: Receiver): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      this.write(chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(from, from + PIECE_BYTES));
      const room = receiver.room();
      if (room !== undefined) await room;
    }
  }

  /** What has been counted so far. */
  get counts(): ScanCounts {
    return this.#scanner.counts;
  }

  /** The stream is over: reports what was held back. */
  end(): void {
    this.#scanner.end();
  }
}
