// Typed arrays that grow.

type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Returns a copy of `array` with `length` elements; those that are new are zeros. */
export function grown<Column extends Numbers>(array: Column, length: number): Column {
  const larger = new (array.constructor as new (length: number) => Column)(length);
  larger.set(array);
  return larger;
}
