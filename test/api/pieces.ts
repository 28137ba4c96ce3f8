// A text that reaches many rules, and ways to send it through streams.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import { texts } from "../scan/pieces.ts";

/** About 60 KB of pieces, always the same. */
export const TEXT: Buffer = Buffer.concat(fc.sample(texts(40), { numRuns: 1500, seed: 11 }));

/** The bytes in chunks of `size`. */
export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The bytes as a stream in chunks of `size`. */
export function streamOf(bytes: Uint8Array, size: number): Readable {
  return Readable.from(chunksOf(bytes, size), { objectMode: false });
}

/** Everything that a stream gives. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

/** What a stream gives for a source, as text. */
export async function through(source: Readable, options: ExtractStreamOptions): Promise<string> {
  const stream = new ExtractStream(options);
  const [, chunks] = await Promise.all([pipeline(source, stream), collect<Buffer>(stream)]);
  return Buffer.concat(chunks).toString();
}
