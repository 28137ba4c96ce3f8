// Decoders that are used again: an archive of a hundred thousand compressed members makes one.

/** A decoder with more memory than this is not kept: the next input may need little. */
const KEPT_BYTES = 1 << 22;

/** A decoder, and the bytes of memory that it has for its text. */
interface Reusable {
  readonly memoryBytes: number;
}

/** Keeps one decoder of a kind for the next input. */
export class Spare<Decoder extends Reusable> {
  readonly #create: () => Decoder;
  #kept: Decoder | undefined;

  constructor(create: () => Decoder) {
    this.#create = create;
  }

  /** Returns the decoder that is kept, or a new one. The caller begins it anew. */
  take(): Decoder {
    const decoder = this.#kept ?? this.#create();
    this.#kept = undefined;
    return decoder;
  }

  /** Keeps a decoder after its use. */
  give(decoder: Decoder): void {
    if (decoder.memoryBytes <= KEPT_BYTES) this.#kept = decoder;
  }
}
