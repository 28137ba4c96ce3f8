// Messages in JSON (A19): gives each match in a JSON source the fields of the innermost message around it.
import { COUNT_MESSAGES } from "#core/layout/mail.js";
import { WINDOW_REGION } from "#core/layout/memory.js";
import { countOmission, type Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { DescribedMessage, Location, MatchLocations } from "../matches/batch.ts";
import type { JsonMapping } from "../options/json-fields.ts";
import type { ReadField, ScanCounts } from "../scan/scan.ts";
import type { SourceBytes } from "../scan/source-decoder.ts";
import { type JsonMessage, JsonObjects, type JsonValues } from "./json-objects.ts";
import { type MessageLog, NO_LOCATION } from "./message-log.ts";
import type { SourceMaps } from "./source-maps.ts";

/** The location of a match outside of strings, before the fields of its message are added. */
const OUTSIDE: Location = { ...NO_LOCATION, where: "json:" };

/** Reads a JSON source along with its decoder. */
export class JsonMessages {
  readonly #core: Core;
  readonly #source: SourceBytes;
  readonly #map: SourceMaps | undefined;
  readonly #asked: ReadonlySet<ReadField>;
  readonly #counts: ScanCounts;
  readonly #objects: JsonObjects;
  readonly #isListed: boolean;
  #listed: Omission[] = [];
  /** The last result of `openFrom`, and the source offset that it was made from; -1: none. */
  #openFrom = { source: -1, decoded: 0 };
  /** The message that was described last. */
  #described: { readonly of: JsonMessage; readonly as: DescribedMessage } | undefined;

  /** `map`: absent if no locations are wanted; then messages and omissions are only counted. `isListed`: whether to list omissions. */
  constructor(
    core: Core,
    source: SourceBytes,
    map: SourceMaps | undefined,
    mapping: JsonMapping,
    asked: ReadonlySet<ReadField>,
    counts: ScanCounts,
    isListed: boolean,
  ) {
    this.#core = core;
    this.#source = source;
    this.#map = map;
    this.#asked = asked;
    this.#counts = counts;
    this.#isListed = isListed;
    this.#objects = new JsonObjects(mapping);
    if (asked.has("messages")) this.#objects.given = [];
  }

  /** Reads the bytes of the source that have come. `base`: the decoded offset of address 0; messages before the window are dropped. */
  read(base: number, final: boolean): void {
    const objects = this.#objects;
    const before = objects.count;
    const { end } = this.#source;
    objects.read(this.#core.bytes, objects.position - this.#source.base, end);
    if (final) objects.end();
    for (const start of objects.tooLarge.splice(0)) {
      const omission: Omission = { reason: "large-object", start };
      countOmission(this.#counts.omitted, omission);
      if (this.#isListed) this.#listed.push(omission);
    }
    this.#counts.archive[COUNT_MESSAGES] += objects.count - before;
    objects.drop(this.#map?.startOf(Math.max(0, base + WINDOW_REGION)) ?? objects.position);
  }

  /** Returns the decoded offset of the first open object that may be a message; Infinity if there is none, or without a map. */
  openFrom(): number {
    const { openFrom } = this.#objects;
    if (openFrom === Number.POSITIVE_INFINITY || this.#map === undefined) return Number.POSITIVE_INFINITY;
    if (this.#openFrom.source === openFrom) return this.#openFrom.decoded;
    const decoded = this.#map.firstFrom(openFrom);
    // Until the bytes there are decoded, this is only a bound.
    if (openFrom < this.#source.taken) this.#openFrom = { source: openFrom, decoded };
    return decoded;
  }

  /** Returns the messages since the last call. */
  takeMessages(): Location[] {
    const log = this.#map?.log;
    const messages = this.#objects.given?.splice(0) ?? [];
    if (log === undefined) return [];
    return messages.map((message) => ({ ...NO_LOCATION, ...this.#describe(message, log), number: message.number }));
  }

  /** Returns the listed omissions since the last call. */
  takeOmissions(): Omission[] {
    return this.#listed.splice(0);
  }

  /** Adds the messages of the matches to their locations. `offsetOf` returns the decoded offset of the match in a row. */
  locationsOf(locations: MatchLocations, offsetOf: (row: number) => number): MatchLocations {
    const map = this.#map;
    if (map === undefined) return locations;
    const { of, list } = locations;
    const located: Location[] = [];
    let last: { readonly index: number; readonly message: JsonMessage } | undefined;
    const rows = of.map((index, row) => {
      const message = this.#objects.at(map.startOf(offsetOf(row)));
      if (message === undefined) {
        last = undefined;
        return index < 0 ? index : located.push(list[index]) - 1;
      }
      if (last?.index !== index || last.message !== message) {
        located.push({ ...(list[index] ?? OUTSIDE), ...this.#describe(message, map.log), number: message.number });
        last = { index, message };
      }
      return located.length - 1;
    });
    return { ...locations, of: rows, list: located };
  }

  /** Returns the description of a message. Successive locations in the message share it. */
  #describe(message: JsonMessage, log: MessageLog): DescribedMessage {
    if (this.#described?.of === message) return this.#described.as;
    const described = log.describe(bodiesOf(message.values));
    const { from = message.values.name, name = from } = message.values;
    // Most senders are names in the archive, not addresses.
    if (from !== undefined && this.#asked.has("from_address")) described.message.fromAddress ??= from;
    if (name !== undefined && this.#asked.has("from_name")) described.message.fromName ??= name;
    this.#described = { of: message, as: described };
    return described;
  }
}

/** Returns the values of an object as bodies of header fields. */
function bodiesOf({ date, from, name, to, subject, id, list, reply, thread }: JsonValues): ReadonlyMap<string, Uint8Array> {
  const sender = from === undefined || name === undefined || name === from ? (from ?? name) : `${name} <${from}>`;
  const texts = {
    "message-id": inBrackets(id),
    date: date === undefined ? undefined : mailDate(date),
    from: sender,
    subject,
    "list-id": list,
    "header:to": to,
    "header:in-reply-to": inBrackets(reply),
    "header:references": inBrackets(thread),
  };
  // On one line.
  const written = Object.entries(texts).flatMap(([body, text]) => (text === undefined ? [] : [[body, text.replace(/\s+/g, " ")] as const]));
  return new Map(written.map(([body, text]) => [body, utf8.encode(text)]));
}

function inBrackets(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `<${id.replace(/[<>]/g, "")}>`;
}

const utf8 = new TextEncoder();

/** From this number on, a time is in milliseconds. In seconds it would be in the year 5138. */
const MILLISECONDS = 1e11;
/** From this number on, a time is in microseconds. In milliseconds it would be in the year 5138 too. */
const MICROSECONDS = 1e14;
/** From this number on, a time is in nanoseconds. */
const NANOSECONDS = 1e17;
/** The end of the year 9999 in seconds. */
const SECONDS_MOST = 253_402_300_799;

/**
 * Returns a time since 1970 in seconds, milliseconds, microseconds or nanoseconds as a date of mail, and any other text as it is. Returns
 * undefined for a time before 1970 or after the year 9999.
 */
function mailDate(text: string): string | undefined {
  if (!/^-?\d+(?:\.\d*)?(?:[eE]\+?\d+)?$/.test(text)) return text;
  const number = Number(text);
  const size = Math.abs(number);
  const divisor = size < MILLISECONDS ? 1 : size < MICROSECONDS ? 1e3 : size < NANOSECONDS ? 1e6 : 1e9;
  const seconds = Math.floor(number / divisor);
  return seconds < 0 || seconds > SECONDS_MOST ? undefined : new Date(seconds * 1000).toUTCString();
}
