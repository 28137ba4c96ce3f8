// Arrays that grow, sorted arrays, arrays of bytes, and values that are kept.

type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Returns a copy of `array` with `length` elements; new ones are 0. */
export function grown<Column extends Numbers>(array: Column, length: number): Column {
  const larger = new (array.constructor as new (length: number) => Column)(length);
  larger.set(array);
  return larger;
}

/** Returns whether a value is a Uint8Array of any realm: a test and the code that it runs, as under Jest, may have different classes. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === "Uint8Array";
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function viewOf<Buffer extends ArrayBufferLike>({ buffer, byteOffset, byteLength }: Uint8Array<Buffer>): DataView<Buffer> {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Inserts an item before the first one that comes after it. Drops the last item if there are more than `most`. */
export function insertSorted<T>(list: T[], item: T, most: number, isBefore: (item: T, other: T) => boolean): void {
  const next = list.findIndex((other) => isBefore(item, other));
  list.splice(next < 0 ? list.length : next, 0, item);
  if (list.length > most) list.pop();
}

/** Returns the first index below `count` at which `isReached` is true, or `count`. `isReached` must be true at all later indexes. */
export function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function hasBytes(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

/** Returns `compute` with a memory of its results, for at most `most` keys at a time. Texts longer than `longest` are no keys. */
export function remembering<Key extends string | number, T>(
  compute: (key: Key) => T,
  most: number,
  longest: number = Number.POSITIVE_INFINITY,
): (key: Key) => T {
  const known = new Map<Key, T>();
  return (key) => {
    const value = known.get(key);
    if (value !== undefined || known.has(key)) return value as T;
    const made = compute(key);
    if (typeof key === "string" && key.length > longest) return made;
    if (known.size === most) known.clear();
    known.set(key, made);
    return made;
  };
}

// Little-endian numbers. A byte after the end of the array is zero.

export function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

export function readU32(bytes: Uint8Array, at: number): number {
  return (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0;
}

/** Returns a number, rounded if it is above 2 ** 53. */
export function readU64(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + readU32(bytes, at + 4) * 2 ** 32;
}

export function bytesOfU32(...values: number[]): Uint8Array {
  return Uint8Array.from({ length: 4 * values.length }, (_, index) => values[index >> 2] >>> (8 * (index & 3)));
}
