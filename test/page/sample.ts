// Summaries of any size, made without a scan: of an archive of 1994 to 2006 as it might be.
import {
  type Cells,
  type Combinations,
  type Example,
  NO_VALUE,
  type Row,
  type Summary,
  type SummaryTable,
  TABLES,
  type TableName,
} from "../../src/summary/summary.ts";

const [FIRST_YEAR, YEARS] = [1994, 13];
/** The share of combinations that have a flag. */
const FLAGGED = 0.1;

/** Returns numbers from 0 to 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const months: (string | null)[] = Array.from({ length: YEARS * 12 }, (_, index) => {
  return `${FIRST_YEAR + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
});
months.push(null);

/** How lively the archive is in a month. */
function activity(month: number): number {
  return month === months.length - 1
    ? 0.02
    : Math.exp(-(((month - 80) / 42) ** 2)) * (1 + 0.35 * Math.sin(month * 1.7) + 0.25 * Math.sin(month / 3));
}

/** Returns cells with about `total` matches. */
function cellsOf(total: number, random: () => number): Cells {
  const cells: Cells = [];
  const count = Math.min(months.length, Math.ceil(total));
  const from = Math.floor(random() * (months.length - count) * 0.8);
  for (let month = from; month < from + count; month++) {
    const matches = Math.round((total / count) * activity(month) * (0.6 + 0.8 * random()) * 2.2);
    if (matches > 0) cells.push(month, matches, Math.ceil(matches * 0.7));
  }
  return cells.length > 0 ? cells : [from, 1, 1];
}

function rowOf(value: string, total: number, random: () => number): Row {
  const cells = cellsOf(total, random);
  const dateOf = (at: number): string | null =>
    months[cells[at] as number] == null ? null : `${months[cells[at] as number]}-0${1 + Math.floor(random() * 9)}T10:20:30Z`;
  return [value, dateOf(0), dateOf(cells.length - 3), cells];
}

function matchesOf([, , , cells]: Row): number {
  return cells.reduce((sum, count, at) => (at % 3 === 1 ? sum + count : sum), 0);
}

function tableOf(values: readonly string[], most: number, random: () => number, rest: Cells = []): SummaryTable {
  const rows = values.map((value, index) => rowOf(value, most / (index + 1) ** 1.15, random));
  rows.sort((one, other) => matchesOf(other) - matchesOf(one));
  const distinct_by_month = months.map(
    (_, month) => rows.filter(([, , , cells]) => cells.some((one, at) => at % 3 === 0 && one === month)).length,
  );
  return { distinct: values.length, distinct_by_month, bound: 0, rows, rest, month_rows: [] };
}

const sumOf = ({ rows }: SummaryTable): number =>
  rows.reduce((sum, [, , , cells]) => sum + cells.filter((_, at) => at % 3 === 1).reduce((a, b) => a + b, 0), 0);

function sumOfCells({ rows }: SummaryTable): Cells {
  const sums = months.map(() => [0, 0]);
  for (const [, , , cells] of rows) {
    cells.forEach((value, at) => {
      const sum = sums[cells[at - (at % 3)] as number] as number[];
      if (at % 3 > 0) sum[(at % 3) - 1] = (sum[(at % 3) - 1] as number) + value;
    });
  }
  return sums.flatMap(([matches = 0, messages = 0], month) => (matches === 0 ? [] : [month, matches, messages]));
}

const WORDS = "mill rye oats barley wheat stone wheel river weir sluice grain flour hopper sieve sail wind cap post tower".split(" ");
const TOPS = ["example", "test", "mill.example", "edu.example", "org.example"];

function hostNames(count: number, random: () => number): string[] {
  const names = new Set<string>();
  for (let index = 0; names.size < count; index++) {
    const word = (): string => WORDS[Math.floor(random() * WORDS.length)] as string;
    const number = index < 40 ? "" : String(index);
    names.add(`${random() < 0.5 ? "www." : ""}${word()}${number}.${TOPS[Math.floor(random() * TOPS.length)]}`);
  }
  return [...names];
}

function exampleOf(flag: string, index: number): Example {
  const urls: Record<string, string> = {
    obfuscated: `http://www.bank.example@3221225${479 + index}/login`,
    password: `ftp://ben:secret${index}@ftp.mill.example/pub/`,
    userinfo: `http://paypal.example@192.0.2.${index}/`,
    "odd-port": `http://www.mill.example:8${index}80/status`,
    "encoded-control": `http://mill.example/x%0D%0ASet-Cookie:${index}`,
    idn: "http://xn--mhle-0ra.example/",
  };
  const url = urls[flag] ?? `http://${flag}.example/${index}`;
  return {
    url,
    raw: flag === "idn" ? "http://mühle.example/" : url,
    text: flag === "other-host" ? "www.bank.example" : null,
    source: "mail/1998-03.mbox",
    start: 10_432 + index * 7919,
    message_id: `199803${10 + index}.AA01234@mill.example`,
    date: `1998-0${1 + (index % 9)}-1${index % 10}T08:15:00Z`,
  };
}

function flagsOf(table: SummaryTable): Summary["flags"] {
  return table.rows.map((row) => {
    const count = sumOf({ ...table, rows: [row] });
    return { flag: row[0], count, examples: Array.from({ length: Math.min(10, count) }, (_, index) => exampleOf(row[0], index)) };
  });
}

function tablesOf(size: number): Summary["tables"] {
  const random = randomNumbers(17);
  const hosts = hostNames(size, random);
  const flagNames = ["odd-port", "numeric-host", "idn", "hyphen-break", "obfuscated", "userinfo", "password", "encoded-control", "glued"];
  const targets = hosts.slice(0, Math.min(40, size));
  return {
    scheme: tableOf(["http", "ftp", "mailto", "https", "gopher", "news", "telnet", "wais"], size * 22, random),
    kind: tableOf(["plain", "wrapped", "rejoined"], size * 18, random),
    where: tableOf(["body", "html", "header:subject", "header:list-archive"], size * 18, random),
    flag: tableOf(flagNames, 1 + size / 3, random),
    host: { ...tableOf(hosts, size * 3, random), distinct: Math.ceil(size * 1.3), rest: [5, 40, 30, 80, 90, 60] },
    domain: tableOf(
      hosts.slice(0, Math.ceil(size / 2)).map((host) => host.replace(/^www\./, "")),
      size * 4,
      random,
    ),
    url: tableOf(
      hosts.map((host, index) => `http://${host}/${WORDS[index % WORDS.length]}/${index}.html`),
      size,
      random,
    ),
    from_address: tableOf(
      hosts.slice(0, Math.ceil(size / 3)).map((host, index) => `${WORDS[index % WORDS.length]}@${host.replace(/^www\./, "")}`),
      size * 2,
      random,
    ),
    list_id: tableOf(
      WORDS.map((word) => `${word}-users.lists.mill.example`),
      size * 3,
      random,
    ),
    source: tableOf(
      Array.from({ length: YEARS }, (_, index) => `mail/${FIRST_YEAR + index}.mbox.gz`),
      size * 6,
      random,
    ),
    redirect: tableOf(
      targets.map((host, index) => `${["urldefense.com", "l.facebook.com", "www.google.com"][index % 3]} ${host}`),
      size / 2,
      random,
    ),
  };
}

/** Returns combinations of the values of tables, one for each month of each URL. */
function combinationsOf(tables: Summary["tables"], random: () => number): Combinations {
  const some = <T>(list: readonly T[]): number => Math.floor(random() ** 3 * list.length);
  const values = Object.fromEntries(TABLES.map((name) => [name, tables[name].rows.map(([value]) => value)])) as Combinations["values"];
  const found = tables.url.rows.flatMap(([, , , cells], url) => {
    const host = Math.min(url, values.host.length - 1);
    return cells.flatMap((month, at) => {
      if (at % 3 > 0) return [];
      const others = Object.fromEntries(TABLES.map((name) => [name, some(values[name])]));
      const flag = random() < FLAGGED ? some(values.flag) : NO_VALUE;
      const of = { ...others, url, host, domain: host % values.domain.length, redirect: NO_VALUE, flag };
      return [{ month, matches: cells[at + 1] as number, of }];
    });
  });
  found.sort((one, other) => one.month - other.month);
  const columnOf = (name: TableName): number[] => found.map(({ of }) => (of as Record<TableName, number>)[name]);
  const columns = Object.fromEntries(TABLES.map((name) => [name, columnOf(name)])) as Combinations["columns"];
  return { values, columns, months: found.map(({ month }) => month), matches: found.map(({ matches }) => matches) };
}

/** Returns a summary with `size` hosts and URLs. */
export function sampleSummary(size: number): Summary {
  const tables = tablesOf(size);
  const matches = sumOf(tables.scheme);
  return {
    version: 1,
    urlmill: "0.1.0",
    rules: "2",
    unicode: "16.0.0",
    run: { started: "2026-11-23T06:12:44Z", seconds: 12.43, threads: 2, options: { unwrap: true, since: "1994" }, inputs: ["mail/"] },
    totals: {
      bytes: matches * 911,
      sources: YEARS,
      messages: Math.round(matches * 0.4),
      matches,
      filtered: 0,
      filtered_undated: 0,
      urls: Math.ceil(size * 1.1),
      hosts: Math.ceil(size * 1.3),
      domains: Math.ceil(size / 2),
      skipped: 1,
      doubtful: 0,
      parts_skipped: 2,
      bytes_skipped: 5012,
      first: "1994-01-03T10:00:00Z",
      last: "2006-12-30T10:00:00Z",
    },
    months,
    cells: sumOfCells(tables.scheme),
    days: [],
    tables,
    combinations: combinationsOf(tables, randomNumbers(5)),
    flags: flagsOf(tables.flag),
    messages: [0, 1, 2, 3].map((index) => ({
      ...exampleOf("no", index),
      from_address: index === 0 ? null : (tables.from_address.rows[index % tables.from_address.rows.length]?.[0] ?? null),
      subject: index === 0 ? null : `Mill stones, part ${index}`,
      matches: 9 - index,
      signed: 5 - index,
      flags: ["password", "obfuscated", "other-host"].slice(0, 3 - (index >> 1)),
      hosts: ["a.mill.example"],
    })),
    rejected: [
      {
        reason: "bad-host",
        count: 1204,
        examples: [0, 1, 2].map((index) => ({ ...exampleOf("no", index), url: null, raw: `http://-bad-${index}-/` })),
      },
      { reason: "no-host", count: 312, examples: [{ ...exampleOf("no", 1), url: null, raw: "http:///" }] },
    ],
    left_out: [
      { reason: "link", count: 3, source: "mail/old", start: null, message_id: null, types: {} },
      { reason: "uuencode", count: 12, source: "mail/1995.mbox.gz", start: 66213, message_id: null, types: {} },
    ],
  };
}
