// The date of a message, in UTC.
import { takeComments } from "./comments.ts";
import { type DateParts, fullYear, offsetOf, readDate } from "./date-reader.ts";
import { MONTHS, ZONES } from "./names.ts";

const DAY = /^\s*(?:[A-Za-z]{3},\s{0,9})?(\d\d?)\s([A-Za-z]{3})\s(\d{4}|\d\d)\s/;
const TIME = /(\d\d):(\d\d):(\d\d)\s(?:([+-])(\d\d)(\d\d)|([A-Za-z]{1,4}))\s*(?:\([^()\\<]*\)\s*)?$/;
const DAY_MINUTES = 24 * 60;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const COMMON = new RegExp(DAY.source + TIME.source);

/**
 * Reads the text of a Date field: RFC 5322 with its obsolete forms, and the forms that mailers of 1988 to 2005 wrote. Returns UTC in
 * seconds, as `1994-03-28T15:09:08Z`. Returns undefined if the day does not exist, if the time or the offset is impossible, or if the
 * date can be read in two ways (`3/4/94`). Ignores the weekday and text after the date. A missing or unknown zone is UTC, a missing time
 * midnight. (A10)
 */
export function parseMailDate(field: string): string | undefined {
  const parts = readStandard(field) ?? readCommon(field);
  if (parts !== undefined) return isoOf(parts);
  const { text, comments } = takeComments(field);
  return isoOf(readDate(text, comments));
}

/** Length of `Mon, `, and of `Mar 1994 15:09:08 +0000`. */
const WEEKDAY_LENGTH = 5;
const REST_LENGTH = 23;
/** What may follow: `(GMT)`. */
const COMMENT = /^\s*\([^()\\<]*\)\s*$/;

/** Reads `Mon, 28 Mar 1994 15:09:08 +0000 (GMT)`, the form of most messages, without one long pattern. Returns undefined for others. */
function readStandard(field: string): DateParts | undefined {
  const hasWeekday = field.charCodeAt(3) === COMMA && field.charCodeAt(4) === SPACE && /^[A-Za-z]{3}/.test(field);
  const first = hasWeekday ? WEEKDAY_LENGTH : 0;
  const isShort = field.charCodeAt(first + 1) === SPACE;
  const at = first + (isShort ? 2 : 3);
  const sign = field.charCodeAt(at + 18);
  const hasMarks =
    (field.length === at + REST_LENGTH || COMMENT.test(field.slice(at + REST_LENGTH))) &&
    field.charCodeAt(at - 1) === SPACE &&
    field.charCodeAt(at + 3) === SPACE &&
    field.charCodeAt(at + 8) === SPACE &&
    field.charCodeAt(at + 11) === COLON &&
    field.charCodeAt(at + 14) === COLON &&
    field.charCodeAt(at + 17) === SPACE &&
    (sign === PLUS || sign === MINUS);
  if (!hasMarks) return undefined;
  const month = MONTHS.get(field.slice(at, at + 3).toLowerCase());
  const day = isShort ? digitsAt(field, first, 1) : digitsAt(field, first, 2);
  const year = digitsAt(field, at + 4, 4);
  const [hour, minute, second] = [digitsAt(field, at + 9, 2), digitsAt(field, at + 12, 2), digitsAt(field, at + 15, 2)];
  const [hours, minutes] = [digitsAt(field, at + 19, 2), digitsAt(field, at + 21, 2)];
  if (month === undefined || Number.isNaN(day + year + hour + minute + second + hours + minutes)) return undefined;
  // A year that begins with a zero is another one, and an impossible offset makes the date unreadable.
  if (year < 1000 || hours > 23 || minutes > 59) return undefined;
  return { year, month, day, hour, minute, second, zone: (hours * 60 + minutes) * (sign === MINUS ? -1 : 1) };
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

/** Reads the form of nearly all messages, with one pattern. Returns undefined for any other. */
function readCommon(field: string): DateParts | undefined {
  const match = COMMON.exec(field);
  if (match === null) return undefined;
  const [, day, monthName = "", year = "", hour, minute, second, sign, hours, minutes, zoneName] = match;
  const month = MONTHS.get(monthName.toLowerCase());
  const zone = zoneName === undefined ? offsetOf({ sign, hours, minutes }) : ZONES.get(zoneName.toLowerCase());
  if (month === undefined || zone === undefined) return undefined;
  return { year: fullYear(year), month, day: Number(day), hour: Number(hour), minute: Number(minute), second: Number(second), zone };
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

/** Writes a day that exists and `minutes` of it; a Date would take twice as long. */
function iso(year: number, month: number, day: number, minutes: number, second: number): string {
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(Math.min(second, 59))}`;
  return `${year}-${twoDigits(month)}-${twoDigits(day)}T${time}Z`;
}

function isKnownYear(year: number): boolean {
  return year >= 1900 && year <= 9999;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
