// Describes a message by its header fields, for the records of its matches.
import { parseMailDate } from "./date.ts";
import { listIdOf, messageIdOf, newsgroupsOf, nonEmpty } from "./identifiers.ts";
import { decodeHeaderText } from "./words.ts";

/** Raw bodies of header fields, with their line breaks. A field is absent if the message lacks it or if no record needs it. */
export interface HeaderFields {
  messageId?: Uint8Array | undefined;
  date?: Uint8Array | undefined;
  from?: Uint8Array | undefined;
  subject?: Uint8Array | undefined;
  newsgroups?: Uint8Array | undefined;
  listId?: Uint8Array | undefined;
  /** WARC-Target-URI of a WARC record. */
  targetUri?: Uint8Array | undefined;
}

/** The same fields as text, `date` as UTC in ISO 8601. A field that is missing, empty or unreadable is absent. */
export interface MessageDescription {
  message_id?: string;
  target_uri?: string;
  date?: string;
  from?: string;
  subject?: string;
  newsgroups?: string;
  list_id?: string;
}

/** Decodes the header fields of a message. Never throws, whatever their bytes. (A10) */
export function describeMessage(fields: HeaderFields): MessageDescription {
  const description: MessageDescription = {};
  const put = (name: keyof MessageDescription, field: Uint8Array | undefined, read: (field: Uint8Array) => string | undefined): void => {
    const text = field === undefined ? undefined : read(field);
    if (text !== undefined) description[name] = text;
  };
  put("message_id", fields.messageId, messageIdOf);
  put("target_uri", fields.targetUri, textOf);
  put("date", fields.date, dateOf);
  put("from", fields.from, textOf);
  put("subject", fields.subject, textOf);
  put("newsgroups", fields.newsgroups, newsgroupsOf);
  put("list_id", fields.listId, listIdOf);
  return description;
}

function dateOf(field: Uint8Array): string | undefined {
  return parseMailDate(decodeHeaderText(field));
}

function textOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field));
}
