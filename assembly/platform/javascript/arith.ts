// The JavaScript build's arithmetic.

/** Product modulo 2^32, signed. */
export function multiply(a: i32, b: i32): i32 {
  return Math.imul(a, b);
}
