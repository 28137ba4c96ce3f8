// Words with the results of a decoder (`decodeHtml`, `decodeMail`, `refang`), which itself returns STOP_*. Rows are in their regions.
import { DECODED_REGION } from "./memory.ts";

/** Address of the first source byte that is not decoded. For `refang` the source is the text in the window. */
export const DECODED_SOURCE: i32 = DECODED_REGION;
export const DECODED_END: i32 = DECODED_REGION + 0x4; // Address after the last decoded byte in the window
export const DECODED_MAP_ROWS: i32 = DECODED_REGION + 0x8; // Number of rows in MAP_REGION

// Results of `decodeMail` only.

/** Bytes that the call decoded from transfer encodings. */
export const DECODED_TRANSFERRED: i32 = DECODED_REGION + 0xc;
export const DECODED_CONVERTED: i32 = DECODED_REGION + 0x10; // Bytes of text after the call has converted charsets and joined flowed lines
export const DECODED_TRANSFER_ROWS: i32 = DECODED_REGION + 0x14; // Number of rows in TRANSFER_MAP
export const DECODED_CONVERT_ROWS: i32 = DECODED_REGION + 0x18; // Number of rows in CONVERT_MAP
export const DECODED_SEGMENTS: i32 = DECODED_REGION + 0x1c; // Number of rows in SEGMENT_REGION
export const DECODED_FIELDS: i32 = DECODED_REGION + 0x20; // Number of rows in FIELD_REGION
export const DECODED_OMISSIONS: i32 = DECODED_REGION + 0x24; // Number of rows in OMISSION_REGION
export const DECODED_HEAP_END: i32 = DECODED_REGION + 0x28; // End of the bytes in HEAP_REGION
export const DECODED_MESSAGE_START: i32 = DECODED_REGION + 0x2c; // Address in the window at which the last message begins; 0: none began
export const DECODED_OPEN_MESSAGE: i32 = DECODED_REGION + 0x30; // Number of the message whose header fields are still collected; 0: none
export const DECODED_QUOTES: i32 = DECODED_REGION + 0x34; // Number of rows in QUOTE_REGION
export const DECODED_COUNTS: i32 = DECODED_REGION + 0x40; // COUNT_WORDS words in the order of COUNT_*
