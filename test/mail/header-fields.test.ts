// Fields of headers by name (A10): to, in_reply_to, references, thread and header:NAME, however the input is cut.
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type ExtractOptions, ExtractStream, extract, type MatchJson } from "../../src/index.ts";
import { describeMessage } from "./described.ts";

const FIELDS = ["to", "in_reply_to", "references", "thread", "header:X-Gmail-Labels", "header:subject", "header:content-type"] as const;
const OPTIONS: ExtractOptions = { type: "mbox", fields: FIELDS };

/** The fields of FIELDS in the form of records; the first of several with a name counts. */
const MESSAGES: readonly (readonly [header: string, expected: Partial<MatchJson>])[] = [
  [
    "To: =?utf-8?q?M=C3=BCller?= <m@b.example>\nTO: second@b.example\nMessage-ID: <1@a>\nX-Gmail-Labels: Inbox,\n  Important\n",
    { to: "M\u00fcller <m@b.example>", thread: "1@a", "header:x-gmail-labels": "Inbox, Important" },
  ],
  [
    "In-Reply-To: Your message of Monday <1@a>\nReferences: <0@a> (was) <1@a>\nx-gmail-labels: Sent\nContent-Type: text/plain\n",
    {
      in_reply_to: "1@a",
      references: ["0@a", "1@a"],
      thread: "0@a",
      "header:x-gmail-labels": "Sent",
      "header:content-type": "text/plain",
    },
  ],
  [
    "Message-ID: <3@a>\nIn-Reply-To: <1@a>\nSubject: http://subject.example/\n",
    { in_reply_to: "1@a", thread: "1@a", "header:subject": "http://subject.example/" },
  ],
  ["Message-ID: <4@a>\nReferences:\nTo: \nX-Gmail-Label: no\nX-Gmail-Labelss: no\n", { thread: "4@a" }],
  ["Subject: no id\n", { "header:subject": "no id" }],
];
const MBOX = MESSAGES.map(([header], index) => `From a@b Mon Jan  5 10:00:00 1998\nDate: x\n${header}\nhttp://${index}.example/\n\n`).join(
  "",
);

const NAMES = FIELDS.map((name) => name.toLowerCase());

function shown(records: readonly MatchJson[]): object[] {
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => name === "message" || NAMES.includes(name))));
}

const EXPECTED = MESSAGES.flatMap(([header, expected], index) =>
  Array.from({ length: header.includes("http") ? 2 : 1 }, () => ({ message: index + 1, ...expected })),
);

describe("fields of headers", () => {
  it("are those of the message, decoded, the first of each name", () => {
    expect(shown(extract(Buffer.from(MBOX), OPTIONS).map((match) => match.toJSON()))).toEqual(EXPECTED);
  });

  it("are those of matches in the header too, at every cut", async () => {
    for (let cut = 1; cut < MBOX.length; cut++) {
      const records: MatchJson[] = [];
      const stream = new ExtractStream({ ...OPTIONS, objectMode: true });
      for await (const match of Readable.from([Buffer.from(MBOX.slice(0, cut)), Buffer.from(MBOX.slice(cut))]).pipe(stream))
        records.push(match.toJSON());
      expect(shown(records)).toEqual(EXPECTED);
    }
  });

  it("are in the part of a range that does not begin the source", () => {
    const records = extract(Buffer.from(MBOX), { ...OPTIONS, range: [MBOX.indexOf("http://1"), MBOX.length] });
    const some = ({ message: _, ...others }: { message?: number }): object => others;
    expect(shown(records.map((match) => match.toJSON())).map(some)).toEqual(EXPECTED.slice(1).map(some));
  });

  it("are the same in many fields of one length and in a long header", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `X-Gmail-Label${index % 10}: ${index}\n`).join("");
    const text = `From a@b Mon Jan  5 10:00:00 1998\n${many}X-Gmail-Labels: at last\n\nhttp://a.example/\n`;
    const fields = ["header:x-gmail-labels", "header:x-gmail-label7"] as const;
    const [match] = extract(Buffer.from(text), { type: "mbox", fields });
    expect(match?.headers).toEqual({ "x-gmail-labels": "at last", "x-gmail-label7": "7" });
  });

  it("are cut at 2048 bytes", () => {
    const text = `From a@b Mon Jan  5 10:00:00 1998\nTo: ${"x".repeat(3000)}\n\nhttp://a.example/\n`;
    expect(extract(Buffer.from(text), OPTIONS)[0]?.to).toBe("x".repeat(2048));
  });

  it("are nine by name, with those of to, references and in_reply_to", () => {
    const names = Array.from({ length: 9 }, (_, index) => `header:x-${index}` as const);
    const header = names.map((name, index) => `${name.slice("header:".length)}: ${index}\n`).join("");
    const text = `From a@b Mon Jan  5 10:00:00 1998\n${header}To: a@b\nReferences: <1@a>\nIn-Reply-To: <2@a>\n\nhttp://a.example/\n`;
    const fields = [...names, "to", "references", "in_reply_to"] as const;
    const [match] = extract(Buffer.from(text), { type: "mbox", fields });
    expect(match?.toJSON()).toMatchObject({ "header:x-0": "0", "header:x-8": "8", to: "a@b", references: ["1@a"], in_reply_to: "2@a" });
    expect(() => extract("", { fields: [...names, "header:x-9"] })).toThrow(
      "fields and other options may name at most 9 fields of headers together",
    );
  });

  it.each(["header:", "header:a b", 'header:a"b', "header:a,b", "header:é", "headers:a"])("are no names: %s", (name) => {
    expect(() => extract("", { fields: [name as "url"] })).toThrow(/may list url, raw, .* or header:NAME/);
  });
});

describe("a description", () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
  const thread = (fields: Record<string, string>, messageId?: string): string | undefined => {
    const named = Object.entries(fields).map(([name, text]) => [`header:${name}`, bytes(text)]);
    const id = messageId === undefined ? undefined : bytes(messageId);
    return describeMessage({ "message-id": id, ...Object.fromEntries(named) }, ["thread"]).thread;
  };

  it.each([
    [{}, "<1@a>", "1@a"],
    [{ "in-reply-to": "<2@a>" }, "<1@a>", "2@a"],
    [{ "in-reply-to": "Message of Mon from joe <2@a>" }, undefined, "2@a"],
    [{ references: "<3@a>\n <2@a>", "in-reply-to": "<2@a>" }, "<1@a>", "3@a"],
    [{ references: "<3@a><2@a>" }, "<1@a>", "3@a"],
    [{ references: "nothing", "in-reply-to": "" }, "<1@a>", "1@a"],
    [{ references: "<unclosed" }, undefined, undefined],
  ])("has the thread of %j and %s", (fields, messageId, expected) => {
    expect(thread(fields as Record<string, string>, messageId)).toBe(expected);
  });
});
