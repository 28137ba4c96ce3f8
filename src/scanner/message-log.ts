// Messages and segments of an archive: rows of the core, kept until a match needs them.

import * as results from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { firstIndex } from "../base/arrays.ts";
import type { Core } from "../core/core.ts";
import { type Described, dateOf, describedOf, describeMessage, type HeaderFields, namedHeaders } from "../mail/describe.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import type { DescribedMessage } from "./batch.ts";
import type { ReadField } from "./scan.ts";

/** Names of WHERE_*; the name of the header field or of the JSON member follows the colon (A10, A16). */
const WHERES = ["header:", "body", "html", "preamble", "epilogue", "json:"];
/** The slot of each FIELD_* in FieldBodies, or -1. WARC-Date has the slot of Date. */
const SLOTS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 1, ...Array<number>(mail.FIELD_RECEIVED - mail.FIELD_WARC_DATE - 1).fill(-1), 7, 8];
/** The slot of the body of FIELD_NAMED; the slots of the other named fields follow. */
const NAMED_SLOT = 9;
const SLOTS_COUNT = NAMED_SLOT + mail.FIELDS_NAMED_MAX;

const ID_SLOT = SLOTS[mail.FIELD_MESSAGE_ID];
/** Fields that are collected and described only on request. */
const COLLECTED: readonly ReadField[] = ["subject", "newsgroups", "list_id"];

/** Bodies of header fields, by slot. An object would be slower, because its fields would come in varying orders. */
type FieldBodies = (Uint8Array | undefined)[];

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
  /** Its lines may begin with quote marks: it is plain text, and no header field. */
  readonly isQuotable: boolean;
  /** Empty if nothing reads it. The name of the field may be missing after `header:`: look it up in the window. */
  readonly where: string;
  /** Number of the part; empty if it has none or if nothing reads it. */
  readonly part: string;
  /** Address of an HTML part by its header fields; empty: none (C107). */
  readonly address: string;
  /** Number of its message in the scan, from 1 on; 0: it belongs to no message. */
  readonly number: number;
}

const latin1 = new TextDecoder("latin1");
/** A byte order mark at the start of a name is part of the name. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const NO_BODIES: FieldBodies = Array(SLOTS_COUNT).fill(undefined);
const ALL_BODIES: readonly boolean[] = Array(SLOTS_COUNT).fill(true);

/** A message and its number in the scan. */
interface NumberedMessage extends DescribedMessage {
  readonly number: number;
}

const NO_MESSAGE: NumberedMessage = { number: 0, message: {}, time: Number.NaN, messageIdField: undefined };

/** Segments by decoded offset. */
export class MessageLog {
  #blocks: Block[] = [];
  #near: Segment | undefined;
  /** Index of the block of the last segment that was looked up. */
  #nearBlock = 0;
  #message = NO_MESSAGE;
  readonly #described: Described;
  /** Header fields that are read by name, in lower case; their slots follow each other from NAMED_SLOT on. */
  readonly #named: readonly string[];
  /** Whether a field of MessageDescription is read. */
  readonly #describes: boolean;
  readonly #readsTime: boolean;
  readonly #keepsIdField: boolean;
  /** By slot in FieldBodies: whether descriptions of messages need the body. */
  readonly #readsBody: readonly boolean[];
  readonly #hasWhere: boolean;
  readonly #hasPart: boolean;
  /** The fields of the message whose first blocks were dropped. */
  #carried: { readonly number: number; readonly bodies: FieldBodies } = { number: 0, bodies: [] };

  /** `asked`: the fields that are read; others are not made. */
  constructor(asked: ReadonlySet<ReadField>) {
    this.#hasWhere = asked.has("where");
    this.#hasPart = asked.has("part");
    this.#described = describedOf(asked);
    this.#named = namedHeaders(asked);
    this.#describes = this.#named.length > 0 || Object.values(this.#described).includes(true) || COLLECTED.some((name) => asked.has(name));
    this.#readsTime = asked.has("time");
    this.#keepsIdField = asked.has("message_id_field");
    const { message_id, target_uri, thread } = this.#described;
    const date = this.#described.date || this.#described.date_source;
    // No test is needed for the fields in the middle, because the core collects them only on request.
    this.#readsBody = [
      message_id || thread || this.#keepsIdField,
      date,
      true,
      true,
      true,
      true,
      target_uri,
      date,
      date,
      ...this.#named.map(() => true),
    ];
  }

  /** Takes the rows of the core; `base` is the decoded offset of address 0. */
  take(core: Core, base: number): void {
    const { words, bytes } = core;
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
    if (this.#blocks.length < 2) return;
    const first = this.#blocks.findLastIndex((block) => block.segments.length > 0 && startOf(block, 0) <= decoded);
    if (first <= 0) return;
    const number = messageOf(this.#blocks[first], 0);
    this.#carried = { number, bodies: this.#bodiesOf(number, ALL_BODIES).map((body) => body?.slice()) };
    this.#blocks.splice(0, first);
    this.#nearBlock = Math.max(0, this.#nearBlock - first);
  }

  #messageOf(number: number): NumberedMessage {
    if (this.#message.number === number) return this.#message;
    const bodies = this.#describes || this.#keepsIdField ? this.#bodiesOf(number, this.#readsBody) : NO_BODIES;
    const message = this.#describes ? describeMessage(this.#fieldsOf(bodies), this.#described) : NO_MESSAGE.message;
    const time = this.#readsTime ? this.#timeOf(number) : Number.NaN;
    this.#message = { number, message, time, messageIdField: this.#keepsIdField ? bodies[ID_SLOT] : undefined };
    return this.#message;
  }

  /** Returns the description of a message with these bodies of header fields. */
  describe(fields: HeaderFields): DescribedMessage {
    return {
      message: this.#describes ? describeMessage(fields, this.#described) : {},
      time: this.#readsTime ? (dateOf(fields)?.seconds ?? Number.NaN) : Number.NaN,
      messageIdField: this.#keepsIdField ? fields.messageId : undefined,
    };
  }

  #fieldsOf(bodies: FieldBodies): HeaderFields {
    const [messageId, date, from, subject, newsgroups, listId, targetUri, received, fromLine] = bodies;
    const fields = { messageId, date, from, subject, newsgroups, listId, targetUri, received, fromLine };
    if (this.#named.length === 0) return fields;
    const named = new Map<string, Uint8Array>();
    for (const [index, name] of this.#named.entries()) {
      const body = bodies[NAMED_SLOT + index];
      if (body !== undefined) named.set(name, body);
    }
    return { ...fields, named };
  }

  /** Returns the date of message `number` in seconds since 1970, or NaN if there is none. */
  #timeOf(number: number): number {
    return dateOf(this.#fieldsOf(this.#bodiesOf(number, ALL_BODIES)))?.seconds ?? Number.NaN;
  }

  /** Returns the Message-ID of message `number`, even if no record has the field. Returns undefined if the message has none. */
  messageIdOf(number: number): string | undefined {
    const [messageId] = this.#bodiesOf(number, ALL_BODIES);
    return messageId && messageIdOf(messageId);
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
    const { number, message, time, messageIdField } = this.#messageOf(segments[at + (mail.SEGMENT_MESSAGE >> 2)]);
    return {
      start: startOf(block, row),
      end: this.#endOf(index, row),
      number,
      isJson: where === mail.WHERE_JSON,
      isQuotable: where !== mail.WHERE_HEADER && where !== mail.WHERE_HTML && where !== mail.WHERE_JSON,
      where: this.#hasWhere ? WHERES[where] + nameAt(block, where, field) : "",
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

  /** Returns the fields of a message that `reads` selects, by slot. If several have one slot, the first counts. */
  #bodiesOf(number: number, reads: readonly boolean[]): FieldBodies {
    const bodies = this.#carried.number === number ? [...this.#carried.bodies] : NO_BODIES.slice();
    for (const block of this.#blocks) {
      const { fields, heap } = block;
      const last = fields[fields.length - FIELD_WORDS] ?? 0;
      if (last < number) continue;
      for (let at = firstField(block, number); at < fields.length && fields[at] === number; at += FIELD_WORDS) {
        const slot = slotOf(fields[at + (mail.FIELD_NAME >> 2)]);
        if (reads[slot] !== true) continue;
        const start = fields[at + (mail.FIELD_ADDRESS >> 2)] - layout.HEAP_REGION;
        bodies[slot] ??= heap.subarray(start, start + fields[at + (mail.FIELD_LENGTH >> 2)]);
      }
      if (last > number) break;
    }
    return bodies;
  }
}

const SEGMENT_WORDS = mail.SEGMENT_ROW_BYTES >> 2;
const FIELD_WORDS = mail.FIELD_ROW_BYTES >> 2;

function slotOf(field: number): number {
  return field < mail.FIELD_NAMED ? SLOTS[field] : field - mail.FIELD_NAMED + NAMED_SLOT;
}

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
