// The application as `urlmill page` serves it, with archives whose bytes come one after the other.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newFolder, removeFolder, start } from "../cli/run.ts";
import { hasBrowser, NEEDED, OVER, settled, startBrowser } from "./browser.ts";

const PAGE = join(resolve(import.meta.dirname, "../.."), "build/page/index.html");

/** Serves the application with an archive, as `urlmill page` does; `answer` sends the bytes [from, to) of it. Returns the address. */
async function serve(server: Server, name: string, size: number, answer: (reply: ServerResponse, from: number, to: number) => void) {
  const html = readFileSync(PAGE, "utf8")
    .replace('id="archives">[]', `id="archives">${JSON.stringify([{ name, size }])}`)
    .replace("connect-src 'none'", "connect-src 'self'");
  server.on("request", ({ url, headers }, reply) => {
    if (url === "/") return void reply.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    const [, from = 0, last = 0] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.map(Number) ?? [];
    answer(reply.writeHead(206), from, last + 1);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(!hasBrowser)(`the application, served${NEEDED}`, () => {
  let browser: Browser;
  let server: Server;
  let page: Page;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    server = createServer();
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  });

  it("shows what it has read, and stops when it is told to", async () => {
    const text = Buffer.from("http://a.example/ \n".repeat(1 << 17));
    let answered = 0;
    // It takes days to read: the run goes on until it is stopped.
    const address = await serve(server, "endless.txt", 2 ** 40, (reply, from, to) => {
      reply.end(text.subarray(0, to - from));
      answered++;
    });
    await page.goto(address);
    await page.locator(".parts.hosts").filter({ hasText: "a[.]example" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".progress [role=status]").filter({ hasText: "Stopped after" }).waitFor();
    // What was on its way has come before this.
    await fetch(address);
    const before = answered;
    expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(false);
    expect(await page.locator(".figures dd").first().textContent()).toMatch(/^[1-9][\d,]+$/);
    for (let count = 0; count < 10; count++) await fetch(address);
    expect(answered).toBe(before);
  });

  it("asks for many small archives at once, and for each if one has changed", async () => {
    const mail = newFolder();
    const COUNT = 300;
    for (let number = 0; number < COUNT; number++) writeFileSync(join(mail, `${number}.eml`), `Subject: x\n\nhttp://h${number}.example/\n`);
    const serving = start(["page", "."], { cwd: mail });
    try {
      const address = await new Promise<string>((got) => serving.stdout?.once("data", (line: Buffer) => got(line.toString().trim())));
      let requests = 0;
      page.on("request", (request) => (requests += Number(request.url().includes("/archive/"))));
      const read = async (): Promise<unknown> => {
        requests = 0;
        await page.goto(address);
        await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
        return [await page.locator(".figures dd").first().textContent(), await page.locator(".failures li").count()];
      };
      expect([await read(), requests]).toEqual([[String(COUNT), 0], 2]);
      rmSync(join(mail, "7.eml"));
      expect([await read(), requests > 2]).toEqual([[String(COUNT - 1), 1], true]);
    } finally {
      serving.kill();
      removeFolder(mail);
    }
  });

  /** Serves a mailbox whose last bytes are held back, and opens its page. Returns the function that sends them. */
  async function openHeld(mbox: Buffer): Promise<() => Promise<void>> {
    const GIVEN_BYTES = 2 << 20;
    const held: (() => void)[] = [];
    const address = await serve(server, "slow.mbox", mbox.length, (reply, from, to) => {
      const send = (): void => void reply.end(mbox.subarray(from, to));
      if (to > GIVEN_BYTES) held.push(send);
      else send();
    });
    await page.goto(address);
    await page.locator(".parts.hosts tbody .name").first().waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    return async () => {
      for (const send of held) send();
      await page.locator(".progress [role=status]").filter({ hasText: OVER }).waitFor();
      await settled(page);
    };
  }

  it("shows what it has found while an input gives nothing, and counts the message once that it is in", async () => {
    const urls = 1 << 17;
    const mbox = Buffer.from(`From a@b.example Tue Jan  3 10:11:12 1995\nSubject: x\n\n${"http://a.example/x \n".repeat(urls)}`);
    const figureNamed = async (name: string): Promise<number> => {
      const names = await page.locator(".figures dt").allTextContents();
      return Number((await page.locator(".figures dd").nth(names.indexOf(name)).textContent())?.replaceAll(",", ""));
    };
    const finish = await openHeld(mbox);
    const found = await figureNamed("URLs");
    expect([found > 0, found < urls, await figureNamed("messages with URLs")]).toEqual([true, true, 1]);
    await finish();
    expect([await figureNamed("URLs"), await figureNamed("messages with URLs")]).toEqual([urls, 1]);
    expect(await page.locator(".parts.hosts tbody .messages").allTextContents()).toEqual(["1"]);
  });

  it.each([
    ["turns to links at the end of a run in which signs prevail", false],
    ["does not turn to links once that the user has chosen something", true],
  ])("%s", async (_, isTouched) => {
    const message = `From a@b.example Tue Jan  3 10:11:12 1995\nSubject: x\n\n${"http://192.0.2.7/ mailto:joe@c.example\n".repeat(100)}\n`;
    const finish = await openHeld(Buffer.from(message.repeat(700)));
    const onlyLinks = page.getByRole("switch", { name: "Only links" });
    expect(await onlyLinks.isChecked()).toBe(false);
    if (isTouched) {
      await page.locator(".parts.schemes .choice").filter({ hasText: "mailto" }).click();
      await page.waitForURL("**/#scheme=mailto");
      await page.goBack();
      // The step back adds no step of its own.
      await page.waitForURL((url) => url.hash === "");
      await page.goForward();
      await page.waitForURL("**/#scheme=mailto");
      await page.goBack();
    }
    await finish();
    expect(await onlyLinks.isChecked()).toBe(!isTouched);
    await page.waitForURL((url) => url.hash === "");
    expect(await page.locator(".switches .about").isVisible()).toBe(!isTouched);
  });
});
