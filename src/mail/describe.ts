// Describes a message by its header fields, for the records of its matches.
import { type FieldName, HEADER_PREFIX, type HeaderField, type MatchName, matchNameOf, toHeaderField } from "../options/fields.ts";
import { isoDate, readFromLineDate, readMailDate } from "./date.ts";
import { listIdOf, messageIdOf, newsgroupsOf, referencesOf } from "./identifiers.ts";
import { mailboxOf } from "./mailbox.ts";
import { decodeHeaderText, nonEmpty } from "./words.ts";

/** A date in seconds since 1970, NaN if there is none, and where it comes from if that is not Date. (A10, C163) */
interface MessageDate {
  readonly seconds: number;
  readonly source?: "from-line" | "received";
}

const NO_DATE: MessageDate = { seconds: Number.NaN };

/** The header of a message: raw bodies, with their line breaks, by the names in READERS. The date is decoded once. */
export class MessageHeader {
  readonly #bodies: ReadonlyMap<string, Uint8Array>;
  #date: MessageDate | undefined;

  /** `received` has only what follows the last semicolon, `from-line` lacks `From `. */
  constructor(bodies: ReadonlyMap<string, Uint8Array>) {
    this.#bodies = bodies;
  }

  /** Decodes a body; undefined if the message lacks it. */
  read<T>(name: string, decode: (body: Uint8Array) => T | undefined): T | undefined {
    const body = this.#bodies.get(name);
    return body === undefined ? undefined : decode(body);
  }

  get date(): MessageDate {
    this.#date ??= this.#readDate();
    return this.#date;
  }

  #readDate(): MessageDate {
    const sent = this.read("date", readMailDate);
    if (sent !== undefined) return { seconds: sent };
    const delivered = this.read("from-line", readFromLineDate);
    if (delivered !== undefined) return { seconds: delivered, source: "from-line" };
    const seconds = this.read("received", readMailDate);
    return seconds === undefined ? NO_DATE : { seconds, source: "received" };
  }
}

const DATES = ["date", "from-line", "received"] as const;
const idIn = (header: MessageHeader, name: string): string | undefined => header.read(name, messageIdOf);
const textIn = (header: MessageHeader, name: string): string | undefined => header.read(name, textOf);

/** The fields of records that describe a message: the bodies of each, and its reader. The core finds `header:NAME` by its name. */
const READERS = {
  message_id: [["message-id"], (header) => idIn(header, "message-id")],
  target_uri: [["target-uri"], (header) => header.read("target-uri", addressOf)],
  date: [DATES, ({ date }) => (date === NO_DATE ? undefined : isoDate(date.seconds))],
  date_source: [DATES, ({ date }) => date.source],
  from: [["from"], (header) => textIn(header, "from")],
  from_address: [["from"], (header) => header.read("from", mailboxOf)?.address],
  from_name: [["from"], (header) => header.read("from", mailboxOf)?.name],
  subject: [["subject"], (header) => textIn(header, "subject")],
  newsgroups: [["newsgroups"], (header) => header.read("newsgroups", newsgroupsOf)],
  list_id: [["list-id"], (header) => header.read("list-id", listIdOf)],
  to: [["header:to"], (header) => textIn(header, "header:to")],
  in_reply_to: [["header:in-reply-to"], (header) => idIn(header, "header:in-reply-to")],
  references: [["header:references"], (header): readonly string[] | undefined => header.read("header:references", referencesOf)],
  thread: [
    ["header:references", "header:in-reply-to", "message-id"],
    (header) => header.read("header:references", referencesOf)?.[0] ?? idIn(header, "header:in-reply-to") ?? idIn(header, "message-id"),
  ],
} as const satisfies Partial<Record<FieldName, readonly [bodies: readonly string[], read: (header: MessageHeader) => unknown]>>;

export type DescribedField = keyof typeof READERS;

/** The fields of a message in a record. A field that is missing, empty, unreadable or not asked for is absent. */
export type DescribedRecord = { [F in DescribedField]?: NonNullable<ReturnType<(typeof READERS)[F][1]>> };

type DescribedFields = { [F in DescribedField as MatchName<F>]?: DescribedRecord[F] };

export interface MessageDescription extends DescribedFields {
  /** Header fields that were asked for by name. The names are in lower case. */
  headers?: Readonly<Record<string, string>>;
}

const OF_DATE = ["year", "month", "day"]; // Fields that are read from the field `date`

export class Describer {
  readonly bodies: ReadonlySet<string>;
  readonly #readers: readonly (readonly [name: string, read: (header: MessageHeader) => unknown])[];
  readonly #headers: readonly HeaderField[];

  constructor(asked: ReadonlySet<string>) {
    const isRead = (name: string): boolean => asked.has(name) || (name === "date" && OF_DATE.some((of) => asked.has(of)));
    const rows = Object.entries(READERS).filter(([name]) => isRead(name));
    this.#headers = [...asked].flatMap((name) => toHeaderField(name) ?? []);
    this.#readers = rows.map(([name, [, read]]) => [matchNameOf(name), read]);
    this.bodies = new Set([...this.#headers, ...rows.flatMap(([, [bodies]]) => bodies)]);
  }

  /** Never throws, whatever the bytes. (A10) */
  describe(header: MessageHeader): MessageDescription {
    const description: Record<string, unknown> = {};
    for (const [name, read] of this.#readers) {
      const value = read(header);
      if (value !== undefined) description[name] = value;
    }
    const headers = this.#headers.flatMap((name) => {
      const text = textIn(header, name);
      return text === undefined ? [] : [[name.slice(HEADER_PREFIX.length), text]];
    });
    // Without a prototype it lacks the names that it does not have, such as `constructor`.
    if (headers.length > 0) description.headers = Object.assign(Object.create(null), Object.fromEntries(headers));
    return description;
  }
}

/** Returns the URI of a WARC-Target-URI. Old wget writes it in angle brackets, as in the grammar of WARC 1.0. */
function addressOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field).replace(/^<(.*)>$/, "$1"));
}

function textOf(field: Uint8Array): string | undefined {
  return nonEmpty(decodeHeaderText(field));
}
