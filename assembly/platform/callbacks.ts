// What the core asks the code around it, for asc: imported functions. They read and write HOST_REGION.

/** Puts the A-labels of the host of `length` bytes in its place in HOST_REGION; returns their length, 0 where it has none. (N1) */
export declare function toALabels(length: i32): i32;

/** Whether the name of `length` bytes in HOST_REGION has a label before a public suffix (X10). */
export declare function isBelowSuffix(length: i32): bool;

/** Whether it has one, also if it ends like the name of a file (X2). */
export declare function hasPublicSuffix(length: i32): bool;

/** Collects the `count` bytes at `from` of a coded body (A12). */
export declare function takeCoded(from: i32, count: i32): void;

/**
 * Decodes the body that was collected, whose record begins at the source address `record`, and which ends at `end`: codings as of
 * `codings()`. Returns CODED_*. (A12)
 */
export declare function decodeCoded(codings: i32, record: i32, end: i32): i32;

/** Writes the next bytes of its text to `to`, `most` at most; returns how many, 0 after the last. */
export declare function readDecoded(to: i32, most: i32): i32;

/**
 * Returns FORMAT_* of the next text in the attachment that is unpacked, or MEMBERS_*; `isFirst`: of the attachment that was collected,
 * inside the one that is read. (C178)
 */
export declare function nextMember(isFirst: bool): i32;

/** Makes the table TABLE_* of CHARACTER_TABLES (A8). */
export declare function loadCharacters(table: i32): void;

/** Returns the first colon from `p` on that was percent-encoded, or an address after the text; for decoded text (X11). */
export declare function findEncodedColon(p: i32): i32;
