// Describes a message by its header fields, for the records of its matches.
import { parseMailDate } from "./date.ts";
import { listIdOf, messageIdOf, newsgroupsOf, nonEmpty } from "./identifiers.ts";
import { decodeHeaderText } from "./words.ts";

/** Header fields of a message as text, `date` as UTC in ISO 8601. A field that is missing, empty or unreadable is absent. */
export interface MessageDescription {
  messageId?: string;
  /** WARC-Target-URI of a WARC record. */
  targetUri?: string;
  date?: string;
  from?: string;
  subject?: string;
  newsgroups?: string;
  listId?: string;
}

/** The raw bodies of the same fields, with their line breaks. A field is absent if the message lacks it or if no record needs it. */
export type HeaderFields = { [field in keyof MessageDescription]?: Uint8Array | undefined };

const READERS: Readonly<Record<keyof MessageDescription, (field: Uint8Array) => string | undefined>> = {
  messageId: messageIdOf,
  targetUri: textOf,
  date: (field) => parseMailDate(decodeHeaderText(field)),
  from: textOf,
  subject: textOf,
  newsgroups: newsgroupsOf,
  listId: listIdOf,
};
const NAMES = Object.keys(READERS) as (keyof MessageDescription)[];

/** Decodes the header fields of a message. Never throws, whatever their bytes. (A10) */
export function describeMessage(fields: HeaderFields): MessageDescription {
  const description: MessageDescription = {};
  for (const name of NAMES) {
    const field = fields[name];
    const text = field === undefined ? undefined : READERS[name](field);
    if (text !== undefined) description[name] = text;
  }
  return description;
}

function textOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field));
}
