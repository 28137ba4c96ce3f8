// Drops the matches that a filter excludes, before any output is made of them.
import * as code from "#core/layout/codes.js";
import { remembering } from "../base/arrays.ts";
import { valueText } from "../base/shown.ts";
import type { MessageDescription } from "../mail/describe.ts";
import { type FieldName, isMessageField } from "../options/fields.ts";
import type { Filter } from "../options/filter.ts";
import type { Pattern } from "../options/filter-values.ts";
import { addressOf } from "../url/host-address.ts";
import { type Location, type MatchBatch, SIGNATURE, wordOf } from "./batch.ts";
import { keepRows } from "./batch-builder.ts";
import { hostAt, isLocationField, locationAt, readerOf, urlAt } from "./field-values.ts";

type Test = (batch: MatchBatch, row: number) => boolean;

/** Each function returns the batch without the matches that are not wanted. Their rows move to the front of its array. */
export interface MatchFilter {
  readonly asksLocations: boolean;
  /** Drops the matches that are unwanted whatever their location is. Rows move: look up locations afterwards. */
  keepUrls(batch: MatchBatch): MatchBatch;
  /** Drops the matches whose location is not wanted. Adds those of them that lack a needed date to `counts`. */
  keepLocations(batch: MatchBatch, counts: { undated: number }): MatchBatch;
  keepMessages(batch: MatchBatch): MatchBatch;
}

export function matchFilter(filter: Filter): MatchFilter {
  const { has = [], since, until, ignoreCase } = filter;
  const expression = (pattern: Pattern): RegExp => {
    // With g or y a test would begin where the last one has ended.
    const flags = typeof pattern === "string" ? "" : pattern.flags.replace(/[giy]/g, "");
    const ignoresCase = ignoreCase === true || (typeof pattern !== "string" && pattern.ignoreCase);
    return new RegExp(pattern, ignoresCase ? `i${flags}` : flags);
  };
  const ofFields = has.map(({ name, pattern }) => {
    const [read, wanted, isLocated] = [readerOf(name), expression(pattern), isLocationField(name)];
    // A match without a location has no such field, not even an empty one.
    const test: Test = (batch, row) => (!isLocated || locationAt(batch, row) !== undefined) && wanted.test(valueText(read(batch, row)));
    return { name, test };
  });
  const testsOf = (isOne: (name: FieldName) => boolean): Test[] => ofFields.filter(({ name }) => isOne(name)).map(({ test }) => test);
  const ofUrl = [...urlTests(filter, expression), ...testsOf((name) => !isLocationField(name))];
  const ofMessage = messageTests(filter, expression);
  const ofLocation = [...locationTests(filter), ...testsOf(isLocationField), ...ofMessage];
  const ofAllInMessage = [...ofMessage, ...testsOf(isMessageField)];
  /** The location that was tested last, and the result: the matches of a text follow each other. */
  let tested: { readonly of: Location | undefined; readonly isWanted: boolean; readonly isUndated: boolean } | undefined;
  const wantsLocation = (batch: MatchBatch, row: number, counts: { undated: number }): boolean => {
    const location = locationAt(batch, row);
    if (tested === undefined || tested.of !== location) {
      const isUndated = (since ?? until) !== undefined && location?.message.date === undefined;
      tested = { of: location, isUndated, isWanted: !isUndated && ofLocation.every((test) => test(batch, row)) };
    }
    if (tested.isUndated) counts.undated++;
    return tested.isWanted;
  };
  return {
    asksLocations: ofLocation.length > 0,
    keepUrls: (batch) => keepRows(batch, (row) => ofUrl.every((test) => test(batch, row))),
    keepLocations: (batch, counts) => keepRows(batch, (row) => wantsLocation(batch, row, counts)),
    keepMessages: (batch) => keepRows(batch, (row) => ofAllInMessage.every((test) => test(batch, row))),
  };
}

function urlTests(filter: Filter, expression: (pattern: Pattern) => RegExp): Test[] {
  const { flags, kinds, unwrapped, noNamespaces, hosts, notHosts, domains, notDomains, match } = filter;
  const [wanted, unwanted] = [hostTests(hosts, domains), hostTests(notHosts, notDomains)];
  const wantsHost = (host: string | undefined): boolean =>
    host === undefined ? wanted.length === 0 : wanted.every((test) => test(host)) && !unwanted.some((test) => test(host));
  const patterns = match?.map(expression);
  return given([
    unwrapped === true && ((batch, row) => batch.chains?.has(row) === true),
    kinds !== undefined && ((batch, row) => (kinds & (1 << wordOf(batch, row, code.RECORD_KIND))) !== 0),
    noNamespaces === true && ((batch, row) => (wordOf(batch, row, code.RECORD_FLAGS) & code.FLAG_NAMESPACE) === 0),
    flags !== undefined && ((batch, row) => (flags & wordOf(batch, row, code.RECORD_FLAGS)) !== 0),
    wanted.length + unwanted.length > 0 && ((batch, row) => wantsHost(hostAt(batch, row))),
    patterns !== undefined && ((batch, row) => matchesOne(urlAt(batch, row) ?? "", patterns)),
  ]);
}

function locationTests({ quoted, where }: Filter): Test[] {
  return given([
    quoted !== undefined && ((batch, row) => (locationAt(batch, row)?.quote ?? 0) > 0 === quoted),
    where !== undefined && ((batch, row) => isNamed(locationAt(batch, row)?.where ?? "", where)),
  ]);
}

/** Returns the tests of messages that a filter has. A message without a date is in no period. */
function messageTests({ since, until, subject, from }: Filter, expression: (pattern: Pattern) => RegExp): Test[] {
  const messageAt = (batch: MatchBatch, row: number): MessageDescription => locationAt(batch, row)?.message ?? {};
  const dateAt = (batch: MatchBatch, row: number): string => messageAt(batch, row).date ?? "";
  const subjects = subject?.map(expression);
  return given([
    since !== undefined && ((batch, row) => dateAt(batch, row).slice(0, since.length) >= since),
    until !== undefined && ((batch, row) => dateAt(batch, row) !== "" && dateAt(batch, row).slice(0, until.length) <= until),
    subjects !== undefined && ((batch, row) => matchesOne(messageAt(batch, row).subject ?? "", subjects)),
    from !== undefined && ((batch, row) => isSender(messageAt(batch, row).fromAddress, from)),
  ]);
}

function given(tests: readonly (Test | false)[]): Test[] {
  return tests.flatMap((test) => (test === false ? [] : [test]));
}

function matchesOne(text: string, patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

type HostTest = (host: string) => boolean;

const KNOWN_HOSTS_MOST = 4096;
const HOST_LENGTH_MOST = 255; // Longest host that is cached, in characters: no name in the DNS is longer

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
  const isWanted = (host: string): boolean => {
    const bare = host.endsWith(".") ? host.slice(0, -1) : host;
    return wanted.has(addressOf(bare) ?? bare) || isBelowOne(bare, wanted);
  };
  return remembering(isWanted, KNOWN_HOSTS_MOST, HOST_LENGTH_MOST);
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
