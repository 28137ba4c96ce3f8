// The ASCII characters that the code compares with, by name. For words see keyword.ts, for sets of characters classes.ts.

/** Controls and white space. */
export const NUL: i32 = 0x00;
export const BACKSPACE: i32 = 0x08;
export const TAB: i32 = 0x09;
export const LF: i32 = 0x0a;
export const FORM_FEED: i32 = 0x0c;
export const VERTICAL_TAB: i32 = 0x0b;
export const CR: i32 = 0x0d;
export const ESC: i32 = 0x1b;
export const SPACE: i32 = 0x20;
export const DELETE: i32 = 0x7f;

/** The first byte that is no ASCII character. */
export const NON_ASCII: i32 = 0x80;

export const EXCLAMATION: i32 = 0x21;
export const QUOTE: i32 = 0x22;
export const HASH: i32 = 0x23;
export const DOLLAR: i32 = 0x24;
export const PERCENT: i32 = 0x25;
export const AMPERSAND: i32 = 0x26;
export const APOSTROPHE: i32 = 0x27;
export const ROUND_OPEN: i32 = 0x28;
export const ROUND_CLOSE: i32 = 0x29;
export const ASTERISK: i32 = 0x2a;
export const PLUS: i32 = 0x2b;
export const COMMA: i32 = 0x2c;
export const HYPHEN: i32 = 0x2d;
export const DOT: i32 = 0x2e;
export const SLASH: i32 = 0x2f;
export const COLON: i32 = 0x3a;
export const SEMICOLON: i32 = 0x3b;
export const LESS: i32 = 0x3c;
export const EQUALS: i32 = 0x3d;
export const GREATER: i32 = 0x3e;
export const QUESTION: i32 = 0x3f;
export const AT: i32 = 0x40;
export const SQUARE_OPEN: i32 = 0x5b;
export const BACKSLASH: i32 = 0x5c;
export const SQUARE_CLOSE: i32 = 0x5d;
export const CARET: i32 = 0x5e;
export const UNDERSCORE: i32 = 0x5f;
export const BACKTICK: i32 = 0x60;
export const CURLY_OPEN: i32 = 0x7b;
export const BAR: i32 = 0x7c;
export const CURLY_CLOSE: i32 = 0x7d;
export const TILDE: i32 = 0x7e;

export const ZERO: i32 = 0x30;
export const ONE: i32 = 0x31;
export const TWO: i32 = 0x32;
export const THREE: i32 = 0x33;
export const SEVEN: i32 = 0x37;
export const NINE: i32 = 0x39;

/** Letters that are compared one at a time. */
export const UPPER_A: i32 = 0x41;
export const UPPER_B: i32 = 0x42;
export const UPPER_F: i32 = 0x46;
export const UPPER_J: i32 = 0x4a;
export const UPPER_K: i32 = 0x4b;
export const UPPER_Z: i32 = 0x5a;
export const LOWER_A: i32 = 0x61;
export const LOWER_B: i32 = 0x62;
export const LOWER_C: i32 = 0x63;
export const LOWER_D: i32 = 0x64;
export const LOWER_F: i32 = 0x66;
export const LOWER_H: i32 = 0x68;
export const LOWER_I: i32 = 0x69;
export const LOWER_L: i32 = 0x6c;
export const LOWER_M: i32 = 0x6d;
export const LOWER_N: i32 = 0x6e;
export const LOWER_O: i32 = 0x6f;
export const LOWER_P: i32 = 0x70;
export const LOWER_Q: i32 = 0x71;
export const LOWER_R: i32 = 0x72;
export const LOWER_S: i32 = 0x73;
export const LOWER_T: i32 = 0x74;
export const LOWER_U: i32 = 0x75;
export const LOWER_V: i32 = 0x76;
export const LOWER_W: i32 = 0x77;
export const LOWER_X: i32 = 0x78;
