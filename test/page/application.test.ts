// The application in a browser: it finds what the command finds, asks nobody for anything, and can be used by everybody.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FLAGS, KINDS } from "../../src/core/names.ts";
import type { Summary } from "../../src/summary/summary.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { tar, zip } from "../input/archives.ts";
import { hasBrowser, NEEDED, type OpenPage, OVER, openFile, settled, startBrowser, unfold } from "./browser.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = join(ROOT, "build/page/index.html");
const CORPUS = process.env.URLMILL_CORPUS ?? join(ROOT, "../../shared/corpus");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MBOX = join(ROOT, "examples/archive.mbox");

let browser: Browser;
let folder: string;
let opened: OpenPage | undefined;

/** Opens the application as a file, with the downloads of a browser that has no dialog for files. */
async function openApplication(options: Parameters<typeof openFile>[2] = {}): Promise<Page> {
  opened = await openFile(browser, PAGE, options);
  return opened.page;
}

/** Chooses files and waits until they are read. */
async function scan(page: Page, paths: readonly string[]): Promise<void> {
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...paths]);
  await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
  await settled(page);
}

/** Saves a file by one of the buttons; returns its text. */
async function save(page: Page, name: string): Promise<string> {
  await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  return readFileSync(await (await download).path(), "utf8");
}

/** Returns the summary that the report holds. */
async function summaryOf(page: Page): Promise<Summary> {
  const html = await save(page, "Report (HTML)");
  return JSON.parse(/<script type="application\/json" id="summary">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
}

/** Returns the summary of the command. */
async function wantedSummary(paths: readonly string[]): Promise<Summary> {
  const args = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return JSON.parse((await run(["report", "--json", ...args], { cwd: resolve(paths[0] as string, "..") })).stdout);
}

/** Returns what does not depend on the time and on the machine. */
function withoutRun({ run: { inputs }, ...rest }: Summary): unknown {
  return { ...rest, inputs };
}

/** Returns what the page did that it must not do: a worker's script is a text of the page. */
function complaints(): string[] {
  return opened?.complaints.filter((one) => !/^request: blob:/.test(one)) ?? [];
}

/** Names and bytes of archives that try to act on the page. */
function writeHostile(): string {
  const path = join(folder, "<img src=x onerror=alert(1)>.mbox");
  const urls = ["http://a.example/<script>alert(1)</script>", "javascript:alert(1)", "http://b.example/'\"><svg/onload=alert(1)>"];
  const more = ["http://u:p@c.example/%0d%0aX:1", "http://d.example/\u2028\u202e", "http://\u0430.example/</textarea>"];
  const field = "=?utf-8?q?=3C=2Ftitle=3E=3Cscript=3Ealert(1)=3C=2Fscript=3E?=";
  const fields = [`From: ${field} <"<b>"@e.example>`, `Subject: ${field}`, "List-Id: <</script><b>.f.example>", "Message-ID: <<i>@g>"];
  writeFileSync(path, `From a@b.example Tue Jan  3 10:11:12 1995\n${fields.join("\n")}\n\n${[...urls, ...more].join("\n")}\n`);
  return path;
}

describe.skipIf(!hasBrowser)(`the application${NEEDED}`, () => {
  beforeAll(async () => {
    folder = newFolder();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    removeFolder(folder);
  });
  afterEach(async () => {
    const found = complaints();
    await opened?.close();
    opened = undefined;
    expect(found).toEqual([]);
  });

  const corpora = (() => {
    try {
      return readdirSync(CORPUS).filter((name) => name.endsWith(".gz"));
    } catch {
      return [];
    }
  })();
  it.skipIf(corpora.length === 0)(
    `finds what the command finds in every corpus${corpora.length === 0 ? " (left out: URLMILL_CORPUS names no folder)" : ""}`,
    async () => {
      const page = await openApplication();
      for (const name of corpora) {
        const paths = [join(CORPUS, name)];
        await scan(page, paths);
        expect(withoutRun(await summaryOf(page)), name).toEqual(withoutRun(await wantedSummary(paths)));
        await page.reload();
      }
    },
  );

  it("finds what the command finds in archives, and in several files at a time", async () => {
    const mbox = readFileSync(MBOX);
    const files = {
      "a.mbox": mbox,
      "b.zip": zip([
        { name: "x.mbox", text: mbox },
        { name: "y/z.txt", text: "http://z.example/" },
      ]),
      "c.tar.gz": gzipSync(tar([{ name: "letter.eml", text: readFileSync(join(ROOT, "examples/letter.eml")) }])),
      "d.gz": Buffer.concat([gzipSync(mbox), gzipSync(mbox)]),
      "e.txt": Buffer.from("http://u:secret@e.example/ http://e.example:99999/\n".repeat(1000)),
    };
    const paths = Object.entries(files).map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    });
    const page = await openApplication();
    await scan(page, paths);
    expect(withoutRun(await summaryOf(page))).toEqual(withoutRun(await wantedSummary(paths)));
  });

  it("cuts a large mailbox into ranges, with the same result", async () => {
    const path = join(folder, "large.mbox");
    // Ranges of 32 MiB: this has two.
    const filling = "Nothing is linked in this line of text, which is here to be read.\n".repeat(1500);
    const mbox = `${readFileSync(MBOX, "latin1").trimEnd()}\n${filling}\n`;
    writeFileSync(path, mbox.repeat(Math.ceil((34 << 20) / mbox.length)), "latin1");
    const page = await openApplication();
    await scan(page, [path]);
    expect(withoutRun(await summaryOf(page))).toEqual(withoutRun(await wantedSummary([path])));
  });

  it.each([
    ["Records (NDJSON)", ["--unwrap", "-f", "ndjson"]],
    ["Table (CSV)", ["--unwrap", "-f", "csv", "--csv-safe"]],
  ])("writes %s as the command does", async (name, args) => {
    const page = await openApplication();
    await scan(page, [MBOX]);
    const { stdout } = await run([...args, "archive.mbox"], { cwd: join(ROOT, "examples") });
    expect(await save(page, name)).toBe(stdout);
  });

  it("applies filters, and says what is wrong with one", async () => {
    const page = await openApplication();
    await page.getByText("Filters and options").click();
    await page.getByLabel("Signs", { exact: true }).fill("no-sign");
    await page.locator("input[type=file]").first().setInputFiles(MBOX);
    expect(await page.locator(".wrong").filter({ hasText: "no-sign" }).count()).toBe(1);
    await page.getByLabel("Signs", { exact: true }).fill("");
    await page.getByLabel("First day", { exact: true }).fill("1994-01-01");
    await page.getByLabel("Schemes", { exact: true }).fill("ftp, gopher");
    await scan(page, [MBOX]);
    const { tables, run: facts } = await summaryOf(page);
    expect(tables.scheme.rows.map(([scheme]) => scheme).filter((scheme) => scheme !== "ftp" && scheme !== "gopher")).toEqual([]);
    expect(facts.options).toEqual({ scheme: ["ftp", "gopher"], since: "1994-01-01" });
  });

  it("offers signs, forms and schemes with words, beside the field of their names", async () => {
    const page = await openApplication();
    await page.getByText("Filters and options").click();
    const field = page.getByLabel("Signs", { exact: true });
    await page.getByText("Choose signs").click();
    await page.getByLabel("Disguised host").check();
    await page.getByLabel("Number as host").check();
    expect(await field.inputValue()).toBe("obfuscated,numeric-host");
    await page.getByLabel("Disguised host").uncheck();
    expect(await field.inputValue()).toBe("numeric-host");
    await field.fill("password, hidden");
    expect(await page.getByLabel("Number as host").isChecked()).toBe(false);
    expect(await page.getByLabel("Hidden from readers").isChecked()).toBe(true);
    await field.fill("");
    await page.getByText("Choose forms").click();
    expect(await page.locator(".offered[open] label").count()).toBe(FLAGS.length + KINDS.length);
    await page.getByText("Choose schemes").click();
    await page.getByLabel("files of a server ftp").check();
    await scan(page, [MBOX]);
    expect((await summaryOf(page)).run.options).toEqual({ scheme: ["ftp"] });
  });

  it("has an example, and is never empty", async () => {
    const page = await openApplication();
    expect(await page.locator(".results").textContent()).toContain("Results come here");
    await page.getByRole("button", { name: "Try an example" }).click();
    await page.locator(".parts.flags").getByText("Text shows another host").waitFor();
    expect(await page.locator(".figures dd").first().textContent()).toBe("8");
  });

  it("reads a pasted text and a folder, and names what it cannot read", async () => {
    const page = await openApplication();
    await page.getByText("Paste text").click();
    await page.getByLabel("Text", { exact: true }).fill("see http://müller.example/x.");
    await page.getByRole("button", { name: "Scan this text" }).click();
    await page.locator(".parts.hosts").filter({ hasText: "xn--mller-kva" }).waitFor();
    mkdirSync(join(folder, "mail/b"), { recursive: true });
    writeFileSync(join(folder, "mail/b/x.txt"), "http://x.example/");
    writeFileSync(join(folder, "mail/a.7z"), "7z\xbc\xaf\x27\x1c", "latin1");
    await page.locator("input[webkitdirectory]").setInputFiles(join(folder, "mail"));
    await page.locator(".failures li").waitFor();
    expect(await page.locator(".failures").textContent()).toContain("mail/a.7z: has the format 7z");
    await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
    expect((await summaryOf(page)).tables.source.rows.map(([name]) => name)).toEqual(["mail/b/x.txt"]);
  });

  it("ends the workers of a run that another one takes the place of, however early", async () => {
    const page = await openApplication();
    await page.getByText("Paste text").click();
    await page.getByLabel("Text", { exact: true }).fill("http://a.example/");
    await page.getByRole("button", { name: "Scan this text" }).evaluate((button: HTMLButtonElement) => {
      for (let count = 0; count < 3; count++) button.click();
    });
    await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
    await expect.poll(() => page.workers().length).toBe(0);
    expect((await summaryOf(page)).totals.matches).toBe(1);
  });

  it("marks the URLs of a text that is tried", async () => {
    const page = await openApplication();
    await page.getByText("Try it with a text").click();
    await page.getByLabel("A text").fill("ü at <http://a.example/\nb>, www.b.example.");
    await page.locator(".tried li").filter({ hasText: "www.b.example" }).waitFor();
    expect(await page.locator(".marked mark").allTextContents()).toEqual(["http://a.example/\nb", "www.b.example"]);
    expect(await page.locator(".tried > li > code").allTextContents()).toEqual(["http://a.example/b", "http://www.b.example/"]);
    expect(await page.locator(".tried > li").nth(1).locator("li").allTextContents()).toContain("X5trailing punctuation goes off the end");
  });

  it("runs nothing of a hostile archive", async () => {
    const path = writeHostile();
    const page = await openApplication();
    await scan(page, [path]);
    await unfold(page);
    expect(await page.locator("body :is(img, script, b)").count()).toBe(0);
    expect(withoutRun(await summaryOf(page))).toEqual(withoutRun(await wantedSummary([path])));
  });

  it.each([
    ["light", 1400],
    ["dark", 390],
  ] as const)("axe finds nothing: %s, %i pixels wide", async (colorScheme, width) => {
    const page = await openApplication({ colorScheme, viewport: { width, height: 800 } });
    await page.evaluate(AXE);
    const check = async (): Promise<void> => {
      for (const summary of await page.locator("details:not([open]) > summary").all()) if (await summary.isVisible()) await summary.click();
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await check();
    await scan(page, [MBOX]);
    await check();
  });

  it("can be used with the keyboard alone", async () => {
    const page = await openApplication();
    // The browser is told to hand over its choosers while the keys are pressed.
    const chooser = page.waitForEvent("filechooser");
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.bringToFront();
    // A key that comes before the page is drawn does nothing.
    for (let keys = 0; keys < 10 && (await focused()) !== "Choose files"; keys++) await page.keyboard.press("Tab");
    expect(await focused()).toBe("Choose files");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(MBOX);
    await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
    const names: string[] = [];
    for (let count = 0; count < 12; count++) {
      await page.keyboard.press("Tab");
      names.push(await focused());
    }
    for (const name of ["Choose a folder", "Paste text", "Filters and options", "Report (HTML)"]) expect(names).toContain(name);
  });
});
