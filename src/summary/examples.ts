// The first examples of each name, by source and offset. They do not depend on how a run is divided.
import { insertSorted } from "../base/arrays.ts";
import type { Example } from "./summary.ts";

/** Most examples of one flag or reason. */
export const EXAMPLES_MOST = 10;

/** Examples by name. Those with the same URL, or without a URL with the same raw form, count as one. */
export class Examples {
  readonly #lists = new Map<string, Example[]>();

  /** Returns whether the text at offset `start` of `source` may be one of the first examples. Then `add` decides. */
  mayAdd(name: string, source: string, start: number, textOf: () => string): boolean {
    const list = this.of(name);
    const isAfter = (other: Example): boolean => (other.source === source ? start > other.start : source > other.source);
    if (list.length === EXAMPLES_MOST && isAfter(list[EXAMPLES_MOST - 1])) return false;
    const text = textOf();
    return !list.some((other) => (other.url ?? other.raw) === text && isAfter(other));
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
}

function isBefore(one: Example, other: Example): boolean {
  if (one.source !== other.source) return one.source < other.source;
  return one.start === other.start ? identityOf(one) < identityOf(other) : one.start < other.start;
}

function identityOf({ url, raw, source, start }: Example): string {
  return url ?? raw ?? `${start} ${source}`;
}
