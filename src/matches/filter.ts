// Drops the matches that a filter excludes, before any output is made of them.
import * as code from "#core/layout/codes.js";
import type { MessageDescription } from "../mail/describe.ts";
import { isMessageField } from "../options/fields.ts";
import type { Filter, Pattern } from "../options/filter.ts";
import { addressOf } from "../url/host-address.ts";
import { ADDRESSES, type Location, type MatchBatch, matchBatch, SIGNATURE } from "./batch.ts";
import { type FieldValue, hostAt, isLocationField, locationAt, locationReaderOf, readerOf, urlAt } from "./field-values.ts";

export class MatchFilter {
  readonly #filter: Filter;
  /** Tests that a host must pass. */
  readonly #hosts: readonly HostTest[];
  /** Tests that a host must fail. */
  readonly #notHosts: readonly HostTest[];
  readonly #patterns: readonly RegExp[] | undefined;
  readonly #subjects: readonly RegExp[] | undefined;
  /** Tests of the fields that are not in the location of a match. */
  readonly #has: readonly Test<[MatchBatch, number]>[];
  /** Tests of the fields of the location. */
  readonly #hasAt: readonly Test<[Location]>[];
  /** Tests of the fields that all matches of a message share. */
  readonly #hasInAll: readonly Test<[MatchBatch, number]>[];
  /** The location that was tested last, and the result: the matches of a text follow each other. */
  #tested: { readonly of: Location | undefined; readonly isWanted: boolean; readonly isUndated: boolean } | undefined;

  constructor(filter: Filter) {
    const { hosts, notHosts, domains, notDomains, match, has = [], subject, ignoreCase } = filter;
    const expression = (pattern: Pattern): RegExp => {
      // With g or y a test would begin where the last one has ended.
      const flags = typeof pattern === "string" ? "" : pattern.flags.replace(/[giy]/g, "");
      const ignoresCase = ignoreCase === true || (typeof pattern !== "string" && pattern.ignoreCase);
      return new RegExp(pattern, ignoresCase ? `i${flags}` : flags);
    };
    this.#filter = filter;
    this.#hosts = hostTests(hosts, domains);
    this.#notHosts = hostTests(notHosts, notDomains);
    this.#patterns = match?.map(expression);
    this.#subjects = subject?.map(expression);
    const test = <Args extends unknown[]>(read: (...args: Args) => FieldValue, pattern: string): Test<Args> => {
      const wanted = expression(pattern);
      return (...args) => wanted.test(shownText(read(...args)));
    };
    this.#has = has.flatMap(({ name, pattern }) => (isLocationField(name) ? [] : [test(readerOf(name), pattern)]));
    this.#hasInAll = has.flatMap(({ name, pattern }) => (isMessageField(name) ? [test(readerOf(name), pattern)] : []));
    this.#hasAt = has.flatMap(({ name, pattern }) =>
      isLocationField(name) ? [test((at: Location) => locationReaderOf(name)(at, 0), pattern)] : [],
    );
  }

  /** Whether the filter needs the locations of matches. */
  get asksLocations(): boolean {
    const { where, subject, quoted, since, until, from } = this.#filter;
    return this.#hasAt.length > 0 || [where, subject, quoted, since, until, from].some((value) => value !== undefined);
  }

  /** Returns the batch without the matches that are unwanted whatever their location is. Rows move: look up locations afterwards. */
  keepUrls(batch: MatchBatch): MatchBatch {
    return this.#keep(batch, (index) => this.#wantsUrl(batch, index));
  }

  /** Returns the batch without the matches whose location is not wanted. Adds removed matches that lack a needed date to `counts`. */
  keepLocations(batch: MatchBatch, counts: { undated: number }): MatchBatch {
    return this.#keep(batch, (index) => this.#wantsLocation(locationAt(batch, index), counts));
  }

  /** Returns the batch of messages without those that no match can be in. */
  keepMessages(batch: MatchBatch): MatchBatch {
    return this.#keep(batch, (index) => {
      const message = locationAt(batch, index)?.message ?? {};
      return this.#isOfWantedMessage(message) && this.#hasInAll.every((isWanted) => isWanted(batch, index));
    });
  }

  #keep(batch: MatchBatch, wants: (index: number) => boolean): MatchBatch {
    const kept: number[] = [];
    for (let index = 0; index < batch.count; index++) if (wants(index)) kept.push(index);
    return kept.length === batch.count ? batch : withRows(batch, kept);
  }

  #wantsUrl(batch: MatchBatch, index: number): boolean {
    const { flags, kinds, unwrapped, noNamespaces } = this.#filter;
    if (unwrapped === true && batch.chains?.has(index) !== true) return false;
    const at = index * code.RECORD_WORDS;
    if (kinds !== undefined && (kinds & (1 << batch.rows[at + code.RECORD_KIND])) === 0) return false;
    if (noNamespaces === true && (batch.rows[at + code.RECORD_FLAGS] & code.FLAG_NAMESPACE) !== 0) return false;
    if (flags !== undefined && (flags & batch.rows[at + code.RECORD_FLAGS]) === 0) return false;
    if (this.#hosts.length + this.#notHosts.length > 0 && !this.#wantsHost(hostAt(batch, index))) return false;
    if (!this.#has.every((isWanted) => isWanted(batch, index))) return false;
    if (this.#patterns === undefined) return true;
    const url = urlAt(batch, index) ?? "";
    return this.#patterns.some((pattern) => pattern.test(url));
  }

  #wantsHost(host: string | undefined): boolean {
    if (host === undefined) return this.#hosts.length === 0;
    return this.#hosts.every((test) => test(host)) && !this.#notHosts.some((test) => test(host));
  }

  #wantsLocation(location: Location | undefined, counts: { undated: number }): boolean {
    if (this.#tested === undefined || this.#tested.of !== location) {
      const isUndated = this.#asksDate && location?.message.date === undefined;
      this.#tested = { of: location, isUndated, isWanted: !isUndated && this.#isWanted(location) };
    }
    if (this.#tested.isUndated) counts.undated++;
    return this.#tested.isWanted;
  }

  get #asksDate(): boolean {
    return this.#filter.since !== undefined || this.#filter.until !== undefined;
  }

  /** Returns whether a location is wanted. Precondition: it has a date if the filter tests dates. */
  #isWanted(location: Location | undefined): boolean {
    const { where, quoted } = this.#filter;
    if (quoted !== undefined && (location?.quote ?? 0) > 0 !== quoted) return false;
    if (!this.#hasAt.every((test) => location !== undefined && test(location))) return false;
    if (where !== undefined && !isNamed(location?.where ?? "", where)) return false;
    return this.#isOfWantedMessage(location?.message ?? {});
  }

  #isOfWantedMessage({ date = "", subject = "", fromAddress }: MessageDescription): boolean {
    const { since, until, from } = this.#filter;
    if (since !== undefined && (date === "" || date.slice(0, since.length) < since)) return false;
    if (until !== undefined && (date === "" || date.slice(0, until.length) > until)) return false;
    if (this.#subjects?.some((pattern) => pattern.test(subject)) === false) return false;
    return from === undefined || isSender(fromAddress, from);
  }
}

type Test<Args extends unknown[]> = (...args: Args) => boolean;

function shownText(value: FieldValue): string {
  return value === undefined ? "" : typeof value === "object" ? value.join(" ") : String(value);
}

type HostTest = (host: string) => boolean;

const KNOWN_HOSTS_MOST = 4096;
/** Longest host that is cached, in characters: no name in the DNS is longer. */
const HOST_LENGTH_MOST = 255;

/** Returns the tests for hosts that are among `hosts`, and for hosts that are one of `domains` or below one. */
function hostTests(hosts: readonly string[] | undefined, domains: readonly string[] | undefined): HostTest[] {
  const lists = [hosts, domains?.flatMap((domain) => [domain, `*.${domain}`])];
  return lists.flatMap((names) => (names === undefined ? [] : [hostTest(names)]));
}

/**
 * Returns the test for hosts that are among `names`, or below `name` if `*.name` is. An address is the same in every notation (C214).
 * A list may have a million names.
 */
function hostTest(names: readonly string[]): HostTest {
  const wanted = new Set(names.map((name) => addressOf(name) ?? name));
  const known = new Map<string, boolean>();
  return (host) => {
    let answer = known.get(host);
    if (answer !== undefined) return answer;
    const bare = host.endsWith(".") ? host.slice(0, -1) : host;
    answer = wanted.has(addressOf(bare) ?? bare) || isBelowOne(bare, wanted);
    if (host.length > HOST_LENGTH_MOST) return answer;
    if (known.size === KNOWN_HOSTS_MOST) known.clear();
    known.set(host, answer);
    return answer;
  };
}

/** Returns whether the names have `*.` before a parent domain of the host. */
function isBelowOne(host: string, names: ReadonlySet<string>): boolean {
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) if (names.has(`*${host.slice(dot)}`)) return true;
  return false;
}

/** Returns whether `names` has `where`, in any case, or a start of it with `*` at the end. A signature is in a body. */
export function isNamed(where: string, names: readonly string[]): boolean {
  if (where === SIGNATURE && isNamed("body", names)) return true;
  const lower = where.toLowerCase();
  return names.some((name) => (name.endsWith("*") ? lower.startsWith(name.slice(0, -1)) : lower === name));
}

function isSender(address: string | undefined, senders: readonly string[]): boolean {
  if (address === undefined) return false;
  const lower = address.toLowerCase();
  return senders.some((sender) => lower === sender || (sender.startsWith("@") && isInDomain(lower, sender)));
}

/** Returns whether an address is in the domain `sender`, written with an `@` before it, or in a subdomain. */
function isInDomain(address: string, sender: string): boolean {
  return address.endsWith(sender) || address.endsWith(`.${sender.slice(1)}`);
}

/** Returns the batch with only the rows numbered in `kept`. They move to the front of the array of `batch`. */
export function withRows(batch: MatchBatch, kept: readonly number[]): MatchBatch {
  kept.forEach((from, to) => {
    batch.rows.copyWithin(to * code.RECORD_WORDS, from * code.RECORD_WORDS, (from + 1) * code.RECORD_WORDS);
  });
  return withOthers({ ...batch, rows: batch.rows.subarray(0, kept.length * code.RECORD_WORDS) }, kept);
}

/** Returns a batch with a copy of one row, and only the bytes that the row has. */
export function rowOf(batch: MatchBatch, index: number): MatchBatch {
  const rows = batch.rows.slice(index * code.RECORD_WORDS, (index + 1) * code.RECORD_WORDS);
  // The length of a text is the word after its address.
  const texts = ADDRESSES.filter((field) => rows[field + 1] > 0);
  const start = Math.min(...texts.map((field) => rows[field]));
  const end = Math.max(...texts.map((field) => rows[field] + rows[field + 1]));
  for (const field of texts) rows[field] -= start;
  return withOthers({ ...batch, rows, bytes: batch.bytes.subarray(start, end), view: undefined, text: undefined }, [index]);
}

/** Returns a batch that has the rows `kept` of another with what else belongs to them. */
function withOthers(batch: MatchBatch, kept: readonly number[]): MatchBatch {
  const { locations, chains, elements, texts, contexts } = batch;
  return matchBatch({
    ...batch,
    count: kept.length,
    locations: locations && { ...locations, of: Int32Array.from(kept, (from) => locations.of[from]) },
    contexts: contexts && kept.map((from) => contexts[from]),
    chains: chains && moved(chains, kept),
    elements: elements && moved(elements, kept),
    texts: texts && moved(texts, kept),
  });
}

function moved<T>(values: ReadonlyMap<number, T>, kept: readonly number[]): ReadonlyMap<number, T> {
  const now = new Map<number, T>();
  kept.forEach((from, to) => {
    const value = values.get(from);
    if (value !== undefined) now.set(to, value);
  });
  return now;
}
