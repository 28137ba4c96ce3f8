// Arithmetic on which asc and JavaScript differ, for JavaScript.

export function multiply(a: i32, b: i32): i32 {
  return Math.imul(a, b);
}

export function divide(a: i32, b: i32): i32 {
  return (a / b) | 0;
}
