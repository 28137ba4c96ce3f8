// Words with the results of a decoder (`decodeHtml`, `decodeMail`, `refang`), which itself returns STOP_*. Rows are in their regions.

/** Address of the first source byte that is not decoded. For `refang` the source is the text in the window. */
export const DECODED_SOURCE: i32 = 0x1250000;
/** Address after the last decoded byte in the window. */
export const DECODED_END: i32 = 0x1250004;
/** Number of rows in MAP_REGION. */
export const DECODED_MAP_ROWS: i32 = 0x1250008;

// Results of `decodeMail` only.

/** Bytes that the call decoded from transfer encodings. */
export const DECODED_TRANSFERRED: i32 = 0x125000c;
/** Bytes of text after the call has converted charsets and joined flowed lines. */
export const DECODED_CONVERTED: i32 = 0x1250010;
/** Number of rows in TRANSFER_MAP. */
export const DECODED_TRANSFER_ROWS: i32 = 0x1250014;
/** Number of rows in CONVERT_MAP. */
export const DECODED_CONVERT_ROWS: i32 = 0x1250018;
/** Number of rows in SEGMENT_REGION. */
export const DECODED_SEGMENTS: i32 = 0x125001c;
/** Number of rows in FIELD_REGION. */
export const DECODED_FIELDS: i32 = 0x1250020;
/** Number of rows in OMISSION_REGION. */
export const DECODED_OMISSIONS: i32 = 0x1250024;
/** End of the bytes in HEAP_REGION. */
export const DECODED_HEAP_END: i32 = 0x1250028;
/** Address in the window at which the last message begins; 0: none began in this call. */
export const DECODED_MESSAGE_START: i32 = 0x125002c;
/** Number of the message whose header fields are still collected; 0: none. */
export const DECODED_OPEN_MESSAGE: i32 = 0x1250030;
/** COUNT_WORDS words in the order of COUNT_*. */
export const DECODED_COUNTS: i32 = 0x1250040;
