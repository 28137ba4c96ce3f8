// The functions of the host that the core calls, as imports for asc. Names are passed in HOST_REGION.

/**
 * Replaces the host of `length` bytes in HOST_REGION with its A-labels. Returns their length, with LABELS_DISGUISED if that holds, or 0 if
 * the host has none. (N1, C272)
 */
export declare function toALabels(length: i32): i32;

/** Whether the name of `length` bytes in HOST_REGION has a label before a public suffix and does not end like a file name (X10). */
export declare function isBelowSuffix(length: i32): bool;

/** Whether the name of `length` bytes in HOST_REGION has a label before a public suffix (X2). */
export declare function hasPublicSuffix(length: i32): bool;

/** Collects the `count` bytes at `from` of a coded body (A12). */
export declare function takeCoded(from: i32, count: i32): void;

/**
 * Decodes the collected body of the record at the source address `record`. The body ends at the source address `end`. `codings`: the
 * result of `codings()` in mail/content.ts. Returns CODED_*. (A12)
 */
export declare function decodeCoded(codings: i32, record: i32, end: i32): i32;

/** Writes the next bytes of the decoded or unpacked text, at most `most`, to `to`; returns their number, or 0 after the last byte. */
export declare function readDecoded(to: i32, most: i32): i32;

/**
 * Begins the next text of the attachment that is unpacked; returns its FORMAT_*, or MEMBERS_*. `isFirst`: begins with the attachment that
 * was collected last, inside the current one. (C178)
 */
export declare function nextMember(isFirst: bool): i32;

/**
 * Writes the characters of the charset with the name of `length` bytes in LABEL_REGION to NAMED_CHARSET_TABLE; returns false if it is none
 * of one byte (A8).
 */
export declare function loadCharset(length: i32): bool;

/** Writes the table TABLE_* to CHARACTER_TABLES (A8). */
export declare function loadCharacters(table: i32): void;

/** Writes the named references of HTML to REFERENCE_TABLE; returns their length in bytes (X9). */
export declare function loadReferences(): i32;

/** Returns the first colon from `p` on that was percent-encoded, or an address after the text. For OPTION_DECODED (X11). */
export declare function findEncodedColon(p: i32): i32;
