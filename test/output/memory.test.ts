// Small inputs with gigabytes of records: no format may hold them. Each run is a process of its own with a small heap.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { zip } from "../input/archives.ts";

const BUILD = resolve(import.meta.dirname, "../../build");
/** Resident memory of a run, in MiB. Lines of the same inputs take about 90. */
const RESIDENT_MOST = 250;
const HEAP_MOST = 64;
const BODY_BYTES = 3 << 20;
const LINE = "ftp://a.b\n";

const folder = mkdtempSync(join(tmpdir(), "urlmill-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

// maxRSS begins with that of the parent on Linux, VmHWM does not.
const PEAK = join(folder, "peak.cjs");
writeFileSync(
  PEAK,
  `const { readFileSync, writeSync } = require("node:fs");
const peak = /VmHWM:\\s*(\\d+)/;
process.on("exit", () => {
  const isLinux = process.platform === "linux";
  writeSync(2, "peak " + (isLinux ? peak.exec(readFileSync("/proc/self/status", "utf8"))[1] : process.resourceUsage().maxRSS));
});`,
);

/** Runs Node with a small heap; returns its peak of resident memory in MiB. */
function peakOf(args: readonly string[]): number {
  const options = ["-r", PEAK, `--max-old-space-size=${HEAP_MOST}`, ...args];
  const { stderr, status } = spawnSync(process.execPath, options, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  expect(status, stderr).toBe(0);
  return Number(/peak (\d+)$/.exec(stderr)?.[1]) / 1024;
}

const URLS = Buffer.from(LINE.repeat(BODY_BYTES / LINE.length));
const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/.{76}/g, "$&\n");
const named = (name: string): string => `${name}: ${"y".repeat(2000)}\n`;
const HEADERS = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((letter) => `x-${letter}`);
const MESSAGE = `From a@b Mon Jan  1 00:00:00 2001\nMessage-ID: <${"i".repeat(2000)}@a.example>\nFrom: ${"f".repeat(2000)} <a@a.example>\n`;
const INNER = "Message-ID: <2@a.example>\nFrom: joe@a.example\n\n";
const attached = (name: string, bytes: Buffer): string =>
  `${MESSAGE}Content-Type: application/octet-stream; name=${name}\nContent-Disposition: attachment; filename=${name}\n` +
  `Content-Transfer-Encoding: base64\n\n${base64(bytes)}\n`;

function webRecord(): Buffer {
  const http = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), gzipSync(URLS)]);
  const header = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/${"x".repeat(2000)}\r\n`;
  const rest = `Content-Type: application/http;msgtype=response\r\nContent-Length: ${http.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header + rest), http, Buffer.from("\r\n\r\n")]);
}

const JSON_TEXT = JSON.stringify({ id: "i".repeat(160_000), date: 1e9, text: "ftp://a.b ".repeat(9000) });
const INPUTS = {
  "body.warc": webRecord(),
  "body.warc.gz": gzipSync(webRecord()),
  "message.mbox.gz": gzipSync(
    `${MESSAGE}Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${base64(Buffer.concat([Buffer.from(INNER), URLS]))}\n`,
  ),
  "gzip.mbox": Buffer.from(attached("a.txt.gz", gzipSync(URLS))),
  "zip.mbox": Buffer.from(attached("a.zip", zip([{ name: "a.txt", text: URLS }]))),
  "headers.mbox": Buffer.from(`${MESSAGE}${HEADERS.map(named).join("")}\n${LINE.repeat(120_000)}`),
  "id.json": Buffer.from(`${JSON_TEXT}\n`.repeat(8)),
} as const satisfies Record<string, Buffer>;
for (const [name, bytes] of Object.entries(INPUTS)) writeFileSync(join(folder, name), bytes);

const COMMAND = join(BUILD, "node/command.cjs");
const OPTIONS: Partial<Record<keyof typeof INPUTS, readonly string[]>> = {
  "gzip.mbox": ["--parts", "all"],
  "zip.mbox": ["--parts", "all"],
  "headers.mbox": ["--fields", ["url", ...HEADERS.map((name) => `header:${name}`)].join()],
  "id.json": ["--json-fields", "id=id,date=date"],
};

it.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])("the records of %s leave while it is read", (name) => {
  expect(peakOf([COMMAND, "-f", "ndjson", ...(OPTIONS[name] ?? []), join(folder, name)])).toBeLessThan(RESIDENT_MOST);
});

const FORMATS: readonly (readonly string[])[] = [
  ["-f", "csv"],
  ["-f", "tsv"],
  ["--print", "{target_uri} {url}"],
  ["-f", "ndjson", "-o", join(folder, "records")],
  ["-f", "ndjson", "-j", "2"],
  ["-f", "ndjson", "--sample", "100"],
  ["-f", "parquet", "-o", join(folder, "records.parquet")],
  ["-f", "stix"],
  ["-f", "misp"],
  ["count", "--by", "target_uri"],
  ["report", "--json"],
];

it.each(FORMATS)("%s %s %s holds no records of a body", (...args) => {
  expect(peakOf([COMMAND, ...args, join(folder, "body.warc")])).toBeLessThan(RESIDENT_MOST);
});

const programOf = (read: string): string => `
const { createReadStream } = require("node:fs");
const { Writable } = require("node:stream");
const { pipeline } = require("node:stream/promises");
const { ExtractStream, extractFrom, extractFiles } = require(${JSON.stringify(join(BUILD, "node/index.cjs"))});
const path = ${JSON.stringify(join(folder, "body.warc"))};
const slow = (objectMode) => new Writable({ objectMode, write: (_chunk, _encoding, done) => void setImmediate(done) });
const none = async (matches) => { for await (const _ of matches); };
${read};
`;

it("records that are unique leave while their message is read", () => {
  const args = ["-f", "ndjson", "--unique-by", "start", ...(OPTIONS["headers.mbox"] ?? []), join(folder, "headers.mbox")];
  expect(peakOf([COMMAND, ...args])).toBeLessThan(RESIDENT_MOST);
});

it.each([
  "pipeline(createReadStream(path), new ExtractStream({ format: 'ndjson' }), slow(false))",
  "pipeline(createReadStream(path), new ExtractStream({ objectMode: true }), slow(true))",
  "none(extractFrom(createReadStream(path)))",
  "none(extractFiles(path))",
])("%s holds no results of a body", (read) => {
  expect(peakOf(["-e", programOf(read)])).toBeLessThan(RESIDENT_MOST);
});
