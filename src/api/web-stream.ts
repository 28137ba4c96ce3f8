// The extracting stream as a pair of web streams. It uses no module of Node.
import { orAborted, Signal } from "../base/signal.ts";
import { bytesOf } from "../input/chunks.ts";
import type { Match } from "../matches/match.ts";
import { checkOptions, type ExtractWebStreamOptions } from "../options/options.ts";
import { matchesIn } from "./extract-from.ts";

declare global {
  // Merges with the type of the DOM library or of @types/node, if the program has one of them.
  interface WritableStream<W> {}
}

/** A queue that is empty unless a reader waits: no match is looked for before it is asked for, and none is left when a signal fires. */
const NOTHING_AHEAD = { highWaterMark: 0 };

/**
 * Returns a pair for `pipeThrough`, from bytes to matches. It opens compressed data and archives, unless `type` is "text".
 * Throws OptionError.
 * A chunk is taken when the reader has the matches of the chunks before it, and asks for more. Reads and writes fail with InputError, with
 * SourceError for damaged data, or with the signal's reason.
 */
export function extractWebStream(options?: ExtractWebStreamOptions): {
  readonly readable: ReadableStream<Match>;
  readonly writable: WritableStream<Uint8Array>;
} {
  const checked = checkOptions("extractWebStream", options);
  let input!: ReadableStreamDefaultController<Uint8Array>;
  let taker!: WritableStreamDefaultController;
  let output!: ReadableStreamDefaultController<Match>;
  const taken = new Signal();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    taken.wake();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      input = controller;
    },
    pull: () => taken.wake(),
    cancel: end,
  };
  const matches = matchesIn(new ReadableStream(source), checked);
  const fail = (error: unknown): void => {
    for (const side of [input, taker, output]) side.error(error);
    end();
    matches.return(undefined).catch(() => undefined);
  };
  const writable = new WritableStream<Uint8Array>({
    start(controller) {
      taker = controller;
    },
    async write(chunk) {
      try {
        const bytes = bytesOf(chunk);
        if (isOver) return;
        // A decoder may keep bytes until the next ones come.
        input.enqueue(new Uint8Array(bytes));
        if (input.desiredSize === 0) await orAborted(taken.wait(), checked.signal);
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    close: () => (isOver ? undefined : input.close()),
    abort: fail,
  });
  const found: UnderlyingDefaultSource<Match> = {
    start(controller) {
      output = controller;
    },
    async pull() {
      try {
        const { done, value } = await matches.next();
        if (done === true) output.close();
        else output.enqueue(value);
      } catch (error) {
        fail(error);
      }
    },
    cancel: fail,
  };
  return { readable: new ReadableStream(found, NOTHING_AHEAD), writable };
}
