// Scans an input that is given chunk by chunk, on this thread: a text, compressed data, or an archive.
import { Signal } from "../base/signal.ts";
import { type InputFormat, isPacked } from "../input/input-format.ts";
import { Pacer, TURN_BYTES, turn } from "../input/pacer.ts";
import type { Steps } from "../input/steps.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { type ScanContext, scanMembers, scanText, sourceErrorOf } from "./scan-source.ts";
import { emptyTotals } from "./totals.ts";

export class StreamScan {
  readonly #sink: Sink;
  readonly #isCopied: boolean;
  #chunk: Uint8Array | undefined;
  #isEnded = false; // Whether there are no more chunks
  #isClosed = false; // Whether the rest is given up
  readonly #given = new Signal(); // Wakes the scan, which waits for a chunk
  readonly #wanted = new Signal(); // Wakes a writer, which waits until the scan needs the next chunk or has ended
  readonly #over: Promise<void>; // The scan. It ends at the first source that cannot be read
  #isOver = false;
  #bytes = 0; // Bytes since the last turn of the event loop

  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, name: string | undefined, format: InputFormat) {
    const context: ScanContext = { settings, sink, totals: emptyTotals(), pacer: new Pacer(), failureOf: sourceErrorOf };
    this.#sink = sink;
    this.#isCopied = isPacked(format);
    const scan = isPacked(format)
      ? scanMembers({ name, chunks: this.#chunks() }, range, context)
      : scanText(format, { ...range, source: name, offset: 0 }, this.#chunks(), context);
    this.#over = this.#run(scan).finally(() => {
      this.#isOver = true;
      this.#wanted.wake();
    });
    this.#over.catch(() => undefined);
  }

  // After each piece of a chunk the sink may ask to wait, and after TURN_BYTES, however they were cut, the event loop turns.
  /** Scans a chunk of any size. Rejects with SourceError for damaged data, and with errors of the sink. An error closes the scan. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length && !this.#isClosed; from += TURN_BYTES) {
      const piece = chunk.length <= TURN_BYTES ? chunk : chunk.subarray(from, from + TURN_BYTES);
      const wanted = this.#wanted.wait();
      // A decoder may keep bytes until the next ones come.
      this.#chunk = this.#isCopied ? new Uint8Array(piece) : piece;
      this.#given.wake();
      // `Promise.race` would add a reaction to `#over` for each chunk.
      if (!this.#isOver) await wanted;
      if (this.#isOver) await this.#over;
      this.#bytes += piece.length;
      if (this.#bytes < TURN_BYTES) continue;
      this.#bytes = 0;
      await turn();
    }
  }

  /** Ends the stream. Resolves when the sink has everything. Rejects as `write` does. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#given.wake();
    await this.#over;
  }

  /** Gives up the rest of the stream, and releases the core. */
  stop(): void {
    this.#isClosed = true;
    this.#given.wake();
  }

  async #run(scan: Steps<undefined>): Promise<void> {
    for (const step of scan) {
      const wait = step ?? this.#sink.wait();
      if (wait !== undefined) await wait;
      if (this.#isClosed) break;
    }
  }

  *#chunks(): Steps<Uint8Array> {
    for (;;) {
      if (this.#isClosed) throw new Error("the scan was closed");
      const chunk = this.#chunk;
      this.#chunk = undefined;
      if (chunk !== undefined) yield chunk;
      else if (this.#isEnded) return;
      else {
        this.#wanted.wake();
        yield this.#given.wait();
      }
    }
  }
}
