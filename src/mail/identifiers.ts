// Reads identifiers of messages, mailing lists and newsgroups.
import { decodeHeaderText, nonEmpty, takeComments } from "./words.ts";

const USUAL_ID = /^<[!-'*-;=?-~]+>$/; // The form of nearly every Message-ID: one id, without white space, comments and brackets inside

/**
 * Returns the first id of a Message-ID or In-Reply-To field, or undefined if the field is empty. The id is the text between the outermost
 * angle brackets, without white space and comments; without brackets the first word that contains an `@`, or else the whole text. (A10)
 */
export function messageIdOf(bytes: Uint8Array): string | undefined {
  const field = decodeHeaderText(bytes);
  if (USUAL_ID.test(field)) return field.slice(1, -1);
  const { text } = takeComments(field);
  const first = firstOutermost(text.replaceAll(" ", ""));
  if (first !== undefined) return first;
  const words = text.replace(/[<>]/g, " ").trim();
  return nonEmpty(words.split(" ").find((word) => /[^@]@[^@]/.test(word)) ?? words.replaceAll(" ", ""));
}

/** Returns the content of the last angle brackets of a List-Id field (RFC 2919), else its whole text; undefined if it is empty. (A10) */
export function listIdOf(bytes: Uint8Array): string | undefined {
  const text = decodeHeaderText(bytes);
  return bracketed(takeComments(text).text).at(-1) ?? nonEmpty(text);
}

/** Returns the text of a Newsgroups field without white space, or undefined if the field is empty. (A10) */
export function newsgroupsOf(bytes: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(bytes).replaceAll(" ", ""));
}

/** Returns the ids in angle brackets of a References field, in their order, or undefined if it has none. (A10) */
export function referencesOf(bytes: Uint8Array): string[] | undefined {
  const ids = bracketed(takeComments(decodeHeaderText(bytes)).text);
  return ids.length === 0 ? undefined : ids;
}

/** Returns the content of the first outermost angle brackets that are not empty, or undefined. */
function firstOutermost(text: string): string | undefined {
  for (let open = text.indexOf("<"); open >= 0; ) {
    let close = text.indexOf(">", open);
    if (close < 0) return undefined;
    while (text[close + 1] === ">") close++;
    let content = text.slice(open + 1, close);
    while (content.startsWith("<") && content.endsWith(">")) content = content.slice(1, -1);
    if (/[^<>]/.test(content)) return content;
    open = text.indexOf("<", close);
  }
  return undefined;
}

/** Returns the contents of angle brackets without white space; skips empty ones. */
function bracketed(text: string): string[] {
  return [...text.matchAll(/<([^<>]+)>/g)].map(([, inner = ""]) => inner.replaceAll(" ", "")).filter((inner) => inner !== "");
}
