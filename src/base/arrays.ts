// Arrays that grow, and sorted arrays.

type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Returns a copy of `array` with `length` elements; new ones are 0. */
export function grown<Column extends Numbers>(array: Column, length: number): Column {
  const larger = new (array.constructor as new (length: number) => Column)(length);
  larger.set(array);
  return larger;
}

/** Returns the bytes of all parts, one after the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
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
