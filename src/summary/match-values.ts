// Adds the values of matches to the tables of a summary. Most values have been added before, and are found without their bytes.
import * as code from "#core/layout/codes.js";
import { FLAGS, KINDS } from "../core/names.ts";
import { encodedValue } from "../count/key-fields.ts";
import { KeyWriter } from "../count/key-writer.ts";
import type { MatchBatch } from "../scanner/batch.ts";
import { locationAt } from "../scanner/field-values.ts";
import type { Addition } from "./month-cells.ts";
import { hopsOf } from "./redirects.ts";
import { RepeatedText } from "./repeated-text.ts";
import type { TableName } from "./summary.ts";
import { KnownValue, type ValueTable } from "./value-table.ts";

/** The tables of a summary. */
export type Tables = Readonly<Record<TableName, ValueTable>>;

/** Tables whose values follow from the URL. Its value has a link for each, and one for their epochs. */
const OF_URL = ["scheme", "host", "domain"] as const;
const EPOCH = OF_URL.length;
/** Links of a URL. */
export const URL_LINKS = OF_URL.length + 1;
/** Stands for the address of a value that the URL does not have. */
const NOWHERE = -1;
/** Names of places that are remembered; header fields and members of JSON may have any. */
const PLACES_MOST = 1000;

/** Adds to tables. */
export class MatchValues {
  readonly #keysOfUrl = OF_URL.map((name) => new KeyWriter([name]));
  readonly #urlKeys = new KeyWriter(["url"]);
  readonly #kinds = KINDS.map((kind) => new KnownValue(encodedValue("kind", kind)));
  readonly #flags = FLAGS.map((flag) => new KnownValue(encodedValue("flag", flag)));
  readonly #places = new Map<string, KnownValue>();
  /** The place of the last match. */
  #where = "";
  #place: KnownValue | undefined;
  readonly #hop = new RepeatedText();

  /** Adds the match in row `index` of a batch. */
  add(batch: MatchBatch, index: number, tables: Tables, more: Addition): void {
    const { rows } = batch;
    const row = index * code.RECORD_WORDS;
    this.#addUrl(batch, index, tables, more);
    this.#kinds[rows[row + code.RECORD_KIND] as number]?.addTo(tables.kind, more);
    this.#addPlace(locationAt(batch, index)?.where, tables.where, more);
    const flags = rows[row + code.RECORD_FLAGS] as number;
    if (flags === 0) tables.flag.rest.add(more);
    for (let flag = 0; flags >> flag !== 0; flag++) if (((flags >> flag) & 1) === 1) this.#flags[flag]?.addTo(tables.flag, more);
    const chain = batch.chains?.get(index);
    if (chain === undefined) tables.redirect.rest.add(more);
    else for (const hop of hopsOf(batch, index, chain)) this.#hop.addTo(tables.redirect, hop, more);
  }

  #addPlace(where: string | undefined, table: ValueTable, more: Addition): void {
    if (where === undefined) {
      table.rest.add(more);
      return;
    }
    if (this.#place === undefined || where !== this.#where) {
      this.#place = this.#placeOf(where);
      this.#where = where;
    }
    this.#place.addTo(table, more);
  }

  #placeOf(where: string): KnownValue {
    const known = this.#places.get(where);
    if (known !== undefined) return known;
    const place = new KnownValue(encodedValue("where", where));
    if (this.#places.size === PLACES_MOST) this.#places.clear();
    this.#places.set(where, place);
    return place;
  }

  #addUrl(batch: MatchBatch, index: number, tables: Tables, more: Addition): void {
    const { url } = tables;
    const keys = this.#urlKeys;
    const length = keys.write(batch, index);
    if (!keys.hasValue) {
      url.rest.add(more);
      this.#addParts(batch, index, tables, more);
      return;
    }
    url.add(keys.view, 0, length, more);
    // Above 0, which a new URL has.
    const epoch = 1 + tables.scheme.epoch + tables.host.epoch + tables.domain.epoch;
    if (url.link(EPOCH) !== epoch) {
      const addresses = this.#addParts(batch, index, tables, more);
      addresses.forEach((address, part) => {
        url.setLink(part, address);
      });
      url.setLink(EPOCH, epoch);
      return;
    }
    for (let part = 0; part < OF_URL.length; part++) {
      const table = tables[OF_URL[part] as TableName];
      const address = url.link(part);
      if (address === NOWHERE) table.rest.add(more);
      else table.addAt(address, more);
    }
  }

  /** Adds what follows from the URL; returns the addresses. */
  #addParts(batch: MatchBatch, index: number, tables: Tables, more: Addition): number[] {
    return OF_URL.map((name, part) => {
      const keys = this.#keysOfUrl[part] as KeyWriter;
      const length = keys.write(batch, index);
      if (keys.hasValue) return tables[name].add(keys.view, 0, length, more);
      tables[name].rest.add(more);
      return NOWHERE;
    });
  }
}
