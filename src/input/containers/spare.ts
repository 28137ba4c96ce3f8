// Decoders that are used again: an archive of a hundred thousand compressed members makes one.

/** A decoder with more memory than this is not kept: the next input may need little. */
const KEPT_BYTES = 1 << 22;

/** Keeps one decoder of a kind for the next input. `memoryBytes` is what it has for its text. */
export class Spare<Decoder extends { readonly memoryBytes: number }> {
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
