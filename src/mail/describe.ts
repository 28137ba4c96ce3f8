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

/** Decodes the header fields of a message. Never throws, whatever their bytes. (A10) */
export function describeMessage(fields: HeaderFields): MessageDescription {
  const description: MessageDescription = {};
  const put = (name: keyof MessageDescription, read: (field: Uint8Array) => string | undefined, field: Uint8Array | undefined): void => {
    const text = field === undefined ? undefined : read(field);
    if (text !== undefined) description[name] = text;
  };
  put("messageId", messageIdOf, fields.messageId);
  put("targetUri", textOf, fields.targetUri);
  put("date", (field) => parseMailDate(decodeHeaderText(field)), fields.date);
  put("from", textOf, fields.from);
  put("subject", textOf, fields.subject);
  put("newsgroups", newsgroupsOf, fields.newsgroups);
  put("listId", listIdOf, fields.listId);
  return description;
}

function textOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field));
}
