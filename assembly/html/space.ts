// White space and quotation marks of HTML, and the ends of names in tags.

import * as char from "../bytes/characters.ts";

export function isSpace(c: i32): bool {
  return c == char.SPACE || c == char.LF || c == char.TAB || c == char.CR || c == char.FORM_FEED;
}

/** Whether `c` is a quotation mark that may be around a value. */
export function isQuote(c: i32): bool {
  return c == char.QUOTE || c == char.APOSTROPHE;
}

/** Whether `c` ends the name of a tag: white space, `/` or `>`. These bytes and `=` end the name of an attribute. */
export function endsName(c: i32): bool {
  return c == char.GREATER || c == char.SLASH || isSpace(c);
}
