// The notes of the core: NOTE_*, or the rule that decided, each with two addresses, the `start` and `end` of the text that it is about.
// src/core/rule-table.ts has the words for the rules.

/** A scan begins: earlier notes about text that it decides again do not count. */
export const NOTE_SCAN: i32 = 0;
/** The match [start, end) has a row. */
export const NOTE_MATCH: i32 = 1;
/** The candidate [start, end) is rejected. */
export const NOTE_REJECTED: i32 = 2;
/** The row at the address `start` is written. */
export const NOTE_URL: i32 = 3;
/** The URL of the row of the last NOTE_URL is the raw form [start, end): notes about its normal form do not count. */
export const NOTE_AS_WRITTEN: i32 = 4;
/** `emit` has written all rows that it could: later notes are about candidates again. */
export const NOTE_WRITTEN: i32 = 5;

/** From here on: one number for each way in which a rule decides, named after the rule. */
export const X1_KNOWN: i32 = 6;
export const X1_SUFFIX: i32 = 7;
export const X1_GLUED: i32 = 8;
export const X1_ANY: i32 = 9;
export const X1_PREFIXED: i32 = 10;
export const X2_USERINFO: i32 = 11;
export const X2_END: i32 = 12;
export const X2_GLUED: i32 = 13;
export const X2_DEFANGED: i32 = 14;
export const X2_REFUSED: i32 = 15;
export const X3_DELIMITER: i32 = 16;
export const X3_BRACKET: i32 = 17;
export const X3_QUOTE: i32 = 18;
export const X3_BAR: i32 = 19;
export const X3_TAG: i32 = 20;
export const X3_SEPARATOR: i32 = 21;
export const X3_WEB: i32 = 22;
export const X4_CHARACTER: i32 = 23;
export const X5_OPEN: i32 = 24;
export const X5_PUNCTUATION: i32 = 25;
export const X5_REFERENCE: i32 = 26;
export const X6_SHAPE: i32 = 27;
export const X6_REFUSED: i32 = 28;
export const X7_DELIMITED: i32 = 29;
export const X7_BREAK: i32 = 30;
export const X7_SPACE: i32 = 31;
export const X7_HYPHEN: i32 = 32;
export const X7_LABEL: i32 = 33;
export const X7_ANGLED: i32 = 34;
export const X7_NONE: i32 = 35;
export const X8_LINE: i32 = 36;
export const X8_VALUE: i32 = 37;
export const X8_HYPHEN: i32 = 38;
export const X9_REFERENCE: i32 = 39;
export const X9_VALUE: i32 = 40;
export const X9_CLEANED: i32 = 41;
export const X9_LINK: i32 = 42;
export const X10_WWW: i32 = 43;
export const X10_EMAIL: i32 = 44;
export const X10_DOMAIN: i32 = 45;
export const X10_IP: i32 = 46;
export const X10_PREFIX: i32 = 47;
export const X11_NESTED: i32 = 48;
export const X11_ENCODED: i32 = 49;
export const X12_OVERLONG: i32 = 50;
export const X15_MARK: i32 = 51;
export const X16_ESCAPES: i32 = 52;
export const N1_SCHEME: i32 = 53;
export const N1_HOST: i32 = 54;
export const N1_DECODED: i32 = 55;
export const N1_LABELS: i32 = 56;
export const N1_USERINFO: i32 = 57;
export const N1_REFUSED: i32 = 58;
export const N2_DECODED: i32 = 59;
export const N2_UPPER: i32 = 60;
export const N2_STRAY: i32 = 61;
export const N2_ENCODED: i32 = 62;
export const N3_PORT: i32 = 63;
export const N4_DOTS: i32 = 64;
export const N5_PATH: i32 = 65;
export const N5_FILE: i32 = 66;
export const N6_FRAGMENT: i32 = 67;
export const N6_CASE: i32 = 68;
export const N7_ADDRESS: i32 = 69;
export const N8_ENCODED: i32 = 70;
export const N8_FRAGMENT: i32 = 71;
export const N8_REFUSED: i32 = 72;
export const N9_WHATWG: i32 = 73;
export const N10_USERINFO: i32 = 74;
export const N10_WWW: i32 = 75;
export const N10_QUERY: i32 = 76;
export const N10_FRAGMENT: i32 = 77;
export const N10_UNWRAP: i32 = 78;
export const N10_CUT: i32 = 79;
export const N10_DEFANG: i32 = 80;
export const N11_SURT: i32 = 81;
export const W_USERINFO: i32 = 82;
export const W_PASSWORD: i32 = 83;
export const W_ODD_PORT: i32 = 84;
export const W_RESERVED_PORT: i32 = 85;
export const W_CONTROL: i32 = 86;
export const W_NUMERIC: i32 = 87;
export const W_IDN: i32 = 88;
export const W_PERCENT: i32 = 89;
export const W_NUMBER: i32 = 90;
export const W_TRIPLET: i32 = 91;
export const W_HOST: i32 = 92;
export const W_SHORTENER: i32 = 93;
export const N10_OPEN: i32 = 94;
export const W_NAMESPACE: i32 = 95;
