// Messages and segments of an archive: rows of the core, kept until a match needs them.

import * as results from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { firstIndex } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";
import { Describer, MessageHeader } from "../mail/describe.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import { decodeHeaderText } from "../mail/words.ts";
import type { BodyDescription, DescribedMessage } from "../matches/batch.ts";
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

/** The rows of one call of the core. */
interface Block {
  /** Decoded offset of address 0 of the window. */
  readonly base: number;
  readonly segments: Int32Array;
  readonly fields: Int32Array;
  /** Index in `fields` of the first field of the message that was looked up last. The next message is near. */
  nearField: number;
  readonly heap: Uint8Array;
}

/** A piece of decoded text in the header or in one part of a message, or a string of JSON. */
export interface Segment extends DescribedMessage {
  /** Decoded offset of its first byte. */
  readonly start: number;
  /** Decoded offset after its last byte; Infinity if it is the last segment so far. */
  readonly end: number;
  readonly isJson: boolean;
  readonly isHtml: boolean;
  /** Its lines may begin with quote marks: it is plain text, and no header field. */
  readonly isQuotable: boolean;
  /** Empty if nothing reads it. The name of the field may be missing after `header:`: look it up in the window. */
  readonly where: string;
  /** Number of the part; empty if it has none or if nothing reads it. */
  readonly part: string;
  readonly body: BodyDescription;
  /** Address of an HTML part by its header fields; empty: none (C107). */
  readonly address: string;
  /** Number of its message in the scan, from 1 on; 0: it belongs to no message. */
  readonly number: number;
}

const latin1 = new TextDecoder("latin1");
/** A byte order mark at the start of a name is part of the name. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export const NO_BODY: BodyDescription = {};

interface NumberedMessage extends DescribedMessage {
  readonly number: number;
}

const NO_MESSAGE: NumberedMessage = { number: 0, message: {}, time: Number.NaN, messageIdField: undefined };

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

/** Segments by decoded offset. */
export class MessageLog {
  readonly quotes = new QuoteLog();
  #blocks: Block[] = [];
  #near: Segment | undefined;
  /** Index of the block of the last segment that was looked up. */
  #nearBlock = 0;
  #message = NO_MESSAGE;
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
  /** The fields of the message whose first blocks were dropped. */
  #carried: { readonly number: number; readonly bodies: Bodies } = { number: 0, bodies: NO_BODIES };

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
    const segments = words[results.DECODED_SEGMENTS >> 2] * (mail.SEGMENT_ROW_BYTES >> 2);
    const fields = words[results.DECODED_FIELDS >> 2] * (mail.FIELD_ROW_BYTES >> 2);
    if (segments === 0 && fields === 0) return;
    this.#blocks.push({
      base,
      segments: words.slice(layout.SEGMENT_REGION >> 2, (layout.SEGMENT_REGION >> 2) + segments),
      fields: words.slice(layout.FIELD_REGION >> 2, (layout.FIELD_REGION >> 2) + fields),
      nearField: 0,
      heap: bytes.slice(layout.HEAP_REGION, words[results.DECODED_HEAP_END >> 2]),
    });
    // The last segment may have ended, and its message may have more fields.
    this.#near = undefined;
    this.#message = NO_MESSAGE;
  }

  /** Forgets segments that end before `decoded`, and the fields of messages that end before it. */
  drop(decoded: number): void {
    this.quotes.drop(decoded);
    if (this.#blocks.length < 2) return;
    const first = this.#blocks.findLastIndex((block) => block.segments.length > 0 && startOf(block, 0) <= decoded);
    if (first <= 0) return;
    const number = messageOf(this.#blocks[first], 0);
    this.#carried = { number, bodies: new Map([...this.#bodiesOf(number)].map(([name, body]) => [name, body.slice()])) };
    this.#blocks.splice(0, first);
    this.#nearBlock = Math.max(0, this.#nearBlock - first);
  }

  /** Returns the description of a message whose header has been read. */
  messageOf(number: number): NumberedMessage {
    if (this.#message.number === number) return this.#message;
    const isRead = this.#readsTime || this.#keepsIdField || this.#describer.bodies.size > 0;
    this.#message = { number, ...this.describe(isRead ? this.#bodiesOf(number) : NO_BODIES) };
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
    const near = this.#near;
    if (near !== undefined && near.start <= offset && offset < near.end) return near;
    const blocks = this.#blocks;
    const isAfter = (block: Block): boolean => block.segments.length > 0 && startOf(block, 0) > offset;
    // Each short text is a block, and offsets mostly ascend.
    let index = this.#nearBlock;
    while (index < blocks.length && !isAfter(blocks[index])) index++;
    for (index--; index >= 0; index--) {
      const block = blocks[index];
      if (block.segments.length === 0 || isAfter(block)) continue;
      this.#nearBlock = index;
      this.#near = this.#read(index, rowAt(block, offset));
      return this.#near;
    }
    return undefined;
  }

  #read(index: number, row: number): Segment {
    const block = this.#blocks[index];
    const { segments } = block;
    const at = row * SEGMENT_WORDS;
    const where = segments[at + (mail.SEGMENT_WHERE >> 2)];
    const field = segments[at + (mail.SEGMENT_FIELD >> 2)];
    const { number, message, time, messageIdField } = this.messageOf(segments[at + (mail.SEGMENT_MESSAGE >> 2)]);
    return {
      start: startOf(block, row),
      end: this.#endOf(index, row),
      number,
      isJson: where === mail.WHERE_JSON,
      isHtml: where === mail.WHERE_HTML,
      isQuotable: where !== mail.WHERE_HEADER && where !== mail.WHERE_HTML && where !== mail.WHERE_JSON,
      where: this.#hasWhere ? WHERES[where] + nameAt(block, where, field) : "",
      body: this.#hasBody ? bodyAt(block, segments[at + (mail.SEGMENT_PART >> 2)]) : NO_BODY,
      part: this.#hasPart ? textAt(block, segments[at + (mail.SEGMENT_PART >> 2)]) : "",
      address: where === mail.WHERE_HTML ? textAt(block, field) : "",
      message,
      time,
      messageIdField,
    };
  }

  #endOf(index: number, row: number): number {
    const block = this.#blocks[index];
    if ((row + 1) * SEGMENT_WORDS < block.segments.length) return startOf(block, row + 1);
    let next = index + 1;
    while (this.#blocks[next]?.segments.length === 0) next++;
    return next < this.#blocks.length ? startOf(this.#blocks[next], 0) : Number.POSITIVE_INFINITY;
  }

  /** Returns the bodies of the fields of a message. If several have one name, the first counts. */
  #bodiesOf(number: number): Bodies {
    const bodies = new Map(this.#carried.number === number ? this.#carried.bodies : []);
    for (const block of this.#blocks) {
      const { fields, heap } = block;
      const last = fields[fields.length - FIELD_WORDS] ?? 0;
      if (last < number) continue;
      for (let at = firstField(block, number); at < fields.length && fields[at] === number; at += FIELD_WORDS) {
        const name = this.#bodies[fields[at + (mail.FIELD_NAME >> 2)]];
        if (name === undefined || bodies.has(name)) continue;
        const start = fields[at + (mail.FIELD_ADDRESS >> 2)] - layout.HEAP_REGION;
        bodies.set(name, heap.subarray(start, start + fields[at + (mail.FIELD_LENGTH >> 2)]));
      }
      if (last > number) break;
    }
    return bodies;
  }
}

const SEGMENT_WORDS = mail.SEGMENT_ROW_BYTES >> 2;
const FIELD_WORDS = mail.FIELD_ROW_BYTES >> 2;

function startOf({ base, segments }: Block, row: number): number {
  return base + segments[row * SEGMENT_WORDS];
}

function messageOf({ segments }: Block, row: number): number {
  return segments[row * SEGMENT_WORDS + (mail.SEGMENT_MESSAGE >> 2)];
}

/** Returns the last row of `block` that starts at `offset` or before it. */
function rowAt(block: Block, offset: number): number {
  return firstIndex(block.segments.length / SEGMENT_WORDS, (row) => startOf(block, row) > offset) - 1;
}

/** Returns the index of the first field of message `number`, or of the next message with fields. */
function firstField(block: Block, number: number): number {
  const { fields } = block;
  let at = block.nearField;
  while (at > 0 && fields[at - FIELD_WORDS] >= number) at -= FIELD_WORDS;
  while (at < fields.length && fields[at] < number) at += FIELD_WORDS;
  block.nearField = at;
  return at;
}

/** Returns the text at an address of the heap, up to a NUL; empty for address 0. */
function textAt({ heap }: Block, address: number): string {
  if (address === 0) return "";
  const start = address - layout.HEAP_REGION;
  // Nearly every part has a number of one digit.
  const first = heap[start];
  if (first > 0 && first < 0x80 && heap[start + 1] === 0) return String.fromCharCode(first);
  return latin1.decode(heap.subarray(start, heap.indexOf(0, start)));
}

/** Returns the description of the part whose number is at an address of the heap. */
function bodyAt({ heap }: Block, address: number): BodyDescription {
  return descriptionAt(heap, heap.indexOf(0, address - layout.HEAP_REGION) + 1);
}

/** Returns the media type and the file name at an offset of bytes, each with a zero after it. */
export function descriptionAt(bytes: Uint8Array, start: number): BodyDescription {
  const typeEnd = bytes.indexOf(0, start);
  const type = latin1.decode(bytes.subarray(start, typeEnd));
  const name = decodeHeaderText(bytes.subarray(typeEnd + 1, bytes.indexOf(0, typeEnd + 1)));
  return { ...(type === "" ? {} : { type }), ...(name === "" ? {} : { name }) };
}

/** Returns the name of the header field or member of a segment. */
function nameAt(block: Block, where: number, address: number): string {
  if (where === mail.WHERE_HTML) return "";
  return where === mail.WHERE_JSON ? memberAt(block, address) : textAt(block, address);
}

/** Returns the name of a member at an address of the heap; empty for address 0. The first byte there is the length of the name. */
function memberAt({ heap }: Block, address: number): string {
  if (address === 0) return "";
  const start = address - layout.HEAP_REGION + 1;
  return utf8.decode(heap.subarray(start, start + heap[start - 1]));
}
