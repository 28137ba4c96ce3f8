// Reuses decoders, for archives with many compressed members.
import type { Steps } from "../steps.ts";

/** Larger decoders are not kept: the next input may need little memory. */
const KEPT_BYTES = 1 << 22;

/**
 * Returns a function that runs `work` with a decoder, which `work` resets. One decoder is kept for the next call, unless it is larger than
 * KEPT_BYTES. `memoryBytes` is the size of its buffer that grows with the text.
 */
export function reused<Decoder extends { readonly memoryBytes: number }>(create: () => Decoder) {
  let kept: Decoder | undefined;
  return function* (work: (decoder: Decoder) => Steps<Uint8Array>): Steps<Uint8Array> {
    const decoder = kept ?? create();
    kept = undefined;
    try {
      yield* work(decoder);
    } finally {
      if (decoder.memoryBytes <= KEPT_BYTES) kept = decoder;
    }
  };
}
