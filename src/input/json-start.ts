// Decides whether a text begins like JSON (A1). The test is strict, because lists, logs and notes begin with `[` or `{` too.

/** White space and a bracket, in the first 1024 bytes. */
const BRACKET = /^[\t\n\r ]{0,1023}[[{]/;
const SPACE = "[\\t\\n\\r ]*";
const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"';
const EMPTY = `(?:\\{${SPACE}\\}|\\[${SPACE}\\])`;
const SCALAR = "(?:-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)";
/** An array, up to its first value that is neither empty nor a number or literal. */
const ARRAY = `\\[${SPACE}(?:(?:${SCALAR}|${EMPTY})${SPACE},${SPACE})*`;
const VALUE = `${SPACE}["{[\\d\\-tfn]`;
/** The first member of an object; ITEM: the first string of an array, and what follows it. */
const MEMBER = `(?:${ARRAY})*\\{${SPACE}${STRING}${SPACE}:${VALUE}`;
const ITEM = `(?:${ARRAY})+${STRING}${SPACE}(?:,${VALUE}|\\](?=${SPACE}[,\\]]|[\\t\\r ]*\\n))`;
/** Empty values may precede the member or string, each on a line of its own. */
const JSON_START = new RegExp(`^${SPACE}(?:${EMPTY}[\\t\\r ]*\\n${SPACE})*(?:${MEMBER}|${ITEM})`);
/** A text that may still begin JSON: before its first string it has only bytes that JSON allows there. */
const UNDECIDED = new RegExp(`^[\\s[\\]{},\\d.+\\-eEtrufalsn]*(?:"(?:[^"\\\\\\n]|\\\\.)*(?:\\\\?|"${SPACE}[:,\\]]?${SPACE}))?$`);

/** Returns whether a text is JSON; `isWhole`: `text` is all of it. */
export function isJson(text: string, isWhole: boolean): boolean {
  return BRACKET.test(text) && JSON_START.test(isWhole ? `${text}\n` : text);
}

/** Returns whether a text that begins with `text` is still undecided between JSON and text. */
export function isJsonUndecided(text: string): boolean {
  return BRACKET.test(text) && !JSON_START.test(text) && UNDECIDED.test(text);
}
