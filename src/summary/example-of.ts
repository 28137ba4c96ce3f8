// Matches and rejected candidates as examples, without passwords.

import { isoDate } from "../mail/date.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import type { MatchBatch } from "../scanner/batch.ts";
import { locationAt, readerOf, urlAt } from "../scanner/field-values.ts";
import { withoutPasswords } from "../url/passwords.ts";
import { hiddenOrNull } from "./hidden.ts";
import type { Example } from "./summary.ts";

const readRaw = readerOf("raw");

/** Returns the text of the match in row `index` of a batch: its URL, or the raw form if that is refused. */
export function textOfMatch(batch: MatchBatch, index: number): string {
  return urlAt(batch, index) ?? (readRaw(batch, index) as string);
}

/** Returns the match in row `index` of a batch. */
export function exampleOfMatch(batch: MatchBatch, index: number, source: string, start: number): Example {
  const location = locationAt(batch, index);
  return {
    url: hiddenOrNull(urlAt(batch, index)),
    raw: hiddenOrNull(readRaw(batch, index) as string),
    source,
    start,
    message_id: hiddenOrNull(location?.messageIdField && messageIdOf(location.messageIdField)),
    date: location === undefined || Number.isNaN(location.time) ? null : isoDate(location.time),
  };
}

/** Returns a rejected candidate; `text`: its first bytes, undefined where nobody may see them. */
export function exampleOfRejected(text: string | undefined, source: string, start: number): Example {
  // An `@` after the text shows whether it ends in what may be a password.
  const raw = text === undefined ? null : withoutPasswords(`${text}@`, "redact").slice(0, -1);
  return { url: null, raw, source, start, message_id: null, date: null };
}
