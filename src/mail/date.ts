// The date of a message, in UTC.
import { takeComments } from "./comments.ts";
import { type DateParts, fullYear, offsetOf, readDate } from "./date-reader.ts";
import { MONTHS, ZONES } from "./names.ts";

const DAY = /^\s*(?:[A-Za-z]{3},\s{0,9})?(\d\d?)\s([A-Za-z]{3})\s(\d{4}|\d\d)\s/;
const TIME = /(\d\d):(\d\d):(\d\d)\s(?:([+-])(\d\d)(\d\d)|([A-Za-z]{1,4}))\s*(?:\([^()\\<]*\)\s*)?$/;
const DAY_MINUTES = 24 * 60;
const COMMON = new RegExp(DAY.source + TIME.source);

/**
 * Reads the text of a Date field: RFC 5322 with its obsolete forms, and the forms that mailers of 1988 to 2005 wrote. Returns UTC in
 * seconds, as `1994-03-28T15:09:08Z`. Returns undefined if the day does not exist, if the time or the offset is impossible, or if the
 * date can be read in two ways (`3/4/94`). Ignores the weekday and text after the date. A missing or unknown zone is UTC, a missing time
 * midnight. (A10)
 */
export function parseMailDate(field: string): string | undefined {
  const parts = readCommon(field);
  if (parts !== undefined) return isoOf(parts);
  const { text, comments } = takeComments(field);
  return isoOf(readDate(text, comments));
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
