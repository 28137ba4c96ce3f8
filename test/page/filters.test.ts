// A report in a browser that is asked: every value narrows the others, by mouse, keyboard and address. What it shows is saved as files.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Cells, Row, Summary } from "../../src/summary/summary.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { archiveText } from "./archive.ts";
import { hasBrowser, NEEDED, type OpenPage, openFile, settled, startBrowser, unfold } from "./browser.ts";

const number = (value: number): string => new Intl.NumberFormat("en-US").format(value);
const matchesIn = (cells: Cells): number => cells.filter((_, at) => at % 3 === 1).reduce((sum, count) => sum + count, 0);
const textsOf = async (nodes: Locator): Promise<string[]> => (await nodes.allTextContents()).map((text) => text.trim());

describe.skipIf(!hasBrowser)(`a report that is asked${NEEDED}`, () => {
  let folder: string;
  let browser: Browser;
  let report: OpenPage;
  let summary: Summary;
  /** A table by its caption. */
  const tableNamed = (name: string): Locator => report.page.getByRole("table", { name, exact: true });
  const figures = async (): Promise<Record<string, string>> => {
    const [names, values] = [await textsOf(report.page.locator(".figures dt")), await textsOf(report.page.locator(".figures dd"))];
    return Object.fromEntries(names.map((name, index) => [name, values[index] as string]));
  };

  beforeAll(async () => {
    folder = newFolder();
    writeFileSync(join(folder, "stones.mbox"), archiveText(400));
    await run(["report", "-o", "report.html", "stones.mbox"], { cwd: folder });
    summary = JSON.parse((await run(["report", "--json", "stones.mbox"], { cwd: folder })).stdout);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    removeFolder(folder);
  });
  beforeEach(async () => {
    report = await openFile(browser, join(folder, "report.html"));
  });
  afterEach(async () => {
    await report.close();
    expect(report.complaints).toEqual([]);
  });

  it("narrows everything to a value that is chosen, and the address keeps it", async () => {
    const { page } = report;
    const [[host]] = summary.tables.host.rows as [Row];
    const { stdout } = await run(["report", "--json", "--host", host, "stones.mbox"], { cwd: folder });
    const wanted: Summary = JSON.parse(stdout);
    const expectNarrowed = async (): Promise<void> => {
      await settled(page);
      expect(await figures()).toMatchObject({ URLs: number(wanted.totals.matches), "different URLs": number(wanted.totals.urls) });
      const senders = await textsOf(tableNamed("Linked most by").locator("tbody td"));
      expect(senders).toEqual(wanted.tables.from_address.rows.slice(0, 8).map(([, , , cells]) => number(matchesIn(cells))));
      expect(await textsOf(page.locator(".chips .choice"))).toEqual([`host ${host.replaceAll(".", "[.]")} ×`]);
      expect(await textsOf(page.locator(".notice p"))).toEqual([
        `${number(wanted.totals.matches)} of ${number(summary.totals.matches)} URLs`,
      ]);
    };
    // The keyboard does it: the button keeps the focus.
    await tableNamed("Hosts linked most").locator(".choice").first().focus();
    await page.keyboard.press("Enter");
    await expectNarrowed();
    expect(new URL(page.url()).hash).toBe(`#host=${host}`);
    await page.keyboard.press("Enter");
    expect(await figures()).toMatchObject({ URLs: number(summary.totals.matches) });
    await page.goBack();
    await expectNarrowed();
    // A link of the contents leaves the choice.
    await page.getByRole("link", { name: "Hosts", exact: true }).click();
    await page.reload();
    await expectNarrowed();
    // Months and a second value narrow further.
    await tableNamed("Linked most by").locator(".choice").first().click();
    await page.getByLabel("to month").selectOption({ label: "June 1998" });
    await page.waitForFunction(() => location.hash.includes("months="));
    const [sender = ""] = wanted.tables.from_address.rows[0] as Row;
    expect(new URL(page.url()).hash).toBe(`#host=${host}&from_address=${encodeURIComponent(sender)}&months=1995-01..1998-06`);
    const filters = ["--host", host, "--from", sender, "--until", "1998-06"];
    const both: Summary = JSON.parse((await run(["report", "--json", ...filters, "stones.mbox"], { cwd: folder })).stdout);
    expect(await figures()).toMatchObject({ URLs: number(both.totals.matches), hosts: "1" });
    await page.locator(".chips .choice").first().click();
    await page.locator(".chips .choice").first().click();
    expect(await textsOf(page.locator(".chips .choice"))).toEqual([`sender ${sender} ×`]);
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    expect(await figures()).toMatchObject({ URLs: number(summary.totals.matches) });
    expect(new URL(page.url()).hash).toBe("");
  });

  it("answers a click in sight at once, out of sight after that", async () => {
    const { page } = report;
    const busy = await page.evaluate(() => {
      document.querySelector<HTMLElement>(".tops .choice")?.click();
      const isBusy = (selector: string): boolean => document.querySelector(selector)?.ariaBusy === "true";
      return [".figures", ".tops > .names", ".parts.urls > .value-table", ".parts.schemes > .names"].map(isBusy);
    });
    expect(busy).toEqual([false, false, true, true]);
    await settled(page);
    const [[host]] = summary.tables.host.rows as [Row];
    const hosts = page.locator(".parts.hosts tbody .link");
    expect(await textsOf(hosts)).toEqual([host.replaceAll(".", "[.]")]);
  });

  it("says what is unknown where combinations were lost", async () => {
    const cut = join(folder, "few.html");
    await run(["report", "--top", "2", "-o", cut, "stones.mbox"], { cwd: folder });
    const { page, close, complaints } = await openFile(browser, cut);
    await page.locator(".legend .choice").first().click();
    await settled(page);
    expect(await page.locator(".parts.senders .rest").first().textContent()).toMatch(
      /^[\d,]+ URLs have none of the senders of this table\. [\d,]+ URLs have lost the senders: a number may be up to [\d,]+ too low\.$/,
    );
    await page.locator(".tops .choice").first().click();
    expect(await page.locator(".notice p").textContent()).toMatch(/ URLs, and perhaps [\d,]+ more: rare combinations were not kept$/);
    await close();
    expect(complaints).toEqual([]);
  });

  it("shows shares, days of few months, and is not flattened by one month", async () => {
    const dated = (...date: [year: number, month: number, day: number]): string => new Date(Date.UTC(...date)).toUTCString();
    const message = (year: number, month: number, day: number): string =>
      `From a Mon Mar  1 10:00:00 2004\nDate: ${dated(year, month, day)}\n\nhttp://a.example/ http://a.example/\n\n`;
    const usual = Array.from({ length: 48 }, (_, month) => message(1998, month, 3));
    writeFileSync(
      join(folder, "peak.mbox"),
      [...usual, ...Array.from({ length: 300 }, (_, at) => message(2000, 6, 1 + (at % 20)))].join(""),
    );
    const peak = join(folder, "peak.html");
    await run(["report", "-o", peak, "peak.mbox"], { cwd: folder });
    const { page, close, complaints } = await openFile(browser, peak);
    const highest = (): Promise<string | null> => page.locator(".time-line > .plot .numbers span").last().textContent();
    expect(await highest()).toBe("2");
    expect(await page.locator(".outside").first().textContent()).toContain("Higher than the scale: July 2000 (602 URLs).");
    await page.getByRole("button", { name: "Draw them whole" }).click();
    expect(await highest()).toBe("1,000");
    await page.getByLabel("Scale").selectOption("Share");
    expect(await highest()).toBe("100%");
    expect(await page.locator(".by-day").isHidden()).toBe(true);
    await page.getByLabel("From month").selectOption({ label: "July 2000" });
    await page.getByLabel("to month").selectOption({ label: "August 2000" });
    expect(await page.locator(".by-day").textContent()).toMatch(/^By dayMost on 3 Jul 2000: 32 URLs/);
    await page.locator(".tops .choice").first().click();
    expect(await page.locator(".by-day .plot").isHidden()).toBe(true);
    await close();
    expect(complaints).toEqual([]);
  });

  it("draws more than twenty years by year; months can still be chosen", async () => {
    const message = (year: number, month: number): string =>
      `From a Mon Mar  1 10:00:00 2004\nDate: ${new Date(Date.UTC(year, month, 3)).toUTCString()}\n\nhttp://a.example/\n\n`;
    const years = Array.from({ length: 26 }, (_, year) =>
      [1, 4, ...(year === 9 ? [5, 6] : [])].map((month) => message(1990 + year, month)),
    );
    writeFileSync(join(folder, "years.mbox"), years.flat().join(""));
    await run(["report", "-o", "years.html", "years.mbox"], { cwd: folder });
    const { page, close, complaints } = await openFile(browser, join(folder, "years.html"));
    const drawing = page.getByRole("img", { name: "URLs by year and scheme, February 1990 to May 2015. Most in 1999: 4 URLs." });
    const path = await drawing.locator("path").first().getAttribute("d");
    expect(path?.match(/M/g)).toHaveLength(26);
    expect(path?.split("M").slice(9, 12)).toEqual([
      "96.96 1000.0V500.0h10.08V1000.0z",
      "108.96 1000.0V0.0h10.08V1000.0z",
      "120.96 1000.0V500.0h10.08V1000.0z",
    ]);
    await page.locator(".time-line .brush").hover();
    expect(await page.locator(".time-line .readout").first().textContent()).toBe("2003: 2 URLs");
    await page.getByLabel("From month").selectOption({ label: "May 2014" });
    expect(await page.locator(".figures dd").first().textContent()).toBe("3");
    await page.getByLabel("to month").selectOption({ label: "May 2014" });
    expect(await page.getByRole("img", { name: / Most in 2014: 1 URL\. / }).count()).toBe(1);
    await close();
    expect(complaints).toEqual([]);
  });

  it("says how many signs its first screen leaves out, and which address a number is", async () => {
    const disguised = "http://paypal.example@192.0.2.7/ http://joe:pw@a.example/ http://m\u00fchle.example/";
    const wrong = "http://xn--0000h.example/ http://xn--paypal-.com/ http://xn--ab-g1t.com/";
    const urls = `http://3232235777/x ${disguised} ${wrong} http://a.example:8081/`;
    const more = "http://a.example/%00 http://bit.ly/3abc http://[::ffff:c000:207]/ http://192.0.2.9/";
    const html = `<a href="http://evil.example/">www.bank.com</a><a style="display:none" href="http://b.example/">x</a>`;
    const part = (type: string, text: string): string => `--x\nContent-Type: ${type}; charset=utf-8\n\n${text}\n`;
    const mail = `From a@b Mon Jan  5 10:00:00 1998\nContent-Type: multipart/mixed; boundary=x\n\n`;
    writeFileSync(join(folder, "signs.mbox"), `${mail}${part("text/plain", `${urls} ${more}`)}${part("text/html", html)}--x--\n`);
    await run(["report", "-o", "signs.html", "signs.mbox"], { cwd: folder });
    const { page, close, complaints } = await openFile(browser, join(folder, "signs.html"));
    const listed = await textsOf(page.locator(".top.danger tbody th"));
    const all = await page.locator(".flags article:not(.damaged)").count();
    expect(all).toBeGreaterThan(8);
    expect([listed.length, listed.at(-1)]).toEqual([8, `${all - 7} more signs`]);
    const numeric = page.locator("article", { has: page.locator("#flag-numeric-host") });
    await numeric.locator("summary").click();
    const said = await textsOf(numeric.locator(".written", { hasText: "the host is" }));
    expect(said).toEqual(["the host is 192[.]168[.]1[.]1", "the host is 192[.]0[.]2[.]7"]);
    const idn = page.locator("article", { has: page.locator("#flag-idn") }).locator(".written", { hasText: "the host is" });
    expect(await textsOf(idn)).toEqual(["the host is m\u00fchle[.]example"]);
    await close();
    expect(complaints).toEqual([]);
  });

  it("leaves out what is no link, and names hosts and senders of each flag", async () => {
    const { page } = report;
    writeFileSync(
      join(folder, "mail.eml"),
      "From: a@b.example\nSubject: x\nMessage-ID: <1@b.example>\n\nhttp://192.0.2.7/ mailto:joe@c.example http://www.w3.org/1999/xhtml\n",
    );
    await run(["report", "-o", "mail.html", "mail.eml"], { cwd: folder });
    const opened = await openFile(browser, join(folder, "mail.html"));
    await opened.page.getByRole("switch", { name: "Only links" }).click();
    expect(await opened.page.locator(".notice p").textContent()).toBe("1 of 3 URLs");
    await opened.page.waitForFunction(() => location.hash === "#only=links");
    await settled(opened.page);
    expect(await textsOf(opened.page.locator(".parts.flags .company"))).toEqual(["Hosts: 192[.]0[.]2[.]7 1", "Senders: a@b.example 1"]);
    await opened.page.locator(".chips .choice").first().click();
    expect(await opened.page.getByRole("switch", { name: "Only links" }).isChecked()).toBe(false);
    await opened.close();
    // A click on a host of a flag chooses it.
    await page.locator(".parts.flags .company .choice").first().click();
    expect(await page.locator(".chips .choice").first().textContent()).toMatch(/^host /);
  });

  it("shows only links at first where signs of danger prevail, and the reader can have all", async () => {
    const others = "mailto:joe@c.example urn:content-classes:message http://www.w3.org/1999/xhtml";
    const head = "From a Mon Mar  1 10:00:00 2004\nFrom: a@b.example\nDate: 1 Mar 2004 10:00 +0000\n\n";
    const message = (index: number): string => `${head}http://192.0.2.${index}/ http://c.example/ ${others}\n\n`;
    writeFileSync(join(folder, "spam.mbox"), Array.from({ length: 12 }, (_, index) => message(index)).join(""));
    await run(["report", "-o", "spam.html", "spam.mbox"], { cwd: folder });
    const { page, close, complaints } = await openFile(browser, join(folder, "spam.html"));
    const onlyLinks = page.getByRole("switch", { name: "Only links" });
    const counted = (): Promise<string | null> => page.locator(".figures dd").first().textContent();
    expect([await onlyLinks.isChecked(), await counted(), new URL(page.url()).hash]).toEqual([true, "24", ""]);
    expect(await page.locator(".switches .about").textContent()).toMatch(/^On at first: signs of danger are frequent here/);
    // Values of which nothing is left out have their messages; the sender has lost some URLs.
    expect(await textsOf(page.locator(".top.danger td"))).toEqual(["12", "12"]);
    expect(await textsOf(page.locator(".parts.hosts td.messages"))).toEqual(["12", ...Array.from({ length: 9 }, () => "1")]);
    expect(await textsOf(page.locator(".parts.senders td.messages"))).toEqual(["–"]);
    expect(await page.locator(".figures").textContent()).toContain("messages with URLs in all12");
    await onlyLinks.click();
    expect([await counted(), new URL(page.url()).hash]).toEqual(["60", "#only=all"]);
    await page.reload();
    await settled(page);
    expect([await onlyLinks.isChecked(), await counted()]).toEqual([false, "60"]);
    await onlyLinks.click();
    expect([await counted(), new URL(page.url()).hash]).toEqual(["24", ""]);
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    expect([await onlyLinks.isChecked(), await counted()]).toEqual([false, "60"]);
    await page.goBack();
    await settled(page);
    expect([await onlyLinks.isChecked(), await counted()]).toEqual([true, "24"]);
    await close();
    expect(complaints).toEqual([]);
    // An archive with few signs begins with everything, and says nothing.
    expect(await report.page.getByRole("switch", { name: "Only links" }).isChecked()).toBe(false);
    expect(await report.page.locator(".switches .about").isVisible()).toBe(false);
  });

  it("counts serious signs by month instead of URLs", async () => {
    const { page } = report;
    const serious = ["password", "obfuscated", "userinfo", "encoded-control", "numeric-host"];
    const rows = summary.tables.flag.rows.filter(([flag]) => serious.includes(flag));
    const sum = rows.reduce((before, [, , , cells]) => before + matchesIn(cells), 0);
    await page.locator(".scale select").first().selectOption("Serious signs");
    const shown = await textsOf(page.locator(".legend .count"));
    expect(shown.reduce((before, count) => before + Number(count), 0)).toBe(sum);
    expect(await page.locator(".time-line .readout").first().textContent()).toMatch(/^Most in \w+ \d+: \d+ serious signs?$/);
    expect(await page.locator(".years caption").textContent()).toBe("Serious signs by year");
    expect(await page.locator(".outside").first().textContent()).not.toContain("URL");
    // A sign can be chosen in the legend, and the months and the other parts follow.
    const name = (await page.locator(".legend .choice").first().textContent()) ?? "";
    await page.locator(".legend .choice").first().click();
    expect(await page.locator(".chips .choice").first().textContent()).toMatch(/^sign /);
    expect(await page.locator(".legend .choice").first().textContent()).toBe(name);
    await page.locator(".scale select").first().selectOption("URLs");
    expect(await page.locator(".years caption").textContent()).toBe("URLs by year and scheme");
  });

  it("fits 390 pixels, with both ends of chosen months on one line, and rare header fields in one row", async () => {
    const header = (name: string): string => `X-${name}: http://a.example/${name}\n`;
    const names = "One Two Three Four".split(" ").map(header).join("");
    const body = "http://a.example/ ".repeat(500);
    const message = (year: number): string => `From a Mon Mar  1 10:00:00 2004\nDate: 1 Mar ${year} 10:00 +0000\n${names}\n${body}\n\n`;
    writeFileSync(join(folder, "headers.mbox"), [1996, 1999, 2002].map(message).join(""));
    await run(["report", "--parts", "all", "-o", "headers.html", "headers.mbox"], { cwd: folder });
    const viewport = { width: 390, height: 800 };
    const { page, close, complaints } = await openFile(browser, join(folder, "headers.html"), { viewport });
    await page.getByLabel("From month").selectOption({ label: "March 1999" });
    const [from, to] = [await page.getByLabel("From month").boundingBox(), await page.getByLabel("to month").boundingBox()];
    expect(from?.y).toBe(to?.y);
    await unfold(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    for (const label of await page.locator(".switches label, .flags .count").all()) {
      expect((await label.boundingBox())?.height, (await label.textContent()) ?? "").toBeLessThan(40);
    }
    // The columns of an empty table have room for their heads.
    expect((await page.locator(".redirectors th").first().boundingBox())?.width).toBeGreaterThan(100);
    const places = page.getByRole("table", { name: "Where they stand" }).locator("tbody th");
    expect(await textsOf(places)).toEqual(["body", "4 rare header fields"]);
    await close();
    expect(complaints).toEqual([]);
  });

  it("saves the rows that it shows, and copies them defanged", async () => {
    const { page } = report;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByLabel("Filter hosts").fill("mill");
    const wanted = summary.tables.host.rows.filter(([host]) => host.includes("mill"));
    const save = async (name: string): Promise<string> => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      const saved = join(folder, file.suggestedFilename());
      await file.saveAs(saved);
      return readFileSync(saved, "utf8");
    };
    const lines = wanted.map(([host, first, last, cells]) => {
      const messages = cells.filter((_, at) => at % 3 === 2).reduce((sum, count) => sum + count, 0);
      return { host, urls: matchesIn(cells), messages, first, last };
    });
    expect(await save("Save hosts as NDJSON")).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const csv = [Object.keys(lines[0] ?? {}), ...lines.map((line) => Object.values(line))].map((line) => `${line.join(",")}\r\n`);
    expect(await save("Save hosts as CSV")).toBe(`\ufeff${csv.join("")}`);
    await page.getByRole("button", { name: "Copy defanged hosts" }).click();
    await page.getByText(`${wanted.length} lines copied`).waitFor();
    const copied = wanted.map(([host]) => `${host.replaceAll(".", "[.]")}\n`).join("");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
  });
});
