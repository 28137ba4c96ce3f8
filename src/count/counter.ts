// Counts matches and messages by the values of fields. Counts of the parts of an input can be merged.
import * as code from "#core/layout/codes.js";
import type { Location, MatchBatch } from "../matches/batch.ts";
import { locationAt } from "../matches/field-values.ts";
import type { KeyField } from "../options/fields.ts";
import { ALL_ROWS, arranged, countedByFirst, MESSAGES, type RowOrder, withFirst, withMessages } from "./arranged.ts";
import { NO_MATCHES } from "./count-rows.ts";
import { addPacked, type Group, type GroupBatch, GroupTable, groupOf, packed } from "./group-table.ts";
import { KeyWriter } from "./key-writer.ts";
import { type SeriesByMonth, seriesByMonth } from "./month-series.ts";
import type { SpillSettings } from "./spill.ts";

/** Receives counts when they need more than `bytes`. */
export interface Overflow<Counts> {
  readonly bytes: number;
  readonly give: (counts: Counts) => void;
}

export interface CounterSettings {
  readonly by: readonly KeyField[];
  /** Whether to leave out each group that has an unquoted match. */
  readonly onlyQuoted?: boolean | undefined;
  /** The first fields of the key, by which distinct keys are counted at the end; undefined: matches are counted. */
  readonly shown?: readonly KeyField[] | undefined;
  /** Whether the other fields are those of the first message by date, and matches are counted. */
  readonly isOfFirst?: boolean;
  /** The first fields of the key, by which all messages are counted; undefined: only those with a match are counted. */
  readonly messagesBy?: readonly KeyField[] | undefined;
}

/** The count of a match whose group is left out. Every sum with it is below every minimum, so nothing else needs a special case. */
const LEAVES_OUT = Number.NEGATIVE_INFINITY;

export class Counter {
  readonly #settings: CounterSettings;
  readonly #spill: SpillSettings;
  readonly #overflow: Overflow<GroupBatch> | undefined;
  readonly #keys: KeyWriter;
  readonly #messageKeys: KeyWriter | undefined;
  #table: GroupTable;
  /** Scratch: the increment of one match. */
  readonly #more = { ...NO_MATCHES, count: 1 };
  #location: Location | undefined; // The location of the last match. Most matches have the location of the match before.
  #scan: number | undefined;
  #serial = 0; // Number of the last message
  #isFinal = false; // Whether nothing can be added any more, and rows have their numbers

  /** `overflow` takes the groups when there are many, so that none go to disk. */
  constructor(settings: CounterSettings, spill: SpillSettings, overflow?: Overflow<GroupBatch>) {
    const { by, shown, isOfFirst, messagesBy } = settings;
    this.#settings = settings;
    this.#spill = spill;
    this.#overflow = overflow;
    this.#keys = new KeyWriter(by, isOfFirst === true ? by.length : shown?.length);
    this.#messageKeys = messagesBy && new KeyWriter(messagesBy, messagesBy.length, Uint8Array.of(MESSAGES));
    this.#table = new GroupTable(spill);
    this.#setCount(undefined);
  }

  /** Counts the matches of a batch. The batches of a message must follow each other. Throws if the disk is full. */
  add(batch: MatchBatch): void {
    if (this.#more.serial === 0) this.#flush();
    const keys = this.#keys;
    const hasFlag = this.#settings.by.includes("flag");
    const scan = batch.locations?.scan;
    for (let index = 0; index < batch.count; index++) {
      const location = locationAt(batch, index);
      if (location !== this.#location || scan !== this.#scan) this.#begin(location, scan);
      if (hasFlag) this.#addFlags(batch, index);
      else {
        const length = keys.write(batch, index);
        this.#table.add(keys.view, 0, length, this.#more);
      }
    }
  }

  /** Counts messages, also those without a match. */
  addMessages(batch: MatchBatch): void {
    const keys = this.#messageKeys;
    if (keys === undefined) return;
    if (this.#more.serial === 0) this.#flush();
    for (let index = 0; index < batch.count; index++) {
      const length = keys.write(batch, index);
      this.#table.add(keys.view, 0, length, ONE_MESSAGE);
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
    const { by, shown = by, isOfFirst, messagesBy } = this.#settings;
    yield* this.#finish();
    const total = messagesBy === undefined ? order.total && "count" : "messages";
    for (const row of arranged(this.#table, this.#spill, order)) yield row && groupOf(row, isOfFirst === true ? by : shown, total);
  }

  /** Returns the series by month of a time line; `ofMessages`: messages with a match, and the others. Yields like `groups`. */
  *series(ofMessages = false): Generator<undefined, SeriesByMonth> {
    yield* this.#finish();
    const { by, shown = by } = this.#settings;
    return yield* seriesByMonth(this.#table, this.#spill, shown[1], ofMessages);
  }

  /** Counts distinct keys, or gives the rows the numbers of all messages, if these are wanted; only at the first call. */
  *#finish(): Generator<undefined> {
    if (this.#isFinal) return;
    this.#isFinal = true;
    const { by, shown, isOfFirst, messagesBy } = this.#settings;
    const collected = isOfFirst === true ? withFirst : countedByFirst;
    if (shown !== undefined) this.#table = yield* collected(this.#table, this.#spill, shown);
    if (messagesBy !== undefined) this.#table = yield* withMessages(this.#table, this.#spill, messagesBy.length === by.length);
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
    if (this.#settings.onlyQuoted !== true) return;
    const isQuoted = location !== undefined && location.quote > 0;
    this.#more.count = isQuoted ? 1 : LEAVES_OUT;
    this.#more.messages = !isQuoted ? LEAVES_OUT : location.number > 0 ? 1 : 0;
  }
}

const NO_FLAG = -1;
const ONE_MESSAGE = { ...NO_MATCHES, messages: 1 };
