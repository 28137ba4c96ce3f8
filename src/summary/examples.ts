// Examples: the first of each name, and the messages with the most signs of danger. They do not depend on how a run is divided.
import * as code from "#core/layout/codes.js";
import { insertSorted } from "../base/arrays.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import { flagsOf, type Location, type MatchBatch } from "../matches/batch.ts";
import { hostAt, locationAt, rawAt, urlAt } from "../matches/field-values.ts";
import { SHOWN_BYTES_MAX } from "../scan/rejections.ts";
import { hideUserinfo } from "../url/userinfo.ts";
import { hiddenOrNull, shownText } from "./hidden.ts";
import { dateOf } from "./month-cells.ts";
import type { Example, MessageExample } from "./summary.ts";

/** Most examples of one flag or reason. */
export const EXAMPLES_MOST = 10;

/** Examples by name. Those with the same URL, or without a URL with the same raw form, count as one. */
export class Examples {
  readonly #lists = new Map<string, Example[]>();

  /** Returns whether the text at offset `start` of `source` may be one of the first examples. Then `add` decides. */
  mayAdd(name: string, source: string, start: number, textOf: () => string): boolean {
    const list = this.of(name);
    const isAfter = (other: Example): boolean => (other.source === source ? start > other.start : source > other.source);
    if (list.length === EXAMPLES_MOST && isAfter(list[EXAMPLES_MOST - 1])) return false;
    const text = textOf();
    return !list.some((other) => (other.url ?? other.raw) === text && isAfter(other));
  }

  /** Adds an example, if it is one of the first. */
  add(name: string, example: Example): void {
    const list = this.#lists.get(name) ?? [];
    this.#lists.set(name, list);
    const same = list.findIndex((other) => identityOf(other) === identityOf(example));
    if (same >= 0) {
      if (!isBefore(example, list[same])) return;
      list.splice(same, 1);
    }
    insertSorted(list, example, EXAMPLES_MOST, isBefore);
  }

  /** Returns the examples of a name, the first one first. */
  of(name: string): Example[] {
    return this.#lists.get(name) ?? [];
  }

  *[Symbol.iterator](): Generator<readonly [name: string, example: Example]> {
    for (const [name, list] of this.#lists) for (const example of list) yield [name, example];
  }
}

function isBefore(one: Example, other: Example): boolean {
  if (one.source !== other.source) return one.source < other.source;
  return one.start === other.start ? identityOf(one) < identityOf(other) : one.start < other.start;
}

function identityOf({ url, raw, source, start }: Example): string {
  return url ?? raw ?? `${start} ${source}`;
}

// Matches and rejected candidates as examples, with userinfo hidden.

export function exampleOfMatch(batch: MatchBatch, index: number, source: string, start: number): Example {
  const location = locationAt(batch, index);
  const [url = null, raw, text = null] = [urlAt(batch, index), rawAt(batch, index), batch.texts?.get(index)];
  const shown = batch.hidesRaw === true ? hideUserinfo : shownText;
  return {
    url: url && shown(url),
    raw: shown(raw),
    text: text && shown(text),
    source,
    start,
    message_id: hiddenOrNull(location?.messageIdField && messageIdOf(location.messageIdField)),
    date: location === undefined ? null : dateOf(location.time),
  };
}

/** Returns a rejected candidate as an example; `text`: the start of its text, undefined if it is hidden. */
export function exampleOfRejected(text: string | undefined, source: string, start: number): Example {
  // If the text may be cut, an `@` is added, so that a userinfo at its end is recognized. A character has at most 3 bytes.
  const isWhole = text === undefined || 3 * text.length < SHOWN_BYTES_MAX;
  const raw = isWhole ? hiddenOrNull(text) : hideUserinfo(`${text}@`).slice(0, -1);
  return { url: null, raw, text: null, source, start, message_id: null, date: null };
}

// Messages with signs of danger.

const MESSAGES_MOST = 100;
const HOSTS_MOST = 5; // Most URLs with a sign whose hosts are named
const SUBJECT_LENGTH = 200;

/** Flags that are signs of danger, as bits. */
const SIGNS =
  code.FLAG_OTHER_HOST |
  code.FLAG_OBFUSCATED |
  code.FLAG_HIDDEN |
  code.FLAG_ENCODED_CONTROL |
  code.FLAG_PASSWORD |
  code.FLAG_USERINFO |
  code.FLAG_RESERVED_PORT;

/** Collects messages, and keeps those with the most different signs, then with the most URLs that have one. */
export class SignedMessages {
  #list: MessageExample[] = []; // The kept messages, the first one first. Of messages with the same sender and subject one is kept.
  // The current message.
  #flags = 0;
  #signed = 0;
  #start = 0;
  readonly #hosts = new Set<string>();

  /** Adds a match with flags, which is in row `index` of a batch, to the current message. */
  addFlagged(batch: MatchBatch, index: number, flags: number): void {
    if ((flags & SIGNS) === 0) return;
    if (this.#signed === 0) this.#start = batch.base + batch.rows[index * code.RECORD_WORDS + code.RECORD_START];
    this.#flags |= flags & SIGNS;
    this.#signed++;
    const host = this.#signed <= HOSTS_MOST ? hostAt(batch, index) : undefined;
    if (host !== undefined) this.#hosts.add(host);
  }

  /** Ends the current message, which has this number of matches. Matches without a message are none. */
  end(location: Location | undefined, source: string, matches: number): void {
    if (this.#signed === 0) return;
    if (location !== undefined && location.number > 0) {
      const { message, messageIdField, time } = location;
      this.add({
        source,
        start: this.#start,
        message_id: hiddenOrNull(messageIdField && messageIdOf(messageIdField)),
        date: dateOf(time),
        from_address: hiddenOrNull(message.fromAddress),
        subject: hiddenOrNull(message.subject)?.slice(0, SUBJECT_LENGTH) ?? null,
        matches,
        signed: this.#signed,
        flags: [...flagsOf(this.#flags)],
        hosts: [...this.#hosts],
      });
    }
    this.#flags = 0;
    this.#signed = 0;
    this.#hosts.clear();
  }

  /** Adds a message, if it is one of the first. */
  add(message: MessageExample): void {
    const list = this.#list;
    if (list.length === MESSAGES_MOST && !isMoreSigned(message, list[MESSAGES_MOST - 1])) return;
    const { subject, from_address } = message;
    const isNamed = subject !== null || from_address !== null;
    const same = isNamed ? list.findIndex((other) => other.subject === subject && other.from_address === from_address) : -1;
    if (same >= 0 && !isMoreSigned(message, list[same])) return;
    if (same >= 0) list.splice(same, 1);
    insertSorted(list, message, MESSAGES_MOST, isMoreSigned);
  }

  take(): MessageExample[] {
    const list = this.#list;
    this.#list = [];
    return list;
  }

  get list(): readonly MessageExample[] {
    return this.#list;
  }
}

/** Signs that are often innocent: users of FTP, web servers on a port of their own. They count half. */
const HALVES: readonly string[] = ["userinfo", "reserved-port"];

/** Returns twice the number of different signs. That `name@host` is in disguise, and has a userinfo, is one. */
function signsOf({ flags }: MessageExample): number {
  const isOne = flags.includes("userinfo") && flags.includes("obfuscated");
  return 2 * flags.length - flags.filter((flag) => HALVES.includes(flag)).length - (isOne ? 1 : 0);
}

function isMoreSigned(one: MessageExample, other: MessageExample): boolean {
  if (signsOf(one) !== signsOf(other)) return signsOf(one) > signsOf(other);
  if (one.signed !== other.signed) return one.signed > other.signed;
  return one.source === other.source ? one.start < other.start : one.source < other.source;
}
