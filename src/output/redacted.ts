// What leaves a scan whose passwords are hidden (N10): texts that are not made of URLs have none either.
import type { FieldName } from "../fields.ts";
import type { MessageDescription } from "../mail/describe.ts";
import type { Omission } from "../omission.ts";
import type { MatchBatch, RejectedBatch } from "../scanner/batch.ts";
import type { Context } from "../scanner/context.ts";
import { withoutPasswords } from "../url/passwords.ts";
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

/** Stands for a blank that may be inside a URL: no text has it, as it is a noncharacter of Unicode. */
const BLANK_INSIDE = "\ufdd2";
/** Text in angle brackets, where a URL may go on in the next line; a `>` after a blank is a quote mark (X7). */
const DELIMITED = /<(?:[^<>]|(?<=\s)>)*/g;
/** The rest of such a text whose start is cut off. */
const DELIMITED_REST = /^(?:[^<>]|(?<=\s)>)*>/;
/** The start of a text that may be the rest of a password: to the `@`, the digits of an encoded one, or what URL Defense writes for it. */
const PASSWORD_REST = /^\S*(?:@|40|\[at\]|\*)/i;

function joined(text: string): string {
  return text.replace(/\s/g, BLANK_INSIDE);
}

/** Returns a text without the passwords of its URLs, also where one was folded in angle brackets. */
function textWithoutPasswords(text: string): string {
  return withoutPasswords(text.replace(DELIMITED, joined), "redact").replaceAll(BLANK_INSIDE, " ");
}

// A password may begin before the match and end in it, and the ends of the text may cut one.
function contextWithoutPasswords({ before, match, after, isCutBefore, isCutAfter }: Context): Context {
  let start = before.replace(DELIMITED, joined);
  if (isCutBefore) {
    start = start.replace(DELIMITED_REST, joined);
    const isOneRun = !/\s/.test(start) && PASSWORD_REST.test(start + joined(match));
    start = isOneRun ? "" : start.replace(PASSWORD_REST, "***");
  }
  const text = start + joined(match) + after.replace(DELIMITED, joined);
  // An `@` after the text shows whether it ends in what may be a password.
  const hidden = isCutAfter ? withoutPasswords(`${text}@`, "redact").slice(0, -1) : withoutPasswords(text, "redact");
  return { before: "", match: hidden.replaceAll(BLANK_INSIDE, " "), after: "", isCutBefore, isCutAfter };
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
