// The text around matches: the same for any cut, range and thread, without markup, and never of another message.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExtractOptions, ExtractStream, extract, extractFrom, type Match } from "../../src/index.ts";
import { expectEqual, RUNS, seeded } from "../core/check.ts";

const contextsOf = (text: string, options: ExtractOptions): (string | undefined)[] =>
  [...extract(text, options)].map(({ context }) => context);

describe("the context of a match", () => {
  it.each([
    ["text", "See, for\n  instance,\thttp://a.example/ and   more words here.", 15, "for instance, http://a.example/ and more words"],
    ["text", "http://a.example/", 5, "http://a.example/"],
    [
      "text",
      "\u{1f600}\u{1f600}\u{1f600} http://a.example/ \u{1f600}\u{1f600}\u{1f600}",
      3,
      "\u{1f600}\u{1f600} http://a.example/ \u{1f600}\u{1f600}",
    ],
    ["text", "bad \xff\u202e <URL:http://a.example/x\n y> and", 20, "bad \xff <URL:http://a.example/x y> and"],
    [
      "html",
      'Read <b>this</b> &amp; <a class="k" href="http://a.example/" title="t">the page</a> now.',
      30,
      "Read this & http://a.example/ the page now.",
    ],
    ["html", "<p>One</p> <!-- no --> <p>two http://a.example/ <i>three</i> <script>four</script>", 30, " two http://a.example/ three "],
    ["html", 'one<br />two<img src="x"/> http://a.example/<hr/>', 30, "onetwo http://a.example/"],
    ["json", '{"a":"one","b":"say http://a.example/ twice","c":"two"}', 30, "say http://a.example/ twice"],
  ] as const)("%s: %j", (type, text, context, expected) => {
    expect(contextsOf(text, { type, context })).toEqual([expected.trim()]);
  });

  it("has no character that the text has not", () => {
    const mail = Buffer.from("Content-Type: text/plain; charset=gb2312\n\nabc\xc4\xe3 http://a.example/\xc4\xe3 x\n", "latin1");
    expect([...extract(mail, { type: "eml", context: 12 })].map(({ context }) => context)).toEqual(["abc\u4f60 http://a.example/\u4f60 x"]);
  });

  it("is of its own message, part and field", () => {
    const mail = [
      "From a@b.example Mon Jan  5 10:00:00 1998",
      "From: someone",
      "Subject: about http://s.example/ it",
      "To: another",
      "",
      "first http://b.example/",
      "",
      "From a@b.example Mon Jan  5 10:00:00 1998",
      "To: third",
      "",
      "http://c.example/ last",
      "",
    ].join("\n");
    expect(contextsOf(mail, { type: "mbox", context: 50 })).toEqual([
      "Subject: about http://s.example/ it",
      "first http://b.example/",
      "http://c.example/ last",
    ]);
  });

  it("is that of a nested URL, and of a URL that an option changed", () => {
    const text = "go http://a.example/?u=http://b.example/ now";
    expect(contextsOf(text, { nested: true, context: 10, stripFragment: true })).toEqual(
      ["go http://a.example/?u=http://b.example/ now", ".example/?u=http://b.example/ now"].map((one, index) =>
        index === 0 ? one : one.slice(one.indexOf("http") - 10),
      ),
    );
  });

  it("is absent unless it is asked for", () => {
    const [match] = extract("http://a.example/") as Match[];
    expect(match?.context).toBeUndefined();
    expect(Object.keys(match?.toJSON() ?? {})).not.toContain("context");
  });
});

const PIECES = [
  "http://a.example/b ",
  "see ",
  "\n> ",
  "<b>",
  "</b>",
  '<a href="http://h.example/">',
  "\u{1f600}",
  "&amp;",
  "x".repeat(50),
  " ",
];

it("does not depend on how a text is cut", async () => {
  const given = fc.tuple(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }),
    fc.constantFrom("text", "html", "mbox"),
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom(256, 16384),
  );
  const property = fc.asyncProperty(given, async ([pieces, type, context, urlBytesMax]) => {
    const text = (type === "mbox" ? "From a@b.example Mon Jan  5 10:00:00 1998\n\n" : "") + pieces.join("");
    const options = { type, context, urlBytesMax } as ExtractOptions;
    const whole = contextsOf(text, options);
    const bytes = Buffer.from(text);
    for (const size of [1, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      const found: (string | undefined)[] = [];
      for await (const match of extractFrom(chunks, options)) found.push(match.context);
      expectEqual(found, whole, () => JSON.stringify({ text, options, size }));
    }
    if (type !== "text") return;
    const half = bytes.length >> 1;
    const inRanges = [...extract(text, { ...options, range: [0, half] }), ...extract(text, { ...options, range: [half, bytes.length] })];
    expectEqual(
      inRanges.map((match) => match.context),
      whole,
      () => JSON.stringify({ text, options, half }),
    );
  });
  await fc.assert(property, { numRuns: Math.ceil(150 * RUNS), ...seeded });
});

it("is the same with threads", async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `line ${index} of http://h${index % 7}.example/ it\n`).join("");
  const written = async (threads: number): Promise<string> => {
    const stream = new ExtractStream({ type: "text", context: 40, threads });
    stream.end(text);
    let lines = "";
    for await (const chunk of stream) lines += String(chunk);
    return lines;
  };
  const one = await written(1);
  expect(one.split("\n")[1]).toMatch(
    /^http:\/\/h1\.example\/\tne 0 of http:\/\/h0\.example\/ it line 1 of http:\/\/h1\.example\/ it line 2 of http/,
  );
  expect((await written(2)) === one).toBe(true);
});
