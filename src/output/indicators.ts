// Formats stix and misp: one JSON document with the distinct URLs and the distinct names of their hosts. One thread writes it, because it
// must know all earlier objects. Ids are UUIDs of version 5 (RFC 9562), so that the same input gives the same document.
import { createHash } from "node:crypto";
import { viewOf } from "../base/arrays.ts";
import { decodeUtf8 } from "../core/text.ts";
import { Distinct } from "../count/distinct.ts";
import { type SpilledRow, spillSettings } from "../count/spill.ts";
import { type FieldValue, readerOf } from "../matches/field-values.ts";
import { INDICATOR_FIELDS } from "./format-fields.ts";
import { type RecordTable, type Sink, tableSink } from "./sink.ts";

/** A URL or the name of a host, with facts about its first match. */
interface Indicator {
  readonly type: "url" | "domain-name";
  readonly value: string;
  readonly source: FieldValue;
  readonly start: FieldValue;
  readonly message_id: FieldValue;
  readonly date: string | undefined;
  readonly role: Role;
  readonly flags: readonly string[];
}

/** `target`: of a link or form; `text`: in a text, or the text of a link; `other`: such as a vocabulary. */
type Role = "target" | "text" | "picture" | "other";

interface IndicatorForm {
  readonly start: string;
  /** Text before the first object, after `start`. */
  readonly first: string;
  idOf(indicator: Indicator): string;
  write(indicator: Indicator, id: string): string;
  /** Returns the text after the objects. `id` is a UUID made of the ids of all objects, `date` the latest date, if there is one. */
  end(id: string, date: string | undefined, isEmpty: boolean): string;
}

const STIX_NAMESPACE = "00abedb4-aa42-466c-9c23-fed23a9606c3"; // Namespace of the UUIDs of STIX (STIX 2.1, section 2.9)
/** Namespaces of the UUIDs of URLs and of DNS names (RFC 9562, section 6.6). */
const NAMESPACES = { url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8", "domain-name": "6ba7b810-9dad-11d1-80b4-00c04fd430c8" } as const;

/** A bundle of STIX 2.1, which has no list of no objects. The UUID in an id is made of the value alone, as section 2.9 says. */
const STIX: IndicatorForm = {
  start: '{"type":"bundle"',
  first: ',"objects":[\n',
  idOf: ({ type, value }) => `${type}--${uuidOf(STIX_NAMESPACE, JSON.stringify({ value }))}`,
  write: ({ type, value, source, start, message_id, role, flags }, id) => {
    const own = { x_urlmill_source: source, x_urlmill_start: start, x_urlmill_message_id: message_id, x_urlmill_role: role };
    return JSON.stringify({ type, spec_version: "2.1", id, value, ...own, ...(flags.length === 0 ? {} : { x_urlmill_flags: flags }) });
  },
  end: (id, _, isEmpty) => `${isEmpty ? "" : "\n]"},"id":"bundle--${id}"}\n`,
};

/**
 * An event of MISP. An id is made of the value and its location, because an instance of MISP takes each id only once: the same URL of
 * another archive is another attribute. Names have the types that MISP gives them when it reads them from a text.
 */
const MISP: IndicatorForm = {
  start: '{"Event":{"info":"URLs found by urlmill","analysis":"0","threat_level_id":"4","distribution":"0","Attribute":[\n',
  first: "",
  idOf: ({ type, value, source, start }) => uuidOf(NAMESPACES[type], JSON.stringify([value, source, start])),
  write: ({ type, value, date, source, start, message_id, role, flags }, uuid) =>
    JSON.stringify({
      type: type === "url" ? "url" : value.split(".").length > 2 ? "hostname" : "domain",
      category: "Network activity",
      to_ids: false,
      uuid,
      timestamp: secondsOf(date),
      distribution: "5",
      value,
      comment: [role, ...flags, message_id && `<${message_id}>`, source, `byte ${start}`].filter(Boolean).join(", "),
    }),
  end: (uuid, date) =>
    `\n],"published":false,"uuid":"${uuid}","date":"${date?.slice(0, 10) ?? "1970-01-01"}","timestamp":"${secondsOf(date)}"}}\n`,
};

const FORMS = { stix: STIX, misp: MISP } as const;
const utf8 = new TextEncoder();

/** Returns a function that begins a document. `memory`: most bytes of known keys. */
export function indicators(format: keyof typeof FORMS, memory: number | undefined): (sink: Sink) => Sink {
  const readers = INDICATOR_FIELDS.map(readerOf);
  return (sink) => tableSink(readers, documentOf(FORMS[format], memory, sink), sink);
}

/** Returns a table of the values of INDICATOR_FIELDS. */
function documentOf(form: IndicatorForm, memory: number | undefined, sink: Sink): RecordTable {
  const known = new Distinct(spillSettings(memory));
  const ids = createHash("sha1");
  let separator = form.first;
  let latest: string | undefined; // The latest date of all matches; undefined: none has one
  const write = (text: string, count: number): void => sink.write({ kind: "bytes", bytes: utf8.encode(text), count });
  const writeObject = (indicator: Indicator): void => {
    const id = form.idOf(indicator);
    ids.update(id);
    write(separator + form.write(indicator, id), indicator.type === "url" ? 1 : 0);
    separator = ",\n";
  };
  const addOne = (indicator: Indicator): void => {
    const key = utf8.encode(`${indicator.type} ${indicator.value}`);
    const view = viewOf(key);
    const answer = known.add(view, 0, key.length);
    if (answer === "new") writeObject(indicator);
    if (answer === "later") known.keep(view, 0, key.length, utf8.encode(JSON.stringify(indicator)));
  };
  const add = ([url, host, source, start, dated, message_id, tag, attribute, flagged]: readonly FieldValue[]): void => {
    const flags = Array.isArray(flagged) ? flagged : [];
    const date = typeof dated === "string" ? dated : undefined;
    if (date !== undefined && (latest === undefined || date > latest)) latest = date;
    const match = { source, start, message_id, date, role: roleOf(tag, attribute, flags), flags };
    if (typeof url === "string") addOne({ type: "url", value: url, ...match });
    if (typeof host === "string" && !NO_NAME.test(host)) addOne({ type: "domain-name", value: host, ...match });
  };
  /** Writes the objects that waited on disk, and the end. */
  const end = async (): Promise<void> => {
    const writeRow = ({ bytes, textStart, textEnd }: SpilledRow): void => writeObject(JSON.parse(decodeUtf8(bytes, textStart, textEnd)));
    for (const _ of known.finish(writeRow)) {
      await sink.wait();
      await new Promise(setImmediate);
    }
    known.close();
    write(form.end(versioned(ids.digest()), latest, separator === form.first), 0);
  };
  write(form.start, 0);
  return { add, end, counts: true };
}

function roleOf(tag: FieldValue, attribute: FieldValue, flags: readonly string[]): Role {
  if (attribute == null) return flags.includes("namespace") ? "other" : "text";
  if (/^(?:src|srcset|background|poster)$/.test(String(attribute))) return "picture";
  return /^(?:a|area|form|button|input)$/.test(String(tag)) ? "target" : "other";
}

/** Hosts that are not written as domains: in brackets, with a number as the last label, or of a single label. */
const NO_NAME = /^\[|(?:^|\.)(?:\d+|0x[\da-f]*)\.?$|^[^.]*\.?$/i;

function uuidOf(namespace: string, name: string): string {
  const prefix = Buffer.from(namespace.replaceAll("-", ""), "hex");
  return versioned(createHash("sha1").update(prefix).update(name).digest());
}

function versioned(hash: Buffer): string {
  const bytes = Uint8Array.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns the seconds since 1970 of a date. MISP has no earlier times. */
function secondsOf(date: string | undefined): string {
  return String(date === undefined ? 0 : Math.max(0, Date.parse(date) / 1000));
}
