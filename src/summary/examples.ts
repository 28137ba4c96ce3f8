// The first examples of each name, by source and offset. They do not depend on how a run is divided.
import { insertSorted } from "../base/arrays.ts";
import type { Example } from "./summary.ts";

/** Most examples of one flag or reason. */
export const EXAMPLES_MOST = 10;

/** With more remembered texts than this, all are forgotten. */
const SEEN_MOST = 1000;

/** Examples by name. Those with the same URL, or without a URL with the same raw form, count as one. */
export class Examples {
  readonly #lists = new Map<string, Example[]>();
  /** The least offset of each text in the last source that may have been added, by name and text. */
  readonly #seen = new Map<string, number>();
  #source: string | undefined;

  /**
   * Returns whether the text at offset `start` of `source` may be one of the first examples. Returns false if the same text is known
   * before it in this source.
   */
  mayAdd(name: string, source: string, start: number, textOf: () => string): boolean {
    if (this.#isFull(name, source, start)) return false;
    if (source !== this.#source || this.#seen.size > SEEN_MOST) this.#seen.clear();
    this.#source = source;
    const identity = `${name} ${textOf()}`;
    if ((this.#seen.get(identity) ?? Number.POSITIVE_INFINITY) < start) return false;
    this.#seen.set(identity, start);
    return true;
  }

  /** Adds an example, if it is one of the first. */
  add(name: string, example: Example): void {
    const list = this.#lists.get(name) ?? [];
    this.#lists.set(name, list);
    const same = list.findIndex((other) => identityOf(other) === identityOf(example));
    if (same >= 0) {
      if (!isBefore(example, list[same])) return;
      list.splice(same, 1);
    }
    insertSorted(list, example, EXAMPLES_MOST, isBefore);
  }

  /** Returns the examples of a name, the first one first. */
  of(name: string): Example[] {
    return this.#lists.get(name) ?? [];
  }

  /** Yields each example with its name. */
  *[Symbol.iterator](): Generator<readonly [name: string, example: Example]> {
    for (const [name, list] of this.#lists) for (const example of list) yield [name, example];
  }

  /** Returns whether the list is full, and a text at offset `start` of `source` is after its last example. */
  #isFull(name: string, source: string, start: number): boolean {
    const last = this.#lists.get(name)?.[EXAMPLES_MOST - 1];
    return last !== undefined && (last.source === source ? start > last.start : source > last.source);
  }
}

function isBefore(one: Example, other: Example): boolean {
  if (one.source !== other.source) return one.source < other.source;
  return one.start === other.start ? identityOf(one) < identityOf(other) : one.start < other.start;
}

function identityOf({ url, raw, source, start }: Example): string {
  return url ?? raw ?? `${start} ${source}`;
}
