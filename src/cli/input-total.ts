// The bytes of all inputs, summed up beside the run: a little at a time, as a folder may hold millions of files.
import { isSource, type Listed } from "../input/paths.ts";

/** Sums the sizes of inputs while they are listed. */
export class InputTotal {
  readonly #sources: Iterator<Listed>;
  readonly #now: () => number;
  #bytes = 0;
  #state: "open" | "known" | "unknown" = "open";

  /** `now` gives the time in milliseconds. */
  constructor(sources: Iterator<Listed>, now: () => number) {
    this.#sources = sources;
    this.#now = now;
  }

  /** Lists for some milliseconds. Returns the sum, or undefined if it is not known yet, or never will be: of a pipe. */
  advance(milliseconds: number): number | undefined {
    const end = this.#now() + milliseconds;
    while (this.#state === "open") {
      const { done, value } = this.#sources.next();
      if (done === true) this.#state = "known";
      else if (isSource(value) && !value.regular) this.#state = "unknown";
      else if (isSource(value)) this.#bytes += value.size;
      if (this.#now() >= end) break;
    }
    return this.#state === "known" ? this.#bytes : undefined;
  }
}
