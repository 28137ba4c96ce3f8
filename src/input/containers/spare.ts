// Decoders that are used again: an archive of a hundred thousand compressed members does not make as many.

/** Decoders with more memory than this are not kept: the next source may need little. */
const KEPT_BYTES = 1 << 22;

/** A decoder, and the bytes of memory that it has for its text. */
interface Reusable {
  readonly memoryBytes: number;
}

/** Keeps one decoder of a kind for the next who needs one. */
export class Spare<Decoder extends Reusable> {
  readonly #create: () => Decoder;
  #kept: Decoder | undefined;

  constructor(create: () => Decoder) {
    this.#create = create;
  }

  /** The decoder that is kept, or a new one. Its user begins it anew. */
  take(): Decoder {
    const decoder = this.#kept ?? this.#create();
    this.#kept = undefined;
    return decoder;
  }

  /** Keeps a decoder that is no longer used. */
  give(decoder: Decoder): void {
    if (decoder.memoryBytes <= KEPT_BYTES) this.#kept = decoder;
  }
}
