// What leaves a scan whose passwords are hidden (N10): texts that are not made of URLs have none either.

import type { Omission } from "../base/omission.ts";
import type { MessageDescription } from "../mail/describe.ts";
import type { FieldName } from "../options/fields.ts";
import type { MatchBatch, RejectedBatch } from "../scanner/batch.ts";
import type { Context } from "../scanner/context.ts";
import { AT_FORMS, withoutPasswords } from "../url/passwords.ts";
import { before, type Sink } from "./sink.ts";

/** Returns a sink that takes batches whose URLs have no passwords, removes those of all other texts, and gives the batches to `sink`. */
export function redacted(sink: Sink, fields: readonly FieldName[] | undefined): Sink {
  const hidesRaw = fields?.includes("raw") !== true;
  // Formats recognize a message by its object, so each gets one only.
  const messages = new WeakMap<MessageDescription, MessageDescription>();
  return before(sink, (result) => {
    if (result.kind === "matches") sink.write({ ...result, hidesRaw, locations: locationsOf(result, messages), ...contextsOf(result) });
    else sink.write(result.kind === "rejected" ? rejectedWithoutTexts(result) : result);
  });
}

function contextsOf({ contexts }: MatchBatch): Pick<MatchBatch, "contexts"> {
  return contexts === undefined ? {} : { contexts: contexts.map(contextWithoutPasswords) };
}

function locationsOf({ locations }: MatchBatch, messages: WeakMap<MessageDescription, MessageDescription>): MatchBatch["locations"] {
  if (locations === undefined) return undefined;
  const list = locations.list.map((location) => {
    const message = messages.get(location.message) ?? messageWithoutPasswords(location.message);
    messages.set(location.message, message);
    // The name of a header field or of a member of JSON.
    return { ...location, message, where: withoutPasswords(location.where, "redact") };
  });
  return { ...locations, list };
}

function messageWithoutPasswords(message: MessageDescription): MessageDescription {
  const entries = Object.entries(message).map(([name, text]: [string, string]) => [name, textWithoutPasswords(text)]);
  return Object.fromEntries(entries);
}

// The text of a rejected candidate goes: nobody knows where in it a password begins.
function rejectedWithoutTexts(batch: RejectedBatch): RejectedBatch {
  const omitted = batch.omitted?.map(({ before, omission }) => ({ before, omission: omissionWithoutPasswords(omission) }));
  return { ...batch, texts: undefined, omitted };
}

/** Returns `omission` with the passwords in its Message-ID replaced, as records have it. */
export function omissionWithoutPasswords(omission: Omission): Omission {
  const { message_id } = omission;
  return message_id === undefined ? omission : { ...omission, message_id: withoutPasswords(message_id, "redact") };
}

// Hides passwords in texts that are not URLs alone: fields of messages, and the text around a match, where white space may cut a password.

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
function textWithoutPasswords(text: string): string {
  return withoutPasswords(brokenJoined(text.replace(DELIMITED, joined)), "redact").replaceAll(BLANK_INSIDE, " ");
}

/** Returns the text around a match without passwords. One may begin before the match and end in it; the ends of the text may cut one. */
function contextWithoutPasswords({ before, match, after, isCutBefore, isCutAfter }: Context): Context {
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
