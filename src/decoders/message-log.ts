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
/** Bits of the fields that are collected if any is. WARC-Target-URI and WARC-Date need no bit. */
const BITS_ALWAYS = (1 << mail.FIELD_MESSAGE_ID) | (1 << mail.FIELD_DATE) | (1 << mail.FIELD_RECEIVED) | (1 << mail.FIELD_FROM_LINE);

type Bodies = ReadonlyMap<string, Uint8Array>;
const NO_BODIES: Bodies = new Map();

/** Rows of segments, or of fields, that one call of the core wrote. */
interface Block {
  readonly rows: Int32Array;
  /** Decoded offset of address 0 of the window. */
  readonly base: number;
  /** The texts that the rows point at. */
  readonly heap: Uint8Array;
}

/** A piece of decoded text in the header or in one part of a message, or a string of JSON. */
export interface Segment {
  /** Decoded offset of its first byte. */
  readonly start: number;
  /** Decoded offset after its last byte; Infinity if it is the last segment so far. */
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

  /** Takes the rows of the core; `base` is the decoded offset of address 0. */
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
  readonly #describer: Describer;
  /** Header fields that the core finds by name, in lower case: the order is that of FIELD_NAMED and the next. */
  readonly named: readonly string[];
  /** By FIELD_*: the name of the body. */
  readonly #bodies: readonly (string | undefined)[];
  readonly #readsTime: boolean;
  readonly #keepsIdField: boolean;
  readonly #hasWhere: boolean;
  readonly #hasPart: boolean;
  readonly #hasBody: boolean;

  /** `asked`: the fields that are read; others are not made. */
  constructor(asked: ReadonlySet<ReadField>) {
    this.#hasWhere = asked.has("where");
    this.#hasPart = asked.has("part");
    this.#hasBody = asked.has("part_type") || asked.has("attachment");
    this.#describer = new Describer(asked);
    const named = [...this.#describer.bodies].filter((name) => name.startsWith(HEADER_PREFIX));
    this.named = named.map((name) => name.slice(HEADER_PREFIX.length));
    this.#bodies = Object.assign([...BODIES], Object.fromEntries(named.map((name, index) => [mail.FIELD_NAMED + index, name])));
    this.#readsTime = asked.has("time");
    this.#keepsIdField = asked.has("message_id_field");
  }

  /** Bits 1 << FIELD_* of the fields that the core collects. */
  get bits(): number {
    let bits = this.#hasBody ? BITS_ALWAYS | (1 << mail.FIELD_BODY) : BITS_ALWAYS;
    for (const name of this.#describer.bodies) {
      const field = this.#bodies.indexOf(name);
      if (field !== mail.FIELD_TARGET_URI) bits |= 1 << field;
    }
    return bits;
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

  /** Returns the location of a message whose header has been read. */
  messageOf(number: number): Location {
    if (this.#message.number === number) return this.#message;
    const isRead = this.#readsTime || this.#keepsIdField || this.#describer.bodies.size > 0;
    this.#message = { ...NO_LOCATION, ...this.describe(isRead ? this.#bodiesOf(number) : NO_BODIES), number };
    return this.#message;
  }

  /** Returns the description of a message with these bodies of header fields. */
  describe(bodies: Bodies): DescribedMessage {
    const header = new MessageHeader(bodies);
    return {
      message: this.#describer.describe(header),
      time: this.#readsTime ? header.date.seconds : Number.NaN,
      messageIdField: this.#keepsIdField ? bodies.get("message-id") : undefined,
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
        part: this.#hasPart ? textAt(heap, part) : "",
        body: this.#hasBody ? descriptionAt(heap, heap.indexOf(0, part - layout.HEAP_REGION) + 1) : NO_BODY,
        address: kind === mail.WHERE_HTML ? textAt(heap, field) : "",
        where: this.#hasWhere ? WHERES[kind] + nameAt(heap, kind, field) : "",
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
    return firstIndex(this.#fields.length, (index) => lastMessageOf(this.#fields[index]) >= number);
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

/** Returns the number of the message of the last field in a block. */
function lastMessageOf({ rows }: Block): number {
  return rows[rows.length - FIELD_WORDS];
}

/** Returns the text at an address of the heap, up to a NUL; empty for address 0. */
function textAt(heap: Uint8Array, address: number): string {
  if (address === 0) return "";
  const start = address - layout.HEAP_REGION;
  return decodeLatin1(heap, start, heap.indexOf(0, start));
}

/** Returns the media type and the file name at an offset of bytes, each with a zero after it. */
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
