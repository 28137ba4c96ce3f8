// Decides when workers are worth their start: by what the scan on this thread took so far, and by the bytes that are left. Sizes alone do
// not tell: a thread reads 64 MiB of text in 20 ms, and decodes 64 MiB of zstd in seconds.
import { milliseconds } from "../input/pacer.ts";
import { type FileSource, isSource, type Listed } from "../input/paths.ts";
import type { Step } from "./plan.ts";

/** Range size while this thread scans alone: after each range it decides. */
export const RANGE_BYTES_SAMPLED = 32 << 20;
/** A scan of so many bytes or milliseconds tells the speed of the rest. The first step does not count: V8 compiles the code meanwhile. */
const SAMPLE_BYTES = 64 << 20;
const SAMPLE_MILLISECONDS = 200;
/** Least remaining work for which workers start. A worker takes 0.1 s to start and costs 0.25 s of processor time. */
export const WORK_MILLISECONDS_LEAST = 1500;

/** Least share of processor time in the time that passes. With less this thread waits for the processor or the disk: so would another. */
const BUSY_SHARE_LEAST = 0.7;

/** Returns milliseconds that have passed, and milliseconds of processor time of this process. */
function elapsedNow() {
  const { user, system } = process.cpuUsage();
  return { passed: milliseconds(), used: (user + system) / 1e3 };
}

/** Gives the entries of a listing to the plan, and estimates the work that is left. */
export class RemainingWork implements IterableIterator<Listed> {
  readonly #entries: Iterator<Listed>;
  readonly #millisecondsLeast: number;
  readonly #now: typeof elapsedNow;
  /** Listed ahead of the plan, from `#next` on. */
  #ahead: Listed[] = [];
  #next = 0;
  /** Bytes of the sources listed so far. */
  #bytes: number;
  /** The end of the first step. */
  #warm: (ReturnType<typeof elapsedNow> & { readonly read: number }) | undefined;

  constructor(entries: Iterator<Listed>, begun: FileSource | undefined, millisecondsLeast: number, now = elapsedNow) {
    this.#entries = entries;
    this.#millisecondsLeast = millisecondsLeast;
    this.#now = now;
    this.#bytes = begun?.size ?? 0;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Listed, undefined> {
    const value = this.#ahead[this.#next++];
    if (value !== undefined) return { done: false, value };
    [this.#ahead, this.#next] = [[], 0];
    return this.#list();
  }

  /** Returns whether `step` and those after it are worth workers. A step larger than a range cannot be cut: nothing decides inside it. */
  needsWorkers(step: Step, read: number): boolean {
    if (step.kind !== "parts") return false;
    const isLarge = step.parts.some(
      ({ size, from, to, blocks }) => blocks === undefined && Math.min(size, to) - from > RANGE_BYTES_SAMPLED,
    );
    if (isLarge || this.#millisecondsLeast === 0) return true;
    if (read === 0) return false;
    const now = this.#now();
    this.#warm ??= { ...now, read };
    const bytes = read - this.#warm.read;
    const passed = now.passed - this.#warm.passed;
    if (bytes < SAMPLE_BYTES && passed < SAMPLE_MILLISECONDS) return false;
    if (now.used - this.#warm.used < BUSY_SHARE_LEAST * passed) return false;
    return this.#reaches(read + (bytes / passed) * this.#millisecondsLeast);
  }

  /** Lists ahead until the sources have `bytes`; returns whether they do. */
  #reaches(bytes: number): boolean {
    while (this.#bytes < bytes) {
      const { value } = this.#list();
      if (value === undefined) return false;
      this.#ahead.push(value);
    }
    return true;
  }

  #list(): IteratorResult<Listed, undefined> {
    const next = this.#entries.next();
    if (next.done !== true && isSource(next.value)) this.#bytes += next.value.size;
    return next;
  }
}
