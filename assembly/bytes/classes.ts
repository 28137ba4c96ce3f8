// Names of the byte classes. src/core/tables.ts fills the table of classes for both builds.

// Sets that can be searched for. In the class table set n has bit 1 << n. For SIMD a set has two nibble tables, which are exact for any set
// that treats the bytes 00-0F like 10-1F, and the non-ASCII bytes with one low nibble alike.

/** Ends a match or needs a closer look (X3, X4, X5): delimiter bytes, brackets, `'` `,` `;` `|` `&`, non-ASCII. */
export const SET_STOP: i32 = 0;
export const SET_AUTHORITY: i32 = 1; // SET_STOP and the ends of an authority: `/` `?` `#`
export const SET_DELIMITED: i32 = 2; // Delimiter bytes, non-ASCII and `|`: the bytes at which the reader of delimited URLs stops (X7)
export const SET_NOT_HOST: i32 = 3; // Everything but ALPHA DIGIT `-` `.` `_` (X2)
/** Bytes after an authority for which a URL is not just copied: `%`, `#`, and bytes that RFC 3986 does not allow there. */
export const SET_TROUBLE: i32 = 4;
export const SET_DELIMITER: i32 = 5; // The bytes that no match contains: controls, white space, `"` `<` `>` `` ` `` `\` (X3)
export const SET_NOT_SCHEME: i32 = 6; // Everything but ALPHA DIGIT `+` `-` `.` (X1)
export const SET_TROUBLE_1738: i32 = 7; // SET_TROUBLE and `~`, which RFC 1738 does not allow (N8)
export const SET_SCHEMELESS: i32 = 8; // `.` `@`: one of these is in any schemeless text (X10)
/** Ends a run of text in HTML: `<` `&`, and the bytes CONTEXT_* (with 11 to 13, which the nibble tables cannot tell from them). */
export const SET_MARKUP: i32 = 9;
/** `:` `<`. The scan with OPTION_EVERY_COLON, `refang` (X15), and the reader of times in From_ lines (A2) look for them. */
export const SET_COLON: i32 = 10;
export const SET_EQUALS: i32 = 11; // `=`, which begins encoded words (A3) and the escapes of quoted-printable (A6)
/** Ends a run of text in a quoted value of an attribute: `"` `'` `&`, and the bytes CONTEXT_* as in SET_MARKUP (X9). */
export const SET_QUOTED: i32 = 12;
export const SET_NOT_BASE64: i32 = 13; // Everything but the 64 digits of base64 (A6)

/** Characters of an RFC 3986 userinfo, `%` among them. */
export const CLASS_USERINFO: i32 = 1 << 14;
export const CLASS_PATH: i32 = 1 << 15; // RFC 3986 pchar and `/`, without `%`
export const CLASS_QUERY: i32 = 1 << 16; // CLASS_PATH and `?`
export const CLASS_RFC1738: i32 = 1 << 27; // The bytes that RFC 1738 leaves unencoded (N8): alphanumerics, `$-_.+!*'(),` and `;/?:@=&`
export const CLASS_UNRESERVED: i32 = 1 << 17; // RFC 3986 unreserved
export const CLASS_TRAILING: i32 = 1 << 18; // `.` `,` `:` `;` `!` `?` `'` `|` and opening brackets (X5)
export const CLASS_ALPHA: i32 = 1 << 19; // RFC 5234 ALPHA
export const CLASS_DIGIT: i32 = 1 << 20; // RFC 5234 DIGIT
export const CLASS_HEX: i32 = 1 << 21; // RFC 5234 HEXDIG, in either case
export const CLASS_FORBIDDEN_HOST: i32 = 1 << 22; // Forbidden domain code points of the WHATWG URL Standard (N1)
export const CLASS_MARK: i32 = 1 << 23; // `*` `_` `~` `=` `-` `+` `#` (X5)
export const CLASS_BRACKET: i32 = 1 << 24; // `(` `[` `{` `)` `]` `}`
export const CLASS_SEPARATOR: i32 = 1 << 25; // `,` `;` `|` `(` `[` `{`: ends a match before a scheme and `://` (X3)
/** The structural characters of JSON, `,` `:` `[` `]` `{` `}`, and CONTEXT_RAW, which replaces its quotation marks (A16). */
export const CLASS_JSON: i32 = 1 << 31;
export const CLASS_USERINFO_KEPT: i32 = 1 << 26; // RFC 3986 userinfo without `%`: the bytes of a userinfo that N2 does not encode
/** A letter or digit, `_` `+` `-`: the bytes between the dots of a newsgroup (X6). They may also be in a local part (X10). */
export const CLASS_WORD: i32 = 1 << 28;
/** A letter or digit, `-` `.` `_` `@` `/` `%`: schemeless text does not start after it (X10). */
export const CLASS_BEFORE_SCHEMELESS: i32 = 1 << 29;

/** `<`, and the bytes that may be between `<` and the scheme or `URL:` after it (X7): white space and quote marks. */
export const CLASS_OPENING: i32 = 1 << 30;

/** Class of a non-ASCII character that may be anywhere in a match (X4, X5). */
export const CHARACTER_KEPT: i32 = 0;
/** Ends a plain match, but may be in a delimited URL: brackets, quotation marks, and the characters that X4 lists. */
export const CHARACTER_ENDS: i32 = 1;
export const CHARACTER_TRAILING: i32 = 2; // Belongs to a match, but is removed from its end (Pd, Po)
/** Is in no match, not even in a delimited URL: Z*, Cc, Cf, noncharacters. The joiners are exceptions (`keptLength`). */
export const CHARACTER_BREAKS: i32 = 3;
