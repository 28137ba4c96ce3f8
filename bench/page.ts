// The application in chromium, on which 1 GiB of list mail is dropped: the peak of its process's own memory, and its speed beside `urlmill
// report -j 1` (Linux). Arguments: --size MIB (1024); --threads N (1). Ends with 1 above 300 MiB, and below 0.6 of the command's speed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { COMMAND, withTemporaryFolder, writeCopies } from "./commands.ts";
import { loadCorpus } from "./corpora.ts";
import { printTable, report } from "./records.ts";

const CHROMIUM = "/usr/bin/chromium";
const PAGE = resolve(import.meta.dirname, "../build/page/index.html");
const PART_BYTES = 64 << 20;
const MEMORY_MIB_MAX = 300;
const SPEED_LEAST = 0.6;
const POLL_MS = 200;
/** Has a Node process write the seconds of processor time that it took. */
const TIMES_HOOK = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from "node:fs";
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, String((user + system) / 1e6));
});`)}`;
const RUN_MS_MAX = 1_200_000;

interface PageRun {
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Before the file was chosen. */
  readonly startMebibytes: number;
  readonly peakMebibytes: number;
  readonly urls: string | null;
}

/** Returns the memory of a process that no other one shares. */
function privateMebibytes(pid: number): number {
  const rows = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").matchAll(/^Private_\w+:\s+(\d+) kB$/gm);
  return Array.from(rows, ([, kibibytes]) => Number(kibibytes)).reduce((sum, one) => sum + one, 0) / 1024;
}

/** Returns the seconds of processor time that a process has taken; Linux counts them in hundredths. */
function processorSeconds(pid: number): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Drops a file on the page, as a person does. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const dragged = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data: dragged });
  }
}

/** Scans a file in the page. */
async function runPage(path: string, threads: number): Promise<PageRun> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const page = await browser.newPage();
    await page.addInitScript(`Object.defineProperty(navigator, "hardwareConcurrency", { value: ${threads} })`);
    await page.goto(pathToFileURL(PAGE).href);
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    const memory = (): number => Math.max(...renderers.map(privateMebibytes));
    const startMebibytes = memory();
    const processors = (): number => renderers.map(processorSeconds).reduce((sum, one) => sum + one, 0);
    const processorStart = processors();
    let peakMebibytes = startMebibytes;
    const polling = setInterval(() => (peakMebibytes = Math.max(peakMebibytes, memory())), POLL_MS);
    const begin = performance.now();
    await drop(page, path);
    await page
      .locator(".progress [role=status]")
      .filter({ hasText: /^Read / })
      .waitFor({ timeout: RUN_MS_MAX });
    const seconds = (performance.now() - begin) / 1000;
    clearInterval(polling);
    const usage = { processorSeconds: processors() - processorStart, startMebibytes, peakMebibytes };
    return { seconds, ...usage, urls: await page.locator(".figures dd").first().textContent() };
  } finally {
    await browser.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: "string", default: "1024" }, threads: { type: "string", default: "1" } } });
  if (!existsSync(CHROMIUM)) {
    console.log(`left out: ${CHROMIUM} is not there`);
    return;
  }
  const { bytes, name } = loadCorpus("list-mail", PART_BYTES);
  const copies = Math.ceil((Number(values.size) * 2 ** 20) / PART_BYTES);
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, "input.mbox");
    writeCopies(path, bytes, copies);
    const begin = performance.now();
    const args = ["--import", TIMES_HOOK, COMMAND, "report", "--json", "-q", "-j", "1", path];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { maxBuffer: 1 << 28 });
    const commandSeconds = (performance.now() - begin) / 1000;
    const commandProcessor = Number(stderr.toString().trim());
    if (status !== 0) throw new Error("urlmill report failed");
    const { totals } = JSON.parse(stdout.toString()) as { totals: { matches: number } };
    const { seconds, processorSeconds: processor, startMebibytes, peakMebibytes, urls } = await runPage(path, Number(values.threads));
    const mebibytes = (bytes.length * copies) / 2 ** 20;
    const speed = commandSeconds / seconds;
    const times = (all: number, ofProcessor: number): string[] => [all.toFixed(1), ofProcessor.toFixed(1), (mebibytes / all).toFixed(0)];
    printTable({
      title: `${mebibytes.toFixed(0)} MiB of ${name}, in a page`,
      notes: [`memory: what no other process shares; the page with ${values.threads} threads`],
      columns: ["way", "URLs", "s", "processor s", "MiB/s", "start MiB", "peak MiB"],
      rows: [
        ["urlmill report -j 1", totals.matches, ...times(commandSeconds, commandProcessor), "", ""],
        ["the page", urls ?? "", ...times(seconds, processor), startMebibytes.toFixed(0), peakMebibytes.toFixed(0)],
      ],
    });
    const wrong: string[] = [];
    if (peakMebibytes > MEMORY_MIB_MAX) wrong.push(`the page took ${peakMebibytes.toFixed(0)} MiB, the limit is ${MEMORY_MIB_MAX}`);
    if (speed < SPEED_LEAST) wrong.push(`the page has ${speed.toFixed(2)} of the command's speed, the floor is ${SPEED_LEAST}`);
    if (urls?.replaceAll(",", "") !== String(totals.matches)) wrong.push(`the page found ${urls} URLs, the command ${totals.matches}`);
    report(wrong);
  });
}

if (process.argv[1] === import.meta.filename) await main();
