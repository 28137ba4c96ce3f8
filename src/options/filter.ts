// Filters of matches as a user names them: the values of their options, and the checks.

import { shownValue } from "../base/shown.ts";
import { FIELD_CHOICES, type FieldName, headerField } from "./fields.ts";
import { badChoice, badOption, checkChoice, type ValueKind } from "./values.ts";

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
  /** Patterns of the texts of fields: all of them. */
  readonly has?: readonly FieldPattern[];
  /** Patterns of the subject: one at least. */
  readonly subject?: readonly string[];
  /** Whether letters of patterns match in either case. */
  readonly ignoreCase?: boolean;
  /** Bits of FLAG_*: one at least. */
  readonly flags?: number;
  /** Leaves out URLs that name vocabularies (C215). */
  readonly noNamespaces?: boolean;
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

/** A field, and a regular expression for its text. */
export interface FieldPattern {
  readonly name: FieldName;
  readonly pattern: string;
}

/** Fields that are not known yet when matches are filtered, or that are different in each scan. */
const NOT_TESTED: readonly FieldName[] = ["message", "start", "end", "context"];

/** Fields and regular expressions: `subject=^Re:`. */
export const FIELD_PATTERNS: ValueKind<FieldPattern[]> = {
  spelling: "each",
  placeholder: "FIELD=REGEX",
  check(value, option) {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    return texts.map((text) => {
      const [, field, pattern] = typeof text === "string" ? (/^([^=]*)=(.*)$/s.exec(text) ?? []) : [];
      if (field === undefined || pattern === undefined)
        throw badOption(option, `must be a field and a regular expression, such as subject=^Re:, not ${shownValue(text)}`);
      const names = FIELD_CHOICES.filter((name) => !NOT_TESTED.includes(name));
      const name = headerField(field) ?? checkChoice(option, field, names, "may name the fields");
      checkPattern(pattern, option);
      return { name, pattern };
    });
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
    return hostname === "" || hostname.startsWith(".") || /[/?#@]|:\d*$/.test(stem)
      ? undefined
      : name.slice(0, name.length - stem.length) + hostname.replace(/\.$/, "");
  } catch {
    return undefined;
  }
}

/** Returns a host, or `*.` and a domain, as URLs have it. Throws OptionError. */
export function checkHost(name: unknown, option: string): string {
  const host = typeof name === "string" ? hostName(name) : undefined;
  if (host === undefined) throw badOption(option, `must list hosts such as a.example or *.a.example, not ${shownValue(name)}`);
  return host;
}

/** Returns a domain as URLs have it. Throws OptionError. */
export function checkDomain(name: unknown, option: string): string {
  const domain = typeof name === "string" && !name.startsWith("*.") ? hostName(name) : undefined;
  if (domain === undefined) throw badOption(option, `must list domains such as a.example, not ${shownValue(name)}`);
  return domain;
}

/** Returns an address, `@` and a domain, or a name, in lower case. Throws OptionError. */
export function checkSender(sender: unknown, option: string): string {
  if (typeof sender === "string" && sender !== "") return sender.toLowerCase();
  throw badOption(option, wrongSender(sender));
}

/** Returns the end of a message that a sender is no address. */
export function wrongSender(sender: unknown): string {
  return `must list addresses such as joe@a.example or @a.example, not ${shownValue(sender)}`;
}

/** Names of `where`, and the beginnings of names. */
const WHERE = /^(?:body|html|preamble|epilogue|(?:header|json):.*|[a-z:]*\*)$/i;

/** Returns a name of `where` in lower case. Throws OptionError. */
export function checkWhere(where: unknown, option: string): string {
  if (typeof where === "string" && WHERE.test(where)) return where.toLowerCase();
  const near = ["body", "html", "preamble", "epilogue", "header:*", "json:*"];
  throw badChoice(option, where, near, "may list body, html, header:Subject, header:*, json:*, preamble and epilogue");
}
