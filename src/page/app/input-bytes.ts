// Reads the bytes of an input of the page in pieces.
import { SourceError } from "../../base/errors.ts";
import { readChunks } from "../../input/chunks.ts";
import { resultOf, type Steps } from "../../input/steps.ts";
import { EVERYTHING } from "../../options/options.ts";
import type { RangedInput, RangedPart } from "../../run/scan-source.ts";

export interface PageInput {
  readonly name: string;
  readonly size: number;
  /** The bytes, or the address at which the server gives them. undefined: the input could not be opened. */
  readonly bytes: Uint8Array<ArrayBuffer> | Blob | URL["href"] | undefined;
}

export interface PagePart extends PageInput, RangedPart {}

/** Bytes that are fetched at a time. The next piece is fetched while the current one is scanned. */
const PIECE_BYTES = 1 << 20;
/** Most bytes of small inputs that are read and scanned together. A single input may have more. */
const GROUP_BYTES = 8 << 20;
const GROUP_INPUTS = 256;

/** Yields all inputs, the small ones in groups. */
export function* groupsOf(inputs: readonly PageInput[]): Generator<readonly PagePart[]> {
  let group: PagePart[] = [];
  let bytes = 0;
  for (const input of inputs) {
    if (group.length > 0 && (bytes + input.size > GROUP_BYTES || group.length === GROUP_INPUTS)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push({ ...input, ...EVERYTHING });
    bytes += input.size;
  }
  if (group.length > 0) yield group;
}

/**
 * Reads the inputs of a group at once, because a request for each takes a hundred times as long as its bytes. Returns them as they are if
 * one has changed: then each is read, or fails, by itself.
 */
export async function readTogether(inputs: readonly PagePart[], signal: AbortSignal): Promise<readonly PagePart[]> {
  const [first, last] = [inputs[0]?.bytes, inputs.at(-1)?.bytes];
  if (inputs.length < 2) return inputs;
  try {
    const isServed = typeof first === "string" && typeof last === "string";
    const all = isServed
      ? await fetch(`${first}-${last.slice(last.lastIndexOf("/") + 1)}`, { signal })
      : new Blob(inputs.map(({ bytes }) => (bytes instanceof Blob ? bytes : "")));
    const bytes = new Uint8Array(await all.arrayBuffer());
    if (bytes.length !== inputs.reduce((sum, { size }) => sum + size, 0) || (all instanceof Response && !all.ok)) return inputs;
    let end = 0;
    return inputs.map((input) => {
      end += input.size;
      return { ...input, bytes: input.bytes && bytes.subarray(end - input.size, end) };
    });
  } catch {
    return inputs;
  }
}

/** Returns an input as scans read it. When `signal` fires, nothing more is fetched from the server. */
export function openInput({ name, size, bytes }: PageInput, signal?: AbortSignal): RangedInput {
  const read = async (from: number, to: number): Promise<Uint8Array> => {
    if (bytes === undefined) throw new Error("it could not be opened");
    const end = Math.min(to, size);
    if (from >= end) return new Uint8Array(0);
    if (bytes instanceof Uint8Array) return bytes.subarray(from, end);
    if (bytes instanceof Blob) return new Uint8Array(await bytes.slice(from, end).arrayBuffer());
    const response = await fetch(bytes, { headers: { range: `bytes=${from}-${end - 1}` }, signal: signal ?? null });
    if (response.status !== 206) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  function* fetched(from: number): Steps<Uint8Array> {
    let next = read(from, from + PIECE_BYTES);
    for (let at = from; ; at += PIECE_BYTES) {
      const piece = yield* resultOf(next);
      if (piece.length === 0) return;
      next = read(at + PIECE_BYTES, at + 2 * PIECE_BYTES);
      // The next round throws the error.
      next.catch(() => undefined);
      yield piece;
    }
  }
  return {
    name,
    size,
    load: (offset, count) => read(offset, offset + count).catch(() => new Uint8Array(0)),
    *chunks(from) {
      try {
        // Browsers read ahead in a stream, so it is faster than consecutive slices.
        if (bytes instanceof Blob) yield* readChunks(bytes.slice(from), undefined);
        else if (bytes instanceof Uint8Array) yield bytes.subarray(from);
        else yield* fetched(from);
      } catch (cause) {
        const problem = "cannot be read: it may have changed since it was chosen; choose it again";
        throw new SourceError("ERR_URLMILL_UNREADABLE", name, problem, cause);
      }
    },
  };
}
