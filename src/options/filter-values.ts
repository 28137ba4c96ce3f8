// Checks of what is found and reported: schemes, dates, patterns, hosts, senders and locations, as a user gives them.
import { SCHEMES } from "#core/tables/schemes.js";
import { classOf, shownValue } from "../base/shown.ts";
import type { AddedScheme } from "../core/tables.ts";
import { FIELD_CHOICES, type FieldName, toHeaderField } from "./fields.ts";
import { hint } from "./nearest.ts";
import { badChoice, badOption, checkChoice, checkOf, type ValueKind, wholeNumberCheck } from "./values.ts";

/** A regular expression of JavaScript: its text, or in the library the object. */
export type Pattern = string | RegExp;

/** A year, a month, a day, or a time; without a zone it is UTC. */
const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;
const DAY_LENGTH = "1998-05-03".length;

/** Returns the date that a text gives, or the beginning of one, in UTC; undefined for any other value. */
function dateStart(text: unknown): string | undefined {
  const [date, seconds, zone] = typeof text === "string" ? (DATE.exec(text) ?? []) : [];
  if (date === undefined) return undefined;
  const day = date.slice(0, DAY_LENGTH);
  // Date reads a day that the month does not have as a day of the next month.
  if (day.length === DAY_LENGTH && !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return undefined;
  if (day === date) return date;
  const time = Date.parse(zone === undefined ? `${date}Z` : date);
  if (Number.isNaN(time)) return undefined;
  const utc = new Date(time).toISOString();
  return seconds === undefined ? utc.slice(0, -":00.000Z".length) : `${utc.slice(0, -".000Z".length)}Z`;
}

const checkDate = checkOf("must be a date such as 1998, 1998-05, 1998-05-03, 1998-05-03T10:00 or 1998-05-03T10:00:00Z", dateStart);
/** A date, or the beginning of one; in the library also a Date. */
export const DATE_START: ValueKind<string> = {
  spelling: "text",
  placeholder: "DATE",
  check: (value, option) => checkDate(classOf(value) === "Date" ? ((value as Date).toJSON() ?? String(value)) : value, option),
};

export const PATTERNS: ValueKind<Pattern[]> = {
  spelling: "each",
  placeholder: "REGEX",
  check(value, option) {
    const patterns: unknown[] = [value].flat();
    const isPattern = (pattern: unknown): pattern is Pattern => typeof pattern === "string" || classOf(pattern) === "RegExp";
    if (patterns.length === 0 || !patterns.every(isPattern))
      throw badOption(option, `must be a regular expression, or several, not ${shownValue(value)}`);
    for (const pattern of patterns) if (typeof pattern === "string") checkPattern(pattern, option);
    return patterns;
  },
};

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
    const texts: unknown[] = [value].flat();
    return texts.map((text) => {
      const [, field, pattern] = typeof text === "string" ? (/^([^=]*)=(.*)$/s.exec(text) ?? []) : [];
      if (field === undefined || pattern === undefined)
        throw badOption(option, `must be a field and a regular expression, such as subject=^Re:, not ${shownValue(text)}`);
      const names = FIELD_CHOICES.filter((name) => !NOT_TESTED.includes(name));
      const name = toHeaderField(field) ?? checkChoice(option, field, names, "may name the fields");
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

/** Returns the name of a host or a domain as in a normalized URL, or undefined if it is not valid. */
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

export const checkHost = checkOf("must list hosts such as a.example or *.a.example", (name) =>
  typeof name === "string" ? hostName(name) : undefined,
);
export const checkDomain = checkOf("must list domains such as a.example", (name) =>
  typeof name === "string" && !name.startsWith("*.") ? hostName(name) : undefined,
);

export const WANTED_SENDERS = "must list addresses such as joe@a.example or @a.example";
/** Checks a sender: an address, `@` and a domain, or a name. */
export const checkSender = checkOf(WANTED_SENDERS, (sender) => (typeof sender === "string" && sender !== "" ? sender : undefined));

/** A value of `where`, or the beginning of one with `*`. */
const WHERE = /^(?:body|signature|html|preamble|epilogue|(?:header|json):.*|[a-z:]*\*)$/i;

/** Checks a value of `where`, and returns it in lower case. Throws OptionError. */
export function checkWhere(where: unknown, option: string): string {
  if (typeof where === "string" && WHERE.test(where)) return where.toLowerCase();
  const near = ["body", "signature", "html", "preamble", "epilogue", "header:*", "json:*"];
  throw badChoice(option, where, near, "may list body, html, signature, header:Subject, header:*, json:*, preamble and epilogue");
}

/** Checks the name of a scheme, and returns it in lower case. */
export const checkSchemeName = checkOf(
  'must list scheme names such as http (2 to 32 characters: a letter, then letters, digits, "+", "-" or ".")',
  (name) => (typeof name === "string" && /^[A-Za-z][A-Za-z0-9+.-]{1,31}$/.test(name) ? name.toLowerCase() : undefined),
);

/** Names of the built-in schemes. */
export const KNOWN_SCHEMES: readonly string[] = SCHEMES.map(({ name }) => name);
const NEVER_EXTRACTED = ["data", "javascript"]; // (X1)
const ROW_KEYS = ["name", "shape", "port"];

/** Checks and returns an extra scheme. Returns undefined for just the name of a known scheme, which stays unchanged. Throws OptionError. */
export function checkExtraScheme(scheme: unknown, option: string): AddedScheme | undefined {
  const isObject = typeof scheme === "object" && scheme !== null;
  const { name, shape, port, ...others }: Partial<AddedScheme> = isObject ? scheme : { name: scheme as string, shape: "//" };
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const near = hint(other, ROW_KEYS);
    throw badOption(option, `has a row with ${shownValue(other)}${near === "" ? "; a" : `${near} A`} row has ${ROW_KEYS.join(", ")}`);
  }
  const checked = checkSchemeName(name, option);
  if (NEVER_EXTRACTED.includes(checked)) throw badOption(option, `must not list ${checked}, which is never extracted`);
  if (!isObject && KNOWN_SCHEMES.includes(checked)) return undefined;
  return {
    name: checked,
    shape: checkChoice(option, shape, ["//", "opaque"], `must give ${checked} the shape`),
    port: port === undefined ? undefined : wholeNumberCheck(1, 65535, `must give ${checked} a port that is`)(port, option),
  };
}
