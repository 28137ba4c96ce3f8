// Notes about the rules that decide, for JavaScript: a listener that the loader sets takes them.

/** Takes a note: NOTE_* or a rule of layout/notes.ts, and the addresses that it is about. */
export type Listener = (rule: i32, start: i32, end: i32) => void;

let listener: Listener | undefined;

/** Sets the listener that takes the notes of this instance. */
export function setListener(given: Listener): void {
  listener = given;
}

export function isNoting(): bool {
  return listener !== undefined;
}

/** Passes on a note: NOTE_*, or a rule (layout/notes.ts) that has decided about the bytes [start, end). */
export function note(rule: i32, start: i32, end: i32): void {
  if (listener !== undefined) listener(rule, start, end);
}
