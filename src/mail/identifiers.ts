// Identifiers between angle brackets: of messages and of mailing lists.
import { takeComments } from "./comments.ts";
import { decodeHeaderText } from "./words.ts";

/**
 * The id of a Message-ID field without its angle brackets, comments around it and white space in it; the first where there are several.
 * Without brackets it is the first word with an `@` in it, or all that is there. Undefined where nothing is.
 * @see docs/rules.md A10
 */
export function messageIdOf(bytes: Uint8Array): string | undefined {
  const { text } = takeComments(decodeHeaderText(bytes));
  const [first] = bracketed(text);
  if (first !== undefined) return first;
  const words = text.replace(/[<>]/g, " ").trim();
  return nonEmpty(words.split(" ").find((word) => /[^@]@[^@]/.test(word)) ?? words.replaceAll(" ", ""));
}

/**
 * The identifier of a List-Id field (RFC 2919), which is what its last angle brackets hold; the whole text where there are none.
 * Undefined where nothing is.
 * @see docs/rules.md A10
 */
export function listIdOf(bytes: Uint8Array): string | undefined {
  const text = decodeHeaderText(bytes);
  return bracketed(takeComments(text).text).at(-1) ?? nonEmpty(text);
}

/**
 * The groups of a Newsgroups field without white space; undefined where there are none.
 * @see docs/rules.md A10
 */
export function newsgroupsOf(bytes: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(bytes).replaceAll(" ", ""));
}

/**
 * What a text has if it has anything.
 * @see docs/rules.md A10
 */
export function nonEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** What stands between angle brackets, without white space; pairs that hold nothing are passed over. */
function bracketed(text: string): string[] {
  return [...text.matchAll(/<([^<>]+)>/g)].map(([, inner = ""]) => inner.replaceAll(" ", "")).filter((inner) => inner !== "");
}
