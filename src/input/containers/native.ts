// Runs a decoder of node:zlib: it works on another thread while the caller looks at what it gave before.
import type { Transform } from "node:stream";

/** Bytes that a decoder gives at a time. */
export const OUTPUT_BYTES = 1 << 18;

/** Options of a decoder: a few chunks ahead of the caller, each as it is. */
export const NATIVE_OPTIONS = { chunkSize: OUTPUT_BYTES, readableObjectMode: true, readableHighWaterMark: 4 } as const;

/** A decoder that counts the bytes it took. */
export type NativeDecoder = Transform & { readonly bytesWritten: number };

/** Whether `error` is of the decoder: its input is not what the format says. */
export function isFormatError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

/**
 * What `decoder` makes of what `next` gives, until its format ends (then true is returned, and `bytesWritten` of the decoder tells how
 * much it took) or there is nothing more. Throws what `next` throws, and the decoder's error, behind all that was decoded before.
 */
export async function* runNative(decoder: NativeDecoder, next: () => Promise<Uint8Array | undefined>): AsyncGenerator<Uint8Array, boolean> {
  let failure: { readonly error: unknown } | undefined;
  let complete = false;
  let given = 0;
  let fed = false;
  let wake = (): void => undefined;
  decoder.on("readable", () => wake());
  decoder.on("end", () => {
    complete = true;
    wake();
  });
  decoder.on("error", (error) => {
    failure ??= { error };
    wake();
  });
  // Every write gives all that can be decoded, so nothing has to be flushed.
  const feed = async (): Promise<void> => {
    try {
      // Bytes that are left mean that the format has ended.
      while (decoder.bytesWritten === given && failure === undefined) {
        const bytes = await next();
        if (bytes === undefined || decoder.destroyed) break;
        given += bytes.length;
        await write(decoder, bytes);
      }
    } catch (error) {
      failure ??= { error };
    }
    fed = true;
    wake();
  };
  const feeding = feed();
  try {
    for (;;) {
      const chunk: unknown = decoder.read();
      if (chunk instanceof Uint8Array) yield chunk;
      else if (complete || failure !== undefined || (fed && decoder.readableLength === 0)) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await feeding;
    if (failure !== undefined) throw failure.error;
    return decoder.bytesWritten < given;
  } finally {
    decoder.destroy();
    await feeding;
  }
}

// A decoder that came to the end of its format, or was destroyed, may never call back.
function write(decoder: NativeDecoder, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const event of ["end", "error", "close"]) decoder.off(event, settle);
      resolve();
    };
    for (const event of ["end", "error", "close"]) decoder.once(event, settle);
    decoder.write(bytes, settle);
  });
}
