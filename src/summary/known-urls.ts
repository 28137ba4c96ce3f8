// Adds the URLs of matches to a table. Most have been added before: the core numbers those of a batch, and where a number's URL is in the
// table is remembered.
import * as code from "#core/layout/codes.js";
import { grown } from "../arrays.ts";
import { KeyWriter } from "../count/key-writer.ts";
import { RowTexts } from "../count/row-texts.ts";
import type { MatchBatch } from "../scanner/batch.ts";
import type { Addition } from "./month-cells.ts";
import type { ValueTable } from "./value-table.ts";

/** Numbers that there is room for at first. */
const NUMBERS_LEAST = 1024;
/** Stands for a number: the text of a row has none. */
const NO_NUMBER = -1;

/** Adds URLs to a table, and remembers where they are in it. */
export class KnownUrls {
  readonly #keys = new KeyWriter(["url"]);
  readonly #texts = new RowTexts(code.RECORD_URL, Math.floor(Math.random() * 2 ** 32) | 0);
  #isPut = false;
  /** By number: the address of the URL plus 1, or 0 if it is not known. They are those of an epoch of a table. */
  #addresses = new Int32Array(NUMBERS_LEAST);
  #table: ValueTable | undefined;
  #epoch = 0;

  /** Takes a batch, before its rows are added. */
  put(batch: MatchBatch): void {
    this.#isPut = this.#texts.put(batch);
  }

  /** Adds the match in row `index` to its URL, and selects that; or adds it to no URL and returns false. */
  add(table: ValueTable, batch: MatchBatch, index: number, more: Addition): boolean {
    if (table !== this.#table || table.epoch !== this.#epoch) this.#forgetAddresses(table);
    const number = this.#isPut ? this.#numberOf(batch, index) : NO_NUMBER;
    const known = this.#addresses[number] ?? 0;
    if (known !== 0) {
      table.addAt(known - 1, more);
      return true;
    }
    const keys = this.#keys;
    const length = keys.write(batch, index);
    if (!keys.hasValue) {
      table.rest.add(more);
      return false;
    }
    const address = table.reach(keys.view, 0, length);
    if (number !== NO_NUMBER) this.#setAddress(number, address);
    table.addAt(address, more);
    return true;
  }

  /** Forgets the batch and the table. */
  close(): void {
    this.#texts.close();
    this.#isPut = false;
    this.#table = undefined;
  }

  #numberOf(batch: MatchBatch, index: number): number {
    const texts = this.#texts;
    if (texts.reach(batch, index) === index) {
      texts.clear();
      this.#addresses.fill(0);
      texts.reach(batch, index);
    }
    return texts.words[texts.offset + index] as number;
  }

  #setAddress(number: number, address: number): void {
    if (number >= this.#addresses.length) this.#addresses = grown(this.#addresses, 2 * number);
    this.#addresses[number] = address + 1;
  }

  #forgetAddresses(table: ValueTable): void {
    this.#addresses.fill(0);
    this.#table = table;
    this.#epoch = table.epoch;
  }
}
