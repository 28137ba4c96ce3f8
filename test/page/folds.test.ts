// Sections of a report that fold, the contents that stay in sight, and the columns of a narrow window.
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, NEEDED, openFile, settled, unfold } from "./browser.ts";
import { reportFixture } from "./report-fixture.ts";

const SECTIONS = 10;
const boxOf = async (node: Locator): Promise<{ x: number; y: number; width: number; height: number }> =>
  (await node.boundingBox()) ?? expect.fail("it has no box");
const summaryOf = (page: Page, id: string): Locator => page.locator(`summary#${id}`);

describe.skipIf(!hasBrowser)(`sections${NEEDED}`, () => {
  const report = reportFixture(200);

  it("are reached from contents that stay in sight, also folded ones", async () => {
    const { page, complaints, close } = await openFile(report.browser, report.path);
    const [nav, hosts] = [page.getByRole("navigation", { name: "Contents" }), page.locator(".parts.hosts")];
    expect(await page.locator(".fold[open]").count()).toBe(SECTIONS);
    await summaryOf(page, "hosts").click();
    expect(await hosts.isVisible()).toBe(false);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect((await boxOf(nav)).y).toBe(0);
    await nav.getByRole("link", { name: "Hosts" }).click();
    expect(await hosts.isVisible()).toBe(true);
    const [{ y, height }, head] = [await boxOf(nav), await boxOf(summaryOf(page, "hosts"))];
    expect(head.y).toBeGreaterThanOrEqual(y + height);
    expect(head.y).toBeLessThan(200);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("hosts");
    await close();
    expect(complaints).toEqual([]);
  });

  it("are narrowed while they are folded", async () => {
    const { page, complaints, close } = await openFile(report.browser, report.path);
    const figure = page.locator(".figures dd").first();
    const domains = page.locator(".parts.domains tbody th .name");
    expect(await domains.count()).toBe(2);
    for (const id of ["domains", "schemes"]) await summaryOf(page, id).click();
    await page.getByRole("table", { name: "Hosts linked most" }).locator("tbody button").first().click();
    await settled(page);
    for (const id of ["domains", "schemes"]) await summaryOf(page, id).click();
    expect(await domains.allTextContents()).toEqual(["example[.]org"]);
    const schemes = await page.getByRole("table", { name: "Schemes" }).locator("tbody td:nth-child(2)").allTextContents();
    expect(schemes.reduce((sum, count) => sum + Number(count), 0)).toBe(Number(await figure.textContent()));
    await close();
    expect(complaints).toEqual([]);
  });

  it("are folded at first in a narrow window, and have readable columns", async () => {
    const { page, complaints, close } = await openFile(report.browser, report.path, { viewport: { width: 390, height: 800 } });
    expect(await page.locator(".fold").count()).toBe(SECTIONS);
    expect(await page.locator(".fold[open]").count()).toBe(0);
    // The contents would hide too much.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect((await boxOf(page.locator(".contents"))).y).toBeLessThan(0);
    await unfold(page);
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    for (const head of await page.locator(".flags h4").all()) expect((await boxOf(head)).height).toBeLessThan(50);
    for (const value of await page.locator(".parts.urls th.value").all()) expect((await boxOf(value)).width).toBeGreaterThan(250);
    await close();
    expect(complaints).toEqual([]);
  });

  it("are all printed, and fold again", async () => {
    const { page, close } = await openFile(report.browser, report.path, { viewport: { width: 390, height: 800 } });
    const folded = page.locator(".fold:not([open])");
    expect(await folded.count()).toBe(SECTIONS);
    await page.evaluate(() =>
      addEventListener("beforeprint", () => {
        document.title = `${document.querySelectorAll(".fold[open]").length} open`;
      }),
    );
    await page.pdf();
    expect(await page.title()).toBe(`${SECTIONS} open`);
    expect(await folded.count()).toBe(SECTIONS);
    await close();
  });
});
