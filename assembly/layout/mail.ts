// Numbers and rows that the mail reader (assembly/mail/) shares with TypeScript.

/** Formats of a source, by which `decodeMail` reads it. */
export const FORMAT_MBOX: i32 = 0;
export const FORMAT_EML: i32 = 1;
export const FORMAT_NEWS: i32 = 2;
export const FORMAT_WARC: i32 = 3;
export const FORMAT_RNEWS: i32 = 5; // A batch of news without dot-stuffing
export const FORMAT_JSON: i32 = 6; // JSON (A16)
export const FORMAT_EMLX: i32 = 7; // A message of Apple Mail, after a line with its length (A1)
export const FORMAT_MMDF: i32 = 8; // Messages between lines of four bytes 01 (A17)
export const FORMAT_TEXT: i32 = 9; // Plain text in the charset of the option (A18)
export const FORMAT_HTML: i32 = 10; // HTML in the charset of the option, or the one that the page names (A18)
export const FORMAT_ARC: i32 = 11; // Web archives in ARC, the format before WARC (A12)
export const FORMAT_XML: i32 = 12;
export const FORMAT_FOLDED: i32 = 13; // A calendar or a card, and LDIF: texts with folded lines (A9)
export const FORMAT_LDIF: i32 = 14;

// Charset conversions (A8, A18).
export const CONVERT_NONE: i32 = 0;
export const CONVERT_UTF16: i32 = 1; // UTF-16 in the byte order of its byte order mark
export const CONVERT_UTF16_LE: i32 = 2; // UTF-16, little-endian
export const CONVERT_UTF16_BE: i32 = 3; // UTF-16, big-endian
/** The charset of one byte a character in CHARSET_TABLE (with CONVERT_ASSUMED) or NAMED_CHARSET_TABLE. */
export const CONVERT_ONE_BYTE: i32 = 4;
/** GBK and GB 18030. This and the next four constants are charsets of several bytes a character, in bytes of eight bits. */
export const CONVERT_GB: i32 = 5;
export const CONVERT_BIG5: i32 = 6;
export const CONVERT_EUC_KR: i32 = 7;
export const CONVERT_SHIFT_JIS: i32 = 8;
export const CONVERT_EUC_JP: i32 = 9;
/** The charsets of ISO 2022. This and the next two constants are charsets of several bytes a character, in bytes of seven bits. */
export const CONVERT_ISO_2022: i32 = 10;
export const CONVERT_HZ: i32 = 11;
export const CONVERT_UTF_7: i32 = 12;
export const CONVERT_CHARSET: i32 = 0x0f; // The bits of a conversion that hold its charset
export const CONVERT_FLOWED: i32 = 0x10; // A further bit: flowed lines are joined (A9)
export const CONVERT_FOLDED: i32 = 0x20; // A further bit: folded lines are joined (A9)
export const CONVERT_LDIF: i32 = 0x80; // A further bit: folded lines are joined, in a text that has no escapes (A9)
export const CONVERT_ASSUMED: i32 = 0x40; // A further bit: no header names the charset, and a page may name one (A18)

// How an mbox quotes `From ` in bodies (A2).
/** mboxrd: a `>` is added before `From `, also after other `>`. */
export const DIALECT_RD: i32 = 0;
export const DIALECT_O: i32 = 1; // mboxo: a `>` is added only before `From ` at the start of a line
export const DIALECT_CL: i32 = 2; // mboxcl: nothing is quoted, because Content-Length gives the end of a body

/** Words at DECODED_COUNTS: what one call of `decodeMail` counts. */
export const COUNT_MESSAGES: i32 = 0;
export const COUNT_DOUBTFUL: i32 = 1;
export const COUNT_PARTS_SKIPPED: i32 = 2;
export const COUNT_BYTES_SKIPPED: i32 = 3;
export const COUNT_DEEP_MULTIPART: i32 = 4; // This counter and the later ones also have rows in OMISSION_REGION (A15)
export const COUNT_NO_BOUNDARY: i32 = 5;
export const COUNT_LONG_FIELD: i32 = 6;
export const COUNT_UUENCODE: i32 = 7;
export const COUNT_YENC: i32 = 8;
export const COUNT_ENCODED_BODY: i32 = 9;
export const COUNT_ATTACHMENT: i32 = 10; // An attachment, or a body of the web, of a type that is not read
export const COUNT_PDF: i32 = 11; // A body part that is a PDF: the text of its pages is not read
export const COUNT_WORDS: i32 = 12; // The number of these counters

/** Where in a message a segment is, in the order of `WHERES`. */
export const WHERE_HEADER: i32 = 0;
export const WHERE_BODY: i32 = 1;
export const WHERE_HTML: i32 = 2;
export const WHERE_PREAMBLE: i32 = 3;
export const WHERE_EPILOGUE: i32 = 4;
export const WHERE_JSON: i32 = 5;

// Words of the row of a segment.
/** The first address of the segment in the window. */
export const SEGMENT_WINDOW: i32 = 0;
export const SEGMENT_WHERE: i32 = 4; // WHERE_*
export const SEGMENT_MESSAGE: i32 = 8; // The number of the message
/**
 * Address in HEAP_REGION of the number of the body part, or 0; with FIELD_BODY its type and its file name follow, empty if unknown. A zero
 * ends each.
 */
export const SEGMENT_PART: i32 = 12;
/**
 * Address in HEAP_REGION of the name of the field or JSON member, or for HTML of the URL of the body part (C107); or 0. A zero ends the
 * text. Only the name of a JSON member has no zero, but a byte with its length before it.
 */
export const SEGMENT_FIELD: i32 = 16;
export const SEGMENT_ROW_BYTES: i32 = 20;

// Words of the row of a header field.
export const FIELD_MESSAGE: i32 = 0;
export const FIELD_NAME: i32 = 4; // FIELD_*, which names the field: FIELD_MESSAGE_ID or a later constant
export const FIELD_ADDRESS: i32 = 8; // The address of the field body in HEAP_REGION
export const FIELD_LENGTH: i32 = 12; // The length of the field body in bytes
export const FIELD_ROW_BYTES: i32 = 16;

// Words of the row of an omission.
/** COUNT_*: COUNT_DEEP_MULTIPART or a later constant. */
export const OMISSION_COUNTER: i32 = 0;
export const OMISSION_SOURCE: i32 = 4; // The address of the omitted bytes in the source
export const OMISSION_MESSAGE: i32 = 8; // The number of the message
export const OMISSION_TEXT: i32 = 12; // Address in HEAP_REGION of the type of an attachment and its file name, each ended by a zero; or 0
export const OMISSION_ROW_BYTES: i32 = 16;

/** Header fields that are collected (A10). */
export const FIELD_MESSAGE_ID: i32 = 0;
export const FIELD_DATE: i32 = 1;
export const FIELD_FROM: i32 = 2;
export const FIELD_SUBJECT: i32 = 3;
export const FIELD_NEWSGROUPS: i32 = 4;
export const FIELD_LIST_ID: i32 = 5;
export const FIELD_TARGET_URI: i32 = 6;
export const FIELD_WARC_DATE: i32 = 7;

/** Content-Location, and Content-Base: only links need them, as the URLs of body parts (C107). */
export const FIELD_CONTENT_LOCATION: i32 = 14;
export const FIELD_CONTENT_BASE: i32 = 15;

/** The topmost Received field, after its semicolon: a date for messages whose Date cannot be read (A10). */
export const FIELD_RECEIVED: i32 = 16;
export const FIELD_FROM_LINE: i32 = 17; // The From_ line, for the same messages

/** Its bit adds the type and the file name of their part to segments. The number is that of Content-Disposition, which is not collected. */
export const FIELD_BODY: i32 = 18;

/** The first field that records ask for by its name in HEADER_NAMES (A10). */
export const FIELD_NAMED: i32 = 19;
export const FIELDS_NAMED_MAX: i32 = 12; // Most fields that records can ask for by name

/** The content and transfer codings of HTTP that the host undoes: CODING_* (A12). */
export const CODING_GZIP: i32 = 1;
export const CODING_DEFLATE: i32 = 2;
export const CODING_BROTLI: i32 = 3;
export const CODING_ZSTD: i32 = 4;
export const CODING_BITS: i32 = 3; // Bits of each coding in a list of codings
export const CODINGS_MAX: i32 = 4; // Most codings that are undone for a body
export const CODED_NOTHING: i32 = 0; // Result of `decodeCoded`: nothing of the body was decoded
export const CODED_START: i32 = 1; // Result of `decodeCoded`: only the start of the body was decoded
export const CODED_WHOLE: i32 = 2; // Result of `decodeCoded`: the whole body was decoded
export const CODED_BYTES_MAX: i32 = 0x1000000; // Most bytes of a coded body that are read, chunk lines included

/** Most source bytes of a message in a transfer encoding that are read. */
export const MESSAGE_BYTES_MAX: i32 = 0x2000000;
export const MEMBERS_READ: i32 = -1; // `nextMember` returns this after the last member of an attachment that was read completely (C178)
export const MEMBERS_LOST: i32 = -2; // `nextMember` returns this after the last member of an attachment that was not read completely

/** Longest field that is read as a whole, in bytes. */
export const FIELD_BYTES_MAX: i32 = 65536;
