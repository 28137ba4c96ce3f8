// Numbers, months, sizes and counts of things in words.
import { OTHER_MONTHS } from "../../summary/summary.ts";

const NUMBER = new Intl.NumberFormat("en-US");
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export function number(value: number): string {
  return NUMBER.format(value);
}

export function numberOrDash(value: number | null | undefined): string {
  return value == null ? "–" : number(value);
}

/** Returns a count with its noun: `1 host`, `2,000 hosts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Returns the share of `part` in `whole` in percent: `12.0%`, `<0.1%`. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return part > 0 && percent < 0.1 ? "<0.1%" : `${percent.toFixed(1)}%`;
}

/** Returns a size in decimal units: `1.4 GB`. */
export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  if (power === 0) return counted(bytes, "byte");
  const value = bytes / 1000 ** power;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** Returns a time: `0.31 s`, `12 s`, `4 min 3 s`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** The last of the months of a narrowed summary: it counts matches whose month was lost. */
export const UNKNOWN_MONTH = "unknown";

/** Returns whether a month of a summary is a single month, not null, OTHER_MONTHS or UNKNOWN_MONTH. */
export function isMonth(month: string | null | undefined): month is string {
  return month != null && month !== OTHER_MONTHS && month !== UNKNOWN_MONTH;
}

/** Returns the name of a month: `March 1998` for `1998-03`. */
export function monthName(month: string): string {
  const [year = "", of = ""] = month.split("-");
  return `${MONTHS[Number(of) - 1] ?? of} ${Number(year)}`;
}

export function shortMonth(month: number): string {
  return MONTHS[month].slice(0, 3);
}

/** Returns the number of a month, `1998-03`, since the year 0. */
export function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

/** Returns the day of a date, `1998-03-14`; a month stays as it is, and null becomes a dash. */
export function day(date: string | null): string {
  return date === null ? "–" : date.slice(0, 10);
}
