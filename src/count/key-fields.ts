// Keys made of fields of records: each field with its length, so that different values give different keys.
import { decodeUtf8 } from "../core/text.ts";
import { type FieldName, fieldOf } from "../fields.ts";

/** What matches can be grouped by: a field, or each flag of a match by itself. */
export type KeyField = FieldName | "flag";

/** The length of a value is written plus 1, in this many bits a byte, the lowest first; 0: there is no value. */
const LENGTH_BITS = 7;
const MORE = 1 << LENGTH_BITS;
/** Bytes of a length, at most. */
export const LENGTH_BYTES_MOST = 5;

/** Writes the length of a value, or below 0 that there is none; returns the offset after it. */
export function writeLength(bytes: Uint8Array, at: number, length: number): number {
  let rest = length + 1;
  let next = at;
  for (; rest >= MORE; rest >>>= LENGTH_BITS) bytes[next++] = (rest & (MORE - 1)) | MORE;
  bytes[next++] = rest;
  return next;
}

/** Reads a value of a key after the other. */
class KeyReader {
  readonly #bytes: Uint8Array;
  /** Where the value begins and ends. */
  start = 0;
  end = 0;
  hasValue = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): void {
    let at = this.end;
    let length = 0;
    let shift = 0;
    for (; (this.#bytes[at] as number) >= MORE; at++, shift += LENGTH_BITS) length |= ((this.#bytes[at] as number) & (MORE - 1)) << shift;
    length |= (this.#bytes[at] as number) << shift;
    this.hasValue = length > 0;
    this.start = at + 1;
    this.end = at + Math.max(length, 1);
  }
}

/** Returns the values of a key. */
export function valuesOf(key: Uint8Array, count: number): (string | undefined)[] {
  const reader = new KeyReader(key);
  return Array.from({ length: count }, () => {
    reader.next();
    return reader.hasValue ? decodeUtf8(key, reader.start, reader.end) : undefined;
  });
}

/** Returns a function that compares keys by their values in the order of the fields: below 0 if the first key is the first. */
export function keyOrder(fields: readonly KeyField[]): (one: Uint8Array, other: Uint8Array) => number {
  const areNumbers = fields.map((name) => name !== "flag" && fieldOf(name).type === "integer");
  return (one, other) => {
    const [first, second] = [new KeyReader(one), new KeyReader(other)];
    for (const isNumber of areNumbers) {
      first.next();
      second.next();
      if (!first.hasValue || !second.hasValue) {
        if (first.hasValue !== second.hasValue) return first.hasValue ? 1 : -1;
        continue;
      }
      // Of two whole numbers in decimal the shorter one is less.
      const byLength = first.end - first.start - (second.end - second.start);
      if (isNumber && byLength !== 0) return byLength;
      const byBytes = compared(one, first, other, second);
      if (byBytes !== 0) return byBytes;
    }
    return 0;
  };
}

function compared(one: Uint8Array, first: KeyReader, other: Uint8Array, second: KeyReader): number {
  const length = Math.min(first.end - first.start, second.end - second.start);
  for (let index = 0; index < length; index++) {
    const difference = (one[first.start + index] as number) - (other[second.start + index] as number);
    if (difference !== 0) return difference;
  }
  return first.end - first.start - (second.end - second.start);
}
