// Scans the members of compressed data or of an archive on this thread, chunk by chunk (A11).
import { Signal } from "../base/signal.ts";
import { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { scanMembers, sourceErrorOf } from "./scan-source.ts";
import { emptyTotals } from "./totals.ts";

/** Scans written chunks. Ends at the first source that cannot be read. */
export class MemberScan {
  #chunk: Uint8Array | undefined;
  #isEnded = false;
  #isClosed = false;
  /** Set while the scan waits for a chunk. */
  readonly #given = new Signal();
  /** Set while a writer waits for the scan to need the next chunk. */
  readonly #wanted = new Signal();
  readonly #over: Promise<void>;

  /** `name`: of the source in records and errors. */
  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, name: string | undefined) {
    this.#over = this.#scan(settings, range, sink, name);
    this.#over.catch(() => undefined);
  }

  /** Takes the next bytes; resolves when the scan needs more. Rejects with SourceError, and with errors of the sink. */
  async write(chunk: Uint8Array): Promise<void> {
    const wanted = this.#wanted.wait();
    // A decoder may keep bytes until the next ones come.
    this.#chunk = new Uint8Array(chunk);
    this.#given.wake();
    await Promise.race([wanted, this.#over]);
  }

  /** The data is complete: resolves when the sink has everything. Rejects as `write` does. */
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
    const results = { sink, failureOf: sourceErrorOf };
    const scan = scanMembers({ name, chunks: this.#chunks() }, settings, range, results, emptyTotals(), new Pacer(undefined));
    for await (const _ of scan) {
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
