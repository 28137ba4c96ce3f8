// The axes of the time line.
import { describe, expect, it } from "vitest";
import { type Axis, axisOf, barName, barsOf, type MonthTotal, numberTicks, scaleOf, timeTicks } from "../../src/page/view/axis.ts";
import { dayBars } from "../../src/page/view/plot.ts";

const totals = (...of: (readonly [year: number, matches: number])[]): MonthTotal[] =>
  of.map(([year, matches], index) => ({ index, month: year * 12, matches }));

describe("the months of the axis", () => {
  it("are all, from the first to the last", () => {
    expect(axisOf(totals([1995, 10], [1999, 20]), false)).toEqual({ from: 1995 * 12, to: 1999 * 12 + 1, unit: 1 });
  });

  it("leave out what wrong clocks wrote, unless all are asked for", () => {
    const months = totals([1970, 1], [1995, 4000], [1999, 3000], [2038, 2]);
    expect(axisOf(months, false)).toEqual({ from: 1995 * 12, to: 1999 * 12 + 1, unit: 1 });
    expect(axisOf(months, true)).toEqual({ from: 1970 * 12, to: 2039 * 12, unit: 12 });
  });

  it("keep what is far away but much", () => {
    expect(axisOf(totals([1970, 100], [1995, 4000], [1999, 3000]), false).from).toBe(1970 * 12);
  });

  it("keep few matches in the year beside the others, also where far ones are left out", () => {
    const months = [
      { index: 0, month: 1970 * 12, matches: 1 },
      { index: 1, month: 1994 * 12 + 11, matches: 1 },
      ...totals([1995, 4000], [1999, 3000], [2038, 2]),
    ];
    expect(axisOf(months, false)).toEqual({ from: 1994 * 12 + 11, to: 1999 * 12 + 1, unit: 1 });
  });

  it("keep few matches near the others", () => {
    expect(axisOf(totals([1994, 1], [1995, 4000], [1999, 3000]), false).from).toBe(1994 * 12);
  });
});

describe("bars", () => {
  const months = Array.from({ length: 252 }, (_, index) => ({ index, month: 1990 * 12 + 5 + index, matches: 1 }));

  it("are months, or years on an axis of more than twenty years", () => {
    const [short, long] = [months.slice(0, 240), months].map((some) => axisOf(some, true));
    expect(barsOf(months.slice(0, 240), short as Axis)).toHaveLength(240);
    expect(long).toEqual({ from: 1990 * 12, to: 2012 * 12, unit: 12 });
    const years = barsOf(months, long as Axis);
    expect(years).toEqual(Array.from({ length: 22 }, (_, year) => ({ at: 1990 + year, matches: [7, 5][[0, 21].indexOf(year)] ?? 12 })));
    expect([barName(1990 * 12 + 5, short as Axis), barName(1990, long as Axis)]).toEqual(["June 1990", "1990"]);
  });

  it("leave out what has no month on the axis", () => {
    const some = [Number.NaN, 1989 * 12, 2020 * 12].map((month) => ({ index: 0, month, matches: 1 }));
    expect(barsOf(some, axisOf(months, true))).toEqual([]);
  });
});

describe("the scale", () => {
  const usual = Array.from({ length: 100 }, (_, index) => 20 + (index % 40));

  it("is that of the usual months, where few would flatten all others", () => {
    expect(scaleOf([...usual, 6000])).toBe(58);
    expect(scaleOf([...usual, 6000, 5000])).toBe(59);
  });

  it("is that of the highest month, if that is not far above or not alone", () => {
    expect(scaleOf([...usual, 230])).toBe(230);
    expect(scaleOf([...usual, ...usual.slice(0, 10).map(() => 6000)])).toBe(6000);
    expect(scaleOf([1, 2, 6000])).toBe(6000);
    expect(scaleOf([])).toBe(0);
  });
});

describe("days and weeks", () => {
  // Tuesday, 1996-02-27, to Saturday, 1996-03-02, and the first day of June.
  const first = Date.UTC(1996, 1, 27) / 86_400_000;
  const days = [first, 5, first + 2, 3, first + 4, 2, Date.UTC(1996, 5, 1) / 86_400_000, 9];

  it("are bars of up to three months, and of up to two years", () => {
    const march = dayBars(days, { from: 1996 * 12 + 2, to: 1996 * 12 + 3 });
    expect([march?.unit, march?.counts.length, march?.counts.indexOf(2)]).toEqual(["day", 31, 1]);
    expect(march?.counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    const spring = dayBars(days, { from: 1996 * 12 + 1, to: 1996 * 12 + 5 });
    expect([spring?.unit, (spring?.from ?? 0) - Date.UTC(1996, 0, 29) / 86_400_000]).toEqual(["week", 0]);
    expect(spring?.counts.slice(0, 6)).toEqual([0, 0, 0, 0, 10, 0]);
  });

  it("are not drawn of more", () => expect(dayBars(days, { from: 1996 * 12, to: 1998 * 12 + 1 })).toBeUndefined());
});

it.each([
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [14, [0, 5, 10, 15]],
  [2826, [0, 1000, 2000, 3000]],
  [1_000_000, [0, 500_000, 1_000_000]],
])("numbers up to %i are marked at %j", (most, ticks) => expect(numberTicks(most)).toEqual(ticks));

it.each([
  [{ from: 1995 * 12, to: 1995 * 12 + 1 }, ["Jan 1995"]],
  [{ from: 1995 * 12 + 10, to: 1996 * 12 + 9 }, ["Jan 1996", "Apr 1996", "Jul 1996"]],
  [{ from: 1995 * 12, to: 2000 * 12 }, ["1995", "1996", "1997", "1998", "1999"]],
  [{ from: 1970 * 12, to: 2038 * 12 }, ["1970", "1980", "1990", "2000", "2010", "2020", "2030"]],
])("the months %j are marked %j", (axis, labels) => {
  const ticks = timeTicks(axis);
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  for (const { at } of ticks) expect(at >= 0 && at < 1).toBe(true);
});
