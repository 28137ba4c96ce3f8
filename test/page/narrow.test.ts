// A summary that is narrowed to values says what a summary of the matches with these values alone says.
import { describe, expect, it } from "vitest";
import { type Choice, narrowed } from "../../src/page/view/narrow.ts";
import { type SummarizeOptions, summarize } from "../../src/summarize.ts";
import { type Cells, type Summary, type SummaryTable, TABLES } from "../../src/summary/summary.ts";
import { archiveText } from "./archive.ts";
import { sampleSummary } from "./sample.ts";

const text = archiveText(300);
const whole = await summarize(text, { top: 10_000 });

/** Returns the matches of each value by month. */
function matchesOf({ months }: Summary, { rows }: Pick<SummaryTable, "rows">): Map<string, Map<string, number>> {
  return new Map(rows.map(([value, , , cells]) => [value, byMonth(months, cells)]));
}

function byMonth(months: Summary["months"], cells: Cells): Map<string, number> {
  return new Map(cells.flatMap((month, at) => (at % 3 > 0 ? [] : [[String(months[month]), cells[at + 1] as number] as const])));
}

/** Returns the sum of one of the numbers of cells: matches, or messages. */
const sumOf = (cells: Cells, which: 1 | 2): number => cells.reduce((sum, count, at) => (at % 3 === which ? sum + count : sum), 0);
const total = (counts: Map<string, number> | undefined): number => [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0);

const [, [sender] = [""]] = whole.tables.from_address.rows;
const CASES: readonly (readonly [SummarizeOptions, readonly Choice[]])[] = [
  [{ hosts: ["www.mill.example.org"] }, [{ name: "host", value: "www.mill.example.org" }]],
  [{ domains: ["rye.example.net"] }, [{ name: "host", value: "rye.example.net" }]],
  [{ schemes: ["ftp"] }, [{ name: "scheme", value: "ftp" }]],
  [{ flags: ["userinfo"] }, [{ name: "flag", value: "userinfo" }]],
  [{ kinds: ["plain"] }, [{ name: "kind", value: "plain" }]],
  [{ from: [sender] }, [{ name: "from_address", value: sender }]],
  [
    { schemes: ["https"], hosts: ["www.mill.example.org"] },
    [
      { name: "scheme", value: "https" },
      { name: "host", value: "www.mill.example.org" },
    ],
  ],
  [{ hosts: ["no.example"] }, [{ name: "host", value: "no.example" }]],
];

describe.each(CASES)("%j", (options, choices) => {
  it("has the tables of a summary of these matches alone", async () => {
    const wanted = await summarize(text, { top: 10_000, ...options });
    const { summary, more, hasMessages } = narrowed(whole, { choices, isOfLinks: false }, false);
    expect(more).toBe(0);
    expect(byMonth(summary.months, summary.cells)).toEqual(byMonth(wanted.months, wanted.cells));
    for (const name of TABLES) {
      expect(matchesOf(summary, summary.tables[name]), name).toEqual(matchesOf(wanted, wanted.tables[name]));
      expect(byMonth(summary.months, summary.tables[name].rest), name).toEqual(byMonth(wanted.months, wanted.tables[name].rest));
      expect([summary.tables[name].bound, summary.tables[name].distinct], name).toEqual([0, wanted.tables[name].distinct]);
    }
    const { matches, urls, hosts } = wanted.totals;
    expect(summary.totals).toMatchObject({ matches, urls, hosts });
    expect(summary.flags.map(({ flag, count }) => [flag, count])).toEqual(wanted.flags.map(({ flag, count }) => [flag, count]));
    if (hasMessages) expect(summary.cells.filter((_, at) => at % 3 === 2)).toEqual(wanted.cells.filter((_, at) => at % 3 === 2));
  });

  it("has lower numbers where combinations were lost, and says by how much", async () => {
    const wanted = await summarize(text, { top: 10_000, ...options });
    const few = await summarize(text, { top: 3 });
    for (const isInSpan of [false, true]) {
      const { summary, more } = narrowed(few, { choices, isOfLinks: false }, isInSpan);
      const { matches } = summary.totals;
      expect(matches <= wanted.totals.matches && matches + more >= wanted.totals.matches).toBe(true);
      for (const name of TABLES) {
        const exact = matchesOf(wanted, wanted.tables[name]);
        const found = matchesOf(summary, summary.tables[name]);
        for (const [value, counts] of found) {
          expect(total(counts), `${name} ${value}`).toBeLessThanOrEqual(total(exact.get(value)));
          if (!isInSpan) continue;
          for (const [month, count] of counts)
            if (month !== "unknown") expect(count).toBeLessThanOrEqual(exact.get(value)?.get(month) ?? 0);
        }
        for (const [value, counts] of exact) {
          expect(total(found.get(value)) + summary.tables[name].bound, `${name} ${value}`).toBeGreaterThanOrEqual(total(counts));
        }
      }
    }
  });
});

it.each(CASES)("%j: counts the messages of values that keep all their matches", async (options, choices) => {
  const wanted = await summarize(text, { top: 10_000, ...options });
  const { summary } = narrowed(whole, { choices, isOfLinks: false }, false);
  for (const name of TABLES) {
    const exact = new Map(wanted.tables[name].rows.map((row) => [row[0], row]));
    const all = new Map(whole.tables[name].rows.map(([value, , , cells]) => [value, sumOf(cells, 1)]));
    for (const [value, first, last, cells] of summary.tables[name].rows) {
      const [, wantedFirst, wantedLast, wantedCells = []] = exact.get(value) ?? [];
      const isWhole = sumOf(cells, 1) === all.get(value);
      expect(sumOf(cells, 2), `${name} ${value}`).toBe(isWhole ? sumOf(wantedCells, 2) : 0);
      if (isWhole) expect([first, last]).toEqual([wantedFirst, wantedLast]);
    }
  }
});

it("keeps the examples that are known to have the value", () => {
  const { summary } = narrowed(whole, { choices: [{ name: "flag", value: "userinfo" }], isOfLinks: false }, false);
  const flag = whole.flags.find((one) => one.flag === "userinfo");
  expect(flag?.examples.length).toBeGreaterThan(0);
  expect(summary.flags).toContainEqual(flag);
  const other = narrowed(whole, { choices: [{ name: "host", value: "192.0.2.7" }], isOfLinks: false }, false).summary.flags;
  expect(other.find((one) => one.flag === "numeric-host")?.examples.map(({ url }) => url)).toEqual(["http://192.0.2.7/"]);
});

it.each([100, 1000])("looks at each of the combinations of %i URLs a few times only", (size) => {
  const summary = sampleSummary(size);
  let reads = 0;
  const counted = <T extends object>(list: T): T =>
    new Proxy(list, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key, target);
      },
    });
  const { columns, months, matches } = summary.combinations;
  const names = Object.entries(columns).map(([name, column]) => [name, counted(column)]);
  const combinations = { ...summary.combinations, columns: Object.fromEntries(names), months: counted(months), matches: counted(matches) };
  const { indexes } = narrowed({ ...summary, combinations }, { choices: [{ name: "scheme", value: "http" }], isOfLinks: true }, false);
  expect(indexes.length).toBeGreaterThan(months.length / 10);
  expect(reads).toBeLessThan(10 * months.length * TABLES.length);
});

it("leaves out names, names of vocabularies, addresses and parts of the message", async () => {
  const kept = "http://a.example/ ftp://b.example/x";
  const all = await summarize(`${kept} mailto:joe@c.example cid:1@d.example urn:isbn:0123456789 http://www.w3.org/1999/xhtml`);
  const { summary, more } = narrowed(all, { choices: [], isOfLinks: true }, false);
  expect([all.totals.matches, summary.totals.matches, more]).toEqual([6, 2, 0]);
  const wanted = await summarize(kept);
  for (const name of ["scheme", "host", "url", "flag"] as const) {
    expect(matchesOf(summary, summary.tables[name])).toEqual(matchesOf(wanted, wanted.tables[name]));
  }
});
