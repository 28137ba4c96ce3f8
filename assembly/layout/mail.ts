// Words, rows and names of the mail reader (assembly/mail/). Addresses of MAIL_* are words in MAIL_STATE: carried from call to call.

/** In: MAIL_FORMAT_*, MAIL_DIALECT_*, 1 if parts that are no text are read (A4), and whether segments and fields are told. */
export const MAIL_FORMAT: i32 = 0x1250000;
export const MAIL_DIALECT: i32 = 0x1250004;
export const MAIL_ALL_PARTS: i32 = 0x1250008;
export const MAIL_COLLECTS: i32 = 0x125000c;
/** In: messages that start in [FROM, TO) are read, addresses of the source. */
export const MAIL_FROM: i32 = 0x1250010;
export const MAIL_TO: i32 = 0x1250014;
/** In: bits 1 << FIELD_* of the fields that are told. */
export const MAIL_FIELDS: i32 = 0x1250018;

/** MODE_*: what stands at the next source byte. */
export const MAIL_MODE: i32 = 0x1250020;
/** Open multiparts in MAIL_STACK. */
export const MAIL_DEPTH: i32 = 0x1250024;
/** PART_*, TRANSFER_* and CONVERT_* of the text that is read. */
export const MAIL_PART: i32 = 0x1250028;
export const MAIL_TRANSFER: i32 = 0x125002c;
export const MAIL_CONVERT: i32 = 0x1250030;
/** Number of the message, from 1 on; 0: before the first. */
export const MAIL_MESSAGE: i32 = 0x1250034;
/** 1 while a header or body is a message's, not a MIME part's (A5). */
export const MAIL_IN_MESSAGE: i32 = 0x1250038;
/** 1 in the header of an outermost message. */
export const MAIL_OUTERMOST: i32 = 0x125003c;
/** In the header of a message 2 at its start and 1 up to its first field; else 0. */
export const MAIL_FRESH: i32 = 0x1250040;
/** Bytes up to the end of a message of known length (A2, A12, A14), or -1. */
export const MAIL_REMAINING: i32 = 0x1250044;
/** Bytes at the start of TRANSFER_REGION and CONVERT_REGION that are not taken yet. */
export const MAIL_TRANSFER_USED: i32 = 0x1250048;
export const MAIL_CONVERT_USED: i32 = 0x125004c;
/** base64: the bits of an open group, and how many characters it has. chunked: bytes left of a chunk, CHUNK_* where there are none. */
export const MAIL_GROUP: i32 = 0x1250050;
export const MAIL_GROUP_LENGTH: i32 = 0x1250054;
/** What convert.ts and utf7.ts carry. */
export const MAIL_CONVERT_STATE: i32 = 0x1250058;
export const MAIL_CONVERT_BITS: i32 = 0x125005c;
export const MAIL_CONVERT_COUNT: i32 = 0x1250060;
export const MAIL_CONVERT_HIGH: i32 = 0x1250088;
/** Source bytes behind the last character of an open group of base64. */
export const MAIL_GROUP_GAP: i32 = 0x12500a0;

/** Collected of a header: TYPE_*, TRANSFER_*, CONVERT_*, length of the boundary at MAIL_BOUNDARY, Content-Length or -1. */
export const MAIL_TYPE: i32 = 0x1250064;
export const MAIL_ENCODING: i32 = 0x1250068;
export const MAIL_CHARSET: i32 = 0x125006c;
export const MAIL_BOUNDARY_LENGTH: i32 = 0x1250070;
export const MAIL_LENGTH: i32 = 0x1250074;
/** Bits FLOWED_*. */
export const MAIL_FLOWED: i32 = 0x1250078;
/** WARC: NAME_RESPONSE and its neighbours, or -1; 1 in an HTTP header. */
export const MAIL_RECORD_TYPE: i32 = 0x125007c;
export const MAIL_IN_HTTP: i32 = 0x1250080;
/** WHERE_* of the segment. */
export const MAIL_WHERE: i32 = 0x1250084;

/** 1: the From_ line at the next source byte has been counted as doubtful. */
export const MAIL_DOUBTED: i32 = 0x125008c;
/** 1: the line break before the next source byte was counted as skipped. */
export const MAIL_SKIPPED_BREAK: i32 = 0x1250090;
/** In the header of a message that a text encloses (A13): CONVERT_* of the text + 1; else 0. */
export const MAIL_ENCLOSED: i32 = 0x1250094;
/** 1 while what is read is of no message. */
export const MAIL_OUTSIDE: i32 = 0x1250098;
/** Source bytes of the header of the message up to which fields are told. */
export const MAIL_HEADER_LEFT: i32 = 0x12500a4;
/** Out: where the text of the last message begins in the window; 0: none began in this call. */
export const MAIL_MESSAGE_WINDOW: i32 = 0x12500a8;
/** Bits 1 << (NAME_* - FIELDS_COLLECTED) of the fields of the header that have come. */
export const MAIL_SEEN: i32 = 0x125009c;

/** Counters: the script zeroes them. Order of COUNT_*. */
export const MAIL_COUNTS: i32 = 0x1250100;
export const COUNT_MESSAGES: i32 = 0;
export const COUNT_DOUBTFUL: i32 = 1;
export const COUNT_PARTS_SKIPPED: i32 = 2;
export const COUNT_BYTES_SKIPPED: i32 = 3;
export const COUNT_DEEP_MULTIPART: i32 = 4;
export const COUNT_NO_BOUNDARY: i32 = 5;
export const COUNT_LONG_FIELD: i32 = 6;
export const COUNT_UUENCODE: i32 = 7;
export const COUNT_YENC: i32 = 8;
export const COUNT_ENCODED_BODY: i32 = 9;
export const COUNT_WORDS: i32 = 10;

/** The boundary of the header that is read. */
export const MAIL_BOUNDARY: i32 = 0x1250200;
/** Longest boundary in bytes. */
export const BOUNDARY_BYTES_MAX: i32 = 256;
/** Open multiparts, the outermost first: rows of STACK_ROW_BYTES. */
export const MAIL_STACK: i32 = 0x1251000;
export const STACK_ROW_BYTES: i32 = 512;
/** Most multiparts and messages inside each other (A4). */
export const STACK_ROWS_MAX: i32 = 32;
/**
 * Words of a row: number of the part that is read, 1 for multipart/digest, length of the boundary (0: an enclosed message); the
 * boundary.
 */
export const STACK_PART: i32 = 0;
export const STACK_DIGEST: i32 = 4;
export const STACK_LENGTH: i32 = 8;
export const STACK_BOUNDARY: i32 = 12;

/** Formats of a source. */
export const MAIL_FORMAT_MBOX: i32 = 0;
export const MAIL_FORMAT_EML: i32 = 1;
export const MAIL_FORMAT_NEWS: i32 = 2;
export const MAIL_FORMAT_WARC: i32 = 3;
/** A batch of news without dot-stuffing. */
export const MAIL_FORMAT_RNEWS: i32 = 5;
/** Plain text in UTF-16 (A8). */
export const MAIL_FORMAT_UTF16: i32 = 4;
/** How an mbox marks `From ` in bodies (A2). */
export const MAIL_DIALECT_RD: i32 = 0;
export const MAIL_DIALECT_O: i32 = 1;
export const MAIL_DIALECT_CL: i32 = 2;

/** Looking for the first message of a range. */
export const MODE_SEEK: i32 = 0;
/** At the start of the source. */
export const MODE_START: i32 = 1;
export const MODE_HEADER: i32 = 2;
/** In a field that is longer than FIELD_BYTES_MAX. */
export const MODE_LONG_FIELD: i32 = 3;
export const MODE_BODY: i32 = 4;
/** Behind a message of known length. */
export const MODE_BETWEEN: i32 = 5;
/** In a uuencoded or yEnc block. */
export const MODE_UUENCODE: i32 = 6;
export const MODE_YENC: i32 = 7;
/** In the header of a WARC record. */
export const MODE_RECORD: i32 = 8;
/** In the last line of a yEnc block. */
export const MODE_YENC_END: i32 = 9;
/** Between the articles of a batch of news, where none begins. */
export const MODE_OUTSIDE: i32 = 10;

/** What is done with a text. */
export const PART_NONE: i32 = 0;
export const PART_TEXT: i32 = 1;
export const PART_HTML: i32 = 2;
export const PART_SKIP: i32 = 3;

/** Transfer encodings. */
export const TRANSFER_IDENTITY: i32 = 0;
export const TRANSFER_QUOTED_PRINTABLE: i32 = 1;
export const TRANSFER_BASE64: i32 = 2;
export const TRANSFER_UUENCODE: i32 = 3;
export const TRANSFER_CHUNKED: i32 = 4;
/** A Content-Encoding: gzip and the like. */
export const TRANSFER_OPAQUE: i32 = 5;
/** What stands behind the end of an encoding (A6). */
export const TRANSFER_REST: i32 = 6;

/** Charsets that are converted, and what is done to lines. */
export const CONVERT_NONE: i32 = 0;
export const CONVERT_UTF16: i32 = 1;
export const CONVERT_UTF16_LE: i32 = 2;
export const CONVERT_UTF16_BE: i32 = 3;
export const CONVERT_UTF7: i32 = 4;
export const CONVERT_HZ: i32 = 5;
export const CONVERT_FLOWED: i32 = 6;

/** What Content-Type says of flowed lines (A9). */
export const FLOWED_FORMAT: i32 = 1;
export const FLOWED_DELSP: i32 = 2;

/** Types of a body. */
export const TYPE_TEXT: i32 = 0;
export const TYPE_HTML: i32 = 1;
export const TYPE_MULTIPART: i32 = 2;
export const TYPE_DIGEST: i32 = 3;
export const TYPE_MESSAGE: i32 = 4;
export const TYPE_OTHER: i32 = 5;

/** Where a segment stands, in the order of `WHERES`. */
export const WHERE_HEADER: i32 = 0;
export const WHERE_BODY: i32 = 1;
export const WHERE_HTML: i32 = 2;
export const WHERE_PREAMBLE: i32 = 3;
export const WHERE_EPILOGUE: i32 = 4;

/** A segment: its first address in the window, WHERE_*, the number of its message, and its part's number and field's name: addresses in
 * HEAP_REGION of a length and the text, or 0. */
export const SEGMENT_WINDOW: i32 = 0;
export const SEGMENT_WHERE: i32 = 4;
export const SEGMENT_MESSAGE: i32 = 8;
export const SEGMENT_PART: i32 = 12;
export const SEGMENT_FIELD: i32 = 16;
export const SEGMENT_ROW_BYTES: i32 = 20;

/** A field: the number of its message, FIELD_*, the address of its body in HEAP_REGION, and its length. */
export const FIELD_MESSAGE: i32 = 0;
export const FIELD_NAME: i32 = 4;
export const FIELD_ADDRESS: i32 = 8;
export const FIELD_LENGTH: i32 = 12;
export const FIELD_ROW_BYTES: i32 = 16;
/** What is not read as it is meant: COUNT_* from COUNT_DEEP_MULTIPART on, its source address, the number of its message. */
export const OMISSION_COUNTER: i32 = 0;
export const OMISSION_SOURCE: i32 = 4;
export const OMISSION_MESSAGE: i32 = 8;
export const OMISSION_ROW_BYTES: i32 = 12;
/** Longest field that is read as a whole; most bytes of one that is told. */
export const FIELD_BYTES_MAX: i32 = 65536;
export const FIELD_COLLECTED_BYTES_MAX: i32 = 2048;
/** Bytes of a message's header in which fields that are told must begin: what was found in it waits for them. */
export const HEADER_COLLECTED_BYTES: i32 = 0x40000;

/** Names in MAIL_NAMES; fields first, those that are told at the very start. */
export const FIELD_MESSAGE_ID: i32 = 0;
export const FIELD_DATE: i32 = 1;
export const FIELD_FROM: i32 = 2;
export const FIELD_SUBJECT: i32 = 3;
export const FIELD_NEWSGROUPS: i32 = 4;
export const FIELD_LIST_ID: i32 = 5;
export const FIELD_TARGET_URI: i32 = 6;
export const FIELD_WARC_DATE: i32 = 7;
export const FIELDS_COLLECTED: i32 = 8;
export const NAME_CONTENT_TYPE: i32 = 8;
export const NAME_TRANSFER_ENCODING: i32 = 9;
export const NAME_CONTENT_LENGTH: i32 = 10;
export const NAME_WARC_TYPE: i32 = 11;
export const NAME_HTTP_TRANSFER: i32 = 12;
export const NAME_CONTENT_ENCODING: i32 = 13;
/** The words of bodies of fields. */
export const NAME_TEXT: i32 = 14;
export const NAME_MESSAGE: i32 = 15;
export const NAME_MULTIPART: i32 = 16;
export const NAME_HTML: i32 = 17;
export const NAME_XHTML: i32 = 18;
export const NAME_RFC822: i32 = 19;
export const NAME_GLOBAL: i32 = 20;
export const NAME_NEWS: i32 = 21;
export const NAME_DIGEST: i32 = 22;
export const NAME_JSON: i32 = 23;
export const NAME_XML: i32 = 24;
export const NAME_JAVASCRIPT: i32 = 25;
export const NAME_HTTP: i32 = 26;
export const NAME_QUOTED_PRINTABLE: i32 = 27;
export const NAME_BASE64: i32 = 28;
export const NAME_UUENCODE_FIRST: i32 = 29;
export const NAME_UUENCODE_LAST: i32 = 32;
export const NAME_IDENTITY: i32 = 33;
export const NAME_CHUNKED: i32 = 35;
export const NAME_CHARSET: i32 = 36;
export const NAME_FORMAT: i32 = 37;
export const NAME_DELSP: i32 = 38;
export const NAME_FLOWED: i32 = 39;
export const NAME_YES: i32 = 40;
export const NAME_UTF16: i32 = 41;
export const NAME_UTF16_LE: i32 = 42;
export const NAME_UTF16_BE: i32 = 43;
export const NAME_UTF7: i32 = 44;
export const NAME_UTF7_OLD: i32 = 45;
export const NAME_HZ: i32 = 46;
export const NAME_RESPONSE: i32 = 47;
export const NAME_RESOURCE: i32 = 48;
export const NAME_CONVERSION: i32 = 49;
export const NAME_BOUNDARY: i32 = 50;
