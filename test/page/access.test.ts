// A report for everybody: contrast, names and roles as axe sees them, the keyboard alone, light and dark.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { run } from "../cli/run.ts";
import { hasBrowser, NEEDED, openFile, settled, unfold } from "./browser.ts";
import { reportFixture } from "./report-fixture.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAPER = { light: "rgb(253, 252, 250)", dark: "rgb(23, 24, 27)" };
/** Presses of Tab that reach every part of the page. */
const TABS_MOST = 250;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

describe.skipIf(!hasBrowser)(`a report for everybody${NEEDED}`, () => {
  const report = reportFixture(120);

  it.each([
    ["light", 1400],
    ["dark", 1400],
    ["light", 390],
    ["dark", 360],
  ] as const)("axe finds nothing: %s, %i pixels wide", async (colorScheme, width) => {
    const { page, complaints, close } = await openFile(report.browser, report.path, { colorScheme, viewport: { width, height: 800 } });
    await page.getByLabel("From month").selectOption({ index: 2 });
    await page.locator("tbody button").first().click();
    expect(await page.locator(".chips .choice").count()).toBe(2);
    await settled(page);
    await unfold(page);
    await page.evaluate(AXE);
    const { violations, passes } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain("color-contrast");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await close();
    expect(complaints).toEqual([]);
  });

  it.each([
    ["2013-11", "2026-03"],
    ["1995-01", "2004-11"],
    ["2001-03", "2003-12"],
    ["2020-01", "2020-02"],
  ])("labels of the time line from %s to %s stand apart on a narrow screen", async (from, to) => {
    const mail = (month: string): string => {
      const date = `15 ${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)} 10:00:00 +0000`;
      return `From a@a.example Mon Jan  1 00:00:00 1990\nFrom: a@a.example\nDate: ${date}\n\nhttp://a.example/\n\n`;
    };
    writeFileSync(join(report.folder, "span.mbox"), mail(from) + mail(to));
    await run(["report", "-o", join(report.folder, "span.html"), "span.mbox"], { cwd: report.folder });
    const { page, close } = await openFile(report.browser, join(report.folder, "span.html"), { viewport: { width: 360, height: 800 } });
    // Those that the style leaves out have no width.
    const axes = await page.locator(".times:visible").evaluateAll((nodes) =>
      nodes.map((node) =>
        [...node.children].flatMap((label) => {
          const { left, right } = label.getBoundingClientRect();
          return right > left ? [[left, right] as const] : [];
        }),
      ),
    );
    expect(axes.length).toBeGreaterThan(0);
    for (const spans of axes) {
      expect(spans.length).toBeGreaterThan(0);
      spans.slice(1).forEach(([left], index) => void expect(left).toBeGreaterThan(spans[index]?.[1] ?? 0));
    }
    await close();
  });

  it("follows the system, until its switch says light or dark", async () => {
    const { page, close } = await openFile(report.browser, report.path, { colorScheme: "dark" });
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await paper()).toBe(PAPER.dark);
    await page.getByLabel("Colors").selectOption("light");
    expect(await paper()).toBe(PAPER.light);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByLabel("Colors").selectOption("dark");
    expect(await paper()).toBe(PAPER.dark);
    await page.getByLabel("Colors").selectOption("System");
    expect(await paper()).toBe(PAPER.light);
    await close();
  });

  it("can be used with the keyboard alone", async () => {
    const { page, complaints, close } = await openFile(report.browser, report.path);
    const figure = (): Promise<string | null> => page.locator(".figures dd").first().textContent();
    const before = await figure();
    await tabTo(page, "Defang");
    await page.keyboard.press("Space");
    await settled(page);
    expect(await page.locator(".parts.hosts .link").first().textContent()).not.toContain("[.]");
    await tabTo(page, "From month");
    await page.keyboard.press("ArrowDown");
    expect(await figure()).not.toBe(before);
    await tabTo(page, "All months");
    await page.keyboard.press("Enter");
    expect(await figure()).toBe(before);
    expect(await focusedName(page)).toBe("From month");
    await tabTo(page, "Filter hosts");
    await page.keyboard.type("rye");
    expect(await page.locator(".parts.hosts .found").textContent()).toMatch(/^\d+ hosts found$/);
    await tabTo(page, "Host");
    await page.keyboard.press("Enter");
    expect(await page.locator(".parts.hosts th[aria-sort=ascending]").textContent()).toBe("Host");
    expect(await focusedName(page)).toBe("Host");
    await tabTo(page, "Next page of URLs");
    await page.keyboard.press("Enter");
    expect(await page.locator(".parts.urls .pager p").textContent()).toMatch(/^11–20 of /);
    await close();
    expect(complaints).toEqual([]);
  });
});

/** Returns the name of the element that has the focus. */
async function focusedName(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const node = document.activeElement;
    const label = node instanceof HTMLInputElement ? node.labels?.[0]?.textContent : undefined;
    return (node?.getAttribute("aria-label") ?? label ?? node?.textContent ?? "").trim();
  });
}

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < TABS_MOST; count++) {
    await page.keyboard.press("Tab");
    if ((await focusedName(page)) === name) return;
  }
  expect.fail(`${name} cannot be reached`);
}
