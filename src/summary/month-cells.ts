// Matches and messages by month.
import { type Cells, OTHER_MONTHS } from "./summary.ts";

/** Month of messages without a date: after all others. */
export const NO_MONTH = 0x7fffffff;
/** Month of all dates outside YEAR_FIRST to YEAR_LAST. */
const OTHER_MONTH = NO_MONTH - 1;
/** Month of matches whose month was forgotten. */
export const FORGOTTEN_MONTH = -1;
/** The first and the last year with months of their own. Earlier and later dates mostly come from wrong clocks. */
const [YEAR_FIRST, YEAR_LAST] = [1970, 2049];

/** An increment: matches of one month, in `messages` messages. */
export interface Addition {
  /** Months since the year 0, OTHER_MONTH, NO_MONTH or FORGOTTEN_MONTH. */
  month: number;
  matches: number;
  messages: number;
  /** Number of the message. If the last counted message of the month or value has it, no message is added. 0: all messages are new. */
  serial: number;
  /** Earliest time in seconds since 1970; NaN if there is none. */
  first: number;
  /** Latest time, likewise. */
  last: number;
}

/** Returns an addition of zero matches. */
export function noAddition(): Addition {
  return { month: NO_MONTH, matches: 0, messages: 0, serial: 0, first: Number.NaN, last: Number.NaN };
}

interface Cell {
  matches: number;
  messages: number;
  /** Number of the last counted message; 0: none has a number. */
  serial: number;
}

export class MonthCells {
  readonly #cells = new Map<number, Cell>();

  add({ month, matches, messages, serial }: Addition): void {
    this.addNumbers(month, matches, messages, serial);
  }

  addNumbers(month: number, matches: number, messages: number, serial = 0): void {
    const cell = this.#cells.get(month);
    if (cell === undefined) {
      this.#cells.set(month, { matches, messages, serial });
      return;
    }
    cell.matches += matches;
    if (serial !== 0 && cell.serial === serial) return;
    cell.messages += messages;
    if (serial !== 0) cell.serial = serial;
  }

  /** Adds all sums of `other`, which must have counted other messages. */
  addAll(other: MonthCells): void {
    for (const [month, matches, messages] of other) this.addNumbers(month, matches, messages);
  }

  /** Prevents a second count of the message `serial` in the months in which `other` has counted it. */
  continueMessage(other: MonthCells, serial: number): void {
    for (const [month, cell] of other.#cells) if (cell.serial === serial) this.addNumbers(month, 0, 0, serial);
  }

  /** Yields each month whose matches are not 0, with its matches and messages, in any order. */
  *[Symbol.iterator](): Generator<MonthCell> {
    for (const [month, { matches, messages }] of this.#cells) if (matches !== 0) yield [month, matches, messages];
  }
}

/** A month, its matches, and its messages. */
export type MonthCell = readonly [month: number, matches: number, messages: number];

export interface MonthOrder {
  readonly months: readonly number[];
  /** By month: its index in `months`. */
  readonly indexes: ReadonlyMap<number, number>;
}

/** Returns the sums of `cells` in the form of a summary, with months as indexes. */
export function cellsIn(cells: MonthCells, { indexes }: MonthOrder): Cells {
  return Array.from(cells, ([month, matches, messages]) => [indexes.get(month) as number, matches, messages])
    .sort(([one], [other]) => one - other)
    .flat();
}

const MONTHS_OF_YEAR = 12;
/** Number of different months, with OTHER_MONTH and NO_MONTH: the most cells of a value. */
export const MONTHS_MOST = (YEAR_LAST + 1 - YEAR_FIRST) * MONTHS_OF_YEAR + 2;

const DAY_SECONDS = 24 * 60 * 60;

/** Returns the number of days since 1970 for a time in seconds since 1970. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS);
}

/** Returns whether a month is a single one: neither OTHER_MONTH nor NO_MONTH. */
export function hasOwnMonth(month: number): boolean {
  return month < OTHER_MONTH;
}

/** Returns the month of a time in seconds since 1970: OTHER_MONTH before 1970 and after 2049, NO_MONTH for NaN. */
export function monthOf(seconds: number): number {
  if (Number.isNaN(seconds)) return NO_MONTH;
  const date = new Date(dayOf(seconds) * DAY_SECONDS * 1000);
  const year = date.getUTCFullYear();
  return year < YEAR_FIRST || year > YEAR_LAST ? OTHER_MONTH : year * MONTHS_OF_YEAR + date.getUTCMonth();
}

/** Returns a month as text, `1998-01`, `other` for OTHER_MONTH, or null for NO_MONTH. */
export function monthText(month: number): string | null {
  if (month === NO_MONTH) return null;
  if (month === OTHER_MONTH) return OTHER_MONTHS;
  const year = Math.floor(month / MONTHS_OF_YEAR);
  return `${year}-${String((month % MONTHS_OF_YEAR) + 1).padStart(2, "0")}`;
}
