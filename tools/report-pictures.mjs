// Draws docs/report-light.png and docs/report-dark.png: the first screen of a report in both.
//   npx tsx tools/report-pictures.mjs
// The report is of the made-up archive of the tests. It needs /usr/bin/chromium and the built command.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { archiveText } from "../test/page/archive.ts";
import { startBrowser } from "../test/page/browser.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MESSAGES = 6000;
const SIZE = { width: 1280, height: 860 };
const BYTES_MOST = 150_000;

const folder = mkdtempSync(join(tmpdir(), "urlmill-pictures-"));
const browser = await startBrowser();
try {
  writeFileSync(join(folder, "stones.mbox"), archiveText(MESSAGES));
  const path = join(folder, "report.html");
  execFileSync(process.execPath, [join(ROOT, "build/command/main.cjs"), "report", "-o", path, "stones.mbox"], { cwd: folder });
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme });
    await page.goto(`file://${path}`);
    const file = join(ROOT, `docs/report-${colorScheme}.png`);
    await page.screenshot({ path: file });
    if (statSync(file).size > BYTES_MOST) throw new Error(`${file}: more than ${BYTES_MOST} bytes`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
