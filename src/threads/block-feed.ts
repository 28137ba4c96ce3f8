// Cuts one stream into blocks that workers scan. A block owns a range of the stream, and also holds the bytes around the range that the
// matches depend on (X13). It is in shared memory, so that a byte is mostly copied once on this thread. While a stream pauses, its current
// block is scanned on this thread.
import { Signal } from "../base/signal.ts";
import { releaseCore } from "../core/core.ts";
import { TURN_BYTES, turn } from "../input/pacer.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { type OpenScanner, openScanner } from "../run/open-scanner.ts";
import { lookBack, lookBeyond } from "../scan/range.ts";
import { WorkerPool } from "./worker-pool.ts";

const BLOCK_BYTES = 2 << 20; // Least bytes of the range that a full block owns
const BLOCK_CONTEXTS = 8; // Least ratio of the bytes that a block owns to the bytes around it
const BLOCKS_MORE = 2; // Blocks in addition to one for each thread: one that is being filled, and one that waits for a worker
const PAUSE_MS = 50; // Milliseconds without a chunk after which an incomplete block is scanned

interface Block {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Offset in the stream of the first byte of the block. */
  offset: number;
  used: number;
  /** Whether the block has been given to a worker, to the scanner on this thread, or back. */
  isSubmitted: boolean;
}

/** A block that is scanned on this thread, and the number of bytes that the scanner has. */
interface ScannedHere extends OpenScanner {
  readonly block: Block;
  readonly sink: Sink;
  fed: number;
}

type NamedRange = OwnedRange & { readonly source: string | undefined };

export class BlockFeed {
  readonly #pool: WorkerPool;
  readonly #settings: ScanSettings;
  readonly #sink: Sink;
  readonly #range: NamedRange;
  /** Bytes before an owned range, and after it, that its block holds. */
  readonly #before: number;
  readonly #after: number;
  readonly #ownedBytes: number;
  readonly #free: Block[];
  #block: Block;
  /** Offset of the first byte that the current block owns. */
  #from = 0;
  /** Resolves when the results of all submitted blocks have been written. Never rejects. */
  #delivered: Promise<void> = Promise.resolve();
  /** The first error. It is in an object, because the sink may throw `undefined`. */
  #failure: { readonly error: unknown } | undefined;
  readonly #freed = new Signal();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #here: ScannedHere | undefined;

  private constructor(pool: WorkerPool, settings: ScanSettings, range: NamedRange, threads: number, sink: Sink) {
    this.#pool = pool;
    this.#settings = settings;
    this.#sink = sink;
    this.#range = range;
    this.#before = lookBack(settings);
    this.#after = lookBeyond(settings);
    const context = this.#before + this.#after;
    this.#ownedBytes = Math.max(BLOCK_BYTES, BLOCK_CONTEXTS * context);
    const newBlock = (): Block => ({
      bytes: new Uint8Array(new SharedArrayBuffer(this.#ownedBytes + context)),
      offset: 0,
      used: 0,
      isSubmitted: false,
    });
    this.#free = Array.from({ length: threads + BLOCKS_MORE - 1 }, newBlock);
    this.#block = newBlock();
  }

  /** Starts the workers. Resolves to undefined if none can start. */
  static async start(settings: ScanSettings, range: NamedRange, threads: number, sink: Sink): Promise<BlockFeed | undefined> {
    const pool = await WorkerPool.start(threads, settings);
    if (!(await pool.hasStarted)) return undefined;
    try {
      return new BlockFeed(pool, settings, range, pool.threads.length, sink);
    } catch (error) {
      await pool.stop();
      throw error;
    }
  }

  /** Takes the next bytes of a text; resolves when more may come. Rejects with WorkerError, and with errors of the sink. */
  async write(chunk: Uint8Array): Promise<void> {
    clearTimeout(this.#timer);
    for (let at = 0; at < chunk.length; ) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const block = this.#block;
      const full = this.#from + this.#ownedBytes + this.#after - block.offset;
      const count = Math.min(chunk.length - at, full - block.used);
      block.bytes.set(chunk.subarray(at, at + count), block.used);
      block.used += count;
      at += count;
      if (block.used === full) await this.#turnOver(block);
    }
    this.#timer = setTimeout(() => this.#then(() => this.#scanHere()), PAUSE_MS);
  }

  /** Ends the stream; resolves when the sink has everything. Rejects as `write` does. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#submit(this.#block, Number.MAX_SAFE_INTEGER, true);
    await this.#delivered;
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#pool.stop();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const error = new Error("the scan was stopped");
    // From now on this thread scans nothing.
    this.#failure ??= { error };
    this.#releaseHere();
    await this.#pool.stop(error);
  }

  // The next block begins with the end of `block`: the bytes before the border that a scan needs, and the bytes after the border.
  async #turnOver(block: Block): Promise<void> {
    const border = this.#from + this.#ownedBytes;
    this.#submit(block, border, false);
    const next = await this.#takeFree();
    const context = block.bytes.subarray(border - this.#before - block.offset, block.used);
    next.bytes.set(context);
    next.used = context.length;
    next.offset = border - this.#before;
    next.isSubmitted = false;
    this.#from = border;
    this.#block = next;
  }

  #submit(block: Block, border: number, last: boolean): void {
    const from = Math.max(this.#from, this.#range.from);
    const to = Math.min(border, this.#range.to);
    block.isSubmitted = true;
    const here = this.#here;
    if (here?.block === block) this.#then(() => this.#finishHere(here, to, last));
    else if (from >= to) this.#free.push(block);
    else {
      const { source } = this.#range;
      const bytes = block.bytes.subarray(0, block.used);
      const run = this.#pool.run({ kind: "block", source, bytes, offset: block.offset, from, to });
      this.#then(async () => {
        await run.deliver(this.#sink);
        this.#free.push(block);
      });
    }
  }

  /** Calls `next` when the results of all earlier blocks have been written, unless there was an error. */
  #then(next: () => Promise<void>): void {
    this.#delivered = this.#delivered
      .then(async () => {
        if (this.#failure === undefined) await next();
      })
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .then(() => this.#freed.wake());
  }

  /** Scans the bytes of the current block so far, up to its border. */
  async #scanHere(): Promise<void> {
    const block = this.#block;
    if (block.isSubmitted) return;
    if (this.#here === undefined) {
      const { source, to } = this.#range;
      const range = { source, offset: block.offset, from: Math.max(this.#from, this.#range.from), to };
      const sink = formatted(this.#settings, this.#sink);
      this.#here = { block, fed: 0, sink, ...openScanner(this.#settings, "text", sink, range) };
    }
    if (this.#here.block === block) await this.#feedHere(this.#here, Math.min(block.used, this.#from + this.#ownedBytes - block.offset));
  }

  async #feedHere(here: ScannedHere, end: number): Promise<void> {
    while (here.fed < end && this.#failure === undefined) {
      const from = here.fed;
      here.fed = Math.min(end, from + TURN_BYTES);
      here.scanner.write(here.block.bytes.subarray(from, here.fed));
      await here.sink.wait();
      await turn();
    }
  }

  async #finishHere(here: ScannedHere, to: number, last: boolean): Promise<void> {
    if (!last) here.scanner.endAt(to);
    await this.#feedHere(here, here.block.used);
    if (this.#failure !== undefined) return;
    here.scanner.end();
    this.#releaseHere();
    this.#free.push(here.block);
    await here.sink.wait();
  }

  #releaseHere(): void {
    if (this.#here !== undefined) releaseCore(this.#here.core);
    this.#here = undefined;
  }

  async #takeFree(): Promise<Block> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const block = this.#free.shift();
      if (block !== undefined) return block;
      await this.#freed.wait();
    }
  }
}
