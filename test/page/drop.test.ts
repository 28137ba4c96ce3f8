// What is dropped on the application, as a browser passes on what a person drags there: files, folders, text. The page is a file.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";
import { hasBrowser, NEEDED, type OpenPage, openFile, startBrowser } from "./browser.ts";

const PAGE = resolve(import.meta.dirname, "../../build/page/index.html");
const OVER = /^(?:Read |The scan ended)/;
/** A browser gives a hundred entries of a folder at a time. */
const MESSAGES = 250;

let browser: Browser;
let folder: string;
let opened: OpenPage;

/** Drops files, or a text; returns the heading, the number of URLs, and what the page says that it could not read. */
async function drop(paths: readonly string[], text?: string): Promise<{ heading: string | null; urls: string | null; failed: string[] }> {
  const { page } = opened;
  const session = await page.context().newCDPSession(page);
  const items = text === undefined ? [] : [{ mimeType: "text/plain", data: text }];
  const dragged = { items, files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data: dragged });
  await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
  const [heading, urls] = [await page.locator("h1").textContent(), await page.locator(".figures dd").first().textContent()];
  return { heading, urls, failed: await page.locator(".failures li").allTextContents() };
}

describe.skipIf(!hasBrowser)(`what is dropped${NEEDED}`, () => {
  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(() => browser.close());

  beforeEach(async () => {
    folder = newFolder();
    mkdirSync(join(folder, "mail/deep"), { recursive: true });
    for (let number = 0; number < MESSAGES; number++) {
      writeFileSync(join(folder, `mail/${number}.eml`), `Subject: x\n\nhttp://h${number}.example/\n`);
    }
    writeFileSync(join(folder, "mail/deep/a.txt"), "http://deep.example/");
    writeFileSync(join(folder, "b.txt"), "http://b.example/ http://c.example/");
    opened = await openFile(browser, PAGE);
  });

  afterEach(async () => {
    await opened.close();
    removeFolder(folder);
  });

  it("is read: a file", async () => {
    expect(await drop([join(folder, "b.txt")])).toEqual({ heading: "URLs in b.txt", urls: "2", failed: [] });
  });

  it("is read: a folder with all that is in it, beside a file", async () => {
    const found = await drop([join(folder, "mail"), join(folder, "b.txt")]);
    expect(found).toEqual({ heading: `URLs in ${MESSAGES + 2} files`, urls: String(MESSAGES + 3), failed: [] });
  });

  it("is read: a text", async () => {
    expect(await drop([], "see http://a.example/")).toEqual({ heading: "URLs in pasted text", urls: "1", failed: [] });
  });

  it("is named if it cannot be opened, and the rest is read: a file", async () => {
    await opened.page.evaluate(() => {
      const { getFile } = FileSystemFileHandle.prototype;
      FileSystemFileHandle.prototype.getFile = function () {
        return this.name === "7.eml" ? Promise.reject(new DOMException("no", "NotReadableError")) : getFile.call(this);
      };
    });
    const { urls, failed } = await drop([join(folder, "mail")]);
    expect(urls).toBe(String(MESSAGES));
    expect(failed).toEqual([expect.stringMatching(/^mail\/7\.eml: cannot be read/)]);
  });

  it("is named if it cannot be opened, and the rest is read: a folder, where there are no handles and the page is a file", async () => {
    await opened.page.evaluate(() => Reflect.deleteProperty(DataTransferItem.prototype, "getAsFileSystemHandle"));
    const { urls, failed } = await drop([join(folder, "mail"), join(folder, "b.txt")]);
    expect(urls).toBe("2");
    expect(failed).toEqual([expect.stringMatching(/^mail: cannot be read/)]);
  });
});
