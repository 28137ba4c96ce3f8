// Compressed data, or an archive, that comes chunk by chunk: its members, scanned on this thread (A11).
import { Pacer } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { scanMembers, sourceErrorOf } from "./scan-source.ts";
import { emptyTotals } from "./totals.ts";

/** Scans the chunks that are written. The first source that cannot be read ends it. */
export class MemberScan {
  #chunk: Uint8Array | undefined;
  #isEnded = false;
  #isClosed = false;
  /** The scan waits for a chunk. */
  #wakeReader: (() => void) | undefined;
  /** A writer waits until the scan asks for the next one. */
  #wakeWriter: (() => void) | undefined;
  readonly #over: Promise<void>;

  /** `name`: of the source in records and errors. */
  constructor(settings: ScanSettings, range: OwnedRange, sink: Sink, name: string | undefined) {
    this.#over = this.#scan(settings, range, sink, name);
    this.#over.catch(() => undefined);
  }

  /** Takes the next bytes; resolves when the scan asks for more. Rejects with SourceError, and with what the sink throws. */
  async write(chunk: Uint8Array): Promise<void> {
    const wanted = new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
    // A decoder may keep bytes until the next ones come.
    this.#chunk = new Uint8Array(chunk);
    this.#wakeReader?.();
    await Promise.race([wanted, this.#over]);
  }

  /** The data is complete: resolves when the sink has everything. Rejects as `write` does. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#wakeReader?.();
    await this.#over;
  }

  /** Gives up the rest. */
  close(): void {
    this.#isClosed = true;
    this.#wakeReader?.();
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
        this.#wakeWriter?.();
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
