// What the core asks the code around it, for JavaScript: functions that the loader sets.

/** The functions that callbacks.ts of asc imports. */
export interface Callbacks {
  toALabels(length: i32): i32;
  isBelowSuffix(length: i32): bool;
  findEncodedColon(p: i32): i32;
}

let callbacks: Callbacks;

/** Sets the functions; to be called before any other of this instance. */
export function setCallbacks(given: Callbacks): void {
  callbacks = given;
}

/** Calls the function of this name. */
export function toALabels(length: i32): i32 {
  return callbacks.toALabels(length);
}

/** Calls the function of this name. */
export function isBelowSuffix(length: i32): bool {
  return callbacks.isBelowSuffix(length);
}

/** Calls the function of this name. */
export function findEncodedColon(p: i32): i32 {
  return callbacks.findEncodedColon(p);
}
