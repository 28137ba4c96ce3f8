// A match survives whatever copies it, with all its fields.
import { inspect } from "node:util";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { extract, type Match } from "../../src/index.ts";

const MAIL = `From a@b.example Mon Jan  1 00:00:00 2001
Message-ID: <1@b.example>
Date: Mon, 1 Jan 2001 00:00:00 +0000

> see HTTP://User:pw@Example.COM:80/%7ea?x and
https://www.google.com/url?q=http%3A%2F%2Fb.example%2F and http://\u00fc.example/\u00f6
`;
const FIELDS = [
  "url",
  "raw",
  "scheme",
  "host",
  "kind",
  "flags",
  "code",
  "source",
  "start",
  "end",
  "chain",
  "tag",
  "attribute",
  "text",
  "context",
];
/** Fields of a match in a message. */
const PLACE = ["message", "messageId", "date", "part", "where", "quote"];

const matches = [
  ...extract(MAIL, { unwrap: true }),
  ...extract("http://a.example/ <URL:http://b.example/\n c>"),
  ...extract("http://999.1.1.1/", { profile: "whatwg", context: 5 }),
  ...extract('<a href="x.html">x</a>', { type: "html", links: true, base: "http://links.example/", fields: ["text"] }),
  ...extract("http://\u00fc\u00f6:\u00e4@a.example/\u00f6", { profile: "none" }),
];

/** Every field, read from the match itself. */
function fieldsOf(match: Match): Record<string, unknown> {
  const { url, raw, scheme, host, kind, flags, code, source, start, end, chain, tag, attribute, text, context } = match;
  return { url, raw, scheme, host, kind, flags, code, source, start, end, chain, tag, attribute, text, context };
}

function posted(match: Match): unknown {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(match);
  const received = receiveMessageOnPort(port2) as { message: unknown };
  port1.close();
  return received.message;
}

describe("the fields of a match", () => {
  it("are all there, each of some match", () => {
    const seen = new Set(
      matches.flatMap((match) => Object.entries(fieldsOf(match)).flatMap(([name, value]) => (value == null ? [] : [name]))),
    );
    expect([...seen].sort()).toEqual(FIELDS.filter((name) => name !== "source").sort());
    expect(matches.map(({ url }) => url)).toEqual([
      "http://User:pw@example.com/~a?x",
      "http://b.example/",
      "http://xn--tda.example/%C3%B6",
      "http://a.example/",
      "http://b.example/c",
      null,
      "http://links.example/x.html",
      "http://\u00fc\u00f6:\u00e4@a.example/\u00f6",
    ]);
    expect(matches.at(-1)?.host).toBe("a.example");
    expect(matches.map(({ raw }) => raw)).toContain("http://\u00fc.example/\u00f6");
    expect(Object.keys(matches[0] ?? {})).toEqual([...FIELDS, ...PLACE]);
    expect(matches[0]).toMatchObject({ host: "example.com", scheme: "http", messageId: "1@b.example", quote: 1 });
  });

  it.each([
    ["structuredClone", (match: Match): unknown => structuredClone(match)],
    ["postMessage", posted],
    ["spreading", (match: Match): unknown => ({ ...match })],
    ["Object.assign", (match: Match): unknown => Object.assign({}, match)],
    ["Object.entries", (match: Match): unknown => Object.fromEntries(Object.entries(match))],
  ])("survive %s", (_, copy) => {
    for (const match of matches) {
      const copied = copy(match) as Match;
      expect(Object.keys(copied)).toEqual([...FIELDS, ...PLACE.filter((name) => name in match)]);
      expect(copied).toEqual({ ...match });
    }
  });

  it("are those of the record in JSON, by its names, and on the console", () => {
    for (const match of matches) {
      const { code: reason, messageId: message_id, ...others } = match;
      expect(JSON.parse(JSON.stringify(match))).toEqual(JSON.parse(JSON.stringify({ ...others, reason, message_id })));
      expect(inspect(match)).toContain(`url: ${match.url === null ? "null" : `'${match.url}'`}`);
      const shown = Object.entries(match).filter(([, value]) => value !== undefined);
      expect(inspect(match, { depth: 1 })).toBe(inspect(Object.fromEntries(shown), { depth: 1 }));
    }
  });

  it("are not changed through another match: shared lists are frozen", () => {
    const [first] = matches;
    expect(Object.isFrozen(first?.flags)).toBe(true);
    const json = first?.toJSON();
    json?.flags.push("glued");
    expect(first?.flags).not.toContain("glued");
  });
});
