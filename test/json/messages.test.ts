// Messages in JSON (A19): the objects that the option names, against JSON.parse; cuts; marks; limits; the options of the command.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { releaseCore } from "../../src/core/core.ts";
import { type ExtractOptions, extract, type Match } from "../../src/index.ts";
import { checkOptions, EVERYTHING } from "../../src/options/options.ts";
import type { Result, Sink } from "../../src/output/sink.ts";
import { openScanner } from "../../src/run/open-scanner.ts";
import { summarize } from "../../src/summarize.ts";
import { run } from "../cli/run.ts";
import { expectEqual, RUNS, seeded } from "../core/check.ts";
import { cutsOf } from "../scan/pieces.ts";
import { foundInPieces } from "./pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-json-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MAPPED: ExtractOptions = {
  type: "json",
  jsonFields: ["date=d", "from=who.name", "from=nick", "id=id", "subject=s"],
  fields: ["url", "message", "message_id", "date", "from", "from_address", "subject"],
};

interface Found {
  readonly url: string | null;
  readonly id: string | null;
  readonly date: string | null;
  readonly from: string | null;
  readonly subject: string | null;
}

const foundOf = ({ url, messageId, date, from, subject }: Match): Found => ({
  url,
  id: messageId ?? null,
  date: date ?? null,
  from: from ?? null,
  subject: subject ?? null,
});

it.each(['{"d":1,"who":{} {"name":"n"},"u":"http://a.example/"}', '{"d":1,"who":{}"x":{"name":"n"},"u":"http://a.example/"}'])(
  "a container without a comma before it is no member: %s",
  (text) => {
    expect(extract(text, { ...MAPPED, type: "json", jsonFields: ["date=d", "name=who.name"] }).map(({ url, from }) => [url, from])).toEqual(
      [["http://a.example/", undefined]],
    );
  },
);

type Json = null | string | number | Json[] | { [name: string]: Json };

/** Objects in each other with the members of MAPPED, and texts with URLs, each of which is there once. */
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<Json>(null, "x", 7, "URL", 'a " \\ \u00e9 URL {}[],:'),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .record(
        {
          d: fc.constantFrom<Json>(1e9, "1000000001", 1_000_000_002_000, "1000000004000000000", "2001-09-09T03:46:43+02:00", "x", null, {
            d: 1,
          }),
          who: fc.oneof(fc.record({ name: fc.constantFrom<Json>("Ann", null, 'q"\\\u00e9') }), tie("value")),
          nick: fc.constantFrom<Json>("nick", null),
          id: fc.constantFrom<Json>("i1", 23, null),
          s: fc.constantFrom<Json>("subject URL", "\u00e4\n{", ["no"]),
          text: tie("value"),
          "a\\b": tie("value"),
        },
        { requiredKeys: [] },
      )
      .chain((members) => fc.shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length }))
      .map((members): Json => Object.fromEntries(members) as Json),
  ),
})).value;

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const scalar = (value: Json | undefined): string | null => (typeof value === "string" || typeof value === "number" ? `${value}` : null);

const DATES: Record<string, string> = {
  "1000000000": "2001-09-09T01:46:40Z",
  "1000000001": "2001-09-09T01:46:41Z",
  "1000000002000": "2001-09-09T01:46:42Z",
  "1000000004000000000": "2001-09-09T01:46:44Z",
  "2001-09-09T03:46:43+02:00": "2001-09-09T01:46:43Z",
};

/** What the URLs of a value should have: the fields of the innermost object with a date and a sender. */
function expected(value: Json, around: Omit<Found, "url">, next: () => string, all: Found[]): Json {
  if (typeof value === "string") {
    if (!value.includes("URL")) return value;
    const url = next();
    all.push({ url, ...around });
    return value.replace("URL", url);
  }
  if (Array.isArray(value)) return value.map((item) => expected(item, around, next, all));
  if (!isObject(value)) return value;
  const who = isObject(value.who) && value.who.name !== undefined;
  const isMessage = value.d !== undefined && (who || value.nick !== undefined);
  const subject = typeof value.s === "string" ? value.s.replace("URL", "").replace(/\s+/g, " ") : null;
  const own = isMessage
    ? {
        id: scalar(value.id),
        date: DATES[scalar(value.d) ?? ""] ?? null,
        from: scalar(isObject(value.who) ? value.who.name : undefined) ?? scalar(value.nick),
        subject,
      }
    : around;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expected(inner, own, next, all)]));
}

const NONE: Omit<Found, "url"> = { id: null, date: null, from: null, subject: null };

describe("objects that are messages (A19)", () => {
  it("are the innermost ones with a date and a sender, however the source is cut", async () => {
    const texts = fc
      .tuple(fc.array(values, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 1), fc.boolean())
      .map(([list, space, isArray]) => {
        let count = 0;
        const all: Found[] = [];
        const next = (): string => `http://n${++count}.example/`;
        const lines = list.map((value) => expected({ a: value }, NONE, next, all));
        const text = isArray ? JSON.stringify(lines, null, space) : lines.map((line) => JSON.stringify(line)).join("\n");
        return { bytes: new TextEncoder().encode(text), all };
      })
      .chain(({ bytes, all }) => fc.tuple(fc.constant(bytes), fc.constant(all), cutsOf(bytes.length)));
    await fc.assert(
      fc.asyncProperty(texts, async ([bytes, all, cuts]) => {
        const shown = (): string => new TextDecoder().decode(bytes);
        const whole = extract(bytes, MAPPED);
        const found = whole.map(foundOf).map((one) => ({ ...one, subject: one.subject?.replace(/http:\S+\//, "") ?? null }));
        expectEqual(found, all, shown);
        const pieces = await foundInPieces(bytes, cuts, MAPPED);
        const plain = (matches: readonly Match[]): unknown =>
          matches.map(({ start, end, url, message, where }) => [start, end, url, message, where]);
        expectEqual(plain(pieces), plain(whole), shown);
        const unread = extract(bytes, { type: "json" });
        expectEqual(
          unread.map(({ start, end, where }) => [start, end, where]),
          whole.map(({ start, end, where }) => [start, end, where]),
          shown,
        );
      }),
      { numRuns: Math.ceil(300 * RUNS), ...seeded },
    );
  });
  const one = (value: unknown, options: ExtractOptions = {}): Match[] => extract(JSON.stringify(value), { ...MAPPED, ...options });

  it("have members with dots in their names", () => {
    const logged = { d: 1e9, "who.name": "Ann", in: { "a.b": 1 }, t: "http://a.example/" };
    expect(one(logged)).toMatchObject([{ from: "Ann", date: "2001-09-09T01:46:40Z" }]);
    expect(one({ d: 1e9, who: { name: "Bob" }, "who.name": "Ann", t: "http://a.example/" })).toHaveLength(1);
  });

  it("are missed aloud", async () => {
    const found = await run(["count", "--by", "month", "--json-fields", "date=tss"], { input: '{"ts":1,"t":"http://a.example/"}' });
    expect(found.stderr).toBe("urlmill: no messages in JSON: no object has the mapped members (--json-fields, --json)\n");
    const mail = await run(["--json-fields", "date=tss", "-"], { input: "From: a@b\nSubject: c\n\nhttp://a.example/\n" });
    expect(mail.stderr).toBe("");
    expect((await run(["--json", "reddit", "-"], { input: "" })).stderr).toBe("");
  });

  it("are those with all named members, if neither date nor sender is named", () => {
    const value = { id: 1, t: "http://a.example/", in: { id: 2, s: "x", t: "http://b.example/" } };
    const found = one(value, { jsonFields: ["id=id", "subject=s"] });
    expect(found.map(({ message, messageId, subject }) => [message, messageId, subject])).toEqual([
      [undefined, undefined, undefined],
      [1, "2", "x"],
    ]);
  });

  it("have at most 256 KiB; larger ones are counted, and those in them are read", async () => {
    const inner = { d: 2, nick: "in", t: "http://b.example/" };
    const largest = (bytes: number): string => {
      const text = JSON.stringify({ t: "http://a.example/", d: 1, nick: "out", inner, pad: "" });
      return text.replace('"pad":""', `"pad":"${" ".repeat(bytes - text.length)}"`);
    };
    const from = (text: string): unknown => extract(text, MAPPED).map((match) => match.from);
    expect(from(largest(1 << 18))).toEqual(["out", "in"]);
    expect(from(largest((1 << 18) + 1))).toEqual([undefined, "in"]);
    const path = join(folder, "large.json");
    writeFileSync(path, `${largest((1 << 18) + 1)}\n`.repeat(2));
    const { stdout, stderr } = await run(["-j", "1", "--json-fields", "date=d,from=nick", "-f", "ndjson", "--fields", "url,from", path]);
    expect(stdout.split("\n").filter((line) => line.includes("in"))).toHaveLength(2);
    expect(stderr).toContain(
      `read without date and sender: 2 JSON objects of more than 256 KiB (large-object), the first: ${path}, byte 0`,
    );
  });

  it("have values of at most 2048 bytes (C320)", () => {
    const idOf = (id: string): string | undefined =>
      extract(`{"d":1,"nick":"a","id":"${id}","t":"http://a.example/"}`, MAPPED)[0]?.messageId;
    expect(idOf("x".repeat(2048))).toBe("x".repeat(2048));
    expect(idOf("x".repeat(2049))).toBe("x".repeat(2048));
    expect(idOf(`${"x".repeat(2040)}\\u00e4yyz`)).toBe(`${"x".repeat(2040)}\u00e4yy`);
    for (const halved of ["\\u00e4", "\\n", "\u00e4", "\u{1f600}"]) {
      expect(idOf(`${"x".repeat(2047)}${halved}y`)).toBe("x".repeat(2047));
      expect(idOf(`${"\\\\".repeat(1023)}x${halved}y`)).toBe(`${"\\".repeat(1023)}x`);
    }
  });

  it("are found again after a line without an end", () => {
    const text = [
      '{"d":1,"nick":"a","t":"http://a.example/',
      '{"d":2,"nick":"b","t":"http://b.example/"}',
      '{"d":3,"nick":"c",',
      '{"d":4,"nick":"d","t":"http://d.example/"}',
    ].join("\n");
    expect(extract(text, MAPPED).map((match) => match.from)).toEqual([undefined, "b", "d"]);
  });

  it("may be more in one read than a call can have arguments", () => {
    // The first read ends in an object that may be a message. So the messages in both reads get their numbers in the second one.
    const text = `${" ".repeat(1 << 18)}{"x":[${'{"d"1}'.repeat(150_000)}]}`;
    const { settings } = checkOptions("ExtractStream", { type: "json", jsonFields: ["date=d"], format: "ndjson" });
    let [messages, most] = [0, 0];
    const write = (result: Result): void => {
      if (result.kind !== "messages") return;
      messages += result.rows.count;
      most = Math.max(most, result.rows.count);
    };
    const sink: Sink = { write, wait: () => undefined, end: () => undefined };
    const range = { offset: 0, ...EVERYTHING };
    const { scanner, core } = openScanner({ ...settings, messagesBy: ["year"] }, "json", sink, range);
    scanner.end(Buffer.from(text));
    releaseCore(core);
    expect(messages).toBe(150_000);
    // V8 has room for about 125,000 arguments.
    expect(most).toBeGreaterThan(130_000);
  });

  it("end with the source", () => {
    expect(extract('[{"d":1,"nick":"a","t":"http://a.example/"', MAPPED).map((match) => match.from)).toEqual([undefined]);
  });
});

describe("the command", () => {
  const comment = (second: number, author: string): string =>
    `${JSON.stringify({ author, body: `http://${author}.example/${second}`, created_utc: 1325376000 + second * 86400 * 20 })}\n`;
  const path = join(folder, "RC.ndjson.gz");
  writeFileSync(path, gzipSync(`${comment(0, "ann")}${comment(1, "bob")}${comment(2, "ann")}{"t":"http://x.example/"}\n`));

  it("counts and filters by the fields of objects", async () => {
    const counted = await run(["count", "--json", "reddit", "--by", "month,from_address", "-f", "csv", "--no-header", path]);
    expect(counted.stdout.split("\r\n").slice(0, -1)).toEqual([
      ",,1,0,,",
      "2012-01,ann,1,1,2012-01-01T00:00:00Z,2012-01-01T00:00:00Z",
      "2012-01,bob,1,1,2012-01-21T00:00:00Z,2012-01-21T00:00:00Z",
      "2012-02,ann,1,1,2012-02-10T00:00:00Z,2012-02-10T00:00:00Z",
    ]);
    const filtered = await run(["--json", "reddit", "--from", "Ann", "--since", "2012-02", path]);
    expect(filtered.stdout).toBe("http://ann.example/2\n");
    const stats = await run(["--json", "reddit", "--stats", path]);
    expect(JSON.parse(stats.stderr).messages).toBe(3);
  });

  it("says what is wrong with the options", async () => {
    const refused = async (...args: string[]): Promise<string> => (await run([...args, path])).stderr;
    expect(await refused("--from", "ann")).toContain('--from must list addresses such as joe@a.example or @a.example, not "ann"');
    expect(await refused("--json-fields", "date")).toContain("must name a preset (reddit, slack, telegram, discord) or fields and members");
    expect(await refused("--json-fields", "date=a..b")).toContain("must name a preset");
    expect(await refused("--json-fields", "when=a")).toContain("may name the fields date, from, name");
    expect(await refused("--json", "irc")).toContain("--json must be reddit, slack, telegram or discord");
  });

  it("reports senders and months, and takes a preset with members of its own", async () => {
    const text = comment(0, "ann").replace('"author"', '"who"');
    const summary = await summarize([text], { type: "json", jsonFields: ["reddit", "from=who"] });
    expect(summary.tables.from_address?.rows.map(([value]) => value)).toEqual(["ann"]);
    expect(summary.months).toEqual(["2012-01"]);
  });
});
