// Combinations: how often the values of fields occur together. A report that is narrowed to a sender counts its hosts with them.
//
// A key has the values of FIELDS of a match. Its cells count the matches of each month (ValueTable). If the table is full, the rarest
// combinations lose values, URLs first, until enough have become equal and add up (`coarsened`). Three combinations, and room for two:
//
//   url       source   sender   list   host    month     matches
//   a.org/1   x.mbox   m@b      -      a.org   2004-01   2           stays: it is the most frequent
//   a.org/2   x.mbox   m@b      -      a.org   2004-01   1
//   a.org/3   y.mbox   m@b      -      a.org   2004-02   1
//   level 1, without the URL: still three
//   ?         x.mbox   m@b      -      a.org   2004-01   1
//   ?         y.mbox   m@b      -      a.org   2004-02   1
//   level 2, also without the source and the month: one more round, and two are left
//   ?         ?        m@b      -      a.org   ?         2
//
// In the plain algorithm a full table forgets its rarest values, as the other tables of a summary do (`#forget`). Departures from it,
// each with the failure that it prevents:
//
// 1. A combination loses values before it is forgotten. Many rare ones together may be most of the matches: a narrowed report would lack
//    them in each number. If a narrowed field is lost, the report shows the matches as undecided (page/view/narrow.ts).
// 2. All combinations lose the first FORGETTABLE fields in one order. If each lost its own rarest value, few would become equal.
// 3. The month is lost with the source, even if the source has no name. An archive often has a file for each month: without the source
//    alone, few would become equal.
// 4. A round goes to the first level that leaves few keys, which `#levelFor` finds by hashes. A round for each level would copy all keys
//    each time.
// 5. Unchanged combinations take at most KEPT_SHARE of the wanted cells, so that the others have room. A full table goes down to a quarter
//    of its cells (`#coarsen`). Otherwise few matches would fill it again, and all keys would be copied for them.
// 6. Among equally rare ones the bytes of the keys decide. By the order of arrival, the number of threads would change a report.
// 7. A repeated combination is found by the address of its URL, its location and its kind (KNOWN). Otherwise its long key would be written
//    and hashed for each match. Coarsening moves all rows, so addresses are valid in one epoch only.
// 8. The domain is not in the key. `valuesOf` derives it from the host: it costs no bytes, and is lost with the host.
import * as code from "#core/layout/codes.js";
import { FLAGS } from "../core/names.ts";
import { registrableDomain } from "../core/public-suffix.ts";
import { END, encodedValue, textOfValue, VALUE } from "../count/key-fields.ts";
import { KeyTable, murmur3, NO_ROOM } from "../count/key-table.ts";
import { KeyWriter } from "../count/key-writer.ts";
import { flagsOf, type MatchBatch } from "../matches/batch.ts";
import { kindKey } from "../matches/field-values.ts";
import { shownText } from "./hidden.ts";
import type { Addition, MonthOrder } from "./month-cells.ts";
import { type Combinations, FORGOTTEN, JOINT, NO_VALUE, TABLES, type TableName } from "./summary.ts";
import { type Coarsening, REST, type ValueTable } from "./value-table.ts";

const FORGOTTEN_BYTE = 2;
/** The fields of a key that a KeyWriter writes, in their order. */
const WRITTEN = ["url", "source", "from_address", "list_id", "host", "scheme", "kind", "where"] as const;
const FIELDS = [...WRITTEN, "redirect", "flag"] as const;
const FORGETTABLE = 5;
const SOURCE = 1;
const NAMESPACE = FLAGS[Math.log2(code.FLAG_NAMESPACE)] as string;
const AT_ONCE = 1 << 11; // Keys whose combinations are made between two pauses

const NOTHING = Uint8Array.of(END);
const LOCATIONS_BYTES = 1 << 20;
const KNOWN_BITS = 16; // Logarithm of the number of remembered combinations
/** Words of a remembered combination: the addresses of its URL and of itself, the number of its location, and its `kindKey`. */
const KNOWN = { url: 0, address: 1, location: 2, kind: 3 } as const;
const KNOWN_WORDS = 4;
const SPREAD = 0x9e3779b1; // Fibonacci hashing: spreads numbers over 32 bits

export class CombinationKeys {
  readonly #keys = new KeyWriter(WRITTEN);
  readonly #flags = new Map<number, Uint8Array>(); // Encoded names of flags, by their bits
  readonly #locationKeys = new KeyWriter(["source", "from_address", "list_id", "where"]);
  readonly #locations = new KeyTable(0, LOCATIONS_BYTES, murmur3, 0);
  #location = 0; // Number of the present location; 0: it is not remembered
  readonly #known = new Int32Array(KNOWN_WORDS << KNOWN_BITS);
  #table: ValueTable | undefined; // The table of the remembered combinations
  #epoch = 0; // Sum of the epochs in which they are valid

  /** Sets the location of the next matches: that of the match in row `index`. */
  setLocation(batch: MatchBatch, index: number): void {
    if (this.#locations.isFull) {
      this.#locations.clear();
      this.#known.fill(0);
    }
    const length = this.#locationKeys.write(batch, index);
    this.#location = this.#locations.reach(this.#locationKeys.view, 0, length) - NO_ROOM;
  }

  /** Adds the match in row `index`. `url`: the address of its URL, or REST; `hops`: its steps from redirectors. */
  add(
    tables: { readonly url: ValueTable; readonly combination: ValueTable },
    batch: MatchBatch,
    index: number,
    url: number,
    hops: readonly string[],
    more: Addition,
  ): void {
    const { combination } = tables;
    const known = this.#known;
    const epoch = tables.url.epoch + combination.epoch;
    if (combination !== this.#table || epoch !== this.#epoch) known.fill(0);
    this.#table = combination;
    this.#epoch = epoch;
    const location = url === REST || hops.length > 0 ? 0 : this.#location;
    const kind = kindKey(batch, index);
    const at = KNOWN_WORDS * (Math.imul(url ^ Math.imul(location, SPREAD), SPREAD) >>> (32 - KNOWN_BITS));
    if (location !== 0 && known[at + KNOWN.url] === url && known[at + KNOWN.location] === location && known[at + KNOWN.kind] === kind) {
      combination.addAt(known[at + KNOWN.address], more);
      return;
    }
    const length = this.#write(batch, index, hops);
    known[at + KNOWN.address] = combination.add(this.#keys.view, 0, length, more);
    known[at + KNOWN.url] = url;
    known[at + KNOWN.location] = location;
    known[at + KNOWN.kind] = kind;
  }

  #write(batch: MatchBatch, index: number, hops: readonly string[]): number {
    const keys = this.#keys;
    const flags = batch.rows[index * code.RECORD_WORDS + code.RECORD_FLAGS];
    keys.write(batch, index);
    keys.addValue(hops.length === 0 ? NOTHING : encodedValue("url", hops.join(JOINT)));
    let names = this.#flags.get(flags);
    if (names === undefined) {
      names = flags === 0 ? NOTHING : encodedValue("url", flagsOf(flags).join(JOINT));
      this.#flags.set(flags, names);
    }
    return keys.addValue(names);
  }
}

export const COMBINATION_COARSENING: Coarsening = {
  levels: FORGETTABLE,
  coarser(bytes, start, end, level) {
    const head: number[] = [];
    let at = start;
    let isCoarser = false;
    for (let field = 0; field < FORGETTABLE && (field < level || !isCoarser); field++) {
      const first = bytes[at];
      at = endOfValue(bytes, at);
      const isLost = first === VALUE || (field === SOURCE && first === END);
      head.push(isLost ? FORGOTTEN_BYTE : first);
      isCoarser ||= isLost;
    }
    if (!isCoarser) return undefined;
    const coarser = new Uint8Array(head.length + end - at);
    coarser.set(head);
    coarser.set(bytes.subarray(at, end), head.length);
    return { bytes: coarser, isTimeless: head.length > SOURCE };
  },
  restOf(bytes, start, level) {
    let at = start;
    for (let field = 0; field < level; field++) at = endOfValue(bytes, at);
    return at;
  },
};

function endOfValue(bytes: Uint8Array, start: number): number {
  return bytes[start] === VALUE ? bytes.indexOf(END, start) + 1 : start + 1;
}

/** The values of one table, numbered in the order in which they come. */
class Numbers {
  readonly #numbers = new Map<string, number>();
  readonly values: string[] = [];

  of(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** Returns the numbers of the values of a key and of the domain of its host, or NO_VALUE or FORGOTTEN. `domains`: by numbers of hosts. */
function valuesOf(key: Uint8Array, numbers: Record<TableName, Numbers>, domains: number[]): Record<TableName, number> {
  const values: Partial<Record<TableName, number>> = {};
  let at = 0;
  for (const name of FIELDS) {
    const first = key[at];
    const end = endOfValue(key, at);
    if (first === VALUE) values[name] = numbers[name].of(shownText(textOfValue(key, at, end)));
    else values[name] = first === END ? NO_VALUE : FORGOTTEN;
    at = end;
  }
  // The name of a vocabulary is no link to its host (C215).
  if (numbers.flag.values[values.flag as number]?.split(JOINT).includes(NAMESPACE)) values.host = NO_VALUE;
  const { host = NO_VALUE } = values;
  if (host >= 0 && domains[host] === undefined) {
    const domain = registrableDomain(numbers.host.values[host]);
    domains[host] = domain === undefined ? NO_VALUE : numbers.domain.of(domain);
  }
  return { ...values, domain: host < 0 ? host : domains[host] } as Record<TableName, number>;
}

/** Returns the combinations of a table, at most `most` of them. Yields where the caller may pause. */
export function* shownCombinations(all: ValueTable, most: number, { indexes }: MonthOrder): Generator<undefined, Combinations> {
  const table = yield* all.coarsened(most);
  const numbers = Object.fromEntries(TABLES.map((name) => [name, new Numbers()])) as Record<TableName, Numbers>;
  const domains: number[] = [];
  const found: { month: number; matches: number; values: Record<TableName, number> }[] = [];
  let keys = 0;
  for (const address of yield* table.firstAddresses(table.count)) {
    table.select(address);
    const values = valuesOf(table.key(), numbers, domains);
    table.visitCells(({ month, count }) => {
      if (count > 0) found.push({ month: indexes.get(month) ?? FORGOTTEN, matches: count, values });
    });
    if (++keys % AT_ONCE === 0) yield;
  }
  const inOrder = found.sort((one, other) => one.month - other.month);
  const each = <T>(of: (name: TableName) => T): Record<TableName, T> =>
    Object.fromEntries(TABLES.map((name) => [name, of(name)])) as Record<TableName, T>;
  return {
    values: each((name) => numbers[name].values),
    columns: each((name) => inOrder.map(({ values }) => values[name])),
    months: inOrder.map(({ month }) => month),
    matches: inOrder.map(({ matches }) => matches),
  };
}
