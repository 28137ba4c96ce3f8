// The functions of the host that the core calls, for JavaScript: the loader sets them.

/** The functions that callbacks.ts of asc imports. */
export interface Callbacks {
  toALabels(length: i32): i32;
  isBelowSuffix(length: i32): bool;
  hasPublicSuffix(length: i32): bool;
  takeCoded(from: i32, count: i32): void;
  decodeCoded(codings: i32, record: i32, end: i32): i32;
  readDecoded(to: i32, most: i32): i32;
  nextMember(isFirst: bool): i32;
  loadCharacters(table: i32): void;
  loadCharset(length: i32): bool;
  loadReferences(): number;
  findEncodedColon(p: i32): i32;
}

let callbacks: Callbacks;

/** Sets the functions: a core for single URLs needs only toALabels. To be called before any other function of this instance. */
export function setCallbacks(given: Callbacks): void {
  callbacks = given;
}

/** This and the constants below call the functions of their names at call time, because a scan may replace these functions. */
export const toALabels = (length: i32): i32 => callbacks.toALabels(length);
export const isBelowSuffix = (length: i32): bool => callbacks.isBelowSuffix(length);
export const hasPublicSuffix = (length: i32): bool => callbacks.hasPublicSuffix(length);
export const takeCoded = (from: i32, count: i32): void => callbacks.takeCoded(from, count);
export const decodeCoded = (codings: i32, record: i32, end: i32): i32 => callbacks.decodeCoded(codings, record, end);
export const readDecoded = (to: i32, most: i32): i32 => callbacks.readDecoded(to, most);
export const nextMember = (isFirst: bool): i32 => callbacks.nextMember(isFirst);
export const loadCharacters = (table: i32): void => callbacks.loadCharacters(table);
export const loadCharset = (length: i32): bool => callbacks.loadCharset(length);
export const loadReferences = (): number => callbacks.loadReferences();
export const findEncodedColon = (p: i32): i32 => callbacks.findEncodedColon(p);
