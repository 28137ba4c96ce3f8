// Matches of files, spread over worker threads.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.ts";
import { checkOptions, type ExtractFilesOptions } from "../options.ts";
import { Match, type MatchBatch } from "../scanner/batch.ts";
import { shown } from "../shown.ts";
import { scanFiles } from "../threads/scan-files.ts";
import { reportRejected } from "./match-list.ts";

/** Batches that wait for the caller. */
const BATCHES_WAITING = 4;

/**
 * The matches in files and folders, in the order of the paths; folders are read whole, in byte order of the paths below them.
 * A path may be a `file:` URL object. Throws OptionError and InputError at once; the iterator rejects with SourceError at the first source
 * that cannot be read, with WorkerError, and with the signal's reason. After the signal nothing is delivered.
 */
export function extractFiles(paths: string | URL | readonly (string | URL)[], options?: ExtractFilesOptions): AsyncGenerator<Match> {
  const checked = checkOptions("extractFiles", options);
  const inputs = (Array.isArray(paths) ? paths : [paths]).map(pathOf);
  const { settings, range, signal, threads = availableParallelism() } = checked;
  const stopped = new AbortController();
  const signals = signal === undefined ? stopped.signal : AbortSignal.any([stopped.signal, signal]);
  const queue = new BatchQueue();
  const scan = async (): Promise<void> => {
    await scanFiles(
      inputs,
      { settings, threads, range, signal: signals, failFast: true },
      {
        write: (result) => {
          if (result.kind === "matches") queue.add(result);
          if (result.kind === "rejected") reportRejected(checked, result);
        },
        wait: () => queue.wait(),
        end: () => queue.close(undefined),
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
  const over = scan().catch((error: unknown) => queue.close({ error }));
  try {
    for (;;) {
      const batch = await queue.next();
      signal?.throwIfAborted();
      if (batch === undefined) return;
      for (let index = 0; index < batch.count; index++) {
        yield new Match(batch, index);
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
  readonly #found: MatchBatch[] = [];
  #isAbandoned = false;
  #closed: { failure: { error: unknown } | undefined } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  add(batch: MatchBatch): void {
    this.#found.push(batch);
    this.#wakeReader?.();
  }

  close(failure: { error: unknown } | undefined): undefined {
    this.#closed = { failure };
    this.#wakeReader?.();
  }

  /** Nobody asks any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#wakeWriter?.();
  }

  wait(): Promise<void> | undefined {
    if (this.#isAbandoned || this.#found.length < BATCHES_WAITING) return undefined;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  async next(): Promise<MatchBatch | undefined> {
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
