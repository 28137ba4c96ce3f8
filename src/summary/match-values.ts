// Adds the values of matches to the tables of a summary. Links from a URL to its scheme and its host, and from a host to its domain, save
// most searches. Common values of consecutive matches are counted together.
import * as code from "#core/layout/codes.js";
import { FLAGS, KINDS } from "../core/names.ts";
import { registrableDomain } from "../core/public-suffix.ts";
import { KeyWriter } from "../count/key-writer.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { hostAt, locationAt, schemeAt } from "../matches/field-values.ts";
import { CombinationKeys } from "./combinations.ts";
import type { Addition } from "./month-cells.ts";
import { TABLES } from "./summary.ts";
import { REST, type ValueTable } from "./value-table.ts";

/** The tables of a summary, and that of the combinations of their values. */
export const COUNTED = [...TABLES, "combination"] as const;
export type CountedName = (typeof COUNTED)[number];
export type Tables = Readonly<Record<CountedName, ValueTable>>;

/** Links of a URL: the addresses of its scheme and its host, and the epoch in which they are valid. */
const [SCHEME, HOST, URL_EPOCH] = [0, 1, 2];
const [DOMAIN, HOST_EPOCH] = [0, 1]; // Links of a host: the address of its domain, and the epoch in which it is valid
/** Number of links of the values of a table. */
export const LINKS: Readonly<Partial<Record<CountedName, number>>> = { url: 3, host: 2 };

/** The common values of consecutive matches. Hosts change most often, so they are counted apart from the other values. */
interface Run {
  ofHost: number;
  /** Address of the host, or REST. */
  host: number;
  /** Number of the matches with the other values. */
  matches: number;
  scheme: number;
  /** Index in KINDS. */
  kind: number;
  /** Bits, by the index in FLAGS. */
  flags: number;
  where: string | undefined;
  /** Whether `unwrap` removed a redirector. */
  isRedirected: boolean;
}

export class MatchValues {
  readonly #urlKeys = new KeyWriter(["url"]);
  readonly #hostKeys = new KeyWriter(["host"]);
  readonly #combinations = new CombinationKeys();
  /** The last consecutive matches. `endRun` counts them. */
  readonly #run: Run = { ofHost: 0, host: REST, matches: 0, scheme: REST, kind: 0, flags: 0, where: undefined, isRedirected: false };

  /** Adds the matches in the rows [first, end), which have one location. Until `endRun`, `more` must stay the same, with 1 as its count. */
  add(batch: MatchBatch, first: number, end: number, tables: Tables, more: Addition): void {
    const { rows, chains } = batch;
    const { url } = tables;
    const [run, keys] = [this.#run, this.#urlKeys];
    const where = locationAt(batch, first)?.where;
    this.#combinations.setLocation(batch, first);
    for (let index = first; index < end; index++) {
      const length = keys.write(batch, index);
      const address = url.add(keys.view, 0, length, more);
      const row = index * code.RECORD_WORDS;
      const kind = rows[row + code.RECORD_KIND];
      const flags = rows[row + code.RECORD_FLAGS];
      const chain = chains?.get(index);
      const isLinkedAlike = address !== REST && isLinked(tables) && url.link(SCHEME) === run.scheme;
      const isAlike = isLinkedAlike && kind === run.kind && flags === run.flags && where === run.where;
      if (!isAlike || (chain !== undefined) !== run.isRedirected) {
        this.endRun(tables, more);
        this.#setAddresses(batch, index, tables, address !== REST);
        run.kind = kind;
        run.flags = flags;
        run.where = where;
        run.isRedirected = chain !== undefined;
      } else if (url.link(HOST) !== run.host) {
        this.#endHost(tables, more);
        this.#setAddresses(batch, index, tables, true);
      }
      run.ofHost++;
      run.matches++;
      const hops = chain === undefined ? NO_HOPS : hopsOf(batch, index, chain);
      if (chain !== undefined) for (const hop of hops) tables.redirect.addText(hop, more);
      this.#combinations.add(tables, batch, index, address, hops, more);
    }
  }

  /** Counts the last consecutive matches by their common values. */
  endRun(tables: Tables, more: Addition): void {
    this.#endHost(tables, more);
    const { matches, scheme, kind, flags, where, isRedirected } = this.#run;
    if (matches === 0) return;
    more.count = matches;
    tables.scheme.addAt(scheme, more);
    tables.kind.addText(KINDS[kind], more);
    tables.where.addText(where, more);
    if (flags === 0) tables.flag.addAt(REST, more);
    for (let flag = 0; flags >> flag !== 0; flag++) if (((flags >> flag) & 1) === 1) tables.flag.addText(FLAGS[flag], more);
    if (!isRedirected) tables.redirect.addAt(REST, more);
    more.count = 1;
    this.#run.matches = 0;
  }

  #endHost(tables: Tables, more: Addition): void {
    const { ofHost, host } = this.#run;
    if (ofHost === 0) return;
    more.count = ofHost;
    tables.host.addAt(host, more);
    tables.domain.addAt(host === REST ? REST : domainOf(tables), more);
    more.count = 1;
    this.#run.ofHost = 0;
  }

  /** Sets the scheme and the host of a new run to those of a match. If the match `hasUrl` and a host counts, links its URL to them. */
  #setAddresses(batch: MatchBatch, index: number, tables: Tables, hasUrl: boolean): void {
    const { url, scheme, host } = tables;
    const run = this.#run;
    if ((batch.rows[index * code.RECORD_WORDS + code.RECORD_FLAGS] & code.FLAG_NAMESPACE) !== 0) {
      // The name of a vocabulary is no link to its host (C215).
      run.scheme = scheme.reachText(schemeAt(batch, index));
      run.host = REST;
      return;
    }
    if (hasUrl && isLinked(tables)) {
      run.scheme = url.link(SCHEME);
      run.host = url.link(HOST);
      return;
    }
    run.scheme = scheme.reachText(schemeAt(batch, index));
    const length = this.#hostKeys.write(batch, index);
    run.host = host.reach(this.#hostKeys.view, 0, length);
    if (!hasUrl) return;
    url.setLink(SCHEME, run.scheme);
    url.setLink(HOST, run.host);
    url.setLink(URL_EPOCH, epochOf(tables));
  }
}

/** Returns the present epoch of the links of URLs. It is above 0, so the links of a new URL, which are 0, are not valid. */
function epochOf({ scheme, host }: Tables): number {
  return 1 + scheme.epoch + host.epoch;
}

/** Returns whether the links of the URL that was added last are valid. */
function isLinked(tables: Tables): boolean {
  return tables.url.link(URL_EPOCH) === epochOf(tables);
}

/** Returns the address of the domain of the host that was added last, or REST. Links the host to it. */
function domainOf({ host, domain }: Tables): number {
  if (host.link(HOST_EPOCH) === 1 + domain.epoch) return host.link(DOMAIN);
  const name = registrableDomain(host.text());
  const address = name === undefined ? REST : domain.reachText(name);
  host.setLink(DOMAIN, address);
  host.setLink(HOST_EPOCH, 1 + domain.epoch);
  return address;
}

// Redirectors of a match, and their targets.

/** Finds the host of a URL with an authority. The host may be defanged. */
const AUTHORITY_HOST = /^[^:/?#]*:\/\/(?:[^/?#]*@)?([^/?#]*?)(?::\d*)?(?:[/?#]|$)/;

const NO_HOPS: readonly string[] = [];

/** Returns the steps from redirectors to the next ones, and to the URL: `redirector-host target-host`. A scheme replaces a missing host. */
function hopsOf(batch: MatchBatch, index: number, chain: readonly string[]): string[] {
  const hosts = chain.map((url) => (AUTHORITY_HOST.exec(url)?.[1] ?? "").replaceAll("[.]", "."));
  const target = hostAt(batch, index) ?? `${schemeAt(batch, index)}:`;
  return hosts.map((host, step) => `${host} ${hosts[step + 1] ?? target}`);
}
