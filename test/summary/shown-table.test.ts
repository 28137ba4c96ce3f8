// The rows of a table as they are shown.
import { expect, it } from "vitest";
import { encodedValue } from "../../src/count/key-fields.ts";
import { finished } from "../../src/input/pacer.ts";
import { NO_MONTH, noAddition } from "../../src/summary/month-cells.ts";
import { shownTable } from "../../src/summary/shown-table.ts";
import { ValueTable } from "../../src/summary/value-table.ts";
import { HASHES } from "../count/settings.ts";

const DAY = 86_400;

it("takes the first and the last date of values that are the same without their passwords, whichever has none", () => {
  const undated = [Number.NaN, NO_MONTH] as const;
  const [early, late] = [[400 * DAY, 13] as const, [700 * DAY, 23] as const];
  for (const dates of [
    [early, undated],
    [undated, early],
    [early, undated, late],
    [late, early, undated],
  ]) {
    const table = new ValueTable({ memory: 1 << 20, hash: HASHES.murmur3 as NonNullable<typeof HASHES.murmur3>, seed: 1 });
    for (const [index, [time, month]] of dates.entries()) {
      const key = encodedValue("url", `http://a:password${index}@h.example/`);
      table.add(new DataView(key.buffer), 0, key.length, { ...noAddition(), matches: 1, month, first: time, last: time });
    }
    const months = [13, 23, NO_MONTH];
    const { rows } = finished(shownTable(table, 10, { months, indexes: new Map(months.map((month, index) => [month, index])) }));
    const last = dates.includes(late) ? "1971-12-02T00:00:00Z" : "1971-02-05T00:00:00Z";
    expect(rows.map((row) => row.slice(0, 3))).toEqual([["http://a:***@h.example/", "1971-02-05T00:00:00Z", last]]);
  }
});
