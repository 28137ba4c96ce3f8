// Filters of matches as a user names them: the values of their options, and the checks.

import { shownValue } from "../base/shown.ts";
import { badOption, type ValueKind } from "./values.ts";

/** What the matches of a scan must be to be reported. Absent: anything. It can be sent to a worker. */
export interface Filter {
  /** Hosts, or `*.` and a domain that they are below. */
  readonly hosts?: readonly string[];
  readonly notHosts?: readonly string[];
  /** Domains that the host is, or is below. */
  readonly domains?: readonly string[];
  readonly notDomains?: readonly string[];
  /** Patterns of the normalized URL: one at least. */
  readonly match?: readonly string[];
  /** Patterns of the subject: one at least. */
  readonly subject?: readonly string[];
  /** Whether letters of patterns match in either case. */
  readonly ignoreCase?: boolean;
  /** Bits of FLAG_*: one at least. */
  readonly flags?: number;
  /** Bits by KIND_*. */
  readonly kinds?: number;
  /** URLs alone that a redirector held. */
  readonly unwrapped?: boolean;
  /** Names of `where`; one that ends with `*` is the start of a name. */
  readonly where?: readonly string[];
  /** Whether matches must be in quoted lines, or must not. */
  readonly quoted?: boolean;
  /** Beginnings of RFC 3339 dates in UTC: no earlier, and no later, than these. */
  readonly since?: string;
  readonly until?: string;
  /** Addresses, or `@` and a domain that they are in. */
  readonly from?: readonly string[];
}

/** A year, a month, a day, or a time; without a zone it is UTC. */
const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;
/** Characters of a date without its time. */
const DAY_LENGTH = 10;

/** A date: its beginning is enough. */
export const DATE_START: ValueKind<string> = {
  spelling: "text",
  placeholder: "DATE",
  check(value, option) {
    const [date, seconds, zone] = typeof value === "string" ? (DATE.exec(value) ?? []) : [];
    if (date !== undefined) {
      const day = date.slice(0, DAY_LENGTH);
      const time = Date.parse(zone === undefined ? `${date}Z` : date);
      // A day that its month does not have is read as one of the next month.
      const exists = day.length < DAY_LENGTH || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
      if (exists && date.length <= DAY_LENGTH) return date;
      if (exists && !Number.isNaN(time)) {
        const utc = new Date(time).toISOString();
        return seconds === undefined ? utc.slice(0, -":00.000Z".length) : `${utc.slice(0, -".000Z".length)}Z`;
      }
    }
    throw badOption(
      option,
      `must be a date such as 1998, 1998-05, 1998-05-03, 1998-05-03T10:00 or 1998-05-03T10:00:00Z, not ${shownValue(value)}`,
    );
  },
};

/** Returns whether no date can be neither before `since` nor after `until`. */
export function areApart(since: string, until: string): boolean {
  const length = Math.min(since.length, until.length);
  return since.slice(0, length) > until.slice(0, length);
}

/** Regular expressions of JavaScript. */
export const PATTERNS: ValueKind<string[]> = {
  spelling: "each",
  placeholder: "REGEX",
  check(value, option) {
    const patterns: unknown[] = Array.isArray(value) ? value : [value];
    if (patterns.length === 0 || !patterns.every((pattern) => typeof pattern === "string"))
      throw badOption(option, `must be a regular expression as text, or several, not ${shownValue(value)}`);
    for (const pattern of patterns) checkPattern(pattern, option);
    return patterns;
  },
};

function checkPattern(pattern: string, option: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    const advice = pattern.includes("(?i)") ? "; instead of (?i) there is --ignore-case (ignoreCase)" : "";
    throw badOption(option, `must be a regular expression: ${(error as Error).message}${advice}`);
  }
}

/** Returns a name of a host or a domain in the form that URLs have, or undefined if it is none. */
export function hostName(name: string): string | undefined {
  const stem = name.startsWith("*.") ? name.slice("*.".length) : name;
  try {
    const { hostname } = new URL(`http://${stem}`);
    return hostname === "" || /[/?#@]|:\d*$/.test(stem)
      ? undefined
      : name.slice(0, name.length - stem.length) + hostname.replace(/\.$/, "");
  } catch {
    return undefined;
  }
}
