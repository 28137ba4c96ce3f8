// Scans inputs in a worker of the page: counts go to the summing worker, records go to the page.
import { messageOf, SourceError } from "../../base/errors.ts";
import type { InputFormat } from "../../input/input-format.ts";
import { Pacer } from "../../input/pacer.ts";
import { tapped } from "../../input/steps.ts";
import type { ByteBatch } from "../../matches/batch.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../../options/options.ts";
import { formatted } from "../../output/formatted.ts";
import { JoinedBytes } from "../../output/joined-bytes.ts";
import { runOutput } from "../../output/run-output.ts";
import { before, type Sink } from "../../output/sink.ts";
import { summarySink } from "../../output/summarized.ts";
import { type RangedInput, type ScanContext, scanRanged } from "../../run/scan-source.ts";
import { addCounts, emptyTotals, type Totals } from "../../run/totals.ts";
import type { ScanCounts } from "../../scan/scan.ts";
import { Summarizer, type SummaryPart } from "../../summary/summarizer.ts";
import type { Summary } from "../../summary/summary.ts";
import { groupsOf, openInput, type PageInput, readTogether } from "./input-bytes.ts";

const READ_EVERY_MS = 100;
/** Milliseconds before the first part of the summary is due, and the period of the timer. The interval grows by half, to COUNTS_MOST. */
const [COUNTS_FIRST, COUNTS_MOST] = [200, 2000];
/** Counts are sent when their tables have more bytes than this. */
const KEPT_BYTES = 8 << 20;
/** The worker waits when so many parts of the summary, or pieces of records, are not acknowledged. */
const [PARTS_IN_FLIGHT, PIECES_IN_FLIGHT] = [2, 4];
/** Most bytes of a piece of records, unless a single write to the sink has more. */
const PIECE_BYTES = 1 << 19;

export interface PagePart extends OwnedRange {
  readonly input: PageInput;
  /** Absent: not detected yet. */
  readonly format?: InputFormat;
  /** Whether the messages (mbox, MMDF) or records (web archive) that start in the range are scanned whole. */
  readonly byMessage?: boolean;
}

export type Reply =
  /** Number of input bytes read since the last such reply. */
  | { readonly kind: "read"; readonly bytes: number }
  /** An input could not be read to its end. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "written"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A summary of all counts so far, without the facts of the run. */
  | { readonly kind: "summary"; readonly summary: Summary }
  /** The answer to a call: its value, or its error. */
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "broken"; readonly message: string };

/** Counts from a scanning worker to the summing one. `totals`: all totals of the worker so far. */
export interface CountsMessage {
  readonly part: SummaryPart;
  readonly totals: Totals;
}

export type Send = (reply: Reply, transfer?: Transferable[]) => void;

/** The number of messages that were sent but not acknowledged. */
class InFlight {
  readonly #most: number;
  #count = 0;
  #resume = (): void => undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get hasRoom(): boolean {
    return this.#count < this.#most;
  }

  add(): void {
    this.#count++;
  }

  acknowledge(): void {
    this.#count--;
    this.#resume();
  }

  /** If at least `most` messages are in flight, returns a promise that resolves at the next acknowledgement. */
  wait(most = this.#most): Promise<void> | undefined {
    return this.#count < most ? undefined : new Promise((resolve) => (this.#resume = resolve));
  }

  async drain(): Promise<void> {
    while (this.#count > 0) await this.wait(1);
  }
}

class PartScanner {
  readonly #send: Send;
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;
  readonly #pacer = new Pacer(this.signal);
  readonly #totals: Totals = emptyTotals();
  #current: ScanCounts | undefined;
  #unsent = 0;
  #sent = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Ends the scan early. What was counted stays. */
  stop(): void {
    this.#abort.abort(new DOMException("stopped", "AbortError"));
  }

  get totals(): Totals {
    const totals = structuredClone(this.#totals);
    if (this.#current !== undefined) addCounts(totals, this.#current);
    return totals;
  }

  /** Scans a part. Writes the error of an unreadable input to the sink. */
  async scan(part: PagePart, settings: ScanSettings, sink: Sink): Promise<void> {
    if (this.signal.aborted) return;
    let left = Math.min(part.to, part.input.size) - part.from;
    const input = rangedInput(part, this.signal, (bytes) => {
      left -= bytes;
      this.#read(bytes);
    });
    const failureOf = (source: string | undefined, error: unknown): SourceError => {
      if (error instanceof SourceError) return error;
      if (this.signal.aborted) throw error;
      return new SourceError("ERR_URLMILL_INTERNAL", source, `was not read to its end: ${messageOf(error)}`);
    };
    const [totals, pacer] = [this.#totals, this.#pacer];
    const context: ScanContext = { settings, sink, totals, pacer, failureOf, opened: (counts) => (this.#current = counts) };
    try {
      for await (const _ of scanRanged(input, part, context)) {
        await pacer.pause();
        await sink.wait();
      }
      this.#read(left);
    } catch (error) {
      if (!this.signal.aborted) sink.write({ kind: "failed", error: failureOf(part.input.name, error) });
    }
    this.#current = undefined;
  }

  /** Returns a sink that counts and reports sources that were not read to their end, and gives bytes to `write`. */
  reportingSink(inFlight: InFlight, write?: (batch: ByteBatch) => void): Sink {
    return {
      write: (result) => {
        if (result.kind === "bytes") write?.(result);
        if (result.kind !== "failed") return;
        this.#totals.skipped++;
        this.#send({ kind: "failed", message: result.error.message });
      },
      wait: () => inFlight.wait(),
      end: () => undefined,
    };
  }

  /** Sends the number of bytes read since the last such message, if there are any. */
  sendRead(): void {
    if (this.#unsent > 0) this.#send({ kind: "read", bytes: this.#unsent });
    this.#unsent = 0;
    this.#sent = performance.now();
  }

  #read(bytes: number): void {
    this.#unsent += bytes;
    if (performance.now() - this.#sent > READ_EVERY_MS) this.sendRead();
  }
}

/** Returns the input of a part. `read` is called for each piece with the number of its bytes that belong to the part. */
function rangedInput({ input, from, to }: PagePart, signal: AbortSignal, read: (bytes: number) => void): RangedInput {
  const opened = openInput(input, signal);
  const end = Math.min(to, input.size);
  const chunks: RangedInput["chunks"] = (offset, last) => {
    let at = offset;
    return tapped(opened.chunks(offset, last), ({ length }) => {
      read(Math.max(0, Math.min(at + length, end) - Math.max(at, from)));
      at += length;
    });
  };
  return { ...opened, chunks };
}

/** Counts matches, and sends the counts to the summing worker. */
export class CountingScan {
  readonly scanner: PartScanner;
  readonly #settings: ScanSettings;
  readonly #port: MessagePort;
  readonly #summarizer: Summarizer;
  readonly #sink: Sink;
  readonly #inFlight = new InFlight(PARTS_IN_FLIGHT);
  #next = performance.now() + COUNTS_FIRST;
  #every = COUNTS_FIRST;
  #hasNews = false;

  constructor(settings: ScanSettings, port: MessagePort, send: Send) {
    this.#settings = settings;
    this.#port = port;
    this.scanner = new PartScanner(send);
    port.onmessage = () => this.#inFlight.acknowledge();
    this.#summarizer = new Summarizer(Number.POSITIVE_INFINITY, this);
    const counted = summarySink(this.#summarizer, this.scanner.reportingSink(this.#inFlight), false);
    const noted = before(counted, (result) => {
      counted.write(result);
      this.#hasNews = true;
    });
    this.#sink = formatted(settings, noted);
    // If no further message begins, the timer sends the counts.
    setInterval(() => this.#giveIfWaiting(), COUNTS_FIRST);
  }

  /** Between two messages the summarizer gives counts that have more bytes than this: all of them, if they are due. */
  get bytes(): number {
    return this.#isDue ? 0 : KEPT_BYTES;
  }

  get #isDue(): boolean {
    return performance.now() > this.#next && this.#inFlight.hasRoom;
  }

  async scan(parts: readonly PagePart[]): Promise<void> {
    const listed = parts.map(({ input }) => input);
    for (const [index, input] of (await readTogether(listed, this.scanner.signal)).entries()) {
      await this.scanner.scan({ ...(parts[index] as PagePart), input }, this.#settings, this.#sink);
    }
    this.scanner.sendRead();
  }

  /** Sends all counts, and waits until they are acknowledged. */
  async flush(): Promise<void> {
    this.give(this.#summarizer.take());
    await this.#inFlight.drain();
  }

  #giveIfWaiting(): void {
    this.scanner.sendRead();
    if (this.#hasNews && this.#isDue) this.give(this.#summarizer.takeEarly());
  }

  give(part: SummaryPart): void {
    this.#hasNews = false;
    this.#every = Math.min(COUNTS_MOST, 1.5 * this.#every);
    this.#next = performance.now() + this.#every;
    this.#inFlight.add();
    const buffers = Object.values(part.tables).map(({ bytes }) => bytes.buffer);
    this.#port.postMessage({ part, totals: this.scanner.totals } satisfies CountsMessage, buffers);
  }
}

/** Writes the records of inputs in their order, in the format of the settings. */
export class WritingScan {
  readonly #scanner: PartScanner;
  readonly #send: Send;
  readonly inFlight = new InFlight(PIECES_IN_FLIGHT);
  readonly #joined = new JoinedBytes(new Uint8Array(PIECE_BYTES));

  constructor(send: Send) {
    this.#send = send;
    this.#scanner = new PartScanner(send);
  }

  async write(inputs: readonly PageInput[], settings: ScanSettings): Promise<void> {
    const begin = await runOutput(settings);
    const pieces = this.#scanner.reportingSink(this.inFlight, (batch) => this.#write(batch));
    const sink = formatted(settings, begin(pieces));
    for (const group of groupsOf(inputs)) {
      for (const input of await readTogether(group)) await this.#scanner.scan({ input, ...EVERYTHING }, settings, sink);
    }
    await sink.end();
    this.#give(this.#joined.take());
    this.#scanner.sendRead();
  }

  #write(batch: ByteBatch): void {
    if (this.#joined.add(batch)) return;
    this.#give(this.#joined.take());
    if (!this.#joined.add(batch)) this.#give(batch);
  }

  #give(batch: ByteBatch | undefined): void {
    if (batch === undefined) return;
    this.inFlight.add();
    const bytes = new Uint8Array(batch.bytes);
    this.#send({ kind: "written", bytes }, [bytes.buffer]);
  }
}
