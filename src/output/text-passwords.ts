// Hides passwords in texts that are not URLs alone: fields of messages, and the text around a match, where white space may cut a password.
import type { Context } from "../scanner/context.ts";
import { AT_FORMS, withoutPasswords } from "../url/passwords.ts";

/** Stands for a blank that may be inside a URL: no text has it, as it is a noncharacter of Unicode. */
const BLANK_INSIDE = "\ufdd2";
/** Text in angle brackets, where a URL may go on in the next line; a `>` after a blank is a quote mark (X7). */
const DELIMITED = /<(?:[^<>]|(?<=\s)>)*/g;
/** The rest of such a text whose start is cut off. */
const DELIMITED_REST = /^(?:[^<>]|(?<=\s)>)*>/;
/** The start of a text that may be the rest of a password: to the `@`, or to what URL Defense writes for it. */
const PASSWORD_REST = new RegExp(`^\\S*(?:${AT_FORMS}|\\*)`, "i");
/** The same, of a password that a blank cuts. */
const BROKEN_REST = /^\S+\s+\S*(?:@|%40|\[at\])/i;

/** White space, with quote marks after it. */
const BREAK = /(\s+(?:>+\s+)*)/;

/** Returns a text without the passwords of its URLs, also where one was folded in angle brackets, or broken between two words. */
export function textWithoutPasswords(text: string): string {
  return withoutPasswords(brokenJoined(text.replace(DELIMITED, joined)), "redact").replaceAll(BLANK_INSIDE, " ");
}

/** Returns the text around a match without passwords. One may begin before the match and end in it; the ends of the text may cut one. */
export function contextWithoutPasswords({ before, match, after, isCutBefore, isCutAfter }: Context): Context {
  let start = before.replace(DELIMITED, joined);
  if (isCutBefore) {
    start = start.replace(DELIMITED_REST, joined);
    const isOneRun = !/\s/.test(start) && PASSWORD_REST.test(start + joined(match));
    start = isOneRun ? "" : start.replace(BROKEN_REST, "***").replace(PASSWORD_REST, "***");
  }
  const text = start + joined(match) + after.replace(DELIMITED, joined);
  // An `@` after the text shows whether it ends in what may be a password.
  const hidden = isCutAfter
    ? withoutPasswords(brokenJoined(`${text}@`), "redact").slice(0, -1)
    : withoutPasswords(brokenJoined(text), "redact");
  return { before: "", match: hidden.replaceAll(BLANK_INSIDE, " "), after: "", isCutBefore, isCutAfter };
}

function joined(text: string): string {
  return text.replace(/\s/g, BLANK_INSIDE);
}

/** Joins two words of which the first may end in a password, and the second may hold its `@`: a mailer may have broken the line there. */
function brokenJoined(text: string): string {
  const pieces = text.split(BREAK);
  for (let at = 1; at < pieces.length; at += 2) {
    if (PASSWORD_REST.test(pieces[at + 1]) && endsInPassword(pieces[at - 1])) pieces[at] = BLANK_INSIDE;
  }
  return pieces.join("");
}

/** Whether a word ends in what would be a password before an `@`; `http://a.example:` alone does not. */
function endsInPassword(word: string): boolean {
  return !word.endsWith(":") && withoutPasswords(`${word}@`, "redact") !== `${withoutPasswords(word, "redact")}@`;
}
