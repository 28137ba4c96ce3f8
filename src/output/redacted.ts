// Hides userinfo in the texts of results other than URLs (N10).
import type { Omission } from "../base/omission.ts";
import type { MessageDescription } from "../mail/describe.ts";
import type { BodyDescription, MatchBatch, RejectedBatch } from "../matches/batch.ts";
import type { ScanSettings } from "../options/options.ts";
import { hideUserinfo } from "../url/userinfo.ts";
import { before, type Sink } from "./sink.ts";

/**
 * Returns a sink that writes batches to `sink`. If the settings ask for it, it hides userinfo in the locations of matches, and in omissions
 * among rejected candidates. It marks raw forms as hidden, and drops the texts of rejected candidates. The URLs have no userinfo. (C75)
 */
export function redacted({ form }: ScanSettings, sink: Sink): Sink {
  if (form.userinfo !== "redact") return sink;
  // Formats recognize a message by its object, so each must have only one.
  const messages = new WeakMap<MessageDescription, MessageDescription>();
  return before(sink, (result) => {
    if (result.kind === "matches") sink.write({ ...result, hidesRaw: true, locations: locationsOf(result, messages) });
    else if (result.kind === "messages")
      sink.write({ kind: "messages", rows: { ...result.rows, locations: locationsOf(result.rows, messages) } });
    else sink.write(result.kind === "rejected" ? rejectedWithoutTexts(result) : result);
  });
}

function locationsOf({ locations }: MatchBatch, messages: WeakMap<MessageDescription, MessageDescription>): MatchBatch["locations"] {
  if (locations === undefined) return undefined;
  const list = locations.list.map((location) => {
    const message = messages.get(location.message) ?? (withoutUserinfo(location.message) as MessageDescription);
    messages.set(location.message, message);
    // `where` holds the name of a header field or of a member of JSON.
    return { ...location, message, body: withoutUserinfo(location.body) as BodyDescription, where: hideUserinfo(location.where) };
  });
  return { ...locations, list };
}

type Described = string | readonly string[] | { readonly [name: string]: Described };

function withoutUserinfo(value: Described | MessageDescription | BodyDescription): Described {
  if (typeof value === "string") return hideUserinfo(value);
  if (Array.isArray(value)) return value.map(hideUserinfo);
  return Object.fromEntries(Object.entries(value).map(([name, member]: [string, Described]) => [name, withoutUserinfo(member)]));
}

// The text of a rejected candidate may end before the `@`, so the userinfo in it cannot be recognized.
function rejectedWithoutTexts(batch: RejectedBatch): RejectedBatch {
  const omitted = batch.omitted?.map(({ before, omission }) => ({ before, omission: omissionWithoutUserinfo(omission) }));
  return { ...batch, texts: undefined, omitted };
}

/** Returns `omission` with the userinfo in its Message-ID and its name hidden, as in records. */
export function omissionWithoutUserinfo(omission: Omission): Omission {
  const { message_id, name } = omission;
  const hidden = { ...(message_id && { message_id: hideUserinfo(message_id) }), ...(name && { name: hideUserinfo(name) }) };
  return { ...omission, ...hidden };
}
