// Reuses decoders, for archives with many compressed members.

/** Larger decoders are not kept: the next input may need little memory. */
const KEPT_BYTES = 1 << 22;

/** Keeps one decoder for the next input. `memoryBytes` is the size of its buffer that grows with the text. */
export class Spare<Decoder extends { readonly memoryBytes: number }> {
  readonly #create: () => Decoder;
  #kept: Decoder | undefined;

  constructor(create: () => Decoder) {
    this.#create = create;
  }

  /** Returns the kept decoder or a new one. The caller resets it. */
  take(): Decoder {
    const decoder = this.#kept ?? this.#create();
    this.#kept = undefined;
    return decoder;
  }

  /** Keeps a decoder after its use, unless it is larger than KEPT_BYTES. */
  give(decoder: Decoder): void {
    if (decoder.memoryBytes <= KEPT_BYTES) this.#kept = decoder;
  }
}
