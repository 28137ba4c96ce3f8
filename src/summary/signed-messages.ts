// The messages with the most signs of danger. They do not depend on how a run is divided.
import * as code from "#core/layout/codes.js";
import { insertSorted } from "../base/arrays.ts";
import { messageIdOf } from "../mail/identifiers.ts";
import { flagsOf, type Location, type MatchBatch } from "../matches/batch.ts";
import { hostAt } from "../matches/field-values.ts";
import { hiddenOrNull } from "./hidden.ts";
import { dateOf } from "./shown-table.ts";
import type { MessageExample } from "./summary.ts";

const MESSAGES_MOST = 100;
/** Most URLs with a sign whose hosts are named. */
const HOSTS_MOST = 5;
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
  /** The kept messages, the first one first. Of messages with the same sender and subject one is kept. */
  #list: MessageExample[] = [];
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
    if (list.length === MESSAGES_MOST && !isBefore(message, list[MESSAGES_MOST - 1])) return;
    const { subject, from_address } = message;
    const isNamed = subject !== null || from_address !== null;
    const same = isNamed ? list.findIndex((other) => other.subject === subject && other.from_address === from_address) : -1;
    if (same >= 0 && !isBefore(message, list[same])) return;
    if (same >= 0) list.splice(same, 1);
    insertSorted(list, message, MESSAGES_MOST, isBefore);
  }

  /** Returns the kept messages, and forgets them. */
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

function isBefore(one: MessageExample, other: MessageExample): boolean {
  if (signsOf(one) !== signsOf(other)) return signsOf(one) > signsOf(other);
  if (one.signed !== other.signed) return one.signed > other.signed;
  return one.source === other.source ? one.start < other.start : one.source < other.source;
}
