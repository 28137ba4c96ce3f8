// Draws docs/report-light.webp and docs/report-dark.webp: the first screen of a report in both.
//   npx tsx tools/report-pictures.mjs
// The report is of the made-up archive of the tests. It needs /usr/bin/chromium and the built command.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { archiveText } from "../test/page/archive.ts";
import { startBrowser } from "../test/page/browser.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MESSAGES = 6000;
const SIZE = { width: 1280, height: 860 };
const QUALITY = 0.7;
const BYTES_MOST = 150_000;

/** Returns a PNG as WebP, which takes half the bytes: the package has the pictures too. */
async function smaller(png, page) {
  const text = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d").drawImage(image, 0, 0);
      const bytes = await (await canvas.convertToBlob({ type: "image/webp", quality })).bytes();
      return bytes.toBase64();
    },
    [`data:image/png;base64,${png.toString("base64")}`, QUALITY],
  );
  return Buffer.from(text, "base64");
}

const folder = mkdtempSync(join(tmpdir(), "urlmill-pictures-"));
const browser = await startBrowser();
try {
  writeFileSync(join(folder, "stones.mbox"), archiveText(MESSAGES));
  const path = join(folder, "report.html");
  execFileSync(process.execPath, [join(ROOT, "build/node/command.cjs"), "report", "-o", path, "stones.mbox"], { cwd: folder });
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme });
    await page.goto(`file://${path}`);
    const picture = await smaller(await page.screenshot(), await browser.newPage());
    if (picture.length > BYTES_MOST) throw new Error(`${colorScheme}: more than ${BYTES_MOST} bytes`);
    writeFileSync(join(ROOT, `docs/report-${colorScheme}.webp`), picture);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
