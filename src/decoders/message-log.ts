// Messages and segments of an archive: rows of the core, kept until a match needs them.
import * as results from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { firstIndex } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";
import { decodeLatin1, decodeUtf8 } from "../core/text.ts";
import { Describer, MessageHeader } from "../mail/describe.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import { decodeHeaderText } from "../mail/words.ts";
import type { BodyDescription, DescribedMessage, Location } from "../matches/batch.ts";
import { HEADER_PREFIX } from "../options/fields.ts";
import type { ReadField } from "../scan/scan.ts";

/** Names of WHERE_*; the name of the header field or of the JSON member follows the colon (A10, A16). */
const WHERES = ["header:", "body", "html", "preamble", "epilogue", "json:"];
/** Names of the bodies of FIELD_*, as in the readers of describe.ts. */
const BODIES: (string | undefined)[] = ["message-id", "date", "from", "subject", "newsgroups", "list-id", "target-uri", "date"];
BODIES[mail.FIELD_RECEIVED] = "received";
BODIES[mail.FIELD_FROM_LINE] = "from-line";
/** Fields that need no bit. */
const OF_WEB_ARCHIVES = [mail.FIELD_TARGET_URI, mail.FIELD_WARC_DATE];
/** Bits of the fields that are collected if any is. */
const BITS_ALWAYS = (1 << mail.FIELD_MESSAGE_ID) | (1 << mail.FIELD_DATE) | (1 << mail.FIELD_RECEIVED) | (1 << mail.FIELD_FROM_LINE);

type Bodies = ReadonlyMap<string, Uint8Array>;
const NO_BODIES: Bodies = new Map();

/** Rows of segments or fields that one call of the core wrote, and the texts that they point at. `base`: decoded offset of address 0. */
interface Block {
  readonly rows: Int32Array;
  readonly base: number;
  readonly heap: Uint8Array;
}

/**
 * A piece of decoded text in the header or in one part of a message, or a string of JSON: the decoded offsets [start, end). `end` is
 * Infinity if it is the last segment so far.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** WHERE_*. */
  readonly kind: number;
  /** `where` is empty if nothing reads it. The name of the field may be missing after `header:`: look it up in the window. */
  readonly location: Location;
}

export const NO_BODY: BodyDescription = {};

/** The location of a match in no message. */
export const NO_LOCATION: Location = {
  message: {},
  time: Number.NaN,
  messageIdField: undefined,
  number: 0,
  part: "",
  body: NO_BODY,
  address: "",
  where: "",
  quote: 0,
};

/** Fewest rows that are dropped at once, because dropping moves all others. */
const DEPTHS_DROPPED_AT_ONCE = 1024;

/** The depth of quotation in HTML mail: rows of the core say from which decoded offset on texts have a depth (C302). */
class QuoteLog {
  #starts: number[] = [];
  #depths: number[] = [];

  take({ words }: Core, base: number): void {
    const end = layout.QUOTE_REGION + words[results.DECODED_QUOTES >> 2] * layout.QUOTE_ROW_BYTES;
    for (let row = layout.QUOTE_REGION; row < end; row += layout.QUOTE_ROW_BYTES) {
      this.#starts.push(base + words[row >> 2]);
      this.#depths.push(words[(row >> 2) + 1]);
    }
  }

  /** Forgets the rows that only offsets before `decoded` need. */
  drop(decoded: number): void {
    const row = this.#rowAt(decoded);
    if (row < DEPTHS_DROPPED_AT_ONCE) return;
    this.#starts.splice(0, row);
    this.#depths.splice(0, row);
  }

  /** Returns the depth at `offset` of a text that begins at `start`. */
  depthAt(offset: number, start: number): number {
    const row = this.#rowAt(offset);
    return row >= 0 && this.#starts[row] >= start ? this.#depths[row] : 0;
  }

  #rowAt(offset: number): number {
    return firstIndex(this.#starts.length, (row) => this.#starts[row] > offset) - 1;
  }
}

/** Segments by decoded offset, and the messages that they belong to. */
export class MessageLog {
  readonly quotes = new QuoteLog();
  readonly #segments: Block[] = [];
  readonly #fields: Block[] = [];
  /** The location of the message that was described last. */
  #message = NO_LOCATION;
  /** The fields that are read; others are not made. */
  readonly #asked: ReadonlySet<ReadField>;
  readonly #describer: Describer;
  /** Header fields that the core finds by name, in lower case: the order is that of FIELD_NAMED and the next. */
  readonly named: readonly string[];
  /** By FIELD_*: the name of the body. */
  readonly #bodies: readonly (string | undefined)[];

  constructor(asked: ReadonlySet<ReadField>) {
    this.#asked = asked;
    this.#describer = new Describer(asked);
    const named = [...this.#describer.bodies].filter((name) => name.startsWith(HEADER_PREFIX));
    this.named = named.map((name) => name.slice(HEADER_PREFIX.length));
    this.#bodies = Object.assign([...BODIES], Object.fromEntries(named.map((name, index) => [mail.FIELD_NAMED + index, name])));
  }

  /** Bits 1 << FIELD_* of the fields that the core collects. */
  get bits(): number {
    let bits = this.#hasBody ? BITS_ALWAYS | (1 << mail.FIELD_BODY) : BITS_ALWAYS;
    this.#bodies.forEach((name = "", field) => {
      if (this.#describer.bodies.has(name) && !OF_WEB_ARCHIVES.includes(field)) bits |= 1 << field;
    });
    return bits;
  }

  get #hasBody(): boolean {
    return this.#asked.has("part_type") || this.#asked.has("attachment");
  }

  /** Takes the rows of the core; `base` is the decoded offset of address 0. */
  take(core: Core, base: number): void {
    const { words, bytes } = core;
    this.quotes.take(core, base);
    const segments = words[results.DECODED_SEGMENTS >> 2] * SEGMENT_WORDS;
    const fields = words[results.DECODED_FIELDS >> 2] * FIELD_WORDS;
    if (segments === 0 && fields === 0) return;
    const heap = bytes.slice(layout.HEAP_REGION, words[results.DECODED_HEAP_END >> 2]);
    const rowsAt = (region: number, count: number): Int32Array => words.slice(region >> 2, (region >> 2) + count);
    if (segments > 0) this.#segments.push({ rows: rowsAt(layout.SEGMENT_REGION, segments), base, heap });
    if (fields > 0) this.#fields.push({ rows: rowsAt(layout.FIELD_REGION, fields), base, heap });
    // The last message may have more fields.
    this.#message = NO_LOCATION;
  }

  /** Forgets segments that end before `decoded`, and the fields of messages that end before it. */
  drop(decoded: number): void {
    this.quotes.drop(decoded);
    const first = this.#blockAt(decoded);
    if (first <= 0) return;
    this.#segments.splice(0, first);
    this.#fields.splice(0, this.#fieldBlockOf(this.#segments[0].rows[mail.SEGMENT_MESSAGE >> 2]));
  }

  /** Returns the location of a message whose header has been read, before that of its part is added. */
  messageOf(number: number): Location {
    if (this.#message.number === number) return this.#message;
    const isRead = this.#asked.has("time") || this.#asked.has("message_id_field") || this.#describer.bodies.size > 0;
    this.#message = { ...NO_LOCATION, ...this.describe(isRead ? this.#bodiesOf(number) : NO_BODIES), number };
    return this.#message;
  }

  /** Returns the description of a message with these bodies of header fields. */
  describe(bodies: Bodies): DescribedMessage {
    const header = new MessageHeader(bodies);
    return {
      message: this.#describer.describe(header),
      time: this.#asked.has("time") ? header.date.seconds : Number.NaN,
      messageIdField: this.#asked.has("message_id_field") ? bodies.get("message-id") : undefined,
    };
  }

  /** Returns the Message-ID of message `number`, even if no record has the field. Returns undefined if the message has none. */
  messageIdOf(number: number): string | undefined {
    const body = this.#bodiesOf(number).get("message-id");
    return body && messageIdOf(body);
  }

  /** Returns the segment of the decoded byte at `offset`, or undefined before the first segment. */
  segmentAt(offset: number): Segment | undefined {
    const index = this.#blockAt(offset);
    if (index < 0) return undefined;
    const { rows, base, heap } = this.#segments[index];
    const next = firstIndex(rows.length / SEGMENT_WORDS, (row) => base + rows[row * SEGMENT_WORDS] > offset) * SEGMENT_WORDS;
    const at = next - SEGMENT_WORDS;
    const kind = rows[at + (mail.SEGMENT_WHERE >> 2)];
    const field = rows[at + (mail.SEGMENT_FIELD >> 2)];
    const part = rows[at + (mail.SEGMENT_PART >> 2)];
    const { message, time, messageIdField, number } = this.messageOf(rows[at + (mail.SEGMENT_MESSAGE >> 2)]);
    return {
      start: base + rows[at],
      end: next < rows.length ? base + rows[next] : this.#startOf(index + 1),
      kind,
      location: {
        message,
        time,
        messageIdField,
        number,
        part: this.#asked.has("part") ? textAt(heap, part) : "",
        body: this.#hasBody ? descriptionAt(heap, heap.indexOf(0, part - layout.HEAP_REGION) + 1) : NO_BODY,
        address: kind === mail.WHERE_HTML ? textAt(heap, field) : "",
        where: this.#asked.has("where") ? WHERES[kind] + nameAt(heap, kind, field) : "",
        quote: 0,
      },
    };
  }

  /** Returns the index of the last block with segments that begins at `offset` or before it; -1: none. */
  #blockAt(offset: number): number {
    return firstIndex(this.#segments.length, (index) => this.#startOf(index) > offset) - 1;
  }

  /** Returns the decoded offset of the first segment of a block; Infinity after the last block. */
  #startOf(index: number): number {
    return index < this.#segments.length ? this.#segments[index].base + this.#segments[index].rows[0] : Number.POSITIVE_INFINITY;
  }

  /** Returns the index of the first block with fields of message `number` or of a later one. */
  #fieldBlockOf(number: number): number {
    return firstIndex(this.#fields.length, (index) => {
      const { rows } = this.#fields[index];
      return rows[rows.length - FIELD_WORDS] >= number;
    });
  }

  /** Returns the bodies of the fields of a message. If several have one name, the first counts. */
  #bodiesOf(number: number): Bodies {
    const bodies = new Map<string, Uint8Array>();
    for (let index = this.#fieldBlockOf(number); index < this.#fields.length; index++) {
      const { rows, heap } = this.#fields[index];
      const first = firstIndex(rows.length / FIELD_WORDS, (row) => rows[row * FIELD_WORDS] >= number) * FIELD_WORDS;
      if (rows[first] !== number) break;
      for (let at = first; rows[at] === number; at += FIELD_WORDS) {
        const name = this.#bodies[rows[at + (mail.FIELD_NAME >> 2)]];
        if (name === undefined || bodies.has(name)) continue;
        const start = rows[at + (mail.FIELD_ADDRESS >> 2)] - layout.HEAP_REGION;
        bodies.set(name, heap.subarray(start, start + rows[at + (mail.FIELD_LENGTH >> 2)]));
      }
    }
    return bodies;
  }
}

const SEGMENT_WORDS = mail.SEGMENT_ROW_BYTES >> 2;
const FIELD_WORDS = mail.FIELD_ROW_BYTES >> 2;

/** Returns the text at an address of the heap, up to a NUL; empty for address 0. */
function textAt(heap: Uint8Array, address: number): string {
  if (address === 0) return "";
  const start = address - layout.HEAP_REGION;
  return decodeLatin1(heap, start, heap.indexOf(0, start));
}

/** Reads the media type and the file name at an offset of bytes, each with a zero after it. */
export function descriptionAt(bytes: Uint8Array, start: number): BodyDescription {
  const typeEnd = bytes.indexOf(0, start);
  const type = decodeLatin1(bytes, start, typeEnd);
  const name = decodeHeaderText(bytes.subarray(typeEnd + 1, bytes.indexOf(0, typeEnd + 1)));
  return { ...(type === "" ? {} : { type }), ...(name === "" ? {} : { name }) };
}

/** Returns the name of the header field or of the JSON member of a segment; the length of the latter is before it. Empty for address 0. */
function nameAt(heap: Uint8Array, kind: number, address: number): string {
  if (kind === mail.WHERE_HTML || address === 0) return "";
  if (kind !== mail.WHERE_JSON) return textAt(heap, address);
  const start = address - layout.HEAP_REGION + 1;
  return decodeUtf8(heap, start, start + heap[start - 1]);
}
