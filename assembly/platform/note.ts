// Notes about the rules that decide, for asc. It takes no notes, and leaves out all code that only notes need.

/** Whether notes are taken. */
export function isNoting(): bool {
  return false;
}

/** Does nothing: see javascript/note.ts. */
export function note(_rule: i32, _start: i32, _end: i32): void {}
