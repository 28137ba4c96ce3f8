// Reads a date in any form that mailers wrote, part by part from left to right.
import { takeComments } from "./words.ts";

// Months, 1 to 12, by names in lower case in seven languages. A `?` in a name is any run of characters other than ASCII letters, so that a
// name is found even if its accents were damaged. (A10)
export const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    "jan january januar jaenner j?nner janv janvier ene enero gennaio gen januari",
    "feb february februar fev f?v f?vr f?vrier fevr fevrier febrero febbraio fevereiro februari",
    "mar march m?r m?rz mrz maerz marz mars marzo mrt maart mar?o",
    "apr april avr avril abr abril aprile",
    "may mai maj mayo mag maggio maio mei",
    "jun june juni juin junio giu giugno junho",
    "jul july juli juil juillet julio lug luglio julho",
    "aug august aou ao? aout ao?t ago agosto augustus",
    "sep sept september septembre septiembre set setiembre settembre setembro",
    "oct october okt oktober octobre octubre ott ottobre out outubro",
    "nov november novembre noviembre novembro",
    "dec december dez dezember d?c d?cembre decembre dic diciembre dicembre dezembro",
  ].flatMap((names, index) => names.split(" ").map((name): [string, number] => [name, index + 1])),
);

// Time zones of RFC 5322 and others that mailers wrote, by name in lower case, in minutes east of Greenwich. The military letters are UTC,
// because mailers used them inconsistently (RFC 5322 4.3). (A10)
export const ZONES: ReadonlyMap<string, number> = new Map(
  [
    "-1000 hst, -0900 akst, -0800 pst akdt, -0700 mst pdt, -0600 cst mdt, -0500 est cdt, -0400 edt ast, -0330 nst, -0300 adt, -0230 ndt",
    "+0000 gmt ut utc wet a b c d e f g h i j k l m n o p q r s t u v w x y z, +0100 cet met mez bst west, +0400 msd",
    "+0200 cest mest mesz metdst cetdst eet sast, +0300 eest eetdst msk idt, +0530 ist, +0700 ict, +0800 awst hkt sgt pht",
    "+0900 jst kst, +0930 acst, +1000 aest, +1030 acdt, +1100 aedt, +1200 nzst, +1300 nzdt nzhdt",
  ].flatMap((rows) =>
    rows.split(", ").flatMap((row) => {
      const [offset, ...names] = row.split(" ");
      const minutes = Math.trunc(Number(offset) / 100) * 60 + (Number(offset) % 100);
      return names.map((name): [string, number] => [name, minutes]);
    }),
  ),
);

/** Names that are zones only before words such as `Standard Time`, with the minutes of standard time east of Greenwich. */
const LONG_ZONES = new Map(Object.entries({ eastern: -300, central: -360, mountain: -420, pacific: -480, greenwich: 0 }));

/** The parts of a date, unchecked: months from 1, zones in minutes east of Greenwich. NaN: unreadable, or readable in two ways. */
export type DateParts = Readonly<Record<"year" | "month" | "day" | "hour" | "minute" | "second" | "zone", number>>;

/** The parts found so far. */
interface Draft extends Partial<DateParts> {
  /** The two names in a zone such as EST5EDT. The date decides which of them applies. */
  readonly zoneNames?: readonly [standard: string, daylight: string];
  /** The month is `mar`, which is a weekday in Romance languages. */
  readonly monthMayBeWeekday?: boolean;
  /** The text has digits that are no part of the date. Then a date without a time is not accepted. */
  readonly hasMoreDigits?: boolean;
}

/** The named groups of a match. */
type Groups = Readonly<Record<string, string | undefined>>;
/** Returns the parts that a match adds to the date, or undefined if it does not fit. */
type PartsOf = (groups: Groups, date: Draft) => Draft | undefined;

const NUMBER = /(?<digits>\d+)(?:(?:st|nd|rd|th|er)\b)?/;
const TIME = /(?<hour>\d{1,2})(?<mark>[:.])(?<minute>\d{1,2})(?:\k<mark>(?<second>\d{1,2})(?:[.,:]\d+)?)?(?![:.]?\d)/;
const HALF = /\s?(?<half>[ap])\.?m\b/;
const OFFSET = /[+-]?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d\d))?(?!\d)/;
const WORD = /(?<word>[a-z](?:[a-z]|[^\0-\x7f\s]|[{|}?])*)/;
const ZONE_SUFFIX = /(?<suffix>\s(?:(?<summer>dst|daylight time|summer time)|standard time)\b)/;

type Rule = readonly [pattern: RegExp, partsOf: PartsOf];

/** Rules for parts that begin with a digit. The first rule applies whose pattern matches and whose function does not return undefined. */
const AT_DIGIT: readonly Rule[] = [
  [/(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?=t\d|\s|$|\d{6}(?!\d))/iy, basicDate],
  [/(?<first>\d{1,4})(?<mark>[-/]|\. ?)(?<second>\d{1,2})\k<mark>(?<third>\d{1,5})(?!\d)/y, numericDate],
  [sticky(`${TIME.source}(?:${HALF.source})?`), timeOf],
  [sticky(`(?<hour>\\d{1,2})${HALF.source}`), timeOf],
  [/(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?!\d)/y, (groups, date) => (hasDay(date) ? timeOf(groups, date) : undefined)],
  [/(?<hours>\d\d)(?<minutes>\d\d)(?!\d)/y, unsignedOffset],
  // Web servers write `02/Mar/2024:10:00:00 +0100`.
  [/(?<digits>\d{4}):(?=\d\d:\d\d:\d\d)/y, yearOf],
  // An invalid time must not become a day or a year.
  [sticky(`${NUMBER.source}:`), () => ({ day: Number.NaN })],
  [sticky(NUMBER.source), yearOf],
  // A sign directly after a day or a month is a hyphen: it begins no offset.
  [sticky(`${NUMBER.source}[+-]?`), ({ digits }, { day }) => (day === undefined ? { day: Number(digits) } : undefined)],
  [sticky(NUMBER.source), () => ({ hasMoreDigits: true })],
];
const AT_LETTER: readonly Rule[] = [
  [/(?<standard>[a-z]{3})\d{1,2}(?<daylight>[a-z]{3})\b/iy, posixZone],
  [sticky(`${WORD.source}[+-]?`), monthOf],
  [sticky(`${WORD.source}${ZONE_SUFFIX.source}?(?:\\s?${OFFSET.source})?`), zoneOf],
  [sticky(WORD.source), () => ({})],
];
const AT_SIGN: readonly Rule[] = [
  [sticky(OFFSET.source), (groups, date) => (date.hour === undefined ? undefined : hasZone(date) ? {} : { zone: offsetOf(groups) })],
];

function sticky(source: string): RegExp {
  return new RegExp(source, "iy");
}

/**
 * Returns the parts of a date; undefined if it lacks a year, a month or a day, or lacks a time but has digits that may be one. A zone in
 * comments counts if the date itself has none; a missing zone is UTC, a missing time midnight. (A10)
 */
export function readDate(field: string): DateParts | undefined {
  const { text, comments } = takeComments(field);
  const date: Draft = {};
  let at = 0;
  while (at < text.length && !(hasDay(date) && date.hour !== undefined && hasZone(date))) at = readNext(text, at, date);
  if (!hasDay(date) || (date.hour === undefined && date.hasMoreDigits === true)) return undefined;
  const { year, month, day, hour = 0, minute = 0, second = 0 } = date;
  return { year, month, day, hour, minute, second, zone: date.zone ?? zoneOfNames(date) ?? zoneOfComments(comments) ?? 0 };
}

/** Adds the part at `at` to the date. Returns the offset after the part, or `at + 1` if no rule applies. */
function readNext(text: string, at: number, date: Draft): number {
  for (const [pattern, partsOf] of rulesAt(text.charCodeAt(at))) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const parts = match === null ? undefined : partsOf(match.groups ?? {}, date);
    if (parts === undefined) continue;
    Object.assign(date, parts);
    return pattern.lastIndex;
  }
  return at + 1;
}

function rulesAt(code: number): readonly Rule[] {
  if (code >= 0x30 && code <= 0x39) return AT_DIGIT;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return AT_LETTER;
  return code === 0x2b || code === 0x2d ? AT_SIGN : [];
}

function hasDay(date: Draft): date is Draft & Pick<DateParts, "year" | "month" | "day"> {
  return date.year !== undefined && date.month !== undefined && date.day !== undefined;
}

function hasZone({ zone, zoneNames }: Draft): boolean {
  return zone !== undefined || zoneNames !== undefined;
}

function basicDate({ year, month, day }: Groups, date: Draft): Draft | undefined {
  return isEmpty(date) ? { year: fullYear(year), month: Number(month), day: Number(day) } : undefined;
}

// Undefined after another part of a date. The year is first if recognizable, else last. With dots the day precedes the month; else the
// numbers must show which is the month, or the day is NaN.
function numericDate({ first = "", mark = "", second, third = "" }: Groups, date: Draft): Draft | undefined {
  if (!isEmpty(date)) return undefined;
  const [one, two] = [Number(first), Number(second)];
  if (first.length > 2 || one > 31) return { year: fullYear(first), month: two, day: Number(third) };
  const year = fullYear(third);
  if (mark.startsWith(".") || one > 12 || one === two) return { year, month: two, day: one };
  return { year, month: one, day: two > 12 ? two : Number.NaN };
}

function isEmpty({ year, month, day }: Draft): boolean {
  return year === undefined && month === undefined && day === undefined;
}

// Undefined if the date has a time. A time with dots is none before the day. Hours above 12 may have a PM, which changes nothing; with an
// AM they are NaN.
function timeOf({ hour, mark, minute = "0", second = "0", half }: Groups, date: Draft): Draft | undefined {
  if (date.hour !== undefined || (mark === "." && date.day === undefined)) return undefined;
  const isMorning = half === "a" || half === "A";
  let hours = Number(hour);
  if (isMorning) hours = hours > 12 ? Number.NaN : hours % 12;
  else if (half !== undefined && hours < 12) hours += 12;
  return { hour: hours, minute: Number(minute), second: Number(second) };
}

function yearOf({ digits = "" }: Groups, date: Draft): Draft | undefined {
  const mayBeYear = digits.length >= 3 || (digits.length === 2 && date.day !== undefined);
  return date.year === undefined && mayBeYear ? { year: fullYear(digits) } : undefined;
}

/** Returns the year that digits stand for: `49` 2049, `50` 1950, `102` 2002 (RFC 5322 4.3), `0102` 2002, `19100` 2000. */
export function fullYear(digits = ""): number {
  if (digits.length === 4 && digits.startsWith("0")) return fullYear(digits.replace(/^00?/, ""));
  const number = Number(digits);
  if (digits.length === 2) return number + (number < 50 ? 2000 : 1900);
  if (digits.length === 3) return number + 1900;
  return digits.length === 5 && digits.startsWith("19") ? number - 19000 + 1900 : number;
}

function nameOf(word = ""): string {
  return word.toLowerCase().replace(/[^a-z]+/g, "?");
}

function monthOf({ word }: Groups, { month, day, monthMayBeWeekday }: Draft): Draft | undefined {
  const name = nameOf(word);
  const number = month === undefined || monthMayBeWeekday === true ? MONTHS.get(name) : undefined;
  if (number === undefined) return undefined;
  return { month: number, monthMayBeWeekday: name === "mar" && month === undefined && day === undefined };
}

function zoneOf(groups: Groups, date: Draft): Draft | undefined {
  const { word = "", suffix, summer, sign, minutes } = groups;
  if (hasZone(date) || (word.length === 1 && date.hour === undefined)) return undefined;
  const zone = ZONES.get(nameOf(word)) ?? (suffix === undefined ? undefined : LONG_ZONES.get(nameOf(word)));
  if (zone === undefined) return undefined;
  // After a zone other than Greenwich's, one or two digits are the hours west in POSIX form: they repeat the name.
  if (sign !== undefined && (zone === 0 || minutes !== undefined)) return { zone: offsetOf(groups) };
  return { zone: summer === undefined ? zone : zone + 60 };
}

function offsetOf({ sign, hours, minutes = "0" }: Groups): number {
  return minutesOf(sign, Number(hours), Number(minutes));
}

/** Returns an offset from UTC in minutes, positive to the east, or NaN if there is no such offset. */
export function minutesOf(sign: string | undefined, hours: number, minutes: number): number {
  return hours > 23 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * (sign === "-" ? -1 : 1);
}

const OFFSET_HOURS_MOST = 14; // The largest offset of a zone east of Greenwich

/** Reads an offset without a sign as east of Greenwich: mailers lost the `+`, but not the `-`. */
function unsignedOffset(groups: Groups, date: Draft): Draft | undefined {
  if (!hasDay(date) || date.hour === undefined || hasZone(date) || Number(groups.hours) > OFFSET_HOURS_MOST) return undefined;
  return { zone: offsetOf(groups) };
}

function posixZone({ standard = "", daylight = "" }: Groups, date: Draft): Draft | undefined {
  return hasZone(date) ? undefined : { zoneNames: [standard.toLowerCase(), daylight.toLowerCase()] };
}

function zoneOfNames(date: Draft): number | undefined {
  const [standard = "", daylight = ""] = date.zoneNames ?? [];
  const zone = ZONES.get(standard);
  return zone === undefined || !isDaylightTime(date, zone < -180) ? zone : (ZONES.get(daylight) ?? zone + 60);
}

/** Returns whether daylight saving time applies on a day: by the rule of that year in the United States, or of the EU since 1996. */
function isDaylightTime({ year = 0, month = 0, day = 0 }: Draft, isAmerican: boolean): boolean {
  const sundayUpTo = (monthIndex: number, last: number): number =>
    Date.UTC(year, monthIndex, last - new Date(Date.UTC(year, monthIndex, last)).getUTCDay());
  const today = Date.UTC(year, month - 1, day);
  if (!isAmerican) return today >= sundayUpTo(2, 31) && today < sundayUpTo(9, 31);
  if (year >= 2007) return today >= sundayUpTo(2, 14) && today < sundayUpTo(10, 7);
  return today >= (year >= 1987 ? sundayUpTo(3, 7) : sundayUpTo(3, 30)) && today < sundayUpTo(9, 31);
}

function zoneOfComments(comments: readonly string[]): number | undefined {
  for (const comment of comments) {
    // A zone follows a time.
    const date: Draft = { hour: 0 };
    readNext(comment.trim(), 0, date);
    if (date.zone !== undefined && !Number.isNaN(date.zone)) return date.zone;
  }
  return undefined;
}
