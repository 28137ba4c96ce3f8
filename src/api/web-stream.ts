// The web form of the extracting stream; it uses nothing of Node.
import { bytesOf } from "../input/chunks.ts";
import { checkOptions, type ExtractWebStreamOptions } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { StreamScan } from "../run/stream-scan.ts";
import type { Match } from "../scanner/match.ts";
import { MatchList } from "./match-list.ts";

declare global {
  // Declared for the same reason as in options.ts.
  interface TransformStream<I, O> {}
}

type Controller = TransformStreamDefaultController<Match>;
type Reference = Pick<WeakRef<Controller>, "deref">;

/**
 * The streams that a signal stops. A signal may outlive them, and a stream may hold matches long after the end of its input. Where there
 * are no weak references, as in workerd before May 2025, a signal holds its streams until they end.
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

  /** Makes a stream fail when the signal fires. Returns a function that removes the stream; the collector also removes an unused one. */
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
 * Returns a stream that takes bytes and gives matches. It opens compressed data and archives, unless `type` is "text". Throws OptionError;
 * the stream fails with InputError, SourceError for damaged data, and the signal's reason.
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
      // If matches still wait to be read, the signal must stop them too.
      if (controller.desiredSize === 0) forget?.();
    },
    // Not every platform calls it. Without it the stream is removed when it is collected.
    cancel() {
      forget?.();
      scan.close();
    },
  };
  return new TransformStream<Uint8Array, Match>(transformer);
}
