// Messages in JSON (A19): gives each match in a JSON source the fields of the innermost message around it.
import type { DescribedMessage, Location, MatchLocations } from "../matches/batch.ts";
import type { ReadField } from "../scan/scan.ts";
import type { SourceBytes } from "../scan/source-decoder.ts";
import type { SourceMap } from "../scan/source-map.ts";
import type { JsonMessage, JsonObjects, JsonValues } from "./json-objects.ts";
import { type MessageLog, NO_LOCATION } from "./message-log.ts";

/** The location of a match outside of strings, before the fields of its message are added. */
const OUTSIDE: Location = { ...NO_LOCATION, where: "json:" };

/** Returns functions that locate the messages of a JSON source in the text that its decoder makes. */
export function jsonLocator(objects: JsonObjects, source: SourceBytes, map: SourceMap, log: MessageLog, asked: ReadonlySet<ReadField>) {
  /** The last result of `openFrom`, and the source offset that it was made from; -1: none. */
  let open = { source: -1, decoded: 0 };
  /** The message that was described last. Successive locations in it share the description. */
  let described: { readonly of: JsonMessage; readonly as: DescribedMessage } | undefined;

  const describe = (message: JsonMessage): DescribedMessage => {
    if (described?.of === message) return described.as;
    const as = log.describe(bodiesOf(message.values));
    const { from = message.values.name, name = from } = message.values;
    // Most senders are names in the archive, not addresses.
    if (from !== undefined && asked.has("from_address")) as.message.fromAddress ??= from;
    if (name !== undefined && asked.has("from_name")) as.message.fromName ??= name;
    described = { of: message, as };
    return as;
  };
  const located = (location: Location, message: JsonMessage): Location => ({ ...location, ...describe(message), number: message.number });

  return {
    /** Returns the decoded offset of the first open object that may be a message; Infinity if there is none. */
    openFrom(): number {
      const start = objects.openFrom;
      if (start === Number.POSITIVE_INFINITY) return start;
      if (start === open.source) return open.decoded;
      const decoded = map.firstFrom(start);
      // Until the bytes there are decoded, this is only a bound.
      if (start < source.taken) open = { source: start, decoded };
      return decoded;
    },

    locationOf: (message: JsonMessage): Location => located(NO_LOCATION, message),

    /** Adds the messages of the matches to their locations. `offsetOf` returns the decoded offset of the match in a row. */
    locationsOf(locations: MatchLocations, offsetOf: (row: number) => number): MatchLocations {
      const list: Location[] = [];
      let last: { readonly index: number; readonly message: JsonMessage | undefined } | undefined;
      const of = locations.of.map((index, row) => {
        const message = objects.at(map.startOf(offsetOf(row)));
        if (message === undefined && index < 0) return index;
        if (last?.index !== index || last.message !== message) {
          const location = locations.list[index] ?? OUTSIDE;
          list.push(message === undefined ? location : located(location, message));
          last = { index, message };
        }
        return list.length - 1;
      });
      return { ...locations, of, list };
    },
  };
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

/** From these numbers on, a time is in milliseconds, microseconds and nanoseconds. In the larger unit it would be in the year 5138. */
const SMALLER_UNITS = [1e11, 1e14, 1e17];
/** The end of the year 9999 in seconds. */
const SECONDS_MOST = 253_402_300_799;

/**
 * Returns a time since 1970 in seconds, milliseconds, microseconds or nanoseconds as a date of mail, and any other text as it is. Returns
 * undefined for a time before 1970 or after the year 9999.
 */
function mailDate(text: string): string | undefined {
  if (!/^-?\d+(?:\.\d*)?(?:[eE]\+?\d+)?$/.test(text)) return text;
  const number = Number(text);
  const unit = 1000 ** SMALLER_UNITS.filter((least) => Math.abs(number) >= least).length;
  const seconds = Math.floor(number / unit);
  return seconds < 0 || seconds > SECONDS_MOST ? undefined : new Date(seconds * 1000).toUTCString();
}
