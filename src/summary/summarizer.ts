// Summarizes matches: counts them by month and by the values of fields. Summaries of the parts of an input can be merged.
import * as code from "#core/layout/codes.js";
import { FLAGS, REASON_NAMES } from "../core/names.ts";
import type { Overflow } from "../count/counter.ts";
import { murmur3 } from "../count/key-table.ts";
import type { Location, MatchBatch, RejectedBatch } from "../matches/batch.ts";
import { locationAt, rawAt, urlAt } from "../matches/field-values.ts";
import { COMBINATION_COARSENING } from "./combinations.ts";
import { Examples, exampleOfMatch, exampleOfRejected, SignedMessages } from "./examples.ts";
import { COUNTED, type CountedName, LINKS, MatchValues, type Tables } from "./match-values.ts";
import { type Addition, dayOf, hasOwnMonth, monthOf, noAddition } from "./month-cells.ts";
import type { Example, MessageExample } from "./summary.ts";
import { type PackedTable, ValueTable } from "./value-table.ts";

/** Counts of a summarizer, in the form in which they go from thread to thread. */
export interface SummaryPart {
  readonly kind: "summary";
  readonly tables: Readonly<Record<CountedName, PackedTable>>;
  readonly days: ReadonlyMap<number, number>;
  readonly flags: readonly (readonly [flag: string, example: Example])[];
  readonly rejected: readonly (readonly [reason: string, example: Example])[];
  readonly messages: readonly MessageExample[];
}

const MEMORY_BYTES = 256 << 20; // Default memory of all tables in bytes
/** Shares of the tables in this memory, in 40ths: URLs are many and long. */
const SHARES: Readonly<Record<CountedName, number>> = {
  scheme: 1,
  kind: 1,
  where: 1,
  flag: 1,
  host: 4,
  domain: 3,
  url: 14,
  from_address: 3,
  list_id: 1,
  source: 2,
  redirect: 1,
  combination: 8,
};
const SHARES_ALL = 40;
/** Least memory of a table, even if `--memory` asks for less: a value of all months has room in it after forgetting. */
const TABLE_BYTES_LEAST = 1 << 18;
const NO_NAME = "-"; // Name of a source without a name

type DoAtOnce = (step: () => void) => void;

function eachTable<T>(of: (name: CountedName) => T): Record<CountedName, T> {
  return Object.fromEntries(COUNTED.map((name) => [name, of(name)])) as Record<CountedName, T>;
}

export interface Counted {
  readonly tables: Tables;
  /** Matches by day since 1970, of the days that have a month of their own. */
  readonly days: Map<number, number>;
  readonly flags: Examples;
  readonly rejected: Examples;
  readonly messages: SignedMessages;
}

function newCounted(memory: number, messages: SignedMessages, atOnce?: DoAtOnce): Counted {
  const seed = Math.floor(Math.random() * 2 ** 32) | 0;
  const tables = eachTable((name) => {
    const share = Math.max((memory / SHARES_ALL) * SHARES[name], TABLE_BYTES_LEAST);
    const coarsening = name === "combination" && { coarsening: COMBINATION_COARSENING };
    return new ValueTable({ hash: murmur3, seed, atOnce, memory: share, links: LINKS[name] ?? 0, ...coarsening });
  });
  return { tables, days: new Map(), flags: new Examples(), rejected: new Examples(), messages };
}

export class Summarizer {
  readonly #memory: number;
  readonly #overflow: Overflow<SummaryPart> | undefined;
  readonly #values = new MatchValues();
  #counted: Counted;
  /** Scratch: the increment of one match. */
  readonly #more: Addition = { ...noAddition(), count: 1 };
  #matches = 0; // Matches of the current message whose common values have not been counted yet
  #ofMessage = 0; // Matches of the current message
  #location: Location | undefined;
  #source: string | undefined;
  #scan: number | undefined;
  #serial = 0;

  /** `overflow` takes the counts when there are many, so that none are forgotten. `atOnce` carries out the steps that forget values. */
  constructor(memory = MEMORY_BYTES, overflow?: Overflow<SummaryPart>, atOnce?: DoAtOnce) {
    this.#memory = memory;
    this.#overflow = overflow;
    this.#counted = newCounted(memory, new SignedMessages(), atOnce);
  }

  /** Counts the matches of a batch. The batches of a message must follow each other. */
  add(batch: MatchBatch): void {
    let isFlushed = this.#more.serial === 0;
    if (isFlushed) this.#flush();
    const scan = batch.locations?.scan;
    for (let index = 0; index < batch.count; ) {
      const location = locationAt(batch, index);
      if (location?.number !== this.#location?.number || scan !== this.#scan || batch.source !== this.#source) {
        this.#endMessage();
        this.#endSigns();
        if (!isFlushed) this.#flush();
        isFlushed = true;
        this.#begin(location, scan, batch.source);
      }
      const end = locationEnd(batch, index);
      this.#matches += end - index;
      this.#ofMessage += end - index;
      this.#values.add(batch, index, end, this.#counted.tables, this.#more);
      for (; index < end; index++) {
        const flags = batch.rows[index * code.RECORD_WORDS + code.RECORD_FLAGS];
        if (flags !== 0) this.#addExamples(batch, index, flags);
      }
    }
  }

  addRejected(batch: RejectedBatch): void {
    const { rows, base, source = NO_NAME } = batch;
    const { rejected } = this.#counted;
    for (let index = 0; index < batch.count; index++) {
      const row = index * code.REJECTED_WORDS;
      const reason = REASON_NAMES[rows[row + code.REJECTED_REASON]] as string;
      const start = base + rows[row + code.REJECTED_START];
      const text = batch.texts?.[index];
      if (rejected.mayAdd(reason, source, start, () => text ?? `${start}`)) {
        rejected.add(reason, exampleOfRejected(text, source, start));
      }
    }
  }

  /** Adds the counts of another summarizer, which must have counted other messages. */
  merge(part: SummaryPart): void {
    const { tables, flags, rejected, messages } = this.#counted;
    for (const name of COUNTED) tables[name].merge(part.tables[name]);
    for (const [day, matches] of part.days) this.#addDay(day, matches);
    for (const [flag, example] of part.flags) flags.add(flag, example);
    for (const [reason, example] of part.rejected) rejected.add(reason, example);
    for (const message of part.messages) messages.add(message);
  }

  /** Returns the counts, and resets them. Call it between two messages. */
  take(): SummaryPart {
    this.#endSigns();
    return this.#take();
  }

  #take(): SummaryPart {
    this.#endMessage();
    const { tables, days, flags, rejected, messages } = this.#counted;
    const packed = eachTable((name) => tables[name].pack());
    this.#counted = newCounted(this.#memory, messages);
    const lists = { flags: [...flags], rejected: [...rejected], messages: messages.take() };
    return { kind: "summary", tables: packed, days, ...lists };
  }

  /** Returns counts like `take`, but inside a message: later matches of the message do not count it again. */
  takeEarly(): SummaryPart {
    const [{ tables }, { serial }] = [this.#counted, this.#more];
    const part = this.#take();
    if (serial === 0) return part;
    for (const name of COUNTED) this.#counted.tables[name].continueMessage(tables[name], serial);
    return part;
  }

  /** Returns the counts for a summary; the tables are valid until more is added. */
  counted(): Counted {
    this.#endMessage();
    this.#endSigns();
    return this.#counted;
  }

  #addExamples(batch: MatchBatch, index: number, flags: number): void {
    const { source = NO_NAME } = batch;
    const start = batch.base + batch.rows[index * code.RECORD_WORDS + code.RECORD_START];
    const { flags: examples, messages } = this.#counted;
    messages.addFlagged(batch, index, flags);
    for (let flag = 0; flags >> flag !== 0; flag++) {
      if (((flags >> flag) & 1) === 0) continue;
      const name = FLAGS[flag] as string;
      if (examples.mayAdd(name, source, start, () => urlAt(batch, index) ?? rawAt(batch, index))) {
        examples.add(name, exampleOfMatch(batch, index, source, start));
      }
    }
  }

  /** Flushes the tables if they are large. Only between two messages, because the matches of a message are counted together. */
  #flush(): void {
    if (this.#overflow === undefined) return;
    const bytes = COUNTED.reduce((sum, name) => sum + this.#counted.tables[name].size, 0);
    if (bytes > this.#overflow.bytes) this.#overflow.give(this.take());
  }

  #begin(location: Location | undefined, scan: number | undefined, source: string | undefined): void {
    this.#location = location;
    this.#scan = scan;
    this.#source = source;
    const more = this.#more;
    const hasMessage = location !== undefined && location.number > 0;
    const time = location?.time ?? Number.NaN;
    if (hasMessage) this.#serial++;
    more.serial = hasMessage ? this.#serial : 0;
    more.messages = hasMessage ? 1 : 0;
    more.month = monthOf(time);
    more.first = time;
    more.last = time;
  }

  /** Counts the common values of the matches of the current message. */
  #endMessage(): void {
    if (this.#matches === 0) return;
    const sums = this.#more;
    const { tables } = this.#counted;
    this.#values.endRun(tables, sums);
    sums.count = this.#matches;
    const message = this.#location?.message;
    if (hasOwnMonth(sums.month)) this.#addDay(dayOf(sums.first), sums.count);
    tables.from_address.addText(message?.fromAddress, sums);
    tables.list_id.addText(message?.listId, sums);
    tables.source.addText(this.#source ?? NO_NAME, sums);
    sums.count = 1;
    this.#matches = 0;
  }

  #endSigns(): void {
    this.#counted.messages.end(this.#location, this.#source ?? NO_NAME, this.#ofMessage);
    this.#ofMessage = 0;
  }

  #addDay(day: number, matches: number): void {
    const { days } = this.#counted;
    days.set(day, (days.get(day) ?? 0) + matches);
  }
}

/** Returns the first row after row `index` that has another location. */
function locationEnd({ locations, count }: MatchBatch, index: number): number {
  if (locations === undefined) return count;
  const { of } = locations;
  const location = of[index];
  let next = index + 1;
  while (next < count && of[next] === location) next++;
  return next;
}
