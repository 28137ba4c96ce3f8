// Arithmetic that asc and JavaScript read differently, for asc. The JavaScript build's bodies are in javascript/arith.ts.

/** Product modulo 2^32, signed. */
export function multiply(a: i32, b: i32): i32 {
  return a * b;
}
