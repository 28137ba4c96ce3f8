// Numbers that the core and the code around it share: record rows, kinds, flags, reasons, statuses.
// Constants only: no functions, no tables.

/** i32 words of a row of a match. Lengths and offsets are in bytes; addresses are in the memory of the core. */
export const RECORD_WORDS: i32 = 14;
export const RECORD_START: i32 = 0; // Offset of the first byte of the match, from the base of the batch (in the core: an address)
export const RECORD_END: i32 = 1; // Offset after the last byte of the match, like RECORD_START
/** Length in bytes of the scheme's name in the text; 0: the text has no name or another one, and RECORD_SCHEME is the row of the name. */
export const RECORD_SCHEME_LENGTH: i32 = 2;
export const RECORD_SCHEME: i32 = 3; // Row of the scheme table, or SCHEME_UNKNOWN
export const RECORD_KIND: i32 = 4; // KIND_*
export const RECORD_FLAGS: i32 = 5; // FLAG_* bits
export const RECORD_REASON: i32 = 6; // REASON_NONE, or why the profile refused the match
export const RECORD_URL: i32 = 7; // Offset of the normalized URL in the bytes of the batch (in the core: an address)
export const RECORD_URL_LENGTH: i32 = 8; // Length of the normalized URL; 0 if RECORD_REASON is set
export const RECORD_RAW: i32 = 9; // Offset of the raw form, like RECORD_URL
export const RECORD_RAW_LENGTH: i32 = 10; // Length of the raw form
export const RECORD_HOST: i32 = 11; // Offset of the host in normal form, like RECORD_URL
export const RECORD_HOST_LENGTH: i32 = 12; // Length of the host in normal form; 0: there is no host
export const RECORD_HINT: i32 = 13; // HINT_* for the normalizer

/** i32 words of a row of a rejected candidate. */
export const REJECTED_WORDS: i32 = 4;
export const REJECTED_START: i32 = 0; // Offset of the first byte of the text, from the base of the batch (in the core: an address)
/** Offset after the shown text: for a candidate the next delimiter byte, at most 256 bytes on; else the end of the match or line. */
export const REJECTED_END: i32 = 1;
export const REJECTED_REASON: i32 = 2; // REASON_*
export const REJECTED_LINE: i32 = 3; // Only in rows of `normalizeLines`: the number of lines that the call read before the refused one

// How a match was found, in the order of `KINDS`.
/** In text without delimiters, or the value of an attribute (X9). */
export const KIND_PLAIN: i32 = 0;
export const KIND_WRAPPED: i32 = 1; // Between delimiters (X7)
/** Between delimiters (X7) or in the value of an attribute (X9), with white space that is not part of the URL. */
export const KIND_REJOINED: i32 = 2;
export const KIND_WWW: i32 = 3; // Schemeless text that begins with `www.` or `ftp.` (X10)
export const KIND_EMAIL: i32 = 4; // A mail address (X10)
export const KIND_DOMAIN: i32 = 5; // A name below a public suffix (X10)
export const KIND_NESTED: i32 = 6; // Inside another match (X11), or percent-encoded in text (C146)
export const KIND_GUESSED: i32 = 7; // Joined from several lines (X8)
export const KIND_REFANGED: i32 = 8; // Defanged in the source (X15)
export const KIND_IP: i32 = 9; // An IP address without a scheme (X10)
export const KIND_LINK: i32 = 10; // A relative URL in the value of an attribute (C106)

/** Why a candidate or a match was refused. The order is that of `REASON_NAMES`. (X12) */
export const REASON_NONE: i32 = 0;
export const REASON_OVERLONG: i32 = 1;
export const REASON_NO_HOST: i32 = 2;
export const REASON_BAD_HOST: i32 = 3;
export const REASON_BAD_PORT: i32 = 4;
export const REASON_BAD_SHAPE: i32 = 5;
export const REASON_EMPTY: i32 = 6;
export const REASON_NO_SCHEME: i32 = 7;
export const REASON_DEFANGED: i32 = 8;
export const REASON_NO_BASE: i32 = 9;

/** Security considerations (W). The order of the bits is that of `FLAGS`. */
export const FLAG_PASSWORD: i32 = 1;
export const FLAG_USERINFO: i32 = 2;
export const FLAG_ODD_PORT: i32 = 4;
export const FLAG_RESERVED_PORT: i32 = 8;
export const FLAG_ENCODED_CONTROL: i32 = 16;
export const FLAG_NUMERIC_HOST: i32 = 32;
export const FLAG_IDN: i32 = 64;
export const FLAG_HYPHEN_BREAK: i32 = 128;
export const FLAG_GLUED: i32 = 256;
export const FLAG_BAD_PERCENT: i32 = 512;
export const FLAG_OBFUSCATED: i32 = 1024;
export const FLAG_CUT: i32 = 2048;
export const FLAG_SHORTENER: i32 = 4096;
export const FLAG_OPEN_REDIRECT: i32 = 8192;
export const FLAG_NAMESPACE: i32 = 16384;
export const FLAG_OTHER_HOST: i32 = 32768;
export const FLAG_HIDDEN: i32 = 65536;
export const FLAG_FORM: i32 = 131072;
export const FLAG_PIXEL: i32 = 262144;
/** A line break seems to cut the match. `unwrap` makes this FLAG_CUT for redirectors and removes it for others (C142). It has no name. */
export const FLAG_LINE_CUT: i32 = 524288;
export const FLAG_BITS: i32 = 24; // All flags are below this bit

/** A bit that `toALabels` adds to the length: a character that is not ASCII became ASCII, or was removed (C272). */
export const LABELS_DISGUISED: i32 = 1 << 24;

/** RECORD_HINT: the authority is only a host name. The bits from HINT_SHIFT on are the offset of the name's end from the URL's start. */
export const HINT_CLEAN_AUTHORITY: i32 = 1;
/**
 * RECORD_HINT: line breaks, white space and quote marks inside the span are not part of the URL (X7, X8). The bits from HINT_SHIFT on are
 * the number of quote marks on the line where the delimited URL or the match starts.
 */
export const HINT_BROKEN: i32 = 2;
/**
 * RECORD_HINT: a mailto with one address of host bytes, followed by `?` or the end. The bits from HINT_SHIFT on are the offset of the
 * domain from the start of the URL.
 */
export const HINT_CLEAN_ADDRESS: i32 = 4;
/** RECORD_HINT: TAB, LF and CR inside the span are not part of the URL, and backslashes may be slashes (X9). */
export const HINT_VALUE: i32 = 8;
/** RECORD_HINT: the raw form may hold a quotation mark, a backslash or ill-formed UTF-8 (X9). No other raw form of the core may. */
export const HINT_UNSAFE: i32 = 16;
/** RECORD_HINT: the span holds escapes (X16), or with KIND_NESTED encoded triplets (C146), that are not part of the URL. */
export const HINT_ESCAPED: i32 = 32;
export const HINT_SHIFT: i32 = 6; // The number in RECORD_HINT begins at this bit

/** `split`: pairs of start and end, -1 for an absent component (P0). */
export const SPLIT_SCHEME: i32 = 0;
export const SPLIT_USERINFO: i32 = 2;
export const SPLIT_HOST: i32 = 4;
export const SPLIT_PORT_DIGITS: i32 = 6; // The digits of the port
export const SPLIT_PATH: i32 = 8;
export const SPLIT_QUERY: i32 = 10;
export const SPLIT_FRAGMENT: i32 = 12;
export const SPLIT_PORT: i32 = 14; // Value of the port; 0 without digits
export const SPLIT_ERROR: i32 = 15; // Address of the byte with the error
export const SPLIT_WORDS: i32 = 16;
