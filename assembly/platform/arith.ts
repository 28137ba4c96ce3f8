// Arithmetic on which asc and JavaScript differ, for asc. javascript/arith.ts has the same functions for JavaScript.

/** Returns the product modulo 2^32, signed. */
export function multiply(a: i32, b: i32): i32 {
  return a * b;
}

/** Returns the quotient without its fraction. */
export function divide(a: i32, b: i32): i32 {
  return a / b;
}
