// Limits against data that decodes to far more than anybody meant.
import { SourceError } from "../../base/errors.ts";
import type { Expansion } from "../../options/expansion.ts";

/** What a source may hold before it is left. */
export const CONTAINER_LIMITS = {
  /** Decoded bytes of a source that are read as text. */
  expandMax: Number.POSITIVE_INFINITY,
  /** Decoded bytes for each byte of the source, over all containers in each other. */
  ratioMax: 1000,
  /** Decoded bytes up to which any ratio is fine. */
  ratioFreeBytes: 100 * 2 ** 20,
  /** Bytes of a member. */
  memberBytesMax: 2 ** 40,
  /** Members of a source, also those of containers in it. */
  membersMax: 1_000_000,
  /** Members up to which a source may have any size. */
  membersFree: 10_000,
  /** Bytes of the source for each member beyond them: less than any format needs, but for containers that hold the same again and again. */
  memberBytesLeast: 10,
  /** Containers in each other: a compressed tar is two. */
  depthMax: 8,
  /** Bytes of text before it that zstd and xz data may copy from: what zstd itself allows without an option, and twice that of `xz -9`. */
  windowMax: 2 ** 27,
};
/** Limits in the place of CONTAINER_LIMITS. */
export type ContainerLimits = Readonly<typeof CONTAINER_LIMITS>;

/** Returns the limits, with the values of options where there are some. */
export function limitsOf(given: Expansion): ContainerLimits {
  return { ...CONTAINER_LIMITS, ...Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined)) };
}

/** Error for a source or member that is larger than a limit allows; `what` ends the sentence. */
export function overLimit(source: string | undefined, what: string): SourceError {
  return new SourceError("ERR_URLMILL_LIMIT", source, `was abandoned: ${what}`);
}

/** Throws SourceError for a window of `windowBytes` that is larger than `windowMax`; `unpack` is a program that reads it, with options. */
export function checkWindow(windowBytes: number, windowMax: number, source: string | undefined, unpack: string): void {
  if (windowBytes <= windowMax) return;
  const option = windowBytes <= 2 ** 31 ? `--window-max ${Math.ceil(windowBytes / 2 ** 20)}M, or ` : "";
  const otherwise = `${option}unpack it first: ${unpack} FILE | urlmill --type json`;
  throw overLimit(source, `its window has ${windowBytes} bytes, more than ${windowMax} (${otherwise})`);
}

/** Decoded bytes of all containers in each other together: so many times what those of one may be. */
const LEVELS_SHARE = 4;

/** Counts what is opened of a source, over all members and containers in each other. A source ends at its first limit. */
export class Budget {
  readonly limits: ContainerLimits;
  readonly #source: string | undefined;
  readonly #taken: () => number;
  #members = 0;
  #decoded: number;
  #text: number;
  #error: SourceError | undefined;

  /**
   * `taken` returns the bytes of the outermost input, or those of them that were taken up to now; `before`: bytes of its text before the
   * part that is read.
   */
  constructor(limits: ContainerLimits, source: string | undefined, taken: () => number, before = 0) {
    this.limits = limits;
    this.#source = source;
    this.#taken = taken;
    this.#decoded = before;
    this.#text = before;
  }

  /** Whether a limit was reached. */
  get isSpent(): boolean {
    return this.#error !== undefined;
  }

  /** Bytes of text that may still be handed on. */
  get textLeft(): number {
    return this.limits.expandMax - this.#text;
  }

  /** Counts a member. Throws SourceError (`ERR_URLMILL_LIMIT`), always the same one. */
  addMember(): void {
    const { membersMax, membersFree, memberBytesLeast } = this.limits;
    this.#members++;
    if (this.#members > membersMax) this.#spent(`it has more than ${membersMax} members (--members-max)`);
    if (this.#members <= membersFree || (this.#members - membersFree) * memberBytesLeast <= this.#taken()) return;
    this.#spent(`it has more than ${membersFree} members, and more than one for ${memberBytesLeast} of its bytes`);
  }

  /** Counts bytes that a decoder gave. Throws as `addMember` does. */
  addDecoded(bytes: number): void {
    this.#decoded += bytes;
    const { expandMax, ratioFreeBytes } = this.limits;
    // Intermediate and dropped text is work too.
    if (this.#decoded > Math.max(ratioFreeBytes, LEVELS_SHARE * expandMax)) this.#isExpanded("its containers decode", LEVELS_SHARE);
    this.#check(this.#decoded, LEVELS_SHARE, "its containers decode");
  }

  /** Counts text that is handed on. Throws as `addMember` does. */
  addText(bytes: number): void {
    this.#text += bytes;
    if (this.#text > this.limits.expandMax) this.#isExpanded("it decodes", 1);
    this.#check(this.#text, 1, "it decodes");
  }

  #isExpanded(what: string, share: number): never {
    this.#spent(`${what} to more than ${share * this.limits.expandMax} bytes (--expand-max)`);
  }

  #check(bytes: number, share: number, what: string): void {
    const { ratioFreeBytes, ratioMax } = this.limits;
    if (bytes <= share * ratioFreeBytes || bytes <= share * ratioMax * this.#taken()) return;
    this.#spent(`${what} to more than ${share * ratioMax} times its size (--ratio-max)`);
  }

  #spent(what: string): never {
    this.#error ??= overLimit(this.#source, what);
    throw this.#error;
  }
}

/** Counts what one decoder takes and gives. */
export class Meter {
  readonly #source: string | undefined;
  readonly #taken: () => number;
  readonly #outer: Meter | undefined;
  readonly #budget: Budget;
  #given: number;

  /**
   * `taken` returns the bytes that the decoder took up to now, `outer` measures the decoder that gives them; `given`: bytes that count as
   * given.
   */
  constructor(budget: Budget, source: string | undefined, taken: () => number, outer: Meter | undefined, given = 0) {
    this.#budget = budget;
    this.#source = source;
    this.#taken = taken;
    this.#outer = outer;
    this.#given = given;
  }

  /** The meter of a decoder that reads what this one's gives, and counts as having given `given` bytes. */
  inner(source: string | undefined, taken: () => number, given = 0): Meter {
    return new Meter(this.#budget, source, taken, this, given);
  }

  /** Decoded bytes for each byte of the outermost source. */
  get ratio(): number {
    return Math.max(1, this.#given / Math.max(1, this.#taken())) * (this.#outer?.ratio ?? 1);
  }

  /** What the decoder gives, counted. Throws SourceError (`ERR_URLMILL_LIMIT`), and what the decoder throws, with the byte of the text. */
  async *count(decoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of decoded) {
        this.#add(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw this.#place(error);
    }
  }

  #add(bytes: number): void {
    const { ratioMax, ratioFreeBytes } = this.#budget.limits;
    this.#given += bytes;
    if (this.#given > ratioFreeBytes && this.ratio > ratioMax) {
      throw overLimit(this.#source, `it decodes to more than ${ratioMax} times its size (--ratio-max)`);
    }
    this.#budget.addDecoded(bytes);
  }

  /**
   * Returns an error of data that is cut or wrong with the byte of the text at which it ends; its cause is the error as it was. Returns any
   * other as it is, and one that passed an inner decoder.
   */
  #place(error: unknown): unknown {
    const isDamage = error instanceof SourceError && (error.code === "ERR_URLMILL_TRUNCATED" || error.code === "ERR_URLMILL_CORRUPT");
    if (!isDamage || error.cause instanceof SourceError) return error;
    return new SourceError(error.code, error.source, `${error.reason}; reading ended at byte ${this.#given} of its text`, error);
  }
}
