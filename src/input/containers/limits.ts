// Limits against decompression bombs.
import { SourceError } from "../../base/errors.ts";
import type { ContainerOptions, ScanSettings } from "../../options/options.ts";
import { type Steps, tapped } from "../steps.ts";

/** Limits of a source. If a limit over all members is exceeded, the source ends; if another one is, only its member or container ends. */
export const CONTAINER_LIMITS = {
  /** Most decoded bytes of a source that are read as text. */
  expandMax: Number.POSITIVE_INFINITY,
  /** Most decoded bytes for each byte of the source, over all nested containers. */
  ratioMax: 1000,
  /** Decoded bytes up to which any ratio is allowed. */
  ratioFreeBytes: 100 * 2 ** 20,
  memberBytesMax: 2 ** 40,
  /** Most members of a source, including those of nested containers. */
  membersMax: 1_000_000,
  /** Number of members that a source of any size may have. */
  membersFree: 10_000,
  /** Least bytes of the source for each member above `membersFree`. Only a compressed archive of nearly equal members needs fewer. */
  memberBytesLeast: 10,
  /** Most nested containers. A compressed tar counts as two. */
  depthMax: 8,
  /** Largest window of zstd and xz in bytes: the default limit of zstd, and twice the window of `xz -9`. */
  windowMax: 2 ** 27,
  inLibrary: false,
};
export type ContainerLimits = Readonly<typeof CONTAINER_LIMITS>;

/** Returns the limits of a scan; one that its settings lack has its usual value. */
export function limitsOf(settings: Pick<ScanSettings, keyof ContainerOptions | "inLibrary">): ContainerLimits {
  const limits = Object.entries(CONTAINER_LIMITS).map(([name, usual]) => [name, settings[name as keyof typeof settings] ?? usual]);
  return Object.fromEntries(limits) as ContainerLimits;
}

/** Returns the error for a source or member beyond a limit; `what` completes the message. */
export function overLimit(source: string | undefined, what: string): SourceError {
  return new SourceError("ERR_URLMILL_LIMIT", source, `was abandoned: ${what}`);
}

/** Returns ` (--depth-max)`, or ` (depthMax)` for a caller of the library. */
export function limitName({ inLibrary }: ContainerLimits, name: "expand" | "ratio" | "depth" | "members"): string {
  return inLibrary ? ` (${name}Max)` : ` (--${name}-max)`;
}

/** Throws SourceError if `windowBytes` is above `windowMax`. `unpack` is the command that the message recommends. */
export function checkWindow(windowBytes: number, windowMax: number, source: string | undefined, unpack: string): void {
  if (windowBytes <= windowMax) return;
  const option = windowBytes <= 2 ** 31 ? `--window-max ${Math.ceil(windowBytes / 2 ** 20)}M, or ` : "";
  const otherwise = `${option}unpack it first: ${unpack} FILE | urlmill --type json`;
  throw overLimit(source, `its window has ${windowBytes} bytes, more than ${windowMax} (${otherwise})`);
}

const LEVELS_SHARE = 4; // All nested containers together may decode to this many times as many bytes as the text may have

/** Counts members and decoded bytes of a source, over all nested containers. Reading ends when the source exceeds a limit here. */
export class Budget {
  readonly limits: ContainerLimits;
  /** Bytes of text before the part that is read. */
  readonly before: number;
  readonly #source: string | undefined;
  readonly #taken: () => number;
  #members = 0;
  #decoded: number;
  #text: number;
  #error: SourceError | undefined;

  /** `taken` returns the size of the outermost input, or if it is unknown, the bytes taken. */
  constructor(limits: ContainerLimits, source: string | undefined, taken: () => number, before = 0) {
    this.limits = limits;
    this.before = before;
    this.#source = source;
    this.#taken = taken;
    this.#decoded = before;
    this.#text = before;
  }

  get isSpent(): boolean {
    return this.#error !== undefined;
  }

  /** Bytes of text that may still be given. */
  get textLeft(): number {
    return this.limits.expandMax - this.#text;
  }

  /** Counts a member. Throws SourceError (`ERR_URLMILL_LIMIT`) for too many; every limit of this budget throws the same object. */
  addMember(): void {
    const { membersMax, membersFree, memberBytesLeast } = this.limits;
    this.#members++;
    if (this.#members > membersMax) this.#fail(`it has more than ${membersMax} members${limitName(this.limits, "members")}`);
    if (this.#members <= membersFree || (this.#members - membersFree) * memberBytesLeast <= this.#taken()) return;
    this.#fail(`it has more than ${membersFree} members, and more than one for ${memberBytesLeast} of its bytes`);
  }

  /** Counts decoded bytes. Throws as `addMember` does. */
  addDecoded(bytes: number): void {
    this.#decoded += bytes;
    // Text of inner containers and dropped text cost time too.
    this.#check(this.#decoded, this.limits.ratioFreeBytes, LEVELS_SHARE, "its containers decode");
  }

  /** Counts text that is given. Throws as `addMember` does. */
  addText(bytes: number): void {
    this.#text += bytes;
    this.#check(this.#text, 0, 1, "it decodes");
  }

  /** Checks a number of bytes against `share` times the limits. Up to `free` bytes, `expandMax` is not checked. */
  #check(bytes: number, free: number, share: number, what: string): void {
    const { expandMax, ratioFreeBytes, ratioMax } = this.limits;
    if (bytes > Math.max(free, share * expandMax)) {
      this.#fail(`${what} to more than ${share * expandMax} bytes${limitName(this.limits, "expand")}`);
    }
    if (bytes <= share * ratioFreeBytes || bytes <= share * ratioMax * this.#taken()) return;
    this.#fail(`${what} to more than ${share * ratioMax} times its size${limitName(this.limits, "ratio")}`);
  }

  #fail(what: string): never {
    this.#error ??= overLimit(this.#source, what);
    throw this.#error;
  }
}

/** Counts the input and output bytes of one decoder. */
export class Meter {
  readonly #source: string | undefined;
  readonly #taken: () => number;
  readonly #outer: Meter | undefined;
  readonly #budget: Budget;
  /** Output bytes so far, with those before the part that is read. */
  given: number;

  /** `taken` returns the input bytes so far; `outer` is the meter of what supplies them. `given`: bytes of text before the part. */
  constructor(budget: Budget, source: string | undefined, taken: () => number, outer: Meter | undefined, given = 0) {
    this.#budget = budget;
    this.#source = source;
    this.#taken = taken;
    this.#outer = outer;
    this.given = given;
  }

  /** Returns the meter of a decoder whose input is the output of this one. `taken` and `given` are as in the constructor. */
  inner(source: string | undefined, taken: () => number, given = 0): Meter {
    return new Meter(this.#budget, source, taken, this, given);
  }

  /** Output bytes for each byte of the outermost source. Each decoder counts as 1 at least. */
  get ratio(): number {
    return Math.max(1, this.given / Math.max(1, this.#taken())) * (this.#outer?.ratio ?? 1);
  }

  /** Yields and counts the output. Throws SourceError (`ERR_URLMILL_LIMIT`), and the decoder's errors; see `#withOffset`. */
  *count(decoded: Steps<Uint8Array>): Steps<Uint8Array> {
    try {
      yield* tapped(decoded, (text) => this.#add(text.length));
    } catch (error) {
      throw this.#withOffset(error);
    }
  }

  #add(bytes: number): void {
    const { ratioMax, ratioFreeBytes } = this.#budget.limits;
    this.given += bytes;
    if (this.given > ratioFreeBytes && this.ratio > ratioMax) {
      const name = limitName(this.#budget.limits, "ratio");
      throw overLimit(this.#source, `it decodes to more than ${ratioMax} times its size${name}`);
    }
    this.#budget.addDecoded(bytes);
  }

  /**
   * Returns a copy of an error of truncated or corrupt data with the offset in the text. Its cause is the original error, which marks
   * errors that have an offset, as those of the decoder that supplies the input.
   */
  #withOffset(error: unknown): unknown {
    const isDamage = error instanceof SourceError && (error.code === "ERR_URLMILL_TRUNCATED" || error.code === "ERR_URLMILL_CORRUPT");
    if (!isDamage || error.cause instanceof SourceError) return error;
    return new SourceError(error.code, error.source, `${error.reason}; reading ended at byte ${this.given} of its text`, error);
  }
}
