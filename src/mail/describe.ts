// Describes a message by its header fields, for the records of its matches.
import { HEADER_PREFIX } from "../options/fields.ts";
import { isoDate, readFromLineDate, readMailDate } from "./date.ts";
import { listIdOf, messageIdOf, newsgroupsOf, nonEmpty, referencesOf } from "./identifiers.ts";
import { mailboxOf } from "./mailbox.ts";
import { decodeHeaderText } from "./words.ts";

/** Header fields of a message as text. A field that is missing, empty, unreadable or not asked for is absent. */
export interface MessageDescription {
  messageId?: string;
  /** WARC-Target-URI of a WARC record. */
  targetUri?: string;
  /** In UTC, in ISO 8601. */
  date?: string;
  /** Where `date` comes from if Date is missing or cannot be read: the From_ line, or the topmost Received with a semicolon. */
  dateSource?: "from-line" | "received";
  from?: string;
  /** The address of the first mailbox of `from`, without brackets and comments. */
  fromAddress?: string;
  /** The name of that mailbox. */
  fromName?: string;
  subject?: string;
  newsgroups?: string;
  listId?: string;
  to?: string;
  inReplyTo?: string;
  references?: readonly string[];
  /** Message-ID of the first message of the thread, as far as this message says. */
  thread?: string;
  /** Header fields that were asked for by name. The names are in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** The raw bodies of header fields, with their line breaks. A field is absent if the message lacks it or if no record needs it. */
export type HeaderFields = {
  [field in "messageId" | "targetUri" | "from" | "subject" | "newsgroups" | "listId"]?: Uint8Array | undefined;
} & DateFields & {
    /** The header fields that `namedHeaders` names. The names are in lower case. */
    readonly named?: ReadonlyMap<string, Uint8Array> | undefined;
  };

/** The fields that may have the date: Received only after its last semicolon, the From_ line without `From `. */
export interface DateFields {
  readonly date?: Uint8Array | undefined;
  readonly received?: Uint8Array | undefined;
  readonly fromLine?: Uint8Array | undefined;
}

/** Which fields of a description are decoded. Fields that are not listed here are decoded if their header field was read. */
export type Described = ReturnType<typeof describedOf>;

/** Returns which fields of a description are decoded for the fields that are asked for. */
export function describedOf(asked: ReadonlySet<string>) {
  return {
    message_id: asked.has("message_id"),
    target_uri: asked.has("target_uri"),
    date: asked.has("date") || asked.has("year") || asked.has("month") || asked.has("day"),
    date_source: asked.has("date_source"),
    from: asked.has("from"),
    from_address: asked.has("from_address"),
    from_name: asked.has("from_name"),
    to: asked.has("to"),
    in_reply_to: asked.has("in_reply_to"),
    references: asked.has("references"),
    thread: asked.has("thread"),
    /** Names of the header fields that are asked for by name, in lower case. */
    headers: askedHeaders(asked),
  };
}

const USUALLY_DESCRIBED = describedOf(new Set(["message_id", "target_uri", "date", "date_source", "from"]));

/** Returns the names of the header fields that are asked for by name (`header:NAME`). */
function askedHeaders(asked: ReadonlySet<string>): string[] {
  return [...asked].flatMap((name) => (name.startsWith(HEADER_PREFIX) ? [name.slice(HEADER_PREFIX.length)] : []));
}

/** Returns the names of the header fields that `named` of HeaderFields must have for the fields that are asked for. */
export function namedHeaders(asked: ReadonlySet<string>): string[] {
  const isThreaded = asked.has("thread");
  const names = new Set(askedHeaders(asked));
  if (asked.has("to")) names.add("to");
  if (isThreaded || asked.has("in_reply_to")) names.add("in-reply-to");
  if (isThreaded || asked.has("references")) names.add("references");
  return [...names];
}

/** Decodes the header fields of a message; `asked`: which of the fields in Described to return. Never throws, whatever the bytes. (A10) */
export function describeMessage(fields: HeaderFields, asked = USUALLY_DESCRIBED): MessageDescription {
  const description: MessageDescription = {};
  const messageId = asked.message_id ? read(messageIdOf, fields.messageId) : undefined;
  if (messageId !== undefined) description.messageId = messageId;
  const targetUri = asked.target_uri ? read(addressOf, fields.targetUri) : undefined;
  if (targetUri !== undefined) description.targetUri = targetUri;
  const date = asked.date || asked.date_source ? dateOf(fields) : undefined;
  if (date !== undefined && asked.date) description.date = isoDate(date.seconds);
  if (date?.source !== undefined && asked.date_source) description.dateSource = date.source;
  if (fields.from !== undefined) addFrom(description, fields.from, asked);
  const subject = read(textOf, fields.subject);
  if (subject !== undefined) description.subject = subject;
  const newsgroups = read(newsgroupsOf, fields.newsgroups);
  if (newsgroups !== undefined) description.newsgroups = newsgroups;
  const listId = read(listIdOf, fields.listId);
  if (listId !== undefined) description.listId = listId;
  if (fields.named !== undefined) addNamed(description, fields, fields.named, asked);
  return description;
}

function addNamed(
  description: MessageDescription,
  { messageId }: HeaderFields,
  named: ReadonlyMap<string, Uint8Array>,
  asked: Described,
): void {
  const to = asked.to ? read(textOf, named.get("to")) : undefined;
  if (to !== undefined) description.to = to;
  const inReplyTo = asked.in_reply_to || asked.thread ? read(messageIdOf, named.get("in-reply-to")) : undefined;
  if (inReplyTo !== undefined && asked.in_reply_to) description.inReplyTo = inReplyTo;
  const references = asked.references || asked.thread ? read(referencesOf, named.get("references")) : undefined;
  if (references !== undefined && asked.references) description.references = references;
  const thread = asked.thread ? (references?.[0] ?? inReplyTo ?? read(messageIdOf, messageId)) : undefined;
  if (thread !== undefined) description.thread = thread;
  const headers = asked.headers.flatMap((name) => {
    const text = read(textOf, named.get(name));
    return text === undefined ? [] : [[name, text]];
  });
  if (headers.length > 0) description.headers = Object.fromEntries(headers);
}

function addFrom(description: MessageDescription, field: Uint8Array, asked: Described): void {
  const from = asked.from ? textOf(field) : undefined;
  if (from !== undefined) description.from = from;
  if (!asked.from_address && !asked.from_name) return;
  const { address, name } = mailboxOf(field);
  if (address !== undefined && asked.from_address) description.fromAddress = address;
  if (name !== undefined && asked.from_name) description.fromName = name;
}

function read<T>(reader: (field: Uint8Array) => T | undefined, field: Uint8Array | undefined): T | undefined {
  return field === undefined ? undefined : reader(field);
}

/** Returns the date of a message in seconds since 1970, and its `source` if that is not Date. (A10, C163) */
export function dateOf({ date, fromLine, received }: DateFields): { seconds: number; source?: "from-line" | "received" } | undefined {
  const sent = read(readMailDate, date);
  if (sent !== undefined) return { seconds: sent };
  const delivered = read(readFromLineDate, fromLine);
  if (delivered !== undefined) return { seconds: delivered, source: "from-line" };
  const seconds = read(readMailDate, received);
  return seconds === undefined ? undefined : { seconds, source: "received" };
}

/** Returns the URI of a WARC-Target-URI. Old wget writes it in angle brackets, as in the grammar of WARC 1.0. */
function addressOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field).replace(/^<(.*)>$/, "$1"));
}

function textOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field));
}
