// What leaves a scan whose passwords are hidden (N10): texts that are not made of URLs have none either.

import type { Omission } from "../base/omission.ts";
import type { MessageDescription } from "../mail/describe.ts";
import type { FieldName } from "../options/fields.ts";
import type { MatchBatch, RejectedBatch } from "../scanner/batch.ts";
import { withoutPasswords } from "../url/passwords.ts";
import { before, type Sink } from "./sink.ts";
import { contextWithoutPasswords, textWithoutPasswords } from "./text-passwords.ts";

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
