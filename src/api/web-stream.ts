// The extracting stream as a web stream. It uses no module of Node.
import { bytesOf } from "../input/chunks.ts";
import { checkOptions, type ExtractWebStreamOptions } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { StreamScan } from "../run/stream-scan.ts";
import type { Match } from "../scanner/match.ts";
import { MatchList } from "./match-list.ts";

declare global {
  // Merges with the type of the DOM library or of @types/node, if the program has one of them.
  interface TransformStream<I, O> {}
}

type Controller = TransformStreamDefaultController<Match>;
type Reference = Pick<WeakRef<Controller>, "deref">;

/**
 * The streams that a signal stops, held by weak references: a signal may outlive its streams, and a stream may hold matches long after
 * the end of its input. Without weak references, as in workerd before May 2025, a signal holds its streams until they end,
 * and streams with unread matches at the end of their input as long as it lives itself.
 */
class Stoppable {
  static readonly #bySignal = new WeakMap<AbortSignal, Stoppable>();
  static readonly #unused =
    typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<() => void>((remove) => remove());
  readonly #signal: AbortSignal;
  readonly #streams = new Set<Reference>();

  private constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  static of(signal: AbortSignal): Stoppable {
    const known = Stoppable.#bySignal.get(signal) ?? new Stoppable(signal);
    Stoppable.#bySignal.set(signal, known);
    return known;
  }

  /** Makes a stream fail when the signal fires. Returns a function that removes it; garbage collection also removes an unused stream. */
  add(stream: Controller): () => void {
    if (this.#streams.size === 0) this.#signal.addEventListener("abort", this.#stop);
    const reference: Reference = typeof WeakRef === "undefined" ? { deref: () => stream } : new WeakRef(stream);
    this.#streams.add(reference);
    const remove = (): void => this.#remove(reference);
    Stoppable.#unused?.register(stream, remove);
    return remove;
  }

  #remove(reference: Reference): void {
    if (this.#streams.delete(reference) && this.#streams.size === 0) this.#signal.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => {
    for (const reference of this.#streams) {
      this.#remove(reference);
      reference.deref()?.error(this.#signal.reason);
    }
  };
}

/**
 * Returns a transform stream from bytes to matches. It opens compressed data and archives, unless `type` is "text". Throws OptionError.
 * The stream fails with InputError, with SourceError for damaged data, or with the signal's reason.
 */
export function extractWebStream(options?: ExtractWebStreamOptions): TransformStream<Uint8Array, Match> {
  const checked = checkOptions("extractWebStream", options);
  const { settings, range, source, signal } = checked;
  const matches = new MatchList(checked);
  const scan = new StreamScan(settings, range, formatted(settings, matches), source);
  let forget: (() => void) | undefined;
  const enqueue = async (controller: Controller, scanMore: () => Promise<void> | undefined): Promise<void> => {
    try {
      await scanMore();
      for (const match of matches.take()) {
        signal?.throwIfAborted();
        controller.enqueue(match);
      }
      signal?.throwIfAborted();
    } catch (error) {
      forget?.();
      scan.close();
      throw error;
    }
  };
  const transformer: Transformer<Uint8Array, Match> & { cancel(): void } = {
    start(controller) {
      signal?.throwIfAborted();
      if (signal !== undefined) forget = Stoppable.of(signal).add(controller);
    },
    transform(chunk, controller) {
      return enqueue(controller, () => scan.write(bytesOf(chunk)));
    },
    async flush(controller) {
      await enqueue(controller, () => scan.end());
      // If the reader has not taken all matches, the signal must still stop the stream. Its queue has room for
      // none, so 0 means that it is empty.
      if (controller.desiredSize === 0) forget?.();
    },
    // Not every platform calls `cancel`. Without a call the stream is removed by garbage collection.
    cancel() {
      forget?.();
      scan.close();
    },
  };
  return new TransformStream<Uint8Array, Match>(transformer);
}
