// The memory layout of `writeRecords`, in a core that no scan uses (ARCHITECTURE.md).
import { RECORD_REGION, REJECTED_REGION, REJOIN_REGION, WINDOW_REGION } from "./memory.ts";

/**
 * The program of a record: steps of at most PROGRAM_BYTES. A step is a word STEP_* and its operands, a word each. A text operand is an
 * address, with a word for the length and then the bytes.
 */
export const PROGRAM_REGION: i32 = REJOIN_REGION;
export const PROGRAM_BYTES: i32 = 0x10000;
/** The end of the record: its text, and the byte that the text replaces if it is the last one, or 0. */
export const STEP_END: i32 = 0;
/** A text of the row: the word of the row (RECORD_*_TEXTS) with the address of a list of texts, and the index of the text. */
export const STEP_TEXT: i32 = 1;
/** The text of the row with the message number, with the operands of STEP_TEXT. Its offset goes to NUMBER_REGION. */
export const STEP_NUMBER_TEXT: i32 = 2;
/** URL, raw form or host: the word of the row with its address; the texts before, after and instead of it; CELL_* bits. */
export const STEP_FIELD: i32 = 3;
/** The name of the scheme: the texts before and after it. */
export const STEP_SCHEME: i32 = 4;
/** Start or end of the match: the word of the row with this offset; the texts before and after it. */
export const STEP_OFFSET: i32 = 5;

/** A field with a comma is written in quotation marks (RFC 4180). */
export const CELL_QUOTED: i32 = 1;
/** A field that a spreadsheet would read as a formula gets an apostrophe. */
export const CELL_SAFE: i32 = 2;

/** URLs, raw forms and hosts, at the offsets in the rows; after them, at addresses that are multiples of 4, the texts of the rows. */
export const FIELDS_REGION: i32 = WINDOW_REGION;

/** Words of a row with the address of a list of texts, instead of kind, flags and hints. */
export const RECORD_KIND_TEXTS: i32 = 4;
export const RECORD_LOCATION_TEXTS: i32 = 5;
export const RECORD_MATCH_TEXTS: i32 = 13;

/** A word for each row: the offset of the text of STEP_NUMBER_TEXT from OUTPUT_REGION. */
export const NUMBER_REGION: i32 = REJECTED_REGION;

/** No record begins after this many bytes of output, so that they are read while they are in the processor's cache. */
export const RECORDS_BYTES: i32 = 0x40000;

/** An offset is its high part times this, plus its low part. */
export const BILLION: i32 = 1000000000;

/** Pairs of words for `renumber`: the offset of a message number, and the number. */
export const NUMBER_ROWS: i32 = RECORD_REGION;
/** Most pairs in RECORD_REGION. */
export const NUMBER_ROWS_MAX: i32 = 0xe000;
/** Most bytes that `renumber` takes at once. Their copy fits into OUTPUT_REGION even with the longest numbers. */
export const RENUMBERED_BYTES: i32 = 0x400000;
