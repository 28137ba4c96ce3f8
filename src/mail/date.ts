// The date of a message, in UTC.
import { takeComments } from "./comments.ts";
import { type DateParts, fullYear, readDate } from "./date-reader.ts";
import { MONTHS, ZONES } from "./names.ts";

const DAY_MINUTES = 24 * 60;
const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
/** Most white space between a weekday and the day, so that this takes time in proportion to the text. */
const SPACES_MOST = 9;
/** What may follow the zone: `(GMT)`. */
const COMMENT = /^\s*(?:\([^()\\<]*\)\s*)?$/;

/**
 * Reads the text of a Date field: RFC 5322 with its obsolete forms, and the forms that mailers of 1988 to 2005 wrote. Returns UTC in
 * seconds, as `1994-03-28T15:09:08Z`. Returns undefined if the day does not exist, if the time or the offset is impossible, or if the
 * date can be read in two ways (`3/4/94`). Ignores the weekday and text after the date. A missing or unknown zone is UTC, a missing time
 * midnight. (A10)
 */
export function parseMailDate(field: string): string | undefined {
  const parts = readUsual(field);
  if (parts !== undefined) return isoOf(parts);
  const { text, comments } = takeComments(field);
  return isoOf(readDate(text, comments));
}

/** Months by the three letters of their name, packed: no string is made to look one up. */
const MONTHS_OF_THREE = new Map(
  [...MONTHS].filter(([name]) => /^[a-z]{3}$/.test(name)).map(([name, month]) => [threeLetters(name, 0), month]),
);

/** Returns the three letters at `at` in lower case as one number; 0 if one of them is none. */
function threeLetters(field: string, at: number): number {
  if (!(isLetter(field, at) && isLetter(field, at + 1) && isLetter(field, at + 2))) return 0;
  return ((field.charCodeAt(at) | 0x20) << 16) | ((field.charCodeAt(at + 1) | 0x20) << 8) | field.charCodeAt(at + 2) | 0x20;
}

/**
 * Reads `Mon, 28 Mar 1994 15:09:08 +0000 (GMT)`, the form of nearly all messages: the weekday may be missing, the year have two digits, the
 * zone a name. Returns undefined for any other. By character, because one long pattern takes four times as long.
 */
function readUsual(field: string): DateParts | undefined {
  let at = afterSpaces(field, 0, field.length);
  if (field.charCodeAt(at + 3) === COMMA && threeLetters(field, at) !== 0) {
    at = afterSpaces(field, at + 4, at + 4 + SPACES_MOST);
  }
  const dayDigits = isSpace(field, at + 1) ? 1 : 2;
  const day = digitsAt(field, at, dayDigits);
  at += dayDigits + 1;
  const yearDigits = isSpace(field, at + 6) ? 2 : 4;
  const time = at + 5 + yearDigits;
  const isInForm =
    isSpace(field, at - 1) &&
    isSpace(field, at + 3) &&
    isSpace(field, time - 1) &&
    field.charCodeAt(time + 2) === COLON &&
    field.charCodeAt(time + 5) === COLON &&
    isSpace(field, time + 8);
  if (!isInForm) return undefined;
  const month = MONTHS_OF_THREE.get(threeLetters(field, at));
  const year = digitsAt(field, at + 4, yearDigits);
  const [hour, minute, second] = [digitsAt(field, time, 2), digitsAt(field, time + 3, 2), digitsAt(field, time + 6, 2)];
  const zone = readZone(field, time + 9);
  if (month === undefined || zone === undefined || Number.isNaN(day + year + hour + minute + second)) return undefined;
  return {
    year: yearDigits === 4 && year >= 1000 ? year : fullYear(field.slice(at + 4, time - 1)),
    month,
    day,
    hour,
    minute,
    second,
    zone,
  };
}

/** Returns the minutes east of Greenwich that the zone at `at` and nothing after it but a comment gives; NaN for an impossible offset. */
function readZone(field: string, at: number): number | undefined {
  const sign = field.charCodeAt(at);
  if (sign === PLUS || sign === MINUS) {
    const [hours, minutes] = [digitsAt(field, at + 1, 2), digitsAt(field, at + 3, 2)];
    if (Number.isNaN(hours + minutes) || !endsAt(field, at + 5)) return undefined;
    return hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * (sign === MINUS ? -1 : 1);
  }
  let end = at;
  while (end < at + 4 && isLetter(field, end)) end++;
  return endsAt(field, end) ? ZONES.get(field.slice(at, end).toLowerCase()) : undefined;
}

function endsAt(field: string, at: number): boolean {
  return field.length === at || COMMENT.test(field.slice(at));
}

function isLetter(field: string, at: number): boolean {
  const letter = field.charCodeAt(at) | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function isSpace(field: string, at: number): boolean {
  const code = field.charCodeAt(at);
  return code === SPACE || (code >= TAB && code <= RETURN);
}

/** Returns the offset of the first character in [at, end) that is no white space, or `end`. */
function afterSpaces(field: string, at: number, end: number): number {
  let next = at;
  while (next < end && isSpace(field, next)) next++;
  return next;
}

/** Returns the number that `count` digits at `at` give; NaN if one of them is none. */
function digitsAt(field: string, at: number, count: number): number {
  let number = 0;
  for (let index = at; index < at + count; index++) {
    const digit = field.charCodeAt(index) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Returns the date in ISO 8601, or undefined for a day or a time that does not exist, or a year outside 1900 to 9999. */
function isoOf(parts: DateParts | undefined): string | undefined {
  if (parts === undefined) return undefined;
  const { year, month, day, hour, minute, second, zone } = parts;
  if (!isKnownYear(year) || !(hour <= 23 && minute <= 59 && second <= 60)) return undefined;
  if (!(month >= 1 && month <= 12 && day >= 1) || (day > 28 && day > new Date(Date.UTC(year, month, 0)).getUTCDate())) return undefined;
  const minutes = hour * 60 + minute - zone;
  if (minutes >= 0 && minutes < DAY_MINUTES) return iso(year, month, day, minutes, second);
  const date = new Date(Date.UTC(year, month - 1, day, 0, minutes));
  if (!isKnownYear(date.getUTCFullYear())) return undefined;
  return iso(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), (minutes + DAY_MINUTES) % DAY_MINUTES, second);
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));

/** Writes a day that exists and `minutes` of it; a Date would take twice as long. */
function iso(year: number, month: number, day: number, minutes: number, second: number): string {
  const hour = Math.floor(minutes / 60);
  const time = `${TWO_DIGITS[hour]}:${TWO_DIGITS[minutes - hour * 60]}:${TWO_DIGITS[Math.min(second, 59)]}`;
  return `${year}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}T${time}Z`;
}

function isKnownYear(year: number): boolean {
  return year >= 1900 && year <= 9999;
}
