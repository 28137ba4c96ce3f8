// Messages with signs of danger: those with the most, however a run is divided.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { MatchBatch } from "../../src/matches/batch.ts";
import { FLAG_MEANINGS } from "../../src/page/view/meanings-table.ts";
import { summarize } from "../../src/summarize.ts";
import { SignedMessages } from "../../src/summary/examples.ts";
import type { MessageExample } from "../../src/summary/summary.ts";
import { check } from "../core/check.ts";

const MOST = 100;

function message(source: string, start: number, from: number, signs: number, signed: number): MessageExample {
  const flags = ["password", "userinfo", "hidden"].slice(0, signs);
  const [from_address, subject] = [`${from % 7}@a.example`, `${from}`];
  return { source, start, message_id: null, date: null, from_address, subject, matches: signed, signed, flags, hosts: [] };
}

const weightOf = (flags: readonly string[]): number => flags.reduce((sum, flag) => sum + (flag === "userinfo" ? 1 : 2), 0);

it("are the same in any order, of parts too", () => {
  const some = fc.tuple(
    fc.constantFrom("a", "b"),
    fc.nat(9999),
    fc.nat(150),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 4 }),
  );
  const list = fc.array(some, { maxLength: 300, size: "max" });
  check(100, fc.tuple(list, fc.nat(300), fc.nat(300)), ([rows, cut, turn]) => {
    const all = rows.map((row) => message(...row));
    const inOrder = all.toSorted(
      (one, other) =>
        weightOf(other.flags) - weightOf(one.flags) ||
        other.signed - one.signed ||
        one.source.localeCompare(other.source) ||
        one.start - other.start,
    );
    const wanted = inOrder.filter(({ subject }, index) => inOrder.findIndex((other) => other.subject === subject) === index).slice(0, MOST);
    const [first, second] = [new SignedMessages(), new SignedMessages()];
    const turned = [...all.slice(turn), ...all.slice(0, turn)];
    for (const one of turned.slice(0, cut)) first.add(one);
    for (const one of turned.slice(cut)) second.add(one);
    for (const one of first.take()) second.add(one);
    expect(second.list.map(({ source, start }) => [source, start])).toEqual(wanted.map(({ source, start }) => [source, start]));
  });
});

/** A message whose body has these URLs. */
function mail(name: string, body: string): string {
  const header = [`From: ${name}@b.example`, `Subject: =?utf-8?Q?${name}?= one`, `Message-ID: <${name}@b.example>`];
  return ["From a@b.example Mon Jan  5 10:00:00 1998", ...header, "", body, "", ""].join("\n");
}

it("have their date, sender, subject, place, signs and hosts", async () => {
  const [none, one, two] = [
    "http://a.example/ http://a.example:8080/",
    "http://joe@a.example/",
    "http://joe:pw@b.example/ http://c.example:22/",
  ];
  const text = mail("none", none) + mail("one", `${none} ${one}`) + mail("two", two) + mail("one", one);
  const { messages } = await summarize(text);
  expect(messages.map(({ start, ...others }) => ({ ...others, at: text.slice(start).split(/\s/)[0] }))).toEqual([
    {
      ...{ source: "-", message_id: "two@b.example", date: "1998-01-05T10:00:00Z", from_address: "two@b.example", subject: "two one" },
      ...{
        matches: 2,
        signed: 2,
        flags: ["password", "userinfo", "reserved-port"],
        hosts: ["b.example", "c.example"],
        at: "http://joe:pw@b.example/",
      },
    },
    {
      ...{ source: "-", message_id: "one@b.example", date: "1998-01-05T10:00:00Z", from_address: "one@b.example", subject: "one one" },
      ...{ matches: 3, signed: 1, flags: ["userinfo"], hosts: ["a.example"], at: "http://joe@a.example/" },
    },
  ]);
  expect((await summarize(one)).messages).toEqual([]);
});

it("come before those that have only a port or a user", async () => {
  const ports = mail("port", "http://a.example:22/ http://b.example:22/ http://c.example:22/");
  const { messages } = await summarize(ports + mail("hidden", "http://b.example/%00") + mail("both", "http://joe:pw@a.example:22/"));
  expect(messages.map(({ subject }) => subject)).toEqual(["both one", "hidden one", "port one"]);
});

it("have no password where a long subject is cut", async () => {
  const subject = `${"x".repeat(180)} http://joe:secret@h.example/`;
  const { messages } = await summarize(mail("one", "http://joe@a.example/").replace(/^Subject: .*$/m, `Subject: ${subject}`));
  expect(messages[0]?.subject).toHaveLength(200);
  expect(JSON.stringify(messages)).not.toContain("secr");
});

it("are several where they have neither sender nor subject", async () => {
  const bare = "From a@b.example Mon Jan  5 10:00:00 1998\nMessage-ID: <1@b.example>\n\nhttp://joe@a.example/\n\n";
  expect((await summarize(bare + bare)).messages).toHaveLength(2);
});

it("the options of a run have patterns in the form of the command", async () => {
  const shown = async (options: object): Promise<unknown> => (await summarize("", options)).run.options;
  expect(await shown({ match: /evil/i })).toMatchObject({ match: "evil", "ignore-case": true });
  expect(await shown({ match: ["a", /b/], subject: /c/i })).toEqual({ match: ["a", "b"], subject: "c" });
});

it.each([...FLAG_MEANINGS])("%s is a sign if it is called dangerous", async (flag, { concern }) => {
  const list = new SignedMessages();
  const { FLAGS } = await import("../../src/core/names.ts");
  const [rows, location] = [new Int32Array(16), { number: 1, time: Number.NaN, messageIdField: undefined, message: {} }];
  list.addFlagged({ rows, base: 0 } as unknown as MatchBatch, 0, 1 << FLAGS.indexOf(flag as (typeof FLAGS)[number]));
  list.end(location as unknown as Parameters<SignedMessages["end"]>[0], "-", 1);
  expect(list.take().length).toBe(concern === "dangerous" ? 1 : 0);
});
