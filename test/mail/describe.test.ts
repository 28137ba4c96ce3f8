// What a message says of itself (A10): identifiers, groups, and all of it together.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUNS, seeded } from "../core/check.ts";
import { type Bodies, describeMessage } from "./described.ts";

const numRuns = 2000 * RUNS;
const settings = { numRuns, ...seeded };

const bytes = (binary: string): Uint8Array => Buffer.from(binary, "latin1");

const MESSAGE_IDS: [field: string, id: string | undefined][] = [
  [" <9403281409.AA00416@ptpc00.cern.ch>", "9403281409.AA00416@ptpc00.cern.ch"],
  ["<a@b>\r\n", "a@b"],
  ["\r\n <a@b>", "a@b"],
  ["<a@b> (added by gate@c)", "a@b"],
  ["(was <old@c>) <a@b>", "a@b"],
  ["(was (once) <old\\)@c>) <a@b>", "a@b"],
  ["(a < b) <c@d>", "c@d"],
  ["<a(b)c@d>", "a(b)c@d"],
  ["<a(b@d> :-)", "a(b@d"],
  ["<a@b> <c@d>", "a@b"],
  ["<a@b>, <c@d>", "a@b"],
  ["<> <c@d>", "c@d"],
  ["<<a@b>>", "a@b"],
  ['<4TG."Super Signal"<service@a.example>>', '4TG."SuperSignal"<service@a.example>'],
  ["<1997@smtp<449090451>", "1997@smtp<449090451"],
  ["<a<b>c@d>", "a<b"],
  ["<<>> <c@d>", "c@d"],
  ["< a @ b >", "a@b"],
  ["<199508070245.VAA16849@\r\n valhalla.example>", "199508070245.VAA16849@valhalla.example"],
  ['<"8983 Fri"@b>', '"8983Fri"@b'],
  ["<a>", "a"],
  ["a@b", "a@b"],
  ["a@b c@d", "a@b"],
  ["id a@b", "a@b"],
  ["a @ b", "a@b"],
  ["PM20008:14:54 AM", "PM20008:14:54AM"],
  ["<a@b", "a@b"],
  ["a@b>", "a@b"],
  ["foo(bar@b", "foo(bar@b"],
  ["(a) a@b (c)", "a@b"],
  ["<caf\xe9@b>", "café@b"],
  ["<caf\xc3\xa9@b>", "café@b"],
  ["=?us-ascii?Q?=3Ca=40b=3E?=", "a@b"],
  ["", undefined],
  [" <>", undefined],
  ["(comment)", undefined],
];

const LIST_IDS: [field: string, id: string | undefined][] = [
  [" Irish Linux <ilug.linux.ie>", "ilug.linux.ie"],
  [" <ilug.linux.ie>", "ilug.linux.ie"],
  ['"a <b> (c" <d.e>', "d.e"],
  ["Lists\r\n\t<d.e> (a list <f>)", "d.e"],
  ["=?iso-8859-1?Q?caf=E9?= <d.e>", "d.e"],
  ["< d . e >", "d.e"],
  ["ilug.linux.ie", "ilug.linux.ie"],
  ["The  list\r\n of lists", "The list of lists"],
  ["A list <d.e", "A list <d.e"],
  ["", undefined],
];

const NEWSGROUPS: [field: string, groups: string | undefined][] = [
  [" comp.infosystems.www", "comp.infosystems.www"],
  [" alt.hypertext, comp.text.sgml,\r\n\tcomp.mail.mime", "alt.hypertext,comp.text.sgml,comp.mail.mime"],
  [" ", undefined],
];

describe("an identifier", () => {
  it.each(MESSAGE_IDS)("Message-ID: %j is %j", (field, id) => {
    expect(describeMessage({ "message-id": bytes(field) })).toStrictEqual(id === undefined ? {} : { messageId: id });
  });

  it.each(LIST_IDS)("List-Id: %j is %j", (field, id) => {
    expect(describeMessage({ "list-id": bytes(field) })).toStrictEqual(id === undefined ? {} : { listId: id });
  });

  it.each(NEWSGROUPS)("Newsgroups: %j is %j", (field, groups) => {
    expect(describeMessage({ newsgroups: bytes(field) })).toStrictEqual(groups === undefined ? {} : { newsgroups: groups });
  });
});

describe("a message", () => {
  it("is described by what it has", () => {
    const fields = {
      "message-id": bytes(" <9403281409.AA00416@ptpc00.cern.ch>"),
      date: bytes(" Mon, 28 Mar 94 16:09:08 +0100"),
      from: bytes(" =?iso-8859-1?Q?J=F8rgen?=\r\n <j@a.org>"),
      subject: bytes(" Re:  caf\xe9"),
      newsgroups: bytes(" alt.hypertext,\r\n comp.text.sgml"),
      "list-id": bytes(" The list <list.a.org>"),
    };
    expect(describeMessage(fields)).toStrictEqual({
      messageId: "9403281409.AA00416@ptpc00.cern.ch",
      date: "1994-03-28T15:09:08Z",
      from: "Jørgen <j@a.org>",
      subject: "Re: café",
      newsgroups: "alt.hypertext,comp.text.sgml",
      listId: "list.a.org",
    });
  });

  it.each([
    ["<http://a.example/>", "http://a.example/"],
    [" http://a.example/<b>", "http://a.example/<b>"],
    ["<http://a.example/", "<http://a.example/"],
    ["<>", undefined],
  ])("has the address of a page, without brackets around it: %j", (targetUri, wanted) => {
    expect(describeMessage({ "target-uri": bytes(targetUri) }).targetUri).toBe(wanted);
  });

  it("has the date of the From_ line, else of the topmost Received, where Date has none (C163)", () => {
    const [fromLine, received] = [bytes("joe Tue Nov 26 10:00:00 2019"), bytes(" Mon, 25 Nov 2019 09:00:00 +0100")];
    const both = { "from-line": fromLine, received };
    const delivered = { date: "2019-11-26T10:00:00Z", dateSource: "from-line" };
    expect(describeMessage({ ...both, date: bytes(" Tue, 26 Nov 2019 09:59:00 -0000") })).toStrictEqual({ date: "2019-11-26T09:59:00Z" });
    expect(describeMessage({ ...both, date: bytes(" 02-07-2024") })).toStrictEqual(delivered);
    expect(describeMessage(both)).toStrictEqual(delivered);
    expect(describeMessage({ received, "from-line": bytes("") })).toStrictEqual({ date: "2019-11-25T08:00:00Z", dateSource: "received" });
    expect(describeMessage({ received: bytes("yesterday") })).toStrictEqual({});
  });

  it("lacks what is missing, empty or cannot be read", () => {
    expect(describeMessage({})).toStrictEqual({});
    const fields = { "message-id": undefined, date: bytes(" yesterday"), from: bytes(""), subject: bytes(" \r\n"), "list-id": bytes("\0") };
    expect(describeMessage(fields)).toStrictEqual({});
  });

  it.each([
    ["28 M\xe4r 94 15:09:08", "1994-03-28T15:09:08Z"],
    ["28 M\xc3\xa4r 94 15:09:08", "1994-03-28T15:09:08Z"],
    ["=?iso-8859-1?Q?28_M=E4r_94?= 15:09:08", "1994-03-28T15:09:08Z"],
    ["28 M\x84r 94 15:09:08", "1994-03-28T15:09:08Z"],
    ["lun, 15 d\x82c 94 10:00", "1994-12-15T10:00:00Z"],
  ])("has a date in any charset: %j", (date, wanted) => {
    expect(describeMessage({ date: bytes(date) }).date).toBe(wanted);
  });

  const field = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .array(fc.constantFrom("<", ">", "(", ")", "\\", "a", "@", "b.c", " ", "\r\n ", ",", '"', "=?utf-8?q?", "?=", "\xe9", "\0"), {
        maxLength: 12,
      })
      .map((parts) => bytes(parts.join(""))),
  );
  const messages = fc.record(
    { "message-id": field, date: field, from: field, subject: field, newsgroups: field, "list-id": field },
    { requiredKeys: [] },
  );

  it("is described whatever its bytes are, never by an empty text or one with controls", () => {
    fc.assert(
      fc.property(messages, (fields: Bodies) => {
        const description = describeMessage(fields);
        for (const text of Object.values(description)) expect(text).toMatch(/^\P{Cc}+$/u);
        expect(description.newsgroups ?? "").not.toMatch(/ /);
      }),
      settings,
    );
  });

  it("has an id that is its own", () => {
    fc.assert(
      fc.property(field, (messageId) => {
        const id = describeMessage({ "message-id": messageId }).messageId;
        if (id === undefined) return;
        expect(id).not.toMatch(/ |^<.*>$/);
        // An id may spell an encoded word once others are decoded.
        if (id.includes("=?")) return;
        expect(describeMessage({ "message-id": new TextEncoder().encode(`<${id}>`) }).messageId).toBe(id);
      }),
      settings,
    );
  });
});
