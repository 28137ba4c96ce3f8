// Adds texts to tables. Most texts have been added before, and are found without encoding them.
import { valueBytesMost, writeValue } from "../count/key-fields.ts";
import type { Addition } from "./month-cells.ts";
import { REST, type ValueTable } from "./value-table.ts";

const KNOWN_MOST = 5000;

/** Initial bytes of the buffer for keys. */
const KEY_BYTES_LEAST = 1 << 10;

let key = new Uint8Array(KEY_BYTES_LEAST);
let view = new DataView(key.buffer);

/** Returns the address of a text in a table, and adds the text if it is new. The address is valid in the present epoch of the table. */
export function addressOf(table: ValueTable, text: string): number {
  const most = valueBytesMost(text);
  if (most > key.length) {
    key = new Uint8Array(2 * most);
    view = new DataView(key.buffer);
  }
  return table.reach(view, 0, writeValue(text, key));
}

/** Remembers the addresses of texts in one table at a time. */
export class KnownTexts {
  readonly #addresses = new Map<string, number>();
  #table: ValueTable | undefined;
  /** The epoch of the table in which they are valid. */
  #epoch = 0;

  /** Adds `more` to a text in a table, or to the rest of the table if there is no text. */
  addTo(table: ValueTable, text: string | undefined, more: Addition): void {
    table.addAt(text === undefined ? REST : this.reach(table, text), more);
  }

  /** Returns the address of a text as `addressOf` does. */
  reach(table: ValueTable, text: string): number {
    if (table !== this.#table || table.epoch !== this.#epoch) this.#addresses.clear();
    const known = this.#addresses.get(text);
    if (known !== undefined) return known;
    const address = addressOf(table, text);
    if (this.#addresses.size === KNOWN_MOST || table.epoch !== this.#epoch) this.#addresses.clear();
    this.#addresses.set(text, address);
    this.#table = table;
    this.#epoch = table.epoch;
    return address;
  }
}
