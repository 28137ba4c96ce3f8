// Layout of a row of the scheme table in memory, and the values of its fields. The rows themselves: schemes.ts.

export const SCHEME_ROW_BYTES: i32 = 64;
export const SCHEME_ROWS_MAX: i32 = 240; // Most rows of SCHEME_TABLE
export const ROW_LENGTH: i32 = 0; // Byte: length of the name. The name follows at ROW_NAME, in lower case
export const ROW_SHAPE: i32 = 1; // Byte: SHAPE_* bits
export const ROW_SPECIAL: i32 = 2; // Byte: SPECIAL_*
export const ROW_REPORTED: i32 = 3; // Byte: 1 if matches of this scheme are reported, else 0
export const ROW_PORT: i32 = 4; // Word: the default port, or 0
export const ROW_NAME: i32 = 8; // The name: at most NAME_BYTES_MAX bytes
export const NAME_BYTES_MAX: i32 = 32; // Longest name of a scheme that has a row, in bytes

/** The scheme takes part in matching (X1); a row without this bit only says whether an unknown scheme is reported. */
export const SHAPE_KNOWN: i32 = 1;
export const SHAPE_AUTHORITY: i32 = 2; // `//` and an authority may follow
export const SHAPE_OPAQUE: i32 = 4; // The URL needs no `//` and authority
export const SHAPE_HIERARCHICAL: i32 = 8; // Dot segments are removed from the path (N4); an empty path becomes `/` (N5)

/**
 * Row number of http, which may be glued to letters (X1 b). Schemeless text has it too, but for `ftp.` names and mail addresses
 * (X10).
 */
export const SCHEME_HTTP: i32 = 0;
export const SCHEME_HTTPS: i32 = 1; // Row number of https, which may be glued to letters too
export const SCHEME_FTP: i32 = 2; // Row number of ftp: schemeless text that begins with `ftp.` has it (X10)
export const SCHEME_MAILTO: i32 = 4; // Row number of mailto: mail addresses have it (X10)
export const SCHEME_UNKNOWN: i32 = -1; // Row number of a scheme that is in no row

// Special rules of a scheme beyond its shape: of X2, X6, X9, N1 to N6, and W.
/** No special rule. */
export const SPECIAL_NONE: i32 = 0;
/**
 * http, https, ws, wss: an empty userinfo or password is removed (N1). In attribute values slashes may be backslashes, in
 * any number (X9).
 */
export const SPECIAL_HTTP: i32 = 1;
/** ftp: `;type=` is lower-cased (N6). In attribute values slashes may be backslashes, in any number (X9). */
export const SPECIAL_FTP: i32 = 2;
/**
 * gopher: an empty path, or `/` without a query, becomes `/1` (N5). `%09`, and `%0D%0A` after the third `%09`, give no
 * flag `encoded-control` (W).
 */
export const SPECIAL_GOPHER: i32 = 3;
export const SPECIAL_LOGIN: i32 = 4; // telnet, rlogin, tn3270: an empty path becomes `/` (N5)
/**
 * file: the host may be empty, `//` may be missing (X2); localhost is removed (N5). In attribute values slashes may be
 * backslashes (X9).
 */
export const SPECIAL_FILE: i32 = 5;
export const SPECIAL_MAILTO: i32 = 6; // mailto: needs an address or header fields (X6); domains are lower-cased (N6)
export const SPECIAL_DOMAIN: i32 = 7; // sip, sips, xmpp: needs an `@` (X6); the domain is lower-cased (N6)
export const SPECIAL_AT: i32 = 8; // mid, cid, mailserver: needs an `@` (X6)
export const SPECIAL_NEWS: i32 = 9; // news, snews: needs `*`, a newsgroup or a message-id (X6)
export const SPECIAL_URN: i32 = 10; // urn: needs a namespace id (X6); triplets stay (N2); the namespace id is lower-cased (N6)
export const SPECIAL_TEL: i32 = 11; // tel: needs a digit (X6). Text has SPECIAL_TEL_IN_TEXT instead, because `tel:` may be a label there
export const SPECIAL_MAGNET: i32 = 12; // magnet: needs a `?` (X6)
export const SPECIAL_PROSPERO: i32 = 13; // prospero: `%00` gives no flag `encoded-control` (W)
export const SPECIAL_TEL_IN_TEXT: i32 = 14; // In no row. tel in text needs a global number or a `;phone-context=` (X6)
