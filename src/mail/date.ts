// The date of a message, in UTC.
import { remembering } from "../base/arrays.ts";
import { decodeLatin1 } from "../core/text.ts";
import { type DateParts, fullYear, MONTHS, minutesOf, readDate, ZONES } from "./date-reader.ts";
import { decodeHeaderText } from "./words.ts";

const ZERO = 0x30;

const DAY = String.raw`^\s*(?:[a-z]{3},\s*)?(\d{1,2})\s([a-z]{3})\s(\d{4}|\d\d)\s`;
/** A zone, and perhaps a comment without parentheses, backslashes, `<` and `=`. */
const ZONE = String.raw`\s([+-]\d{4}|[a-z]+)\s*(?:\([ -'*-;>-[\]-~]*\)\s*)?`;
// The form of nearly all dates. Reading them by rules would take ten times as long, and each group takes a twentieth of the time.
/** `Mon, 28 Mar 1994 15:09:08 +0000 (GMT)`. The groups are the day, the month, the year and the zone. */
const USUAL = new RegExp(`${DAY}\\d\\d:\\d\\d:\\d\\d(?:${ZONE}|\\s*)$`, "i");

/**
 * Returns the date in a header field in seconds since 1970, or undefined if there is none. Reads RFC 5322 with its obsolete forms, and what
 * mailers of 1988 to 2005 wrote. Ignores the weekday and text after the date. A missing or unknown zone is UTC. No date is one that does
 * not exist, can be read in two ways (`3/4/94`), or is not of the years 1900 to 9999. (A10)
 */
export function readMailDate(field: Uint8Array): number | undefined {
  const parts = readUsualDate(decodeLatin1(field)) ?? readDate(decodeHeaderText(field));
  return parts === undefined ? undefined : secondsOf(parts);
}

/** Matches a weekday before a date, as in a From_ line. */
const WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +(?=[a-z]{3} |\d)/gi;
/** Placeholder dates in seconds since 1970: the start of 1970 in lore's archives, 17 September 2001 by `git format-patch`. */
const FIXED_DATES: ReadonlySet<number | undefined> = new Set([0, Date.UTC(2001, 8, 17) / 1000]);

/** Reads the date of a From_ line without `From ` as `readMailDate` does, from the last weekday on. Skips FIXED_DATES. (A10, C163) */
export function readFromLineDate(line: Uint8Array): number | undefined {
  const weekday = [...decodeLatin1(line).matchAll(WEEKDAY)].at(-1);
  const seconds = weekday === undefined ? undefined : readMailDate(line.subarray(weekday.index));
  return FIXED_DATES.has(seconds) ? undefined : seconds;
}

const DAY_SECONDS = 86_400;
/** The texts of days, because toISOString is slow: 4 % of a run with dates. */
const isoDay = remembering((day: number) => new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -"00:00:00.000Z".length), 4096);
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));

/** Returns a date of the years 0 to 9999, given in seconds since 1970, in ISO 8601: `1994-03-28T15:09:08Z`. */
export function isoDate(seconds: number): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - day * DAY_SECONDS;
  const minutes = Math.floor(rest / 60);
  const hour = Math.floor(minutes / 60);
  return `${isoDay(day)}${TWO_DIGITS[hour]}:${TWO_DIGITS[minutes - hour * 60]}:${TWO_DIGITS[rest - minutes * 60]}Z`;
}

/** Returns the parts of a date in the usual form, or undefined for any other form, month or zone. */
function readUsualDate(text: string): DateParts | undefined {
  const groups = USUAL.exec(text);
  if (groups === null) return undefined;
  const [, day, monthName, year, zoneName = "utc"] = groups;
  const month = MONTHS.get(monthName.toLowerCase());
  const hasSign = zoneName[0] === "+" || zoneName[0] === "-";
  const zone = hasSign ? minutesOf(zoneName[0], twoDigits(zoneName, 1), twoDigits(zoneName, 3)) : ZONES.get(zoneName.toLowerCase());
  if (month === undefined || zone === undefined) return undefined;
  const colon = text.indexOf(":");
  const [hour, minute, second] = [twoDigits(text, colon - 2), twoDigits(text, colon + 1), twoDigits(text, colon + 4)];
  return { year: fullYear(year), month, day: Number(day), hour, minute, second, zone };
}

function twoDigits(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * ZERO;
}

/** Returns seconds since 1970, or undefined for a day or a time that does not exist, or a year outside 1900 to 9999 here or in UTC. */
function secondsOf({ year, month, day, hour, minute, second, zone }: DateParts): number | undefined {
  const isYear = (one: number): boolean => one >= 1900 && one <= 9999;
  const isDay = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate());
  if (!isYear(year) || !isDay || !(hour <= 23 && minute <= 59 && second <= 60)) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute - zone, Math.min(second, 59)));
  return isYear(date.getUTCFullYear()) ? date.getTime() / 1000 : undefined;
}
