// Pages in Debian's chromium. What a page says on the console, asks of the network or tries against its policy is collected.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

/** Whether a browser is here. */
export const hasBrowser = CHROMIUM !== undefined;
/** Said after the name of tests that need a browser. */
export const NEEDED = hasBrowser ? "" : " (left out: needs /usr/bin/chromium)";

/** What says that a run is over, or that a file was written. */
export const OVER = /^(?:Read |Stopped|Wrote|The scan ended)/;

/** Starts the browser. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM as string, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** A page, and what it did that a report must not do. */
export interface OpenPage {
  readonly page: Page;
  /** Messages on the console, errors, requests, dialogs, new pages, violations of the policy. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Waits until all parts of the view show the last choice: those out of sight do after the others. */
export async function settled(page: Page): Promise<void> {
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Opens everything that is folded. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
}

/** Opens an HTML file. */
export async function openFile(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const { href } = pathToFileURL(path);
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url().replace(/#.*/, "") !== href) complaints.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => complaints.push(`page: ${other.url()}`));
  await page.exposeFunction("complain", (text: string) => complaints.push(text));
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) => complain("policy: " + event.violatedDirective))`,
  );
  const broken = page.waitForEvent("pageerror").then((error) => Promise.reject(error));
  await Promise.race([broken, page.goto(href).then(() => page.locator("h1").waitFor())]);
  await settled(page);
  return { page, complaints, close: () => context.close() };
}
