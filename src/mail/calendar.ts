// Days, years and daylight saving time: what turns the parts of a date into UTC.

const DAY_MINUTES = 24 * 60;

/** The parts of a date as a message has them. `month` counts from 1, `zone` is in minutes east of Greenwich, less than a day. */
export interface DateParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  zone: number;
}

/**
 * The year that digits stand for (RFC 5322 4.3): of two, 00 to 49 are of this century; three count from 1900, also
 * behind a zero (`0102`, as mailers wrote 2002). Five that begin with 19 are years since 1900 behind a fixed 19 (`19100`).
 * @see docs/rules.md A10
 */
export function fullYear(digits: string): number {
  if (digits.length === 4 && digits.startsWith("0")) return fullYear(digits.replace(/^00?/, ""));
  const number = Number(digits);
  if (digits.length === 2) return number + (number < 50 ? 2000 : 1900);
  if (digits.length === 3) return number + 1900;
  return digits.length === 5 && digits.startsWith("19") ? number - 19000 + 1900 : number;
}

/**
 * UTC in ISO 8601, in seconds; second 60 is shown as 59. Undefined where there is no such day or time, or a year before 1900 or
 * after 9999.
 * @see docs/rules.md A10
 */
export function isoOf(parts: DateParts): string | undefined {
  const { month, day } = parts;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(parts.year, month)) return undefined;
  if (parts.hour > 23 || parts.minute > 59 || parts.second > 60 || !isKnownYear(parts.year)) return undefined;
  const minutes = parts.hour * 60 + parts.minute - parts.zone;
  // The zone moves the day by one at most.
  const shift = Math.floor(minutes / DAY_MINUTES);
  const [year, dayText] = shift === 0 ? [parts.year, `${twoDigits(month)}-${twoDigits(day)}`] : shiftedDay(parts, shift);
  if (!isKnownYear(year)) return undefined;
  const rest = minutes - shift * DAY_MINUTES;
  return `${year}-${dayText}T${twoDigits(Math.floor(rest / 60))}:${twoDigits(rest % 60)}:${twoDigits(Math.min(parts.second, 59))}Z`;
}

function isKnownYear(year: number): boolean {
  return year >= 1900 && year <= 9999;
}

function shiftedDay({ year, month, day }: DateParts, shift: number): [number, string] {
  const date = new Date(Date.UTC(year, month - 1, day + shift));
  return [date.getUTCFullYear(), `${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`];
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Whether daylight saving time is on at a day, by the rule of the United States or of the European Union as it was in that year. Hours of
 * the day are not looked at.
 * @see docs/rules.md A10
 */
export function isDaylightTime(year: number, month: number, day: number, american: boolean): boolean {
  const today = Date.UTC(year, month - 1, day);
  if (!american) return today >= lastSunday(year, 3) && today < lastSunday(year, 10);
  // The first Sunday on or after a day is the last one up to six days later.
  if (year >= 2007) return today >= sundayUpTo(year, 3, 14) && today < sundayUpTo(year, 11, 7);
  return today >= (year >= 1987 ? sundayUpTo(year, 4, 7) : lastSunday(year, 4)) && today < lastSunday(year, 10);
}

function lastSunday(year: number, month: number): number {
  return sundayUpTo(year, month, daysIn(year, month));
}

function sundayUpTo(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day - new Date(Date.UTC(year, month - 1, day)).getUTCDay());
}
