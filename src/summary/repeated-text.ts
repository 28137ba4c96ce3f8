// A text that is added to a table, most often the same as the one before: then it is found without its bytes.
import { valueBytesMost, writeValue } from "../count/key-fields.ts";
import { NO_ROOM } from "../count/key-table.ts";
import type { Addition } from "./month-cells.ts";
import type { ValueTable } from "./value-table.ts";

const KEY_BYTES_LEAST = 1 << 8;

/** Adds texts, of which it remembers the last one. */
export class RepeatedText {
  #key = new DataView(new ArrayBuffer(KEY_BYTES_LEAST));
  #bytes = new Uint8Array(this.#key.buffer);
  /** The last text, and its address in a table; valid in an epoch of that. */
  #text: string | undefined;
  #table: ValueTable | undefined;
  #epoch = 0;
  #address = NO_ROOM;

  /** Adds to a text in a table, or to no text. */
  addTo(table: ValueTable, text: string | undefined, more: Addition): void {
    if (text === undefined) table.rest.add(more);
    else if (text === this.#text && table === this.#table && table.epoch === this.#epoch) table.addAt(this.#address, more);
    else {
      this.#address = table.add(this.#key, 0, this.#write(text), more);
      this.#text = text;
      this.#table = table;
      this.#epoch = table.epoch;
    }
  }

  /** Writes the key of a text; returns its length. */
  #write(text: string): number {
    const most = valueBytesMost(text);
    if (most > this.#bytes.length) {
      this.#bytes = new Uint8Array(2 * most);
      this.#key = new DataView(this.#bytes.buffer);
    }
    return writeValue(text, this.#bytes);
  }
}
