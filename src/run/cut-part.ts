// A part of a source that others scan the rest of.
import type { OwnedRange } from "../options/options.ts";

/** A part of a source, or all of it. */
export interface CutPart extends OwnedRange {
  /** The messages that start in the range are scanned whole: of an mbox, MMDF, and records of a web archive. */
  readonly byMessage?: boolean | undefined;
  /**
   * Shared by the parts of a source and their threads: not 0 when those that are read are nothing after all, because one before them was
   * read to the end of the source. Absent: that cannot be.
   */
  readonly dropped?: Int32Array<SharedArrayBuffer> | undefined;
}

/** Returns whether nobody wants what a part finds. */
export function isDropped({ dropped }: CutPart): boolean {
  return dropped !== undefined && Atomics.load(dropped, 0) !== 0;
}

/** Drops the parts after one that was read to the end of the source. */
export function dropRest({ dropped }: CutPart): void {
  if (dropped !== undefined) Atomics.store(dropped, 0, 1);
}
