// Filters of matches as a user names them: the values of their options, and the checks.
import { badOption, type ValueKind } from "./option-values.ts";
import { shownValue } from "./shown.ts";

/** What the matches of a scan must be to be reported. Absent: anything. It can be sent to a worker. */
export interface Filter {
  /** Hosts, or `*.` and a domain that they are below. */
  readonly hosts?: readonly string[];
  readonly notHosts?: readonly string[];
  /** Domains that the host is, or is below. */
  readonly domains?: readonly string[];
  /** Pattern of the normalized URL. */
  readonly match?: string;
  /** Bits of FLAG_*: one at least. */
  readonly flags?: number;
  /** Bits by KIND_*. */
  readonly kinds?: number;
  /** URLs alone that a redirector held. */
  readonly unwrapped?: boolean;
  /** Names of `where`; one that ends with `*` is the start of a name. */
  readonly where?: readonly string[];
  readonly noQuoted?: boolean;
  /** Beginnings of RFC 3339 dates in UTC: no earlier, and no later, than these. */
  readonly since?: string;
  readonly until?: string;
  /** Addresses, or `@` and a domain that they are in. */
  readonly from?: readonly string[];
}

/** A year, a month, a day, or a time with its zone. */
const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
/** Characters of a date without its time. */
const DAY_LENGTH = 10;

/** A date: its beginning is enough. */
export const DATE_START: ValueKind<string> = {
  spelling: "text",
  placeholder: "DATE",
  check(value, option) {
    if (typeof value === "string" && DATE.test(value)) {
      const time = Date.parse(value);
      const day = value.slice(0, DAY_LENGTH);
      // A day that its month does not have is read as one of the next month.
      const exists = day.length < DAY_LENGTH || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
      if (exists && value.length <= DAY_LENGTH) return value;
      if (exists && !Number.isNaN(time)) return `${new Date(time).toISOString().slice(0, -".000Z".length)}Z`;
    }
    throw badOption(option, `must be a date such as 1998, 1998-05, 1998-05-03 or 1998-05-03T10:00:00Z, not ${shownValue(value)}`);
  },
};

/** A pattern that can be matched in linear time. */
export const PATTERN: ValueKind<string> = {
  spelling: "text",
  placeholder: "REGEX",
  check(value, option) {
    if (typeof value !== "string") throw badOption(option, `must be a regular expression as text, not ${shownValue(value)}`);
    linearPattern(value, option);
    return value;
  },
};

/** The flag of expressions that V8 matches without backtracking. */
const LINEAR = "l";
/** Whether this platform has an engine that matches in linear time; asked for when it is needed first. */
let hasLinearEngine: boolean | undefined;

function findLinearEngine(): boolean {
  if (hasLinearEngine !== undefined) return hasLinearEngine;
  try {
    // V8's second engine runs only expressions with that flag. Nothing else of the process changes.
    process.getBuiltinModule("node:v8").setFlagsFromString("--enable-experimental-regexp-engine");
    hasLinearEngine = new RegExp("a", LINEAR).test("a");
  } catch {
    hasLinearEngine = false;
  }
  return hasLinearEngine;
}

/**
 * Returns the expression of a pattern. Where V8 has its engine without backtracking, work is linear in the length of the URL. Throws
 * OptionError for one that is wrong, or that this engine cannot match: backreferences, look-around, repetitions of more than 16 (also of
 * one in another).
 */
export function linearPattern(pattern: string, option: string): RegExp {
  const hasEngine = findLinearEngine();
  try {
    new RegExp(pattern);
  } catch (error) {
    throw badOption(option, `must be a regular expression: ${(error as Error).message}`);
  }
  try {
    return new RegExp(pattern, hasEngine ? LINEAR : "");
  } catch {
    throw badOption(
      option,
      "cannot have backreferences, look-around, or repetitions such as {17}, more than 16: it is matched in linear time",
    );
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
