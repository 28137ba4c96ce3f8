// Access to linear memory, for asc. javascript/memory.ts has the same functions for JavaScript. Outside of assembly/platform/ the code of
// assembly/ reads and writes memory only through them.

/** Returns the byte at `p`. */
export function load8(p: i32): i32 {
  return load<u8>(p) as i32;
}

/** Returns the word at `p`, a multiple of 4. */
export function loadWord(p: i32): i32 {
  return load<i32>(p);
}

/** Returns the four bytes at `p` as a word: the first is the lowest. `p` need not be a multiple of 4. */
export function loadBytes(p: i32): i32 {
  return load<i32>(p);
}

/** Stores the low 8 bits of `value`. */
export function store8(p: i32, value: i32): void {
  store<u8>(p, value);
}

/** Stores a word at `p`, a multiple of 4. */
export function storeWord(p: i32, value: i32): void {
  store<i32>(p, value);
}

/** Returns the UTF-16 code unit `index` of a string. Unlike charCodeAt it does not check the index. */
export function characterAt(text: string, index: i32): i32 {
  return load<u16>(changetype<usize>(text) + (index << 1)) as i32;
}

/** Copies `count` bytes; the ranges may overlap. */
export function copyBytes(to: i32, from: i32, count: i32): void {
  memory.copy(to, from, count);
}
