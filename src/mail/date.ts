// The date of a message, in UTC.
import { decodeLatin1 } from "../core/text.ts";
import { takeComments } from "./comments.ts";
import { type DateParts, fullYear, readDate } from "./date-reader.ts";
import { MONTHS, ZONES } from "./names.ts";
import { decodeHeaderText } from "./words.ts";

const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN = 0x28;
const CLOSE = 0x29;
const LESS = 0x3c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;
/** Most bytes of white space between a weekday and the day. The limit keeps the time proportional to the text. */
const SPACES_MOST = 9;

/**
 * Returns the date in the bytes [start, end) of a header field in seconds since 1970. Reads RFC 5322 with its obsolete forms, and the forms
 * that mailers of 1988 to 2005 wrote. Returns undefined if there is no date, if the day does not exist, if the time or the offset is
 * impossible, if the date can be read in two ways (`3/4/94`), or if it is not of the years 1900 to 9999. Ignores the weekday and text after
 * the date. A missing or unknown zone is UTC, a missing time midnight. (A10)
 */
export function readMailDate(field: Uint8Array, start = 0, end = field.length): number | undefined {
  const seconds = readUsualDate(field, start, end);
  if (seconds !== undefined) return Number.isNaN(seconds) ? undefined : seconds;
  const { text, comments } = takeComments(decodeHeaderText(field.subarray(start, end)));
  return secondsOf(readDate(text, comments));
}

/** Matches a weekday before a date, as in a From_ line. */
const WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +(?=[a-z]{3} |\d)/gi;
/** Placeholder dates in seconds since 1970: the start of 1970 in lore's archives, 17 September 2001 by `git format-patch`. */
const FIXED_DATES: ReadonlySet<number | undefined> = new Set([0, Date.UTC(2001, 8, 17) / 1000]);

/** Reads the date of a From_ line without `From ` as `readMailDate` does, from the last weekday on. Skips FIXED_DATES. (A10, C163) */
export function readFromLineDate(line: Uint8Array): number | undefined {
  const weekday = [...decodeLatin1(line).matchAll(WEEKDAY)].at(-1);
  const seconds = weekday === undefined ? undefined : readMailDate(line, weekday.index);
  return FIXED_DATES.has(seconds) ? undefined : seconds;
}

const DAY_SECONDS = 86_400;
/** The days from 1 March of the year 0 to 1 January 1970. */
const DAYS_TO_1970 = 719_468;
/** Most days whose texts are cached: toISOString is slow. */
const DAYS_MOST = 4096;
const days = new Map<number, string>();
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));

/** Returns a date of the years 0 to 9999, given in seconds since 1970, in ISO 8601: `1994-03-28T15:09:08Z`. */
export function isoDate(seconds: number): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - day * DAY_SECONDS;
  const minutes = Math.floor(rest / 60);
  const hour = Math.floor(minutes / 60);
  return `${isoDay(day)}${TWO_DIGITS[hour]}:${TWO_DIGITS[minutes - hour * 60]}:${TWO_DIGITS[rest - minutes * 60]}Z`;
}

function isoDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size === DAYS_MOST) days.clear();
  const iso = new Date(day * DAY_SECONDS * 1000).toISOString();
  const text = iso.slice(0, iso.indexOf("T") + 1);
  days.set(day, text);
  return text;
}

/** Most letters of a packed zone name. */
const ZONE_LETTERS_MOST = 4;
/** Months by their names of three letters, packed into numbers, so that no strings are needed. */
const MONTHS_OF_THREE = packedNames(MONTHS, 3, 3);
/** Zones in minutes east of Greenwich by their names, packed in the same way. */
const SHORT_ZONES = packedNames(ZONES, 1, ZONE_LETTERS_MOST);

function packedNames(values: ReadonlyMap<string, number>, least: number, most: number): ReadonlyMap<number, number> {
  const names = [...values].filter(([name]) => /^[a-z]+$/.test(name) && name.length >= least && name.length <= most);
  return new Map(names.map(([name, value]) => [packed(new TextEncoder().encode(name), 0, name.length), value]));
}

/** Returns the letters in [at, end), at most four, in lower case as one number. Returns 0 without letters, or if a byte is no letter. */
function packed(field: Uint8Array, at: number, end: number): number {
  let letters = 0;
  for (let index = at; index < end; index++) {
    if (!isLetter(field, index)) return 0;
    letters = (letters << 8) | field[index] | 0x20;
  }
  return letters;
}

/**
 * Reads `Mon, 28 Mar 1994 15:09:08 +0000 (GMT)`, the form of nearly all messages. The weekday may be missing, and the year may have two
 * digits. Returns seconds since 1970, NaN if there is no such day or time, or undefined for any other form. Reads bytes, because a regular
 * expression is slower and needs a string.
 */
function readUsualDate(field: Uint8Array, start: number, end: number): number | undefined {
  let at = afterSpaces(field, start, end);
  if (field[at + 3] === COMMA && packed(field, at, at + 3) !== 0) at = afterSpaces(field, at + 4, at + 4 + SPACES_MOST);
  const dayDigits = isSpace(field, at + 1) ? 1 : 2;
  const day = digitsAt(field, at, dayDigits);
  at += dayDigits + 1;
  const yearDigits = isSpace(field, at + 6) ? 2 : 4;
  const time = at + 5 + yearDigits;
  if (time > end || !isSpace(field, at - 1) || !isSpace(field, at + 3) || !isSpace(field, time - 1)) return undefined;
  const month = MONTHS_OF_THREE.get(packed(field, at, at + 3));
  const digits = digitsAt(field, at + 4, yearDigits);
  if (month === undefined || Number.isNaN(day + digits)) return undefined;
  const year = yearDigits === 4 && digits >= 1000 ? digits : fullYear(decodeLatin1(field, at + 4, time - 1));
  if (field[time + 2] !== COLON || field[time + 5] !== COLON) return undefined;
  if (time + 8 > end || (time + 8 < end && !isSpace(field, time + 8))) return undefined;
  const hour = digitsAt(field, time, 2);
  const minute = digitsAt(field, time + 3, 2);
  const second = digitsAt(field, time + 6, 2);
  const zone = readZone(field, time + 9, end);
  if (zone === undefined || Number.isNaN(hour + minute + second)) return undefined;
  return secondsAt(dayNumber(year, month, day), hour, minute, second, zone);
}

/** Returns the zone at `at` in minutes east of Greenwich: 0 if absent, NaN if impossible, undefined if it has another form or name. */
function readZone(field: Uint8Array, at: number, end: number): number | undefined {
  if (afterSpaces(field, at, end) >= end) return 0;
  const sign = field[at];
  if (sign === PLUS || sign === MINUS) {
    const hours = digitsAt(field, at + 1, 2);
    const minutes = digitsAt(field, at + 3, 2);
    if (Number.isNaN(hours + minutes) || !endsAt(field, at + 5, end)) return undefined;
    return hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * (sign === MINUS ? -1 : 1);
  }
  let next = at;
  while (next < end && next < at + ZONE_LETTERS_MOST && isLetter(field, next)) next++;
  return endsAt(field, next, end) ? SHORT_ZONES.get(packed(field, at, next)) : undefined;
}

/** Returns whether only white space, and at most one plain comment, follows up to `end`. */
function endsAt(field: Uint8Array, at: number, end: number): boolean {
  let next = afterSpaces(field, at, end);
  if (next < end && field[next] === OPEN) {
    next++;
    while (next < end && isPlain(field[next])) next++;
    if (field[next] !== CLOSE) return false;
    next = afterSpaces(field, next + 1, end);
  }
  return next === end;
}

/** Returns whether a byte in a comment is printable ASCII without a meaning: no parenthesis, backslash, `<` or `=`. */
function isPlain(byte = 0): boolean {
  if (byte < SPACE || byte > TILDE) return false;
  return byte !== OPEN && byte !== CLOSE && byte !== BACKSLASH && byte !== LESS && byte !== EQUALS;
}

function isLetter(field: Uint8Array, at: number): boolean {
  const letter = field[at] | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function isSpace(field: Uint8Array, at: number): boolean {
  const code = field[at];
  return code === SPACE || (code >= TAB && code <= RETURN);
}

/** Returns the offset of the first byte in [at, end) that is no white space, or `end`. */
function afterSpaces(field: Uint8Array, at: number, end: number): number {
  let next = at;
  while (next < end && isSpace(field, next)) next++;
  return next;
}

/** Returns the number in the `count` digits at `at`; NaN if one is no digit. */
function digitsAt(field: Uint8Array, at: number, count: number): number {
  let number = 0;
  for (let index = at; index < at + count; index++) {
    const digit = field[index] - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** First second since 1970 that a date may have: the year is 1900 or later in UTC too. */
const SECONDS_LEAST = Date.UTC(1900, 0) / 1000;
/** Last such second: the year is 9999 or earlier in UTC too. */
const SECONDS_MOST = Date.UTC(10_000, 0) / 1000 - 1;

/** Returns seconds since 1970, or undefined for a day or a time that does not exist, or a year outside 1900 to 9999. */
function secondsOf(parts: DateParts | undefined): number | undefined {
  if (parts === undefined) return undefined;
  const { year, month, day, hour, minute, second, zone } = parts;
  const seconds = secondsAt(dayNumber(year, month, day), hour, minute, second, zone);
  return Number.isNaN(seconds) ? undefined : seconds;
}

/** Returns seconds since 1970, or NaN where `secondsOf` returns undefined; `day` counts from 1970 on and is NaN if it does not exist. */
function secondsAt(day: number, hour: number, minute: number, second: number, zone: number): number {
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return Number.NaN;
  const seconds = ((day * 24 + hour) * 60 + minute - zone) * 60 + Math.min(second, 59);
  return seconds >= SECONDS_LEAST && seconds <= SECONDS_MOST ? seconds : Number.NaN;
}

/** Returns the days since 1970 of a date; NaN for a day that does not exist, or a year outside 1900 to 9999. Date.UTC is slow. */
function dayNumber(year: number, month: number, day: number): number {
  if (!(year >= 1900 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month))) return Number.NaN;
  // A year that begins in March has its leap day at the end, and every five months from March have 153 days.
  const [from, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400);
  return 365 * from + leapDays + Math.floor((153 * months + 2) / 5) + day - 1 - DAYS_TO_1970;
}

/** Returns the number of days in a month; months count from 1. */
function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  // The long months are the odd ones up to July, and the even ones from August on.
  return (month + (month >> 3)) % 2 === 0 ? 30 : 31;
}
