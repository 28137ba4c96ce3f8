// The table of the fields of records: the source of the checks of `fields`, the columns of tables, and the field lists in the documents.

/** What a field holds: `time` is RFC 3339 in UTC, `list` a list of texts. */
export type FieldType = "text" | "integer" | "time" | "list";

/**
 * Source of a value: the core copies it (`copied`), or it depends on the kind, flags and reason (`kind`), the input (`source`), the
 * message (`message`), the location in the message, or its number (`location`), or only the match (`match`).
 */
export type FieldOrigin = "copied" | "kind" | "source" | "message" | "location" | "match";

interface FieldRow {
  readonly type: FieldType;
  readonly origin: FieldOrigin;
  /** Records have the field only if an option names it. */
  readonly isAsked?: true;
  /** A record without a value has null, instead of no member. */
  readonly isNullable?: true;
  /** Tables have the field without `fields`: few, because each row of a table has every column. */
  readonly isColumn?: true;
  readonly help: string;
}

/** Every field, in the usual order. */
export const FIELDS = {
  url: { type: "text", origin: "copied", isColumn: true, isNullable: true, help: "normalized URL; null if the profile refuses it" },
  raw: { type: "text", origin: "copied", help: "URL as written in the text" },
  scheme: { type: "text", origin: "copied", isColumn: true, help: "scheme of the URL" },
  host: { type: "text", origin: "copied", isColumn: true, isNullable: true, help: "host of the URL; null if there is none" },
  kind: { type: "text", origin: "kind", isColumn: true, help: "how the URL is written in the text: plain, wrapped, rejoined, ..." },
  flags: { type: "list", origin: "kind", isColumn: true, help: "signs of risk: password, idn, ...; those of links if asked for" },
  reason: { type: "text", origin: "kind", help: "why url is null" },
  source: { type: "text", origin: "source", isColumn: true, help: "path of the input, or -" },
  start: { type: "integer", origin: "copied", isColumn: true, help: "offset of the first byte in the source" },
  end: { type: "integer", origin: "copied", isColumn: true, help: "offset after the last byte" },
  message: { type: "integer", origin: "location", isColumn: true, help: "number of the message in its source, from 1" },
  message_id: { type: "text", origin: "message", isColumn: true, help: "Message-ID without brackets" },
  target_uri: { type: "text", origin: "message", help: "page of a WARC record" },
  date: { type: "time", origin: "message", isColumn: true, help: "time when the message was sent, UTC" },
  date_source: { type: "text", origin: "message", help: "source of a date that is not Date: from-line, received" },
  part: { type: "text", origin: "location", isColumn: true, help: "number of the body part: 1.2" },
  where: { type: "text", origin: "location", isColumn: true, help: "location in the message: body, html, header:Subject, ..." },
  quote: { type: "integer", origin: "location", help: "depth of quoting" },
  part_type: { type: "text", origin: "location", isAsked: true, help: "media type of the part: text/html" },
  attachment: { type: "text", origin: "location", isAsked: true, help: "file name of the part" },
  chain: { type: "list", origin: "match", help: "URLs of the redirectors that --unwrap took off, the outermost first" },
  tag: { type: "text", origin: "match", help: "HTML element of the URL, with --links or if named" },
  attribute: { type: "text", origin: "match", help: "its attribute" },
  text: { type: "text", origin: "match", isAsked: true, help: "text of the link, as readers see it" },
  context: { type: "text", origin: "match", isAsked: true, help: "text around the URL, with it: --context characters on either side" },
  from: { type: "text", origin: "message", isAsked: true, help: "From of the message, decoded" },
  from_address: { type: "text", origin: "message", isAsked: true, help: "address of the first mailbox of From" },
  from_name: { type: "text", origin: "message", isAsked: true, help: "name of that mailbox, decoded" },
  to: { type: "text", origin: "message", isAsked: true, help: "To of the message, decoded" },
  subject: { type: "text", origin: "message", isAsked: true, help: "Subject of the message, decoded" },
  newsgroups: { type: "text", origin: "message", isAsked: true, help: "Newsgroups of the article" },
  list: { type: "text", origin: "match", isAsked: true, help: "list_id, else [tag] of the subject, else folder" },
  list_id: { type: "text", origin: "message", isAsked: true, help: "identifier of the mailing list (List-Id)" },
  folder: { type: "text", origin: "source", isAsked: true, help: "folder of the source" },
  in_reply_to: { type: "text", origin: "message", isAsked: true, help: "first id in In-Reply-To, without brackets" },
  references: { type: "list", origin: "message", isAsked: true, help: "Message-IDs in References, without brackets" },
  thread: { type: "text", origin: "message", isAsked: true, help: "Message-ID of the first message of the thread" },
  year: { type: "integer", origin: "message", isAsked: true, help: "year of the date" },
  month: { type: "text", origin: "message", isAsked: true, help: "month of the date: 1999-05" },
  day: { type: "text", origin: "message", isAsked: true, help: "day of the date: 1999-05-03" },
  domain: { type: "text", origin: "match", isAsked: true, help: "registrable domain of the host (public suffix list)" },
  tld: { type: "text", origin: "match", isAsked: true, help: "last label of a host that is a name" },
  address: { type: "text", origin: "match", isAsked: true, help: "IP address as host, in any notation: 192.0.2.7" },
  port: { type: "integer", origin: "match", isAsked: true, help: "port, if the URL gives one" },
  path: { type: "text", origin: "match", isAsked: true, help: "path of the URL" },
  extension: { type: "text", origin: "match", isAsked: true, help: "extension of the path: pdf" },
  depth: { type: "integer", origin: "match", isAsked: true, help: "segments of the path" },
  query: { type: "text", origin: "match", isAsked: true, help: "query of the URL" },
} as const satisfies Record<string, FieldRow>;

export type ListedField = keyof typeof FIELDS;

/** A field of the header of a message by its name in lower case: `header:x-mailer`. */
export type HeaderField = `header:${string}`;

export type FieldName = ListedField | HeaderField;

/** A key to group matches by: a field, or `flag` for each flag of a match separately. */
export type KeyField = FieldName | "flag";

export const FIELD_NAMES = Object.keys(FIELDS) as ListedField[];

export const HEADER_FIELD_ROW: FieldRow = {
  type: "text",
  origin: "message",
  isAsked: true,
  help: "a field of the message's header, decoded",
};
export const HEADER_PREFIX = "header:";
/** A header field name (RFC 5322) with the characters that names have in practice, short enough for a line. */
const HEADER_FIELD_NAME = /^header:[\w!#$%&'*+.^`|~-]{1,76}$/i;

/** The names of fields as error messages and lists show them. */
export const FIELD_CHOICES: readonly FieldName[] = [...FIELD_NAMES, "header:NAME"];

/** Returns the name of a header field in lower case, or undefined for any other value. */
export function toHeaderField(name: unknown): HeaderField | undefined {
  return typeof name === "string" && HEADER_FIELD_NAME.test(name) ? (name.toLowerCase() as HeaderField) : undefined;
}

export function isHeaderField(name: KeyField): name is HeaderField {
  return name.startsWith(HEADER_PREFIX);
}

export type MatchName<F extends string> = F extends `${infer Word}_${infer More}` ? `${Word}${Capitalize<MatchName<More>>}` : F;

/** Returns the name of a field in a match: `listId` for `list_id`. */
export function matchNameOf<F extends string>(name: F): MatchName<F> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as MatchName<F>;
}

/** The fields that records have without `fields`. */
export const USUAL_FIELDS: readonly FieldName[] = FIELD_NAMES.filter((name) => !("isAsked" in FIELDS[name]));

/** The columns of csv and tsv without `fields`. */
export const TABLE_FIELDS: readonly FieldName[] = FIELD_NAMES.filter((name) => "isColumn" in FIELDS[name]);

/** Returns whether a field is the same for all matches of a message, so that a message without any has it too. */
export function isMessageField(name: KeyField): boolean {
  return name === "source" || name === "folder" || name === "list" || (name !== "flag" && fieldOf(name).origin === "message");
}

/** Columns of rows of counts after their fields, in order. */
export const COUNT_COLUMNS = ["count", "share", "messages", "of_messages", "first", "last"] as const;

export function fieldOf(name: FieldName): FieldRow {
  return isHeaderField(name) ? HEADER_FIELD_ROW : FIELDS[name];
}
