// The date of a message as its Date field tells it: RFC 5322 with its obsolete forms, and what mailers of 1988 to 2005 wrote instead.
import { type DateParts, fullYear, isoOf } from "./calendar.ts";
import { takeComments } from "./comments.ts";
import { DateReader } from "./date-reader.ts";
import { MONTHS, ZONES } from "./names.ts";

const DAY = /^\s*(?:[A-Za-z]{3},\s{0,9})?(\d\d?)\s([A-Za-z]{3})\s(\d{4}|\d\d)\s/;
const TIME = /(\d\d):(\d\d):(\d\d)\s(?:([+-])(\d\d)(\d\d)|([A-Za-z]{1,4}))\s*(?:\([^()\\<]*\)\s*)?$/;
const COMMON = new RegExp(DAY.source + TIME.source);

/**
 * The date of a Date field's text in UTC, as `1994-03-28T15:09:08Z`; undefined where it has no day that exists, where its time or
 * offset is impossible, or where it can be read in two ways (`3/4/94`). A wrong weekday and text behind the date are not looked at. A
 * date without a zone, or with one that is not known, is UTC; one without a time is midnight.
 * @see docs/rules.md A10
 */
export function parseMailDate(field: string): string | undefined {
  const parts = readCommon(field) ?? readAny(field);
  return parts === undefined ? undefined : isoOf(parts);
}

/** What nearly all messages have, at once. */
function readCommon(field: string): DateParts | undefined {
  const match = COMMON.exec(field);
  if (match === null) return undefined;
  const [, day, monthName = "", year = "", hour, minute, second, sign, zoneHours, zoneMinutes, zoneName] = match;
  const month = MONTHS.get(monthName.toLowerCase());
  const zone = zoneName === undefined ? Number(zoneHours) * 60 + Number(zoneMinutes) : ZONES.get(zoneName.toLowerCase());
  if (month === undefined || zone === undefined || Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  return {
    year: fullYear(year),
    month,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    zone: sign === "-" ? -zone : zone,
  };
}

function readAny(field: string): DateParts | undefined {
  const { text, comments } = takeComments(field);
  return new DateReader(text).read(comments);
}
