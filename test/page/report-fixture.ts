// A report of made-up mail, and a browser, for the tests of one file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { archiveText } from "./archive.ts";
import { startBrowser } from "./browser.ts";

interface ReportFixture {
  readonly folder: string;
  /** Path of the report. */
  readonly path: string;
  readonly browser: Browser;
}

/** Returns an object that is filled before the tests; `messages`: number of messages in the archive. */
export function reportFixture(messages: number): ReportFixture {
  const fixture = {} as { -readonly [name in keyof ReportFixture]: ReportFixture[name] };
  beforeAll(async () => {
    fixture.folder = newFolder();
    fixture.path = join(fixture.folder, "report.html");
    writeFileSync(join(fixture.folder, "stones.mbox"), archiveText(messages));
    await run(["report", "-o", fixture.path, "stones.mbox"], { cwd: fixture.folder });
    fixture.browser = await startBrowser();
  });
  afterAll(async () => {
    await fixture.browser?.close();
    removeFolder(fixture.folder);
  });
  return fixture;
}
