// Where the texts are of which `writeRecords` makes records, in a core that no scan uses (ARCHITECTURE.md).
import { RECORD_REGION, REJECTED_REGION, REJOIN_REGION, WINDOW_REGION } from "./memory.ts";

/**
 * What a record is made of: steps, PROGRAM_BYTES at most. A step is a word STEP_*, then its operands, a word each. A text is named by its
 * address, where its length stands in a word before its bytes.
 */
export const PROGRAM_REGION: i32 = REJOIN_REGION;
export const PROGRAM_BYTES: i32 = 0x10000;
/** The end of the record: the text there, and the byte that it takes the place of if that is the last one, or 0. */
export const STEP_END: i32 = 0;
/** A text of the row: the word of the row (RECORD_*_TEXTS) that has the address of a list of texts, and the number of the text in it. */
export const STEP_TEXT: i32 = 1;
/** The same for the text that holds the number of the message: its place in the output is kept in NUMBER_REGION. */
export const STEP_NUMBER_TEXT: i32 = 2;
/** URL, raw form or host: the word of the row that has its address; the texts before, after and instead of it; CELL_* bits. */
export const STEP_FIELD: i32 = 3;
/** The name of the scheme: the texts before and after it. */
export const STEP_SCHEME: i32 = 4;
/** Start or end: the word of the row that has it; the texts before and after it. */
export const STEP_OFFSET: i32 = 5;

/** A field with a comma is written in quotation marks (RFC 4180). */
export const CELL_QUOTED: i32 = 1;
/** What a spreadsheet takes for a formula gets an apostrophe. */
export const CELL_SAFE: i32 = 2;

/** URLs, raw forms and hosts, from which the rows' addresses count; after them, each at a word, the texts that the rows name. */
export const FIELDS_REGION: i32 = WINDOW_REGION;

/** Words of a row, in the place of kind, flags and hints, that have the address of a list of texts. */
export const RECORD_KIND_TEXTS: i32 = 4;
export const RECORD_LOCATION_TEXTS: i32 = 5;
export const RECORD_MATCH_TEXTS: i32 = 13;

/** For each row a word: where the text of STEP_NUMBER_TEXT is in the output, from OUTPUT_REGION on. */
export const NUMBER_REGION: i32 = REJECTED_REGION;

/** No record is begun after so many bytes: they are in the processor's cache still when they are taken. */
export const RECORDS_BYTES: i32 = 0x40000;

/** An offset is this many times its high part, and its low part. */
export const BILLION: i32 = 1000000000;

/** Pairs of words for `renumber`: the offset of a message number, and the number. */
export const NUMBER_ROWS: i32 = RECORD_REGION;
/** Pairs that RECORD_REGION has room for. */
export const NUMBER_ROWS_MAX: i32 = 0xe000;
/** Bytes that `renumber` takes at once. With the longest numbers the copy still fits into OUTPUT_REGION. */
export const RENUMBERED_BYTES: i32 = 0x400000;
