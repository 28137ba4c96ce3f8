// Reports of hostile archives run nothing, ask for nothing and look as others do; large ones keep few rows in the document.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportHtml } from "../../src/report/html.ts";
import type { Summary } from "../../src/summary/summary.ts";
import { COMMAND, newFolder, removeFolder, run } from "../cli/run.ts";
import { hasBrowser, NEEDED, openFile, startBrowser, unfold } from "./browser.ts";
import { sampleSummary } from "./sample.ts";

const TEMPLATE = readFileSync(join(COMMAND, "../../report/template.html"), "utf8");
const RTL = "\u202e\u2066\u200f";
const LONG = "x".repeat(15_000);

/** Texts that would run, ask for something or break the page if they were taken for more than text. */
const TRICKS = [
  "<script>alert(1)</script>",
  "</script><script>alert(2)</script>",
  "<!--<script>",
  '"><img src=x onerror=alert(3)>',
  "<svg/onload=alert(4)>",
  "<style>*{display:none}</style>",
  '<link rel=stylesheet href="http://127.0.0.1:9/x.css">',
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">',
  "<base href=//127.0.0.1:9/>",
  "<textarea><plaintext>",
  "javascript:alert(5)",
  "data:text/html,<script>alert(6)</script>",
  "\u2028alert(7)\u2029",
  `${RTL}gpj.exe`,
  "{{summary}} $& $1 {{constructor}}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\0\u001b[2J\ud800",
  "&lt;script&gt;&#x3c;img src=x onerror=alert(9)&#x3e;",
  LONG,
] as const;

const messageOf = (trick: string, index: number): string => {
  const encoded = `=?utf-8?B?${Buffer.from(trick.slice(0, 40)).toString("base64")}?=`;
  const field = trick.slice(0, 200).replaceAll(/[\n\0]/g, "");
  return `From a@b.example Tue Jan  3 10:11:12 1995
From: "${field.replaceAll('"', "")}" <${field.replaceAll(/[^\w-]/g, "-")}@${index % 2 === 0 ? "__proto__" : "mill.example"}>
Subject: ${encoded}
Date: Tue, ${1 + (index % 28)} Jan 1995 10:11:12 +0000
Message-ID: <${field.replaceAll(/[\s>]/g, "")}@mill.example>
List-Id: <${index % 2 === 0 ? "constructor" : field}>

http://a.example/${trick}
<http://user:${trick}@a.example/>
http://${index % 3 === 0 ? "constructor" : "__proto__"}/${trick}
http://a.example/?q=${encodeURIComponent(trick.replaceAll("\ud800", ""))}
http://[${trick}]/ http:///${trick} http://a.example:99999${trick}
https://www.google.com/url?q=http://b.example/${encodeURIComponent(trick.replaceAll("\ud800", ""))}

`;
};

/** Returns a summary in which each text of an archive is a trick. */
function hostileSummary(): Summary {
  const sample = sampleSummary(30);
  let next = 0;
  const trick = (): string => TRICKS[next++ % TRICKS.length] as string;
  const tables = Object.fromEntries(
    Object.entries(sample.tables).map(([name, table]) => {
      const rows = table.rows.map(([, first, last, cells]) => [
        name === "redirect" ? `${trick()} ${trick()}` : trick(),
        first,
        last,
        cells,
      ]);
      return [name, { ...table, rows }];
    }),
  ) as Summary["tables"];
  const examples = TRICKS.map((raw, start) => ({
    url: start % 2 === 0 ? null : raw,
    raw,
    text: raw,
    source: raw,
    start,
    message_id: raw,
    date: null,
  }));
  return {
    ...sample,
    urlmill: trick(),
    tables,
    run: { ...sample.run, inputs: [...TRICKS], options: { ...Object.fromEntries(TRICKS.map((name) => [name, name])), json: TRICKS } },
    flags: sample.flags.map((flag) => ({ ...flag, examples })),
    rejected: [...TRICKS.map((reason) => ({ reason, count: 3, examples })), ...sample.rejected],
    left_out: TRICKS.map((reason) => ({ reason, count: 1, source: reason, start: 1, message_id: reason, types: { [reason]: 1 } })),
  };
}

/** Uses everything of a page once. */
async function useAll(page: Page): Promise<void> {
  await page.getByRole("switch", { name: "Defang" }).click();
  await unfold(page);
  for (const field of await page.getByRole("searchbox").all()) if (await field.isVisible()) await field.fill("<script>");
  for (const head of await page.locator("button.sort").all()) await head.click();
  for (const field of await page.getByRole("searchbox").all()) if (await field.isVisible()) await field.fill("");
  await page.getByLabel("From month").selectOption({ index: 0 });
}

/** Returns the names of elements that a report must not have. */
async function strangers(page: Page): Promise<string[]> {
  const own =
    "html head meta title style script body header p h1 main div nav ul li a label input span select option dl dt dd section h2 h3 h4";
  const more = "svg path table caption thead tbody tr th td button bdi i wbr code details summary article ol";
  const known = new Set(`${own} ${more}`.split(" "));
  const names = await page.locator("*").evaluateAll((nodes) => nodes.map((node) => node.localName));
  return names.filter((name) => !known.has(name));
}

describe.skipIf(!hasBrowser)(`reports of hostile archives${NEEDED}`, () => {
  let folder: string;
  let browser: Browser;

  beforeAll(async () => {
    folder = newFolder();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    removeFolder(folder);
  });

  /** Opens a report, uses it, and returns its text. */
  async function textOf(path: string): Promise<string> {
    const { page, complaints, close } = await openFile(browser, path);
    await useAll(page);
    expect(await strangers(page)).toEqual([]);
    // The page has taken its own script and data out.
    expect(await page.locator("script, style").count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    const text = (await page.locator("body").allInnerTexts()).join("\n");
    await close();
    expect(complaints).toEqual([]);
    return text;
  }

  it("show what the archive says as text", async () => {
    const name = `${RTL}<img src=x onerror=alert(0)>'".mbox`;
    writeFileSync(join(folder, name), TRICKS.map(messageOf).join(""));
    const path = join(folder, "archive.html");
    const { code } = await run(["report", "-o", path, "--links", "--nested", "--match", "^(?:[^<]|<)*$", name], { cwd: folder });
    expect(code).toBe(0);
    const text = await textOf(path);
    expect(text).toContain("URLs in \\u202e\\u2066\\u200f<img src=x onerror=alert(0)>'\".mbox");
    expect(text).toContain("__proto__");
    expect(text).toContain("constructor");
    expect(text).not.toContain("\u202e");
  });

  it("show any summary as text", async () => {
    const path = join(folder, "summary.html");
    writeFileSync(path, reportHtml(TEMPLATE, hostileSummary()));
    const text = await textOf(path);
    for (const trick of [
      "<script>alert(1)</script>",
      "</script><script>alert(2)</script>",
      "__proto__",
      "javascript:alert(5)",
      "\\u2028alert(7)",
    ])
      expect(text).toContain(trick);
    expect(text).not.toContain("\u202e");
  });

  it("keep few of 100,000 rows in the document", async () => {
    const path = join(folder, "large.html");
    const summary = sampleSummary(100_000);
    writeFileSync(path, reportHtml(TEMPLATE, summary));
    const { page, complaints, close } = await openFile(browser, path);
    const rows = page.getByRole("table", { name: "Hosts", exact: true }).locator("tbody tr");
    const expectFew = async (count: number): Promise<void> => {
      expect(await rows.count()).toBe(count);
      expect(await page.locator("*").count()).toBeLessThan(12_000);
    };
    await expectFew(10);
    await page.locator(".parts.hosts button.sort").first().click();
    const least = summary.tables.host.rows.map(([host]) => host).sort()[0];
    expect((await rows.first().locator(".name").textContent())?.replaceAll("[.]", ".")).toBe(least);
    await page.getByLabel("Rows of a page of hosts").selectOption("100");
    await page.getByRole("button", { name: "Last page of hosts" }).click();
    expect(await page.locator(".parts.hosts .pager p").textContent()).toBe("99,901–100,000 of 100,000");
    await expectFew(100);
    await close();
    expect(complaints).toEqual([]);
  });
});
