// Counts matches and messages by the values of fields. Counters of parts of an input merge to that of the whole.

import * as code from "#core/layout/codes.js";
import type { KeyField } from "../fields.ts";
import type { Location, MatchBatch } from "../scanner/batch.ts";
import { locationAt } from "../scanner/field-values.ts";
import { COLUMNS, type GroupNumbers, GroupTable } from "./group-table.ts";
import { addPacked, type Group, type GroupBatch, groupOf, packed } from "./groups.ts";
import { KeyWriter } from "./key-writer.ts";
import { placeEnd } from "./place-end.ts";
import type { SpillSettings } from "./spill-settings.ts";
import { TextGroups } from "./text-groups.ts";

/** Where the groups of a counter go when they take more than `bytes`. */
export interface Overflow {
  readonly bytes: number;
  readonly give: (groups: GroupBatch) => void;
}

/** Counts the matches of whole messages. */
export class Counter {
  readonly #by: readonly KeyField[];
  readonly #keys: KeyWriter;
  readonly #table: GroupTable;
  /** Groups on their way to the table; undefined: keys are no texts. */
  readonly #texts: TextGroups | undefined;
  /** Whether the table has groups of the message that is counted: those that come now must not wait for other messages. */
  #isSplit = false;
  readonly #overflow: Overflow | undefined;
  readonly #hasFlag: boolean;
  /** What the next match adds to its group. */
  readonly #more: GroupNumbers = { count: 1, messages: 0, serial: 0, first: Number.NaN, last: Number.NaN };
  /** The place of the last match: matches of a text follow each other. */
  #location: Location | undefined;
  #scan: number | undefined;
  #serial = 0;

  /** `overflow`: what takes the groups when there are many, so that none go to disk. */
  constructor(by: readonly KeyField[], spill: SpillSettings, overflow?: Overflow) {
    this.#by = by;
    this.#overflow = overflow;
    this.#keys = new KeyWriter(by);
    this.#table = new GroupTable(spill);
    this.#texts = TextGroups.by(by, spill.seed);
    this.#hasFlag = by.includes("flag");
  }

  /** Counts the matches of a batch. Batches of a message follow each other. Throws if the disk is full. */
  add(batch: MatchBatch): void {
    if (this.#more.serial === 0) this.#relieve();
    const texts = this.#texts;
    if (texts === undefined) this.#addKeys(batch);
    else if (texts.put(batch)) this.#addTexts(batch, texts);
    else {
      this.#giveTexts();
      this.#addKeys(batch);
      this.#isSplit = this.#more.serial !== 0;
    }
  }

  /** Adds the groups of another counter, whose messages are others. Throws if the disk is full. */
  merge(groups: GroupBatch): void {
    addPacked(this.#table, groups);
  }

  /** Returns the groups, and begins anew. */
  take(): GroupBatch {
    this.#end();
    return packed(this.#table);
  }

  /**
   * Yields the first `most` groups, those with the most matches first, or with the most messages; then by their values. Yields undefined
   * where the caller may pause. Nothing can be counted then.
   */
  *groups(most = Number.POSITIVE_INFINITY, isByMessages = false): Generator<Group | undefined> {
    this.#end();
    const numbers = isByMessages ? [COLUMNS.messages, COLUMNS.count] : [COLUMNS.count];
    for (const row of this.#table.sorted({ numbers, most })) yield row && groupOf(row, this.#by);
  }

  #addKeys(batch: MatchBatch): void {
    const keys = this.#keys;
    for (let index = 0; index < batch.count; index++) {
      this.#reach(batch, index);
      if (this.#hasFlag) this.#addFlags(batch, index);
      else {
        const length = keys.write(batch, index);
        this.#table.add(keys.view, 0, length, this.#more);
      }
    }
  }

  #addTexts(batch: MatchBatch, texts: TextGroups): void {
    for (let index = 0; index < batch.count; ) {
      // Another message may have all groups given away.
      this.#reach(batch, index);
      const end = texts.reach(batch, index);
      const next = Math.min(placeEnd(batch, index), end);
      texts.add(index, next, this.#more);
      if (next === index) this.#giveTexts();
      index = next;
    }
  }

  /** Has all groups in the table. */
  #end(): void {
    this.#giveTexts();
    this.#texts?.close();
  }

  /** Puts the groups of texts into the table. */
  #giveTexts(): void {
    const keys = this.#keys;
    this.#texts?.giveTo((view, start, end, numbers) => {
      const length = keys.writeText(view, start, end - start);
      this.#table.add(keys.view, 0, length, numbers);
    });
    this.#isSplit = this.#more.serial !== 0;
  }

  /** Goes to the place of a match. */
  #reach(batch: MatchBatch, index: number): void {
    const location = locationAt(batch, index);
    if (location !== this.#location || batch.locations?.scan !== this.#scan) this.#begin(location, batch.locations?.scan);
  }

  /** Each flag of a match counts. */
  #addFlags(batch: MatchBatch, index: number): void {
    const keys = this.#keys;
    const flags = batch.rows[index * code.RECORD_WORDS + code.RECORD_FLAGS] as number;
    for (let flag = flags === 0 ? NO_FLAG : 0; flag < 0 || flags >> flag !== 0; flag++) {
      if (flag >= 0 && ((flags >> flag) & 1) === 0) continue;
      keys.flag = flag;
      const length = keys.write(batch, index);
      this.#table.add(keys.view, 0, length, this.#more);
    }
  }

  /** Gives many groups away, between two messages: the groups of a message are counted together. */
  #relieve(): void {
    if (this.#overflow === undefined || this.#table.size <= this.#overflow.bytes) return;
    this.#giveTexts();
    this.#overflow.give(packed(this.#table));
  }

  #begin(location: Location | undefined, scan: number | undefined): void {
    const more = this.#more;
    if (location?.number !== this.#location?.number || scan !== this.#scan) {
      if (this.#isSplit) this.#giveTexts();
      this.#relieve();
      this.#isSplit = false;
      const hasMessage = location !== undefined && location.number > 0;
      if (hasMessage) this.#serial++;
      more.serial = hasMessage ? this.#serial : 0;
      more.messages = hasMessage ? 1 : 0;
    }
    more.first = location?.time ?? Number.NaN;
    more.last = more.first;
    this.#location = location;
    this.#scan = scan;
  }
}

const NO_FLAG = -1;
