// Counts matches and messages by the values of fields. Counts of the parts of an input can be merged.

import * as code from "#core/layout/codes.js";
import type { KeyField } from "../options/fields.ts";
import type { Location, MatchBatch } from "../scanner/batch.ts";
import { locationAt } from "../scanner/field-values.ts";
import { ALL_ROWS, arranged, countedByFirst, type RowOrder } from "./arranged.ts";
import { type GroupNumbers, GroupTable } from "./group-table.ts";
import { addPacked, type Group, type GroupBatch, groupOf, packed } from "./groups.ts";
import { KeyWriter } from "./key-writer.ts";
import { type SeriesByMonth, seriesByMonth } from "./month-series.ts";
import type { SpillSettings } from "./spill-settings.ts";

/** Receives the groups of a counter when they need more than `bytes`. */
interface Overflow {
  readonly bytes: number;
  readonly give: (groups: GroupBatch) => void;
}

/** What a counter counts. */
export interface CounterSettings {
  /** The fields of the key. */
  readonly by: readonly KeyField[];
  /** Whether to leave out each group that has an unquoted match. */
  readonly onlyQuoted?: boolean | undefined;
  /** The first fields of the key, by which distinct keys are counted at the end; undefined: matches are counted. */
  readonly shown?: readonly KeyField[] | undefined;
}

/**
 * The count of a match whose group is left out. Every sum with this count is below every minimum, so tables, files and threads need no
 * special case.
 */
const LEAVES_OUT = Number.NEGATIVE_INFINITY;

/** Counts matches, and the messages that hold them. */
export class Counter {
  readonly #by: readonly KeyField[];
  readonly #keys: KeyWriter;
  #table: GroupTable;
  readonly #shown: readonly KeyField[] | undefined;
  readonly #spill: SpillSettings;
  readonly #overflow: Overflow | undefined;
  readonly #hasFlag: boolean;
  readonly #onlyQuoted: boolean;
  /** Scratch: the increment of one match. */
  readonly #more: GroupNumbers = { count: 1, messages: 0, serial: 0, first: Number.NaN, last: Number.NaN };
  /** The location of the last match. Most matches have the location of the match before. */
  #location: Location | undefined;
  #scan: number | undefined;
  /** Number of the last message. */
  #serial = 0;
  /** Whether distinct keys have been counted. */
  #isDistinct = false;

  /** `overflow` takes the groups when there are many, so that none go to disk. */
  constructor({ by, onlyQuoted = false, shown }: CounterSettings, spill: SpillSettings, overflow?: Overflow) {
    this.#by = by;
    this.#shown = shown;
    this.#spill = spill;
    this.#overflow = overflow;
    this.#keys = new KeyWriter(by);
    this.#table = new GroupTable(spill);
    this.#hasFlag = by.includes("flag");
    this.#onlyQuoted = onlyQuoted;
    this.#setCount(undefined);
  }

  /** Counts the matches of a batch. The batches of a message must follow each other. Throws if the disk is full. */
  add(batch: MatchBatch): void {
    if (this.#more.serial === 0) this.#flush();
    const keys = this.#keys;
    const scan = batch.locations?.scan;
    for (let index = 0; index < batch.count; index++) {
      const location = locationAt(batch, index);
      if (location !== this.#location || scan !== this.#scan) this.#begin(location, scan);
      if (this.#hasFlag) this.#addFlags(batch, index);
      else {
        const length = keys.write(batch, index);
        this.#table.add(keys.view, 0, length, this.#more);
      }
    }
  }

  /** Adds the groups of another counter, which must have counted other messages. Throws if the disk is full. */
  merge(groups: GroupBatch): void {
    addPacked(this.#table, groups);
  }

  /** Returns the groups in memory, and removes them. */
  take(): GroupBatch {
    return packed(this.#table);
  }

  /** Yields the groups that an order selects. Yields undefined where the caller may pause, but not count. */
  *groups(order: RowOrder = ALL_ROWS): Generator<Group | undefined> {
    const by = this.#shown ?? this.#by;
    yield* this.#countDistinct();
    for (const row of arranged(this.#table, this.#spill, order)) yield row && groupOf(row, by, order.total !== undefined);
  }

  /** Returns the series of a time line. The first field must be the month. Yields where the caller may pause, but not count. */
  *series(): Generator<undefined, SeriesByMonth> {
    yield* this.#countDistinct();
    return yield* seriesByMonth(this.#table, this.#spill, (this.#shown ?? this.#by)[1]);
  }

  /** Replaces the counts of matches by counts of distinct keys, if these are wanted; only at the first call. */
  *#countDistinct(): Generator<undefined> {
    if (this.#shown === undefined || this.#isDistinct) return;
    this.#isDistinct = true;
    this.#table = yield* countedByFirst(this.#table, this.#spill, this.#shown);
  }

  /** Counts a match once for each of its flags, or once for no flag. */
  #addFlags(batch: MatchBatch, index: number): void {
    const keys = this.#keys;
    const flags = batch.rows[index * code.RECORD_WORDS + code.RECORD_FLAGS];
    for (let flag = flags === 0 ? NO_FLAG : 0; flag < 0 || flags >> flag !== 0; flag++) {
      if (flag >= 0 && ((flags >> flag) & 1) === 0) continue;
      keys.flag = flag;
      const length = keys.write(batch, index);
      this.#table.add(keys.view, 0, length, this.#more);
    }
  }

  /** Flushes the groups if they are large. Only between two messages, because the groups of a message are counted together. */
  #flush(): void {
    if (this.#overflow === undefined || this.#table.size <= this.#overflow.bytes) return;
    this.#overflow.give(packed(this.#table));
  }

  /** Prepares the increment for the matches of a location. */
  #begin(location: Location | undefined, scan: number | undefined): void {
    const more = this.#more;
    if (location?.number !== this.#location?.number || scan !== this.#scan) {
      this.#flush();
      const hasMessage = location !== undefined && location.number > 0;
      if (hasMessage) this.#serial++;
      more.serial = hasMessage ? this.#serial : 0;
      more.messages = hasMessage ? 1 : 0;
    }
    this.#setCount(location);
    more.first = location?.time ?? Number.NaN;
    more.last = more.first;
    this.#location = location;
    this.#scan = scan;
  }

  /** If only groups of quoted matches count, sets the increment for a match at a location. */
  #setCount(location: Location | undefined): void {
    if (!this.#onlyQuoted) return;
    const isQuoted = location !== undefined && location.quote > 0;
    this.#more.count = isQuoted ? 1 : LEAVES_OUT;
    this.#more.messages = !isQuoted ? LEAVES_OUT : location.number > 0 ? 1 : 0;
  }
}

const NO_FLAG = -1;
