// Where the texts are of which `writeRecords` makes records, in a core that no scan uses (ARCHITECTURE.md).
import { REJOIN_REGION, WINDOW_REGION } from "./memory.ts";

/** What is between the fields of a record: rows of TEXT_ROW_BYTES, by TEXT_*. A text is its length in a word, then its bytes. */
export const BETWEEN_REGION: i32 = REJOIN_REGION;
export const TEXT_ROW_BYTES: i32 = 32;
/** Before a URL; instead of one, before a raw form, */
export const TEXT_URL: i32 = 0;
export const TEXT_NO_URL: i32 = 32;
export const TEXT_RAW: i32 = 64;
/** before the scheme; before a host, or instead of one, */
export const TEXT_SCHEME: i32 = 96;
export const TEXT_HOST: i32 = 128;
export const TEXT_NO_HOST: i32 = 160;
/** and between start and end. */
export const TEXT_END: i32 = 192;

/** URLs, raw forms and hosts, from which the rows' addresses count; after them, each at a word, the texts that the rows name. */
export const FIELDS_REGION: i32 = WINDOW_REGION;

/** Words of a row, in the place of kind and flags, that name a text: what is between host and start, and what is after the end. */
export const RECORD_MIDDLE: i32 = 4;
export const RECORD_TAIL: i32 = 5;
/** Word that is set, in the place of the start: where the latter text is in the output, from OUTPUT_REGION on. */
export const RECORD_TAIL_AT: i32 = 0;

/** No record is begun after so many bytes: they are in the processor's cache still when they are taken. */
export const RECORDS_BYTES: i32 = 0x40000;

/** An offset is this many times its high part, and its low part. */
export const BILLION: i32 = 1000000000;
