// The presets of common archives in JSON (C246), and the marks in their texts that are undone (C247).
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExtractOptions, extract, type Match } from "../../src/index.ts";
import { expectEqual, RUNS, seeded } from "../core/check.ts";
import { cutsOf } from "../scan/pieces.ts";
import { foundInPieces } from "./pieces.ts";

/** The fields of matches of a preset. */
function read(preset: string, value: unknown): unknown[] {
  const fields = [
    "url",
    "message",
    "message_id",
    "date",
    "from",
    "from_address",
    "from_name",
    "subject",
    "list_id",
    "in_reply_to",
    "thread",
  ] as const;
  return extract(JSON.stringify(value), { type: "json", jsonFields: [preset], fields }).map((match) =>
    Object.fromEntries(
      (["url", "messageId", "date", "from", "fromAddress", "fromName", "subject", "listId", "inReplyTo", "thread"] as const)
        .map((name) => [name, match[name]] as const)
        .filter(([, value]) => value !== undefined),
    ),
  );
}

describe("presets (C246)", () => {
  it("reddit: comments and posts, with their references and Markdown undone", () => {
    const body = "x http://a.example/?x=1&amp;y=2 &lt;http://b.example/&gt; [c](http://c.example/a\\_b\\)) \\http://d.example/ &amp;amp;";
    const author = { from: "ann", fromAddress: "ann", fromName: "ann", date: "2012-01-01T00:00:00Z" };
    const comment = {
      author: "ann",
      body: body.replaceAll("\\\\", "\\"),
      created_utc: "1325376000",
      id: "c1",
      link_id: "t3_p",
      parent_id: "t1_b",
      subreddit: "mills",
    };
    const all = { ...author, messageId: "c1", listId: "mills", inReplyTo: "t1_b", thread: "t3_p" };
    expect(read("reddit", comment)).toEqual([
      { url: "http://a.example/?x=1&y=2", ...all },
      { url: "http://b.example/", ...all },
      { url: "http://c.example/a_b", ...all },
      { url: "http://d.example/", ...all },
    ]);
    const post = {
      author: "ann",
      created_utc: 1325376000.0,
      id: "p",
      name: "t3_p",
      title: "Rye http://t.example/",
      crosspost: [{ author: "bob", created_utc: 1, name: "t3_o", url: "http://o.example/" }],
    };
    expect(read("reddit", post)).toEqual([
      { url: "http://t.example/", ...author, messageId: "t3_p", thread: "t3_p", subject: post.title },
      {
        url: "http://o.example/",
        date: "1970-01-01T00:00:01Z",
        from: "bob",
        fromAddress: "bob",
        fromName: "bob",
        messageId: "t3_o",
        thread: "t3_o",
      },
    ]);
  });

  it("slack: members, their names, bots, and links", () => {
    const day = [
      {
        type: "message",
        user: "U1",
        ts: "1355517523.000005",
        text: "<http://a.example/?a=1&amp;b=2|see a>",
        user_profile: { real_name: "Ann A." },
        attachments: [{ ts: 1, id: 1, from_url: "http://u.example/" }],
      },
      {
        type: "message",
        subtype: "bot_message",
        ts: "1355517524.0",
        username: "mill",
        text: "&lt;http://b.example/&gt;",
        thread_ts: "1355517523.000005",
      },
    ];
    const ann = {
      date: "2012-12-14T20:38:43Z",
      from: "Ann A. <U1>",
      fromAddress: "U1",
      fromName: "Ann A.",
      messageId: "1355517523.000005",
      thread: "1355517523.000005",
    };
    expect(read("slack", day)).toEqual([
      { url: "http://a.example/?a=1&b=2", ...ann },
      { url: "http://u.example/", ...ann },
      {
        url: "http://b.example/",
        date: "2012-12-14T20:38:44Z",
        from: "mill",
        fromAddress: "mill",
        fromName: "mill",
        messageId: "1355517524.0",
        thread: ann.thread,
      },
    ]);
  });

  it("telegram: messages of a chat, old and new", () => {
    const chat = {
      name: "Mills",
      id: 7,
      messages: [
        {
          id: 1,
          type: "message",
          date: "2021-03-04T10:00:00",
          from: "Ann",
          text: ["see ", { type: "text_link", text: "it", href: "http://a.example/" }],
        },
        {
          id: 2,
          date: "2021-03-04T11:00:01",
          date_unixtime: "1614852001",
          from: null,
          from_id: "user5",
          text: "http://b.example/",
          reply_to_message_id: 1,
        },
        { id: 3, date: "2021-03-04T11:00:02", date_unixtime: "1614852002", actor: "Bob", actor_id: "user6", title: "http://c.example/" },
      ],
      about: "http://m.example/",
    };
    expect(read("telegram", chat)).toEqual([
      {
        url: "http://a.example/",
        date: "2021-03-04T10:00:00Z",
        from: "Ann",
        fromAddress: "Ann",
        fromName: "Ann",
        messageId: "1",
        thread: "1",
      },
      {
        url: "http://b.example/",
        date: "2021-03-04T10:00:01Z",
        from: "user5",
        fromAddress: "user5",
        fromName: "user5",
        messageId: "2",
        inReplyTo: "1",
        thread: "1",
      },
      {
        url: "http://c.example/",
        date: "2021-03-04T10:00:02Z",
        from: "Bob <user6>",
        fromAddress: "user6",
        fromName: "Bob",
        messageId: "3",
        thread: "3",
      },
      { url: "http://m.example/" },
    ]);
  });

  it("discord: messages with embeds and attachments", () => {
    const author = { id: "9", name: "ann", nickname: "Ann" };
    const message = {
      id: "1",
      timestamp: "2022-05-06T07:08:09.123+02:00",
      content: "http://a.example/x\\_y &amp; <http://b.example/>",
      author,
      embeds: [{ url: "http://e.example/", timestamp: "2020-01-01T00:00:00+00:00" }],
      attachments: [{ id: "2", url: "http://f.example/?a=1&b=2" }],
      reference: { messageId: "0" },
    };
    const ann = {
      date: "2022-05-06T05:08:09Z",
      from: "Ann <ann>",
      fromAddress: "ann",
      fromName: "Ann",
      messageId: "1",
      inReplyTo: "0",
      thread: "0",
    };
    expect(read("discord", { channel: { id: "3" }, messages: [message], messageCount: 1 })).toEqual(
      ["http://a.example/x_y", "http://b.example/", "http://e.example/", "http://f.example/?a=1&b=2"].map((url) => ({ url, ...ann })),
    );
  });

  it("undo the marks of texts, however the source is cut, with the span of the source", async () => {
    const pieces = fc.array(
      fc.constantFrom(
        "http://a.example/",
        "&amp;",
        "&",
        "&am",
        "&lt;",
        "&gt;",
        "&amp",
        "amp;",
        "\\",
        "\\\\",
        "_",
        "(",
        "x",
        " ",
        "&quot;",
        "\u00e9",
        '"',
        "\n",
        "=",
      ),
      { maxLength: 20 },
    );
    const texts = pieces.chain((list) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ t: list.join("") }));
      return fc.tuple(fc.constant(list.join("")), fc.constant(bytes), cutsOf(bytes.length));
    });
    const options: ExtractOptions = { type: "json", jsonFields: ["reddit"] };
    const undone = (text: string): string =>
      text
        .replace(/&(?:amp|lt|gt|quot);/g, (mark) => ({ "&amp;": "&", "&lt;": "<", "&gt;": ">" })[mark] ?? '"')
        .replace(/\\([!-%'-/:-@[-`{-~])/g, "$1");
    await fc.assert(
      fc.asyncProperty(texts, async ([text, bytes, cuts]) => {
        const plain = (matches: readonly Match[]): unknown => matches.map(({ start, end, url, raw }) => [start, end, url, raw]);
        const whole = extract(bytes, options);
        expectEqual(plain(await foundInPieces(bytes, cuts, options)), plain(whole), () => text);
        const wanted = extract(JSON.stringify({ t: undone(text) }).replaceAll("&", "&amp;"), { type: "json" });
        expectEqual(
          whole.map(({ url, raw }) => [url, raw]),
          wanted.map(({ url, raw }) => [url, raw]),
          () => text,
        );
        for (const { start, end, raw } of whole) {
          const written: string = JSON.parse(`"${new TextDecoder().decode(bytes.subarray(start, end))}"`);
          // A backslash of TeX may be read later (X16).
          expectEqual(undone(written).replaceAll("\\", ""), raw.replaceAll("\\", ""), () => text);
        }
      }),
      { numRuns: Math.ceil(500 * RUNS), ...seeded },
    );
  });
});
