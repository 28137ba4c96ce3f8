// Scans inputs in a worker of the page: counts go to the summing worker, records go to the page.
import { messageOf, SourceError } from "../../base/errors.ts";
import { Signal } from "../../base/signal.ts";
import { Pacer } from "../../input/pacer.ts";
import type { ByteBatch } from "../../matches/batch.ts";
import type { ScanSettings } from "../../options/options.ts";
import { formatted } from "../../output/formatted.ts";
import { JoinedBytes } from "../../output/joined-bytes.ts";
import { runOutput } from "../../output/run-output.ts";
import { before, type Sink } from "../../output/sink.ts";
import { summarySink } from "../../output/summarized.ts";
import { finishScan, type ScanContext, scanRanged } from "../../run/scan-source.ts";
import { addCounts, emptyTotals, type Totals } from "../../run/totals.ts";
import type { ScanCounts } from "../../scan/scan.ts";
import { Summarizer, type SummaryPart } from "../../summary/summarizer.ts";
import type { Summary } from "../../summary/summary.ts";
import { groupsOf, openInput, type PageInput, type PagePart, readTogether } from "./input-bytes.ts";

const READ_EVERY_MS = 100;
/** Milliseconds before the first part of the summary is due, and the period of the timer. The interval grows by half, to COUNTS_MOST. */
const [COUNTS_FIRST, COUNTS_MOST] = [200, 2000];
/** Counts are sent when their tables have more bytes than this. */
const KEPT_BYTES = 8 << 20;
/** The worker waits when so many parts of the summary, or pieces of records, are not acknowledged. */
const [PARTS_IN_FLIGHT, PIECES_IN_FLIGHT] = [2, 4];
/** Most bytes of a piece of records, unless a single write to the sink has more. */
const PIECE_BYTES = 1 << 19;

export type Reply =
  /** Number of input bytes read since the last such reply. */
  | { readonly kind: "read"; readonly bytes: number }
  /** An input could not be read to its end. */
  | { readonly kind: "failed"; readonly message: string }
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

export type Send = (reply: Reply) => void;

/** A port whose receiver acknowledges each message. */
class PacedPort<Message> {
  readonly #port: MessagePort;
  readonly #most: number;
  readonly #acknowledged = new Signal();
  #inFlight = 0;

  constructor(port: MessagePort, most: number) {
    this.#port = port;
    this.#most = most;
    port.onmessage = () => {
      this.#inFlight--;
      this.#acknowledged.wake();
    };
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.#most;
  }

  send(message: Message, transfer: Transferable[]): void {
    this.#inFlight++;
    this.#port.postMessage(message, transfer);
  }

  /** Returns a promise that resolves at the next acknowledgement, unless there is room. */
  wait(): Promise<void> | undefined {
    return this.hasRoom ? undefined : this.#acknowledged.wait();
  }

  async drain(): Promise<void> {
    while (this.#inFlight > 0) await this.#acknowledged.wait();
  }
}

/**
 * Returns a scan of parts, one after the other. It sends the number of bytes that it reads, and the errors of inputs that it does not read
 * to the end. `sinkOf` returns the sink of formatted results, which passes the rest on.
 */
function partScan(settings: ScanSettings, port: PacedPort<unknown>, send: Send, sinkOf: (rest: Sink) => Sink) {
  const abort = new AbortController();
  const { signal } = abort;
  const totals = emptyTotals();
  let current: ScanCounts | undefined;
  let unsent = 0;
  const write: Sink["write"] = (result) => {
    if (result.kind !== "failed") return;
    totals.skipped++;
    send({ kind: "failed", message: result.error.message });
  };
  const sink = formatted(settings, sinkOf({ write, wait: () => port.wait(), end: () => undefined }));
  const context: ScanContext = {
    settings,
    sink,
    totals,
    pacer: new Pacer(signal),
    failureOf(source, error) {
      signal.throwIfAborted();
      if (error instanceof SourceError) return error;
      return new SourceError("ERR_URLMILL_INTERNAL", source, `was not read to its end: ${messageOf(error)}`);
    },
    read: (bytes) => (unsent += bytes),
    opened: (counts) => (current = counts),
  };
  const sendRead = (): void => {
    if (unsent > 0) send({ kind: "read", bytes: unsent });
    unsent = 0;
  };
  setInterval(sendRead, READ_EVERY_MS);
  return {
    sink,
    /** Returns the totals so far, with the counts of the current text. */
    totals(): Totals {
      const sums = structuredClone(totals);
      if (current !== undefined) addCounts(sums, current);
      return sums;
    },
    /** Ends the scan early. What was counted stays. */
    stop: () => abort.abort(new DOMException("stopped", "AbortError")),
    async scan(parts: readonly PagePart[]): Promise<void> {
      for (const part of await readTogether(parts, signal)) {
        if (signal.aborted) break;
        try {
          await finishScan(part.name, scanRanged(openInput(part, signal), part, context), context);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
      sendRead();
    },
  };
}

/** Begins a scan that counts matches, and sends the counts over `to` to the summing worker. */
export function countingScan(settings: ScanSettings, to: MessagePort, send: Send) {
  const port = new PacedPort<CountsMessage>(to, PARTS_IN_FLIGHT);
  let next = performance.now() + COUNTS_FIRST;
  let every = COUNTS_FIRST;
  let hasNews = false;
  const isDue = (): boolean => performance.now() > next && port.hasRoom;
  const give = (part: SummaryPart): void => {
    hasNews = false;
    every = Math.min(COUNTS_MOST, 1.5 * every);
    next = performance.now() + every;
    const buffers = Object.values(part.tables).map(({ bytes }) => bytes.buffer);
    port.send({ part, totals: scan.totals() }, buffers);
  };
  const summarizer = new Summarizer(Number.POSITIVE_INFINITY, {
    /** Between two messages the summarizer gives counts that have more bytes than this: all of them, if they are due. */
    get bytes() {
      return isDue() ? 0 : KEPT_BYTES;
    },
    give,
  });
  const noting = (rest: Sink): Sink => {
    const counted = summarySink(summarizer, rest, false);
    return before(counted, (result) => {
      counted.write(result);
      hasNews = true;
    });
  };
  const scan = partScan(settings, port, send, noting);
  // If no further message begins, the timer sends the counts.
  setInterval(() => {
    if (hasNews && isDue()) give(summarizer.takeEarly());
  }, COUNTS_FIRST);
  /** Sends all counts, and waits until they are acknowledged. */
  const flush = async (): Promise<void> => {
    give(summarizer.take());
    await port.drain();
  };
  return { scan: scan.scan, stop: scan.stop, flush };
}

/** Writes the records of inputs in their order, in the format of the settings. Sends them over `to` in pieces. */
export async function writeRecords(settings: ScanSettings, inputs: readonly PageInput[], to: MessagePort, send: Send): Promise<void> {
  const port = new PacedPort<Uint8Array>(to, PIECES_IN_FLIGHT);
  const joined = new JoinedBytes(new Uint8Array(PIECE_BYTES));
  const give = (batch: ByteBatch | undefined): void => {
    if (batch === undefined) return;
    const bytes = new Uint8Array(batch.bytes);
    port.send(bytes, [bytes.buffer]);
  };
  const write = (batch: ByteBatch): void => {
    if (joined.add(batch)) return;
    give(joined.take());
    if (!joined.add(batch)) give(batch);
  };
  const begin = await runOutput(settings);
  const joining = (rest: Sink): Sink => begin(before(rest, (result) => (result.kind === "bytes" ? write(result) : rest.write(result))));
  const { scan, sink } = partScan(settings, port, send, joining);
  for (const group of groupsOf(inputs)) await scan(group);
  await sink.end();
  give(joined.take());
  await port.drain();
}
