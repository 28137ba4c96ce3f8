// Matches of files, spread over worker threads.
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.ts";
import { checkOptions, type ExtractFilesOptions } from "../options.ts";
import { Match, type MatchBatch } from "../scanner/batch.ts";
import { shown } from "../shown.ts";
import { scanFiles } from "../threads/scan-files.ts";
import { report } from "./collector.ts";

/** Batches that wait for the caller. */
const BATCHES_WAITING = 4;

interface Found {
  batch: MatchBatch;
  source: string | undefined;
}

/**
 * The matches in files and folders, in the order of the paths; folders are read whole, in byte order of the paths below them.
 * A path may be a `file:` URL object. Throws OptionError and InputError at once; the iterator rejects with SourceError at the first source
 * that cannot be read, with WorkerError, and with the signal's reason. After the signal nothing is delivered.
 */
export function extractFiles(paths: string | URL | readonly (string | URL)[], options?: ExtractFilesOptions): AsyncGenerator<Match> {
  const checked = checkOptions("extractFiles", options);
  const inputs = (Array.isArray(paths) ? paths : [paths]).map(pathOf);
  const { settings, range, onRejected, signal, threads = 1 } = checked;
  const stopped = new AbortController();
  const signals = signal === undefined ? stopped.signal : AbortSignal.any([stopped.signal, signal]);
  const queue = new BatchQueue();
  const scan = async (): Promise<void> => {
    await scanFiles(
      inputs,
      { settings, threads, range, signal: signals, failFast: true },
      {
        bytes: () => undefined,
        matches: (batch, source) => queue.add({ batch, source }),
        rejected: (batch, source) => report(onRejected, batch, source, signal),
        failed: () => undefined,
        room: () => queue.room(),
      },
    );
  };
  return iterate(scan, queue, stopped, signal);
}

function pathOf(path: unknown): string {
  if (typeof path === "string") return path;
  if (!(path instanceof URL)) throw new InputError("paths must be a string or a file: URL, or an array of these");
  try {
    return fileURLToPath(path);
  } catch (error) {
    throw new InputError(`paths: ${shown(path.href)} names no file (${error instanceof Error ? error.message : String(error)})`);
  }
}

async function* iterate(
  scan: () => Promise<void>,
  queue: BatchQueue,
  stopped: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<Match> {
  const over = scan().then(
    () => queue.close(undefined),
    (error: unknown) => queue.close({ error }),
  );
  try {
    for (;;) {
      const found = await queue.next();
      signal?.throwIfAborted();
      if (found === undefined) return;
      for (let index = 0; index < found.batch.count; index++) {
        yield new Match(found.batch, index, found.source);
        signal?.throwIfAborted();
      }
    }
  } finally {
    stopped.abort();
    queue.abandon();
    await over;
  }
}

/** Between a scan that calls and a caller who asks. */
class BatchQueue {
  readonly #found: Found[] = [];
  #isAbandoned = false;
  #closed: { failure: { error: unknown } | undefined } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  add(found: Found): void {
    this.#found.push(found);
    this.#wakeReader?.();
  }

  close(failure: { error: unknown } | undefined): void {
    this.#closed = { failure };
    this.#wakeReader?.();
  }

  /** Nobody asks any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#wakeWriter?.();
  }

  room(): Promise<void> | undefined {
    if (this.#isAbandoned || this.#found.length < BATCHES_WAITING) return undefined;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  async next(): Promise<Found | undefined> {
    for (;;) {
      const found = this.#found.shift();
      if (found !== undefined) {
        this.#wakeWriter?.();
        return found;
      }
      if (this.#closed?.failure !== undefined) throw this.#closed.failure.error;
      if (this.#closed !== undefined) return undefined;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
