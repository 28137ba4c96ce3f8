// Limits against data that decodes to far more than anybody meant.
import { SourceError } from "../../errors.ts";

/** What a source may hold before it is left. */
export interface ContainerLimits {
  /** Decoded bytes for each byte of the source, over all containers in each other. */
  readonly ratioMax: number;
  /** Decoded bytes up to which any ratio is fine. */
  readonly ratioFreeBytes: number;
  /** Bytes of a member. */
  readonly memberBytesMax: number;
  /** Members of a source, also those of containers in it. */
  readonly membersMax: number;
  /** Containers in each other: a compressed tar is two. */
  readonly depthMax: number;
}

/** The limits that stand if nobody says otherwise. */
export const CONTAINER_LIMITS: ContainerLimits = {
  ratioMax: 1000,
  ratioFreeBytes: 100 * 2 ** 20,
  memberBytesMax: 2 ** 40,
  membersMax: 1_000_000,
  depthMax: 8,
};

/** Error for a source or member that is larger than a limit allows; `what` ends the sentence. */
export function overLimit(source: string | undefined, what: string): SourceError {
  return new SourceError("ERR_LIMIT", source, `is left: ${what}`);
}

/** Counts what one decoder takes and gives. */
export class Meter {
  readonly #limits: ContainerLimits;
  readonly #source: string | undefined;
  readonly #taken: () => number;
  readonly #outer: Meter | undefined;
  #given = 0;

  /** `taken` tells the bytes that the decoder took up to now, `outer` measures the decoder that gives them. */
  constructor(limits: ContainerLimits, source: string | undefined, taken: () => number, outer: Meter | undefined) {
    this.#limits = limits;
    this.#source = source;
    this.#taken = taken;
    this.#outer = outer;
  }

  /** The meter of a decoder that reads what this one's gives. */
  inner(source: string | undefined, taken: () => number): Meter {
    return new Meter(this.#limits, source, taken, this);
  }

  /** Decoded bytes for each byte of the outermost source. */
  get ratio(): number {
    return Math.max(1, this.#given / Math.max(1, this.#taken())) * (this.#outer?.ratio ?? 1);
  }

  /** What the decoder gives, counted. Throws SourceError (`ERR_LIMIT`), and what the decoder throws. */
  async *count(decoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { ratioMax, ratioFreeBytes } = this.#limits;
    for await (const chunk of decoded) {
      this.#given += chunk.length;
      if (this.#given > ratioFreeBytes && this.ratio > ratioMax) {
        throw overLimit(this.#source, `it decodes to more than ${ratioMax} times its size`);
      }
      yield chunk;
    }
  }
}
