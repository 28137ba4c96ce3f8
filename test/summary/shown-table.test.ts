// The rows of a table as they are shown.
import { expect, it } from "vitest";
import { encodedValue } from "../../src/count/key-fields.ts";
import { murmur3 } from "../../src/count/key-table.ts";
import { finishAtOnce } from "../../src/input/pacer.ts";
import { shownTable } from "../../src/summary/make-summary.ts";
import { NO_MONTH, noAddition } from "../../src/summary/month-cells.ts";
import { ValueTable } from "../../src/summary/value-table.ts";

const DAY = 86_400;

it("takes the first and the last date of values that are the same without their userinfo, whichever has none", () => {
  const undated = [Number.NaN, NO_MONTH] as const;
  const [early, late] = [[400 * DAY, 13] as const, [700 * DAY, 23] as const];
  for (const dates of [
    [early, undated],
    [undated, early],
    [early, undated, late],
    [late, early, undated],
  ]) {
    const table = new ValueTable({ memory: 1 << 20, hash: murmur3, seed: 1 });
    for (const [index, [time, month]] of dates.entries()) {
      const key = encodedValue("url", `http://a:password${index}@h.example/`);
      table.add(new DataView(key.buffer), 0, key.length, { ...noAddition(), count: 1, month, first: time, last: time });
    }
    const months = [13, 23, NO_MONTH];
    const { rows } = finishAtOnce(shownTable(table, 10, { months, indexes: new Map(months.map((month, index) => [month, index])) }));
    const last = dates.includes(late) ? "1971-12-02T00:00:00Z" : "1971-02-05T00:00:00Z";
    expect(rows.map((row) => row.slice(0, 3))).toEqual([["http://***@h.example/", "1971-02-05T00:00:00Z", last]]);
  }
});

it("has all of more than 2^16 values, of more than 2^32 matches", () => {
  const table = new ValueTable({ memory: 1e9, hash: murmur3, seed: 1 });
  const [count, matches, messages, month] = [2 ** 16 + 9, 2 ** 32 + 1, 2 ** 31 + 1, 24_000];
  const more = { ...noAddition(), month, count: matches, messages };
  for (let index = 0; index < count; index++) {
    const key = encodedValue("host", `h${String(index).padStart(6, "0")}.example`);
    table.add(new DataView(key.buffer), 0, key.length, more);
  }
  const order = { months: [month], indexes: new Map([[month, 0]]) };
  const whole = finishAtOnce(shownTable(table, count, order));
  expect([whole.distinct, whole.distinct_by_month, whole.rows.length, whole.rest]).toEqual([count, [count], count, []]);
  expect(whole.rows.at(-1)).toEqual([`h${String(count - 1).padStart(6, "0")}.example`, null, null, [0, matches, messages]]);
  const cut = finishAtOnce(shownTable(table, 10, order));
  expect(cut.rows.map(([value]) => value)).toEqual(whole.rows.slice(0, 10).map(([value]) => value));
  expect(cut.rest).toEqual([0, (count - 10) * matches, (count - 10) * messages]);
});
