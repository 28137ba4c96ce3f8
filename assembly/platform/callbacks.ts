// The functions that the core calls in the code around it, as imports for asc. They read and write HOST_REGION.

/** Replaces the host of `length` bytes in HOST_REGION with its A-labels; returns their length, or 0 if it has none. (N1) */
export declare function toALabels(length: i32): i32;

/** Whether the name of `length` bytes in HOST_REGION has a label before a public suffix (X10). */
export declare function isBelowSuffix(length: i32): bool;

/** Whether that name has such a label, even if the name ends like the name of a file (X2). */
export declare function hasPublicSuffix(length: i32): bool;

/** Collects the `count` bytes at `from` of a coded body (A12). */
export declare function takeCoded(from: i32, count: i32): void;

/**
 * Decodes the body that was collected, whose record begins at the source address `record`, and which ends at `end`: codings as of
 * `codings()`. Returns CODED_*. (A12)
 */
export declare function decodeCoded(codings: i32, record: i32, end: i32): i32;

/** Writes the next bytes of the decoded text to `to`, `most` at most; returns their number, 0 after the last. */
export declare function readDecoded(to: i32, most: i32): i32;

/**
 * Returns FORMAT_* of the next text of the attachment that is unpacked, or MEMBERS_*. `isFirst`: begins with the attachment that was just
 * collected, inside the current one. (C178)
 */
export declare function nextMember(isFirst: bool): i32;

/** Makes the table TABLE_* of CHARACTER_TABLES (A8). */
export declare function loadCharacters(table: i32): void;

/** Returns the first colon from `p` on that was percent-encoded, or an address after the text; for decoded text (X11). */
export declare function findEncodedColon(p: i32): i32;
