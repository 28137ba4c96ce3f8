// Adds texts to tables. Most texts have been added before, and are found without their bytes.
import { encodedValue } from "../count/key-fields.ts";
import type { KeyField } from "../fields.ts";
import type { Addition } from "./month-cells.ts";
import type { ValueTable } from "./value-table.ts";

/** Texts that are remembered. */
const KNOWN_MOST = 5000;

/** Returns the address of the value of a text, which is valid in this epoch of the table. */
export function addressOf(table: ValueTable, field: KeyField, text: string): number {
  const key = encodedValue(field, text);
  return table.reach(new DataView(key.buffer), 0, key.length);
}

/** Adds texts of a field to a table, and remembers where they are in it. */
export class KnownTexts {
  readonly #field: KeyField;
  readonly #addresses = new Map<string, number>();
  /** They are those of an epoch of a table. */
  #table: ValueTable | undefined;
  #epoch = 0;

  constructor(field: KeyField) {
    this.#field = field;
  }

  /** Adds to a text in a table, or to no text. */
  addTo(table: ValueTable, text: string | undefined, more: Addition): void {
    if (text === undefined) {
      table.rest.add(more);
      return;
    }
    if (table !== this.#table || table.epoch !== this.#epoch) this.#addresses.clear();
    let address = this.#addresses.get(text);
    if (address === undefined) {
      address = addressOf(table, this.#field, text);
      if (this.#addresses.size === KNOWN_MOST || table.epoch !== this.#epoch) this.#addresses.clear();
      this.#addresses.set(text, address);
      this.#table = table;
      this.#epoch = table.epoch;
    }
    table.addAt(address, more);
  }
}
