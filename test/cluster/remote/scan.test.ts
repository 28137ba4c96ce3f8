// A scan of an object on a server gives what a scan of the same file gives, however the object is cut into ranges and its bytes are lost.
import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { internalError, SourceError } from "../../../src/base/errors.ts";
import { Remote, scanRemote } from "../../../src/cluster/remote/remote.ts";
import { FORMAT_BYTES } from "../../../src/input/input-format.ts";
import { Pacer } from "../../../src/input/pacer.ts";
import type { Steps } from "../../../src/input/steps.ts";
import { checkOptions, EVERYTHING, type ExtractStreamOptions } from "../../../src/options/options.ts";
import { formatted } from "../../../src/output/formatted.ts";
import { scanFile } from "../../../src/run/scan-file.ts";
import type { RangedPart, ScanContext } from "../../../src/run/scan-source.ts";
import { emptyTotals, type Totals } from "../../../src/run/totals.ts";
import { newFolder, removeFolder } from "../../cli/run.ts";
import { tar, zip } from "../../input/archives.ts";
import { mboxes } from "../../mail/pieces.ts";
import { sinkOf } from "../../output/sinks.ts";
import { archiveText } from "../../page/archive.ts";
import { type Fault, FaultyProxy } from "./faulty-proxy.ts";
import { HAS_NGINX, type Nginx, startNginx } from "./nginx.ts";

interface Found {
  readonly text: string;
  readonly totals: Totals;
}

/** Runs a scan with a sink of its own; returns what came. */
async function foundBy(
  options: ExtractStreamOptions,
  scan: (context: ScanContext) => AsyncIterable<undefined> | Steps<undefined>,
): Promise<Found> {
  const { settings } = checkOptions("ExtractStream", { format: "ndjson", ...options });
  const totals = emptyTotals();
  let text = "";
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      text += Buffer.from(bytes).toString();
    },
    failed: ({ error }) => {
      text += `${error.message}\n`;
    },
    over: () => {
      text += "over\n";
    },
  });
  const failureOf: ScanContext["failureOf"] = (source, error) => (error instanceof SourceError ? error : internalError(source, error));
  for await (const _ of scan({ settings, sink: formatted(settings, sink), totals, pacer: new Pacer(), failureOf }));
  return { text, totals };
}

/** Leaves out the numbers of messages, which begin anew in each range. */
function unnumbered(text: string): string {
  return text.replace(/"message":\d+,/g, "");
}

/** Faults of any kind, the same for a seed. */
function faultsOf(seed: number): Fault[] {
  const bytes = fc.integer({ min: 0, max: 30_000 });
  const fault = fc.oneof(
    fc.record({ status: fc.constantFrom(429, 500, 503) }),
    fc.record({ cutAfter: bytes }),
    fc.record({ stallAfter: bytes }),
    fc.record({ pieceBytes: fc.integer({ min: 500, max: 5000 }) }),
  );
  return fc.sample(fc.array(fault, { minLength: 12, maxLength: 12 }), { numRuns: 1, seed })[0] ?? [];
}

const PLAIN = Array.from(
  { length: 3000 },
  (_, index) => `line ${index} http://h${index % 97}.example/${"p".repeat(index % 61)}/${index}\n`,
).join("");
const MAIL = archiveText(150);
/** Compressed, it is still longer than what a first request asks for. */
const NOISE = Array.from({ length: 4000 }, (_, index) => createHash("sha256").update(String(index)).digest("hex")).join("\n");
const PAGE = `<!doctype html><title>x</title>${PLAIN.replace(/http\S+/g, '<a href="$&">$&</a>')}`;
const MEMBERS = [
  { name: "notes.txt", text: PLAIN.slice(0, 20_000) },
  { name: "mail.mbox", text: MAIL.slice(0, 20_000) },
];

const SOURCES: [string, string | Uint8Array, { rangeBytes?: number[]; byMessage?: boolean; options?: ExtractStreamOptions }][] = [
  ["notes.txt", PLAIN, { rangeBytes: [9001, 33_333, 1 << 20] }],
  ["context.txt", PLAIN, { rangeBytes: [50_001], options: { fields: ["url", "start", "context"], context: 40 } }],
  ["mail.mbox", MAIL, { rangeBytes: [4001, 50_000], byMessage: true }],
  [
    "pieces.mbox",
    Buffer.concat(fc.sample(mboxes, { numRuns: 40, seed: 3 })),
    { rangeBytes: [5000], byMessage: true, options: { type: "mbox" } },
  ],
  ["page.html", PAGE, {}],
  ["empty.txt", "", {}],
  ["notes.txt.gz", gzipSync(PLAIN + NOISE), {}],
  [
    "mail.tgz",
    gzipSync(
      tar([
        { name: "notes.txt", text: PLAIN },
        { name: "mail.mbox", text: MAIL },
        { name: "noise.txt", text: NOISE },
      ]),
    ),
    {},
  ],
  ["cut.gz", gzipSync(PLAIN).subarray(0, 5000), {}],
  ["all.zip", zip(MEMBERS), {}],
  ["open.zip", zip(MEMBERS.map((member) => ({ ...member, isOpenEnded: true }))), {}],
];

describe.skipIf(!HAS_NGINX)("an object of nginx (skipped: nginx is not installed)", () => {
  let folder: string;
  let nginx: Nginx;
  let proxy: FaultyProxy;

  beforeAll(async () => {
    folder = newFolder();
    mkdirSync(join(folder, "root"));
    nginx = await startNginx(folder, join(folder, "root"));
    proxy = await FaultyProxy.open(nginx);
    for (const [name, bytes] of SOURCES) writeFileSync(join(folder, "root", name), bytes);
  });
  afterAll(async () => {
    await proxy.close();
    await nginx.stop();
    removeFolder(folder);
  });

  async function scanBoth(name: string, part: RangedPart, options: ExtractStreamOptions, faults: Fault[]): Promise<Found> {
    const path = join(folder, "root", name);
    const url = `${proxy.url}/${name}`;
    const remote = new Remote(proxy.patience(20));
    const input = await remote.open(url);
    const file = { ...part, file: path, name: url, size: input.size };
    const here = await foundBy(options, (context) => scanFile(file, context));
    proxy.expect(...faults);
    const there = await foundBy(options, (context) => scanRemote(input, part, context));
    expect(there).toEqual(here);
    return there;
  }

  it("is refused if it is written over while it is sent", async () => {
    const path = join(folder, "root", "changing.txt");
    writeFileSync(path, PLAIN);
    const input = await new Remote(proxy.patience(20)).open(`${proxy.url}/changing.txt`);
    proxy.expect();
    const scan = foundBy({}, async function* (context) {
      for await (const _ of scanRemote(input, EVERYTHING, context)) {
        // The bytes have been asked for: the rest of the answer may be of the new file.
        writeFileSync(path, PLAIN.replaceAll("line", "LINE"));
        utimesSync(path, 1, 1);
        yield;
      }
    });
    await expect(scan).rejects.toThrow(/changing\.txt has changed since the plan was made/);
  });

  it.each(SOURCES)("has the results of the file: %s", async (name, bytes, { rangeBytes = [], byMessage = false, options = {} }) => {
    const whole = await scanBoth(name, EVERYTHING, options, []);
    await scanBoth(name, EVERYTHING, options, faultsOf(bytes.length));
    for (const range of rangeBytes) {
      const texts: string[] = [];
      for (let from = 0; from < bytes.length; from += range) {
        const to = from + range >= bytes.length ? EVERYTHING.to : from + range;
        texts.push((await scanBoth(name, { from, to, byMessage }, options, faultsOf(from))).text);
      }
      expect(unnumbered(texts.join(""))).toBe(unnumbered(whole.text));
    }
    expect(whole.text.length > 1000 || name === "empty.txt").toBe(true);
  });

  it.each(["notes.txt", "notes.txt.gz", "all.zip", "mail.tgz"])("does not end as if it were whole: %s", async (name) => {
    for (const [fault, code] of [
      [{ status: 503 }, "ERR_URLMILL_UNAVAILABLE"],
      [{ cutAfter: 3000 }, "ERR_URLMILL_UNAVAILABLE"],
      [{ status: 412 }, "ERR_URLMILL_CHANGED"],
      [{ status: 404 }, "ERR_URLMILL_CHANGED"],
      [{ status: 403 }, "EACCES"],
    ] as const) {
      // The first request is for the format, the next ones are for the text, or for the directory of a zip archive.
      for (const good of [0, 1]) {
        proxy.expect();
        const input = await new Remote(proxy.patience(0)).open(`${proxy.url}/${name}`);
        proxy.expect(...Array.from({ length: good }, () => ({})), fault, fault);
        const scan = foundBy({}, (context) => scanRemote(input, EVERYTHING, context));
        await expect(scan, `${name} ${JSON.stringify(fault)} ${good}`).rejects.toMatchObject({ code });
      }
    }
  });

  it("is read no farther than its range needs", async () => {
    proxy.expect();
    const input = await new Remote(proxy.patience()).open(`${proxy.url}/notes.txt`);
    proxy.expect();
    await foundBy({}, (context) => scanRemote(input, { from: 0, to: 10 }, context));
    // The last one asks whether it is still the same.
    const wanted = [`bytes=0-${FORMAT_BYTES - 1}`, `bytes=${FORMAT_BYTES}-${PLAIN.length - 1}`, "bytes=0-0"];
    expect(proxy.asked.map(({ headers }) => headers.range)).toEqual(wanted);
  });
});
