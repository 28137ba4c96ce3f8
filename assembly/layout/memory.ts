// The memory layout: the addresses of the fixed regions of linear memory, and the form of their rows.
//
//   0 KiB         tables of bytes, schemes and hosts    18.0 MiB    mail: decoded parts, names, tables, source maps
//   32            constants of asc                      19.2        HTML: references, quotes, values
//   63            results                               20.5        bytes of rows, and the source for decoders
//   64            hosts, rejected and matching rows     21.6        elements, locations
//   3.8 MiB       the window                            22.3        tables of two-byte characters
//   11.8          the output                            22.4        the end
//
// A region begins where the one before it ends: the number in its line is the size of the one before.

export const CLASS_TABLE: i32 = 0x1000; // 256 words: the class bits of each byte (classes.ts)
export const NIBBLE_TABLES: i32 = CLASS_TABLE + 0x400; // 32 bytes a set: nibble tables for the SIMD search, in the order of SET_*
export const SCHEME_SLOTS: i32 = NIBBLE_TABLES + 0x400; // 256 bytes: hash slot to row number + 1 of SCHEME_TABLE
/**
 * 256 bytes, with OPTION_FLAG_CUT: the index is the eighth to last byte of a redirector's host, with HOST_LETTER_BIT. Each byte has a bit
 * for each value of the lowest three bits of the next byte of the host.
 */
export const HOST_ENDS: i32 = SCHEME_SLOTS + 0x100;
/** Hash table by the end of a host, two bytes a slot: the number of a row of NAMED_ROWS plus 1, or 0 (url/flags.ts). */
export const NAMED_SLOTS: i32 = HOST_ENDS + 0x100;
export const SCHEME_TABLE: i32 = NAMED_SLOTS + 0x600; // Rows of SCHEME_ROW_BYTES (scheme-rows.ts)
export const UNICODE_TABLE: i32 = SCHEME_TABLE + 0x4000; // Words: number of ranges; of each first code point << 2 | class (generated)
/** Rows of short links and namespaces. The number of a row is its distance from here in units of eight bytes. First byte: host length. */
export const NAMED_ROWS: i32 = UNICODE_TABLE + 0x900;
export const NAMED_ROWS_END: i32 = NAMED_ROWS + 0x1700; // Constants of asc (`memoryBase` and `lowMemoryLimit` in asconfig.json)
/** Words with the results of the exported functions. The address from which the scan continues: everything before it is decided. */
export const RESULT_POSITION: i32 = NAMED_ROWS_END + 0x7e00;
export const RESULT_RECORDS: i32 = RESULT_POSITION + 4; // Number of rows in RECORD_REGION
export const RESULT_REJECTED: i32 = RESULT_RECORDS + 4; // Number of rows in REJECTED_REGION
export const RESULT_OUTPUT_END: i32 = RESULT_REJECTED + 4; // The address after the output
export const RESULT_LINES: i32 = RESULT_OUTPUT_END + 4; // The number of lines in the output
export const RESULT_KINDS: i32 = RESULT_LINES + 0x30; // 16 counters: matches by KIND_*. TypeScript zeroes the counters that it has read
export const RESULT_REASONS: i32 = RESULT_KINDS + 0x40; // 16 counters: refused candidates and matches by REASON_*
export const RESULT_COUNTERS_END: i32 = RESULT_REASONS + 0x40; // The end of both groups of counters
export const GROUPS: i32 = RESULT_COUNTERS_END; // Eight words: the groups of an IPv6 address
export const ESCAPED_BYTES: i32 = GROUPS + 0x20; // The bytes that escapes stand for (C325), and a zero
export const RESULT_SPLIT: i32 = ESCAPED_BYTES + 0x20; // The components of a URL, words in the order of SPLIT_*
/** A host without triplets, or a domain name: the core compares it, and the host's functions read and replace it. */
export const HOST_REGION: i32 = RESULT_SPLIT + 0x100;
/** Rows of REJECTED_WORDS: candidates that `scan` rejects, matches that `emit` refuses, and lines that `normalizeLines` refuses. */
export const REJECTED_REGION: i32 = HOST_REGION + 0x200000;
export const RECORD_REGION: i32 = REJECTED_REGION + 0x30000; // Matches, rows of RECORD_WORDS
export const REJOIN_REGION: i32 = RECORD_REGION + 0x70000; // A URL without white space or escapes. In the core for single URLs: the URL
export const WINDOW_REGION: i32 = REJOIN_REGION + 0x110000; // The input window; up to 16 bytes before it and 66 after its end may be read
export const OUTPUT_REGION: i32 = WINDOW_REGION + 0x810000; // Lines, records, or the normalized URLs, raw forms and hosts of rows
/** Mail: bytes of a body part after its transfer encoding. Bytes that the next step has not taken yet are at its start. */
export const TRANSFER_REGION: i32 = OUTPUT_REGION + 0x630000;
export const CONVERT_REGION: i32 = TRANSFER_REGION + 0x20000; // Mail: what a charset, format=flowed or folding makes of it
export const DECODED_REGION: i32 = CONVERT_REGION + 0x30000; // Words with the results of a decoder (decoded.ts)
export const BOUNDARY_REGION: i32 = DECODED_REGION + 0x200; // Mail: the boundary of the current header
export const PARAMETER_REGION: i32 = BOUNDARY_REGION + 0x400; // Mail: the value of a parameter
export const TYPE_REGION: i32 = PARAMETER_REGION + 0x600; // Mail: the type of the current header, `type/subtype` in lower case, and a name
export const MULTIPART_REGION: i32 = TYPE_REGION + 0x400; // Mail: the boundaries of the open multiparts
export const JSON_NAMES: i32 = MULTIPART_REGION + 0x4000; // JSON: the names of members around the text (A16)
export const BASE64_TABLE: i32 = JSON_NAMES + 0x4000; // 256 bytes: the value of each base64 digit; 64 or more for any other byte
export const CHARSET_TABLE: i32 = BASE64_TABLE + 0x200; // 128 words: the characters of the bytes 80 to FF in the option's charset (A18)
/** Names of header fields that records ask for (A10), rows of HEADER_NAME_ROW_BYTES: the length, then the name in lower case. */
export const HEADER_NAMES: i32 = CHARSET_TABLE + 0x200;
export const NAMED_CHARSET_TABLE: i32 = HEADER_NAMES + 0x400; // 128 words: the same of the charset in LABEL_REGION, if it has one byte (A8)
export const LABEL_REGION: i32 = NAMED_CHARSET_TABLE + 0x200; // Mail: the name of a charset, at most LABEL_BYTES_MAX bytes
export const TRANSFER_MAP: i32 = LABEL_REGION + 0x6600; // Rows of the source map from transferred bytes to the source
export const SEGMENT_REGION: i32 = TRANSFER_MAP + 0x80000; // Rows of segments: SEGMENT_ROW_BYTES each (mail.ts)
export const OMISSION_REGION: i32 = SEGMENT_REGION + 0x1e000; // Rows of omissions, OMISSION_ROW_BYTES each (mail.ts)
export const FIELD_REGION: i32 = OMISSION_REGION + 0x2000; // Rows of collected header fields of a message: FIELD_ROW_BYTES each (mail.ts)
export const MAP_REGION: i32 = FIELD_REGION + 0x10000; // Rows of MAP_ROW_BYTES of `decodeHtml`, also in `decodeMail`. Or those of `refang`
export const REFERENCE_NUMBER: i32 = MAP_REGION + 0x10000; // The character of a numeric reference
export const WINDOWS_1252: i32 = REFERENCE_NUMBER + 0x10; // 32 words: the characters that HTML reads for the numbers 80 to 9F
export const QUOTE_REGION: i32 = WINDOWS_1252 + 0xf0; // Rows of QUOTE_ROW_BYTES: an address, the depth of quotation from there on (C302)
export const QUOTE_TOKENS: i32 = QUOTE_REGION + 0x8100; // The class or id of the element whose tag is read, at most QUOTE_TOKENS_MAX bytes
export const QUOTE_WORD: i32 = QUOTE_TOKENS + 0x100; // The word at the start of a line, at most QUOTE_WORD_MAX bytes
export const REFERENCE_SLOTS: i32 = QUOTE_WORD + 0x7d00; // Words: the address of the reference in a slot, or 0
export const REFERENCE_TABLE: i32 = REFERENCE_SLOTS + 0x10000; // Named references of HTML: name, mark, characters, space
export const VALUE_REGION: i32 = REFERENCE_TABLE + 0x20000; // Words: starts of values that are URLs << VALUE_SHIFT | VALUE_* (X9)
export const CONVERT_MAP: i32 = VALUE_REGION + 0x20000; // Rows of the source map from converted text to transferred bytes
export const HEAP_REGION: i32 = CONVERT_MAP + 0x40000; // Bytes to which the rows of SEGMENT_REGION, FIELD_REGION and OMISSION_REGION refer
/** Source bytes for a decoder. New bytes start here, at a page border. Bytes that waited end here, and start up to 0x80000 before. */
export const SOURCE_INPUT: i32 = HEAP_REGION + 0xc0000;
/** For each row of VALUE_REGION, with OPTION_ELEMENTS: the element and the attribute of the value (C106). First byte: the attribute. */
export const ELEMENT_REGION: i32 = SOURCE_INPUT + 0x110000;
/** Mail: the URLs of the current header and of the open multiparts (C107). Rows of LOCATION_ROW_BYTES: the length, the bytes. */
export const LOCATION_REGION: i32 = ELEMENT_REGION + 0x80000;
/**
 * Words, with OPTION_ELEMENTS: for each row of RECORD_REGION the address of its row in ELEMENT_REGION, or 0; plus 1 if the row only names
 * the base.
 */
export const RECORD_ELEMENTS: i32 = LOCATION_REGION + 0x20000;
export const TAG_REGION: i32 = RECORD_ELEMENTS + 0x8000; // The name of the element whose tag is read
/**
 * Tables of two-byte characters (A8), for GBK, Big5, EUC-KR with the syllables that Windows adds, and Shift_JIS: for each first byte from
 * 81 on, and for each of 191 second bytes from 40 on, a character of 16 bits, or 0.
 */
export const CHARACTER_TABLES: i32 = TAG_REGION + 0x8000;
export const MEMORY_BYTES: i32 = CHARACTER_TABLES + 0x30000; // Whole linear memory of a core: 359 pages

// Sizes and parts of rows.

export const HOST_END_BYTES: i32 = 8; // Number of bytes from the indexing byte of HOST_ENDS to the end of the host
export const HOST_LETTER_BIT: i32 = 0x20; // The bit that changes letters to lower case
export const NAMED_SLOTS_COUNT: i32 = 512; // Slots, a power of 2
export const NAMED_KIND: i32 = 1; // Byte: the kind of the row
export const NAMED_PATH_LENGTH: i32 = 2; // Byte: the length of the beginning of the path
export const NAMED_SUFFIX_LENGTH: i32 = 3; // Byte: the length of the end of the path
export const NAMED_HOST: i32 = 4; // The host, the beginning and the end of the path
export const NAMED_SHORT: i32 = 0; // NAMED_KIND: the host is one of short links
export const NAMED_BEGIN: i32 = 1; // NAMED_KIND: the path begins as in the row
export const NAMED_WHOLE: i32 = 2; // NAMED_KIND: the path is that of the row
export const NAMED_BOTH: i32 = 3; // NAMED_KIND: the path begins and ends as in the row
/** `scan` and `normalizeLines` stop at this many rows in REJECTED_REGION. `emit` may add a row for each match. */
export const REJECTED_ROWS_MAX: i32 = 4096;
export const RECORD_ROWS_MAX: i32 = 8192;
export const WINDOW_BYTES: i32 = 0x800000; // Most bytes of input in the window
export const OUTPUT_BYTES: i32 = 0x600000; // Bytes of OUTPUT_REGION, without the room for over-stores
export const HEADER_NAME_ROW_BYTES: i32 = 80;
export const LABEL_BYTES_MAX: i32 = 32;
export const TRANSFER_MAP_ROWS_MAX: i32 = 65536;
export const SEGMENT_ROWS_MAX: i32 = 6144;
export const OMISSION_ROWS_MAX: i32 = 512;
export const FIELD_ROWS_MAX: i32 = 4096;
export const MAP_ROWS_MAX: i32 = 8192;
/**
 * Row of a source map, two words. The first: the position after a decoded reference or character << MAP_SHIFT | the bytes that it decodes
 * to, or 0 at the start of a run. The second: the position after its source << MAP_SCALE_SHIFT | MAP_SCALE_*. A position is an address;
 * among transferred bytes and converted text it is the number of bytes since the start of the call.
 */
export const MAP_ROW_BYTES: i32 = 8;
export const MAP_SHIFT: i32 = 3; // Bits of the first word for the number of bytes that a reference or character decodes to
export const MAP_SCALE_SHIFT: i32 = 2; // Bits of the second word for the scale of the run after the row
export const MAP_SCALE_ONE: i32 = 0; // Scale: byte for byte
export const MAP_SCALE_BASE64: i32 = 1; // Scale: three bytes for four source bytes
export const MAP_SCALE_UTF16: i32 = 2; // Scale: one byte for two source bytes
/** Scale: each byte of the run for all source bytes between the source address of the previous row and that of this row. */
export const MAP_SCALE_WHOLE: i32 = 3;
/**
 * Rows that `refang` writes to MAP_REGION: the address after the refanged text, the address after the defanged text in the source, the
 * lengths of both in bytes, and at REFANG_ROW_TEXT the defanged text, at most REFANG_TEXT_MAX bytes.
 */
export const REFANG_ROW_BYTES: i32 = 28;
export const REFANG_ROW_TEXT: i32 = 16;
export const REFANG_TEXT_MAX: i32 = 12;
export const REFANG_ROWS_MAX: i32 = 2048;
export const REFERENCE_SLOTS_COUNT: i32 = 4096; // Slots, a power of 2: about half of them are empty
export const QUOTE_ROW_BYTES: i32 = 8;
export const QUOTE_ROWS_MAX: i32 = 4096;
export const QUOTE_DEPTH_MAX: i32 = 100; // Highest depth; deeper quotes have this one
export const QUOTE_TOKENS_MAX: i32 = 128;
export const QUOTE_WORD_MAX: i32 = 12;
export const VALUE_ROWS_MAX: i32 = 16384;
export const VALUE_SHIFT: i32 = 4;
export const VALUE_TOKEN: i32 = 1; // Kind of a value: a token of a list. Without a kind, 0, the value is one URL
export const VALUE_REFRESH: i32 = 2; // Kind of a value: the refresh value of a `meta`
export const VALUE_LINK: i32 = 3; // Kind of a value: the text after the comma in a descriptor of a srcset, a link or text
export const VALUE_MARKED: i32 = 4; // A further bit: a reference in the value stands for `<` or `>` (C103)
export const VALUE_CLOSED: i32 = 8; // A further bit: the text after the value shows no missing quotation mark (C103)
export const CONVERT_MAP_ROWS_MAX: i32 = 32768;
export const HEAP_BYTES: i32 = 0x40000;
export const SOURCE_BYTES: i32 = 0x100000; // Most bytes of new input; 64 bytes after their end may be read
export const ELEMENT_ROW_BYTES: i32 = 32;
export const ELEMENT_TAG_LENGTH: i32 = 1; // Byte: the length of the name of the element, or 0
export const ELEMENT_BITS: i32 = 2; // Byte: the bits ELEMENT_LINK and ELEMENT_BASE
export const ELEMENT_DOCUMENT: i32 = 4; // Word: the number of the document
export const ELEMENT_TAG: i32 = 8; // The name of the element, in lower case
export const ELEMENT_TAG_BYTES_MAX: i32 = 24;
export const ELEMENT_LINK: i32 = 1; // ELEMENT_BITS: a relative URL in the attribute is a link
export const ELEMENT_BASE: i32 = 2; // ELEMENT_BITS: the attribute is the `href` of a `base`
export const LOCATION_ROW_BYTES: i32 = 2048;
export const CHARACTER_TABLE_BYTES: i32 = 0xc000;
export const TABLE_CHINESE: i32 = 0;
export const TABLE_TAIWANESE: i32 = 1;
export const TABLE_KOREAN: i32 = 2;
export const TABLE_JAPANESE: i32 = 3;

// Bytes that replace markup in the window. The last one before a text is the context of the text.
/** The text of HTML. */
export const CONTEXT_TEXT: i32 = 1;
export const CONTEXT_ATTRIBUTE: i32 = 2; // A tag, or the value of an attribute in it
export const CONTEXT_RAW: i32 = 3; // A script, a style, a comment or a declaration; the text of a message, a string of JSON
export const CONTEXT_NAME: i32 = 4; // In the name of a tag, a byte that is none of a letter, digit, `+`, `-` or `.`

/** Unknown schemes are matched before `//` and a host (X1 c). */
export const OPTION_ANY_SCHEME: i32 = 1;
/** Every colon and `<` is looked at: for schemeless text, or an added scheme without `//` whose name does not end in a letter. */
export const OPTION_EVERY_COLON: i32 = 2;
export const OPTION_LINE_WRAPPED: i32 = 4; // Plain matches may continue in the next line (X8)
export const OPTION_WWW: i32 = 8; // Names with `www.` or `ftp.` are looked for (X10)
export const OPTION_EMAIL: i32 = 16; // Mail addresses are looked for (X10)
export const OPTION_DOMAIN: i32 = 32; // Domain names are looked for (X10)
export const OPTION_IP: i32 = 1024; // IP addresses are looked for (X10)
export const OPTION_SCHEMELESS: i32 = 1080; // All bits of schemeless text
/** The text was percent-encoded (X11, C146): only encoded colons count, references and delimited URLs do not. */
export const OPTION_DECODED: i32 = 64;
export const OPTION_LIST_REJECTED: i32 = 128; // Rejected candidates are listed in REJECTED_REGION
export const OPTION_REPORT_UNKNOWN: i32 = 256; // Matches whose scheme has no row are reported
export const OPTION_LINES: i32 = 512; // `emit` writes lines. Else it writes bytes, and completes the rows that point to them
export const OPTION_LINKS: i32 = 2048; // Relative URLs in the values of attributes are reported (C106); with OPTION_ELEMENTS
/** The text is inside of matches (X11) or of percent-encoded URLs (C146): escapes of X16 are not read. */
export const OPTION_NESTED: i32 = 4096;
export const OPTION_ENCODED: i32 = 8192; // Percent-encoded URLs are looked for in text (C146)
export const OPTION_FLAG_CUT: i32 = 16384; // Plain matches that the next line may continue are flagged (C142)
export const OPTION_URLS: i32 = 32768; // Rows have no raw form and no flags: nothing reads them
export const OPTION_ELEMENTS: i32 = 65536; // The elements and attributes of matches are reported (C106)

/** The default profile (N1 to N7). */
export const PROFILE_RFC3986: i32 = 0;
export const PROFILE_RFC1738: i32 = 1; // The profile of RFC 1738 (N8)
export const PROFILE_NONE: i32 = 2; // As written, except for characters that no URL can contain (N)

// Why a function returns.
/** The end of the window or of the source has been reached. */
export const STOP_END: i32 = 0;
export const STOP_INPUT: i32 = 1; // More input is needed
export const STOP_FULL: i32 = 2; // A region is full: take its rows and call again
export const STOP_OWNED: i32 = 3; // The next match or message starts after the range
/** A message in a transfer encoding has been collected: pass its bytes next, and after its last byte the rest of the source. */
export const STOP_MESSAGE: i32 = 4;
