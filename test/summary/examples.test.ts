// Examples of flags and of rejected candidates: the first ones, without passwords, whatever the values.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarize } from "../../src/summarize.ts";
import { EXAMPLES_MOST, Examples } from "../../src/summary/examples.ts";
import type { Example } from "../../src/summary/summary.ts";
import { check } from "../core/check.ts";

function example(source: string, start: number, url: string): Example {
  return { url, raw: url, text: null, source, start, message_id: null, date: null };
}

/** Gives examples to a list as a summary does. */
function addAll(examples: Examples, list: readonly Example[]): void {
  for (const one of list) if (examples.mayAdd("x", one.source, one.start, () => one.url as string)) examples.add("x", one);
}

describe("the first examples", () => {
  it("are the same in any order, of parts too", () => {
    const some = fc.record({ source: fc.constantFrom("a", "b", "c"), start: fc.nat(60), url: fc.nat(30).map(String) });
    const list = fc.array(
      some.map(({ source, start, url }) => example(source, start, url)),
      { maxLength: 80 },
    );
    check(300, fc.tuple(list, fc.nat(80), fc.nat(80)), ([all, cut, turn]) => {
      const inOrder = all.toSorted(
        (one, other) =>
          one.source.localeCompare(other.source) || one.start - other.start || ((one.url as string) < (other.url as string) ? -1 : 1),
      );
      const wanted = inOrder.filter((one, index) => inOrder.findIndex(({ url }) => url === one.url) === index).slice(0, EXAMPLES_MOST);
      const [first, second] = [new Examples(), new Examples()];
      const turned = [...all.slice(turn), ...all.slice(0, turn)];
      addAll(first, turned.slice(0, cut));
      addAll(second, turned.slice(cut));
      for (const [name, one] of first) second.add(name, one);
      expect(second.of("x")).toEqual(wanted);
    });
  });
});

const HOSTILE = [
  "From a@b.example Mon Jan  5 10:00:00 1998",
  'From: "</script><script>alert(1)</script>" <"x\u2028\u0000"@b.example>',
  "Message-ID: <http://joe:secret@h.example>",
  "List-Id: <\u001b[31m__proto__>",
  "Date: Mon, 5 Jan 9999 23:59:60 -2359",
  "Constructor: http://c.example:81/",
  "",
  "http://joe:secret@h.example:81/?u=http%3A%2F%2Fjoe%3Asecret%40i.example%2F http://joe:secret",
  'http://joe:secr"et@h.example/ <http://joe:secret@bad host/> http://joe:secret@[bad/ http://0x7f.1/constructor',
  "http://www.google.com/url?q=http%3A%2F%2Fjoe%3Asecret%40c.example%2F sip:joe:secret@h.example",
  "",
].join("\n");

describe("hostile values", () => {
  it("have no passwords", async () => {
    for (const options of [{}, { unwrap: false }, { userinfo: "redact" }, { profile: "none" }] as const) {
      const summary = await summarize(HOSTILE, options);
      expect(JSON.stringify(summary)).not.toMatch(/secr/);
      expect(summary.totals.matches).toBeGreaterThan(4);
      expect(summary.rejected.map(({ reason }) => reason)).toContain("bad-host");
    }
  });

  it("have the Message-ID of their message, if it has one", async () => {
    const messages = ["<1@a.example>", undefined, "(a comment) <3@a.example>"].map(
      (id, index) =>
        `From a@b.example Mon Jan  5 10:00:00 1998\nSubject: s\n${id === undefined ? "" : `Message-ID: ${id}\n`}\n` +
        `http://c.example:8${index}1/\n\n`,
    );
    const { flags } = await summarize(messages.join(""));
    const examples = flags.find(({ flag }) => flag === "odd-port")?.examples ?? [];
    expect(examples.map(({ message_id }) => message_id)).toEqual(["1@a.example", null, "3@a.example"]);
  });

  it("stay what they are", async () => {
    const { tables, flags } = await summarize(HOSTILE);
    expect(tables.list_id.rows.map(([value]) => value)).toEqual(["[31m__proto__"]);
    expect(tables.where.rows.map(([value]) => value)).toContain("header:Constructor");
    expect(flags.map(({ flag }) => flag)).toContain("odd-port");
    expect(tables.redirect.rows.map(([value]) => value)).toEqual(["www.google.com c.example"]);
  });

  it("of any text give a summary whose tables add up", async () => {
    const piece = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom(...HOSTILE.split(/(?=[\n:@])/)));
    const texts = fc.sample(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
      { numRuns: 200, seed: 1 },
    );
    for (const text of texts) {
      const { totals, tables } = await summarize(text, { bare: ["www", "email", "domain", "ip"], anyScheme: true });
      const sums = Object.entries(tables).map(([name, { rows, rest }]) => {
        const cells = [...rows.map(([, , , of]) => of), rest].flat();
        return [name, cells.filter((_, index) => index % 3 === 1).reduce((sum, count) => sum + count, 0)] as const;
      });
      // A match may have several flags, and several redirectors.
      for (const [name, sum] of sums) {
        if (name === "flag" || name === "redirect") expect(sum).toBeGreaterThanOrEqual(totals.matches);
        else expect([name, sum]).toEqual([name, totals.matches]);
      }
    }
  });
});

describe("summarize", () => {
  it("names files, skips what cannot be read, and says with which options it read", async () => {
    const gzip = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]);
    const file = new File(["http://a.example/ http://b.example:8081/"], "a.txt");
    const { run, totals, left_out, flags, tables } = await summarize([file, { name: "bad.gz", source: gzip }, "http://c.example/"], {
      base: "http://joe:secret@h.example/",
      links: true,
      match: [/^HTTP/i, "b"],
      since: undefined,
      top: 1,
    });
    expect(run).toMatchObject({
      threads: 1,
      inputs: ["a.txt", "bad.gz", "-"],
      options: { base: "http://***@h.example/", match: ["^HTTP", "b"], top: 1 },
    });
    expect(totals).toMatchObject({ matches: 3, skipped: 1, urls: 3 });
    expect(left_out).toEqual([{ reason: "unreadable", count: 1, source: "bad.gz", start: null, message_id: null, types: {} }]);
    expect(flags).toEqual([{ flag: "odd-port", count: 1, examples: [example("a.txt", 18, "http://b.example:8081/")] }]);
    expect(tables.url).toMatchObject({ distinct: 3, bound: 0, rest: [0, 2, 0] });
  });

  it("takes the limits of compressed data", async () => {
    const text = gzipSync("http://a.example/\n".repeat(1000));
    expect((await summarize(text)).totals).toMatchObject({ matches: 1000, skipped: 0 });
    expect((await summarize(text, { expandMax: 100 })).totals).toMatchObject({ skipped: 1 });
  });

  it("refuses wrong options, and rejects with the reason of its signal", async () => {
    await expect(summarize("x", { top: 0 })).rejects.toThrow("top must be a whole number");
    await expect(summarize("x", { fields: ["url"] } as object)).rejects.toThrow("fields is not an option of summarize");
    await expect(summarize("http://a.example/", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

it("an example of a link has its text, with userinfo hidden", async () => {
  const page = '<a href="http://a.test.com/">http://joe:secret@www.bank.com/</a>';
  const { flags } = await summarize({ name: "page", source: Buffer.from(page) }, { type: "html" });
  const examples = flags.find(({ flag }) => flag === "other-host")?.examples;
  expect(examples?.map(({ url, text }) => [url, text])).toEqual([["http://a.test.com/", "http://***@www.bank.com/"]]);
});

describe("a userinfo without a password", () => {
  const shown = async (url: string, userinfo?: "redact" | "strip"): Promise<unknown> => {
    const { tables, flags } = await summarize(`${url} x`, userinfo === undefined ? {} : { userinfo });
    const texts = new Set([tables.url.rows[0]?.[0], ...flags.flatMap(({ examples }) => examples.map((one) => one.url))]);
    return [...texts].join(" ");
  };

  it.each([
    "http://www.bank.com@192.0.2.1/",
    "https://www.windows.com-x1@digital-x.run.example/",
    "http://joe@bank.example@192.0.2.1/",
    "http://joe@www.bank.com@192.0.2.1/",
    "http://www.gov.br@a.example/?u=http://www.bank.com@b.example/",
  ])("that looks like a host is shown: %s", async (url) => {
    const written = url.includes("joe@bank.example") ? "http://***@192.0.2.1/" : url.replace(/joe@(?=www)/, "joe%40");
    expect(await shown(url)).toBe(written);
    expect(await shown(url, "redact")).not.toMatch(/bank|windows|gov/);
  });

  it.each([
    "https://ghp_0a1B2c@a.example/",
    "https://eyJhbGci.eyJzdWIi.SflKxwRJ@a.example/",
    "https://SG.0a1B2c.3d4E@a.example/",
    "http://www.bank.com:secret@a.example/",
    "http://www.bank.com%3Asecret@a.example/",
    "http://joe@a.example/",
  ])("or one that does not is not: %s", async (url) => {
    expect(await shown(url)).toBe("http".concat(url.startsWith("https") ? "s" : "", "://***@a.example/"));
  });

  it("is the same with keep, which is refused", async () => {
    await expect(summarize("x", { userinfo: "keep" })).rejects.toThrow("never shows a password");
  });
});
