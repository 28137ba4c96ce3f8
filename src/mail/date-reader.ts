// Reads a date in any form that is known of mailers, part by part from left to right.
import { type DateParts, fullYear, isDaylightTime } from "./calendar.ts";
import { LONG_ZONES, MONTHS, ZONES } from "./names.ts";

const UNKNOWN = -1;

const BASIC_DATE = /(\d{4})(\d\d)(\d\d)(?=t\d|\s|$)/iy;
const NUMERIC_DATE = /(\d{1,4})([-/]|\. ?)(\d{1,2})\2(\d{1,5})(?!\d)/y;
const TIME = /(\d{1,2})([:.])(\d{1,2})(?:\2(\d{1,2})(?:[.,:]\d+)?)?(?![:.]?\d)(?:\s?([ap])\.?m\b)?/iy;
const FULL_HOUR = /(\d{1,2})\s?([ap])\.?m\b/iy;
const COMPACT_TIME = /(\d\d)(\d\d)(\d\d)?(?!\d)/y;
const NUMBER = /(\d+)(?:(?:st|nd|rd|th|er)\b)?/iy;
const OFFSET = /[+-]?([+-])(\d{1,2})(?::?(\d\d))?(?!\d)/y;
const OFFSET_OF_ZONE = /\s?[+-]?([+-])(\d{1,2})(?::?(\d\d))?(?!\d)/y;
const POSIX_ZONE = /([a-z]{3})\d{1,2}([a-z]{3})\b/iy;
const WORD = /[a-z](?:[a-z]|[^\0-\x7f\s]|[{|}?])*/iy;
const ZONE_SUFFIX = /\s(?:(dst|daylight time|summer time)|standard time)\b/iy;

/** A date that is being read; what was not found yet is -1. One that turns out impossible, or that can be read in two ways, fails. */
export class DateReader {
  readonly #text: string;
  #at = 0;
  #failed = false;
  #year = UNKNOWN;
  #month = UNKNOWN;
  #day = UNKNOWN;
  #hour = UNKNOWN;
  #minute = 0;
  #second = 0;
  #zone: number | undefined;
  // The names of a zone such as EST5EDT, which may be had only when the day is known.
  #zoneNames: [string, string] | undefined;
  // `mar` is a month and, in Romance languages, a weekday.
  #monthMayBeWeekday = false;
  // Digits that told nothing: then a day without a time is not taken for all there is.
  #hasMoreDigits = false;
  // Where the last day or month ended: a hyphen there joins, elsewhere it may be the sign of an offset.
  #joinAt = UNKNOWN;

  constructor(text: string) {
    this.#text = text;
  }

  /** The parts of the date, or undefined; `comments` tell the zone where the date itself has none. A missing time is midnight. */
  read(comments: string[]): DateParts | undefined {
    const length = this.#text.length;
    while (this.#at < length && !this.#failed && !this.#isComplete()) this.#readNext();
    if (this.#failed || !this.#hasDate() || (this.#hour < 0 && this.#hasMoreDigits)) return undefined;
    const zone = this.#zone ?? this.#zoneOfNames() ?? zoneOfComments(comments) ?? 0;
    const hour = Math.max(0, this.#hour);
    return { year: this.#year, month: this.#month, day: this.#day, hour, minute: this.#minute, second: this.#second, zone };
  }

  /** The zone that the text begins with. */
  readZone(): number | undefined {
    this.#hour = 0;
    this.#readNext();
    return this.#failed ? undefined : this.#zone;
  }

  #hasDate(): boolean {
    return this.#year >= 0 && this.#month >= 0 && this.#day >= 0;
  }

  #isComplete(): boolean {
    return this.#hasDate() && this.#hour >= 0 && this.#hasZone();
  }

  #hasZone(): boolean {
    return this.#zone !== undefined || this.#zoneNames !== undefined;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #readNext(): void {
    const code = this.#text.charCodeAt(this.#at);
    const letter = code | 0x20;
    if (code >= 0x30 && code <= 0x39) this.#readDigits();
    else if (letter >= 0x61 && letter <= 0x7a) this.#readLetters();
    else if (!((code === 0x2b || code === 0x2d) && this.#readOffset())) this.#at += 1;
  }

  #readDigits(): void {
    if (this.#year < 0 && this.#month < 0 && this.#day < 0 && this.#readNumericDate()) return;
    if (this.#hour < 0 && this.#readTime()) return;
    const digits = (this.#match(NUMBER) as RegExpExecArray)[1] as string;
    // A time that is none must not be taken for a day or a year.
    if (this.#text[this.#at] === ":") this.#failed = true;
    const mayBeYear = digits.length >= 3 || (digits.length === 2 && this.#day >= 0);
    if (this.#year < 0 && mayBeYear) this.#year = fullYear(digits);
    else if (this.#day < 0) {
      this.#day = Number(digits);
      this.#joinAt = this.#at;
    } else this.#hasMoreDigits = true;
  }

  /** Year first if it shows; day first with dots; with strokes and hyphens only where the numbers tell which of them is the month. */
  #readNumericDate(): boolean {
    const basic = this.#match(BASIC_DATE);
    if (basic !== null) {
      this.#setDate(basic[1] as string, Number(basic[2]), Number(basic[3]));
      return true;
    }
    const match = this.#match(NUMERIC_DATE);
    if (match === null) return false;
    const [first, second, third] = [match[1] as string, match[3] as string, match[4] as string];
    const [one, two] = [Number(first), Number(second)];
    if (first.length > 2 || one > 31) this.#setDate(first, two, Number(third));
    else if (match[2]?.startsWith(".") || one > 12 || one === two) this.#setDate(third, two, one);
    else if (two > 12) this.#setDate(third, one, two);
    else this.#failed = true;
    return true;
  }

  #setDate(year: string, month: number, day: number): void {
    this.#year = fullYear(year);
    this.#month = month;
    this.#day = day;
  }

  #readTime(): boolean {
    const before = this.#at;
    const match = this.#match(TIME);
    if (match !== null && (match[2] === ":" || this.#day >= 0)) {
      this.#setTime(Number(match[1]), Number(match[3]), Number(match[4] ?? 0), match[5]);
      return true;
    }
    this.#at = before;
    const full = this.#match(FULL_HOUR);
    if (full !== null) {
      this.#setTime(Number(full[1]), 0, 0, full[2]);
      return true;
    }
    const compact = this.#hasDate() ? this.#match(COMPACT_TIME) : null;
    if (compact === null) return false;
    this.#setTime(Number(compact[1]), Number(compact[2]), Number(compact[3] ?? 0), undefined);
    return true;
  }

  /** `half` is the letter of AM or PM; hours above 12 may have a PM that says nothing new. */
  #setTime(hour: number, minute: number, second: number, half: string | undefined): void {
    const isMorning = half?.toLowerCase() === "a";
    this.#failed = (isMorning && hour > 12) || hour > 23 || minute > 59 || second > 60;
    this.#hour = hour;
    if (isMorning && hour === 12) this.#hour = 0;
    if (half !== undefined && !isMorning && hour < 12) this.#hour = hour + 12;
    this.#minute = minute;
    this.#second = second;
  }

  #readOffset(): boolean {
    if (this.#hour < 0 || this.#joinAt === this.#at) return false;
    const match = this.#match(OFFSET);
    if (match !== null && !this.#hasZone()) this.#setOffset(match);
    return match !== null;
  }

  #setOffset(match: RegExpExecArray): void {
    const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)];
    if (hours > 23 || minutes > 59) this.#failed = true;
    this.#zone = (hours * 60 + minutes) * (match[1] === "-" ? -1 : 1);
  }

  #readLetters(): void {
    const posix = this.#hasZone() ? null : this.#match(POSIX_ZONE);
    if (posix !== null) {
      this.#zoneNames = [(posix[1] as string).toLowerCase(), (posix[2] as string).toLowerCase()];
      return;
    }
    const word = (this.#match(WORD) as RegExpExecArray)[0];
    const name = word.toLowerCase().replace(/[^a-z]+/g, "?");
    const month = MONTHS.get(name);
    if (month !== undefined && (this.#month < 0 || this.#monthMayBeWeekday)) {
      this.#monthMayBeWeekday = name === "mar" && this.#month < 0 && this.#day < 0;
      this.#month = month;
      this.#joinAt = this.#at;
    } else if (!this.#hasZone() && (name.length > 1 || this.#hour >= 0)) this.#readZoneName(name);
  }

  #readZoneName(name: string): void {
    const suffix = this.#match(ZONE_SUFFIX);
    const zone = ZONES.get(name) ?? (suffix === null ? undefined : LONG_ZONES.get(name));
    if (zone === undefined) return;
    this.#zone = suffix?.[1] === undefined ? zone : zone + 60;
    const offset = this.#match(OFFSET_OF_ZONE);
    // One digit or two behind another zone than Greenwich's are the hours west of POSIX, which say what the name says.
    if (offset !== null && (zone === 0 || offset[3] !== undefined)) this.#setOffset(offset);
  }

  #zoneOfNames(): number | undefined {
    if (this.#zoneNames === undefined) return undefined;
    const [standard, daylight] = this.#zoneNames;
    const offset = ZONES.get(standard);
    if (offset === undefined) return undefined;
    return isDaylightTime(this.#year, this.#month, this.#day, offset < -180) ? (ZONES.get(daylight) ?? offset + 60) : offset;
  }
}

function zoneOfComments(comments: string[]): number | undefined {
  for (const comment of comments) {
    const zone = new DateReader(comment.trim()).readZone();
    if (zone !== undefined) return zone;
  }
  return undefined;
}
