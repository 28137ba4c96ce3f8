// The memory layout of `writeRecords`, in a core that no scan uses (ARCHITECTURE.md).
import { RECORD_REGION, REJECTED_REGION, REJOIN_REGION, WINDOW_REGION } from "./memory.ts";

/**
 * The program of a record: a list of steps, at most PROGRAM_BYTES long. A step is a word STEP_* and its operands, a word each. A text
 * operand is the address of a text: a word with its length, then its bytes.
 */
export const PROGRAM_REGION: i32 = REJOIN_REGION;
export const PROGRAM_BYTES: i32 = 0x10000;
/** The end of the record. Operands: its text, and a byte or 0. If the record ends with this byte, the text replaces the byte. */
export const STEP_END: i32 = 0;
/** A text of the row. Operands: the offset in the row of a word RECORD_*_TEXTS, and the offset of the text's address in the list there. */
export const STEP_TEXT: i32 = 1;
/** The text with the message number. Operands: those of STEP_TEXT. The offset of the text in the output goes to NUMBER_REGION. */
export const STEP_NUMBER_TEXT: i32 = 2;
/** URL, raw form or host. Operands: offset in the row of RECORD_URL, _RAW or _HOST; the texts before, after and instead; CELL_* bits. */
export const STEP_FIELD: i32 = 3;
export const STEP_SCHEME: i32 = 4; // The name of the scheme. Operands: the texts before and after it
/** Start or end of the match. Operands: the offset in the row of RECORD_START or RECORD_END; the texts before and after it. */
export const STEP_OFFSET: i32 = 5;

/** A field with a comma is written in quotation marks (RFC 4180). */
export const CELL_QUOTED: i32 = 1;
/** In a field, each `=` `+` `-` `@` that a spreadsheet may read as the begin of a formula gets an apostrophe before it. */
export const CELL_SAFE: i32 = 2;

/** URLs, raw forms and hosts, at the offsets that the rows name. The texts of the rows follow, at addresses that are multiples of 4. */
export const FIELDS_REGION: i32 = WINDOW_REGION;

// Words of a row with the addresses of lists of texts.
/** Replaces RECORD_KIND. */
export const RECORD_KIND_TEXTS: i32 = 4;
export const RECORD_MESSAGE_TEXTS: i32 = 5; // Replaces RECORD_FLAGS
export const RECORD_LOCAL_TEXTS: i32 = 6; // Replaces RECORD_REASON
export const RECORD_MATCH_TEXTS: i32 = 13; // Replaces RECORD_HINT

/** A word for each row: the offset from OUTPUT_REGION of the text of STEP_NUMBER_TEXT, if the program has this step. */
export const NUMBER_REGION: i32 = REJECTED_REGION;

/** No record begins after this many bytes of output: the host reads them while they are in the processor's cache. */
export const RECORDS_BYTES: i32 = 0x40000;

/** The host passes an offset in two parts: high * BILLION + low. */
export const BILLION: i32 = 1000000000;

/** Pairs of words for `renumber`: the offset of a message number in the records, and the number. */
export const NUMBER_ROWS: i32 = RECORD_REGION;
export const NUMBER_ROWS_MAX: i32 = 0xe000; // Most pairs in RECORD_REGION
/** Most bytes that `renumber` takes at once. Their copy fits into OUTPUT_REGION even with the longest numbers. */
export const RENUMBERED_BYTES: i32 = 0x400000;
