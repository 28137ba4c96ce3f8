// What links show (C179, C218, C219, C250): as users ask for it. The cases have the rules.
import { describe, expect, it } from "vitest";
import { type ExtractOptions, extract, type Match } from "../../src/index.ts";
import { run } from "../cli/run.ts";

const PAGE =
  '<a href="http://a.test.com/1">www.bank.com</a> <img src="http://b.test.com/2" style="display:none"> <form action="http://c.test.com/3">';

const found = (text: string, options: ExtractOptions): Match[] => [...extract(text, { type: "html", ...options })];

describe("texts of links", () => {
  it("are fields of matches if they are asked for", () => {
    const [link, image, form] = found(PAGE, { fields: ["text"] });
    expect([link?.text, link?.flags]).toEqual(["www.bank.com", ["other-host"]]);
    expect([image?.text, image?.tag, image?.flags]).toEqual([undefined, "img", ["hidden"]]);
    expect([form?.tag, form?.attribute, form?.flags]).toEqual(["form", "action", ["form"]]);
    expect(JSON.parse(JSON.stringify(link))).toMatchObject({ text: "www.bank.com", tag: "a", attribute: "href" });
  });

  it("are not looked for otherwise", () => {
    expect(found(PAGE, {}).map(({ text, tag, flags }) => [text, tag, flags])).toEqual(
      Array.from({ length: 3 }, () => [undefined, undefined, []]),
    );
  });

  it("give elements without links if only those are named", () => {
    expect(found(PAGE, { fields: ["tag"] }).map(({ tag, text }) => [tag, text])).toEqual([
      ["a", undefined],
      ["img", undefined],
      ["form", undefined],
    ]);
  });

  it("are compared with the host behind a redirector, with and without unwrap", () => {
    const redirect = (host: string): string => `<a href="https://www.google.com/url?q=http%3A%2F%2F${host}%2F">bank.com</a>`;
    for (const unwrap of [true, false]) {
      const flags = found(redirect("www.bank.com") + redirect("evil.test.com"), { fields: ["text"], unwrap }).map((match) => match.flags);
      expect(flags, `unwrap: ${unwrap}`).toEqual([[], ["other-host"]]);
    }
    const shown = '<a href="http://test.com/">https://www.google.com/url?q=http%3A%2F%2Ftest.com%2F</a>';
    expect(found(shown, { fields: ["text"] })[0]?.flags).toEqual([]);
  });

  it("belong to relative links too, and to none inside others", () => {
    const page = '<a href="x?u=http://b.test.com/">www.bank.com</a>';
    const matches = found(page, { fields: ["text"], links: true, base: "http://a.test.com/", nested: true });
    expect(matches.map(({ url, kind, text, flags }) => [url, kind, text, flags])).toEqual([
      ["http://a.test.com/x?u=http://b.test.com/", "link", "www.bank.com", ["other-host"]],
      ["http://b.test.com/", "plain", undefined, []],
    ]);
  });

  it("cannot be named with redact, which hides what is written", () => {
    expect(() => found(PAGE, { fields: ["text"], userinfo: "redact" })).toThrow(/text/);
  });

  it("are at most 200 characters, of 4096 bytes", () => {
    const link = (text: string): string | undefined => found(`<a href="http://a.test.com/">${text}</a>`, { fields: ["text"] })[0]?.text;
    expect(link("é".repeat(300))).toBe("é".repeat(200));
    expect(link(`${"<b></b>".repeat(1000)}x`)).toBeUndefined();
  });
});

describe("the command", () => {
  it("filters and counts by the flags of links, in archives too", async () => {
    const mail = `From a@b.example Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n${PAGE}\n`;
    const input = mail.repeat(2);
    expect((await run(["--flag", "other-host"], { input })).stdout).toBe("http://a.test.com/1\nhttp://a.test.com/1\n");
    expect((await run(["--flag", "form"], { input })).stdout).toBe("http://c.test.com/3\nhttp://c.test.com/3\n");
    const { stdout: rows } = await run(["--fields", "url,text", "-f", "tsv", "--no-header"], { input });
    expect(rows.split("\n")[0]).toBe("http://a.test.com/1\twww.bank.com");
    const { stdout: counted } = await run(["count", "--by", "flag", "-f", "tsv", "--no-header"], { input });
    const counts = counted.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "));
    expect(counts).toEqual(expect.arrayContaining(["form 2", "hidden 2", "other-host 2"]));
  });
});
