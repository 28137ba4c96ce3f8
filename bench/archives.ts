// Measures archives: an mbox in one process, beside postal-mime on the same messages; gzip beside gunzip; a maildir of many files.
// Arguments: --record; --size MIB of each archive (256); --files N of the maildir (100000); --runs N (5). Exits with 1 if a speed is below
// its floor.
import { closeSync, fstatSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import PostalMime from "postal-mime";
import { Pacer } from "../src/input/pacer.ts";
import { checkOptions, EVERYTHING, type SourceType } from "../src/options/options.ts";
import { formatted } from "../src/output/formatted.ts";
import type { Result } from "../src/output/sink.ts";
import { scanFile } from "../src/run/scan-file.ts";
import { sourceErrorOf } from "../src/run/scan-source.ts";
import { emptyTotals } from "../src/run/totals.ts";
import { isInstalled, mediansInTurn, ours, withTemporaryFolder, writeCopies } from "./commands.ts";
import { readCorpusFile } from "./corpora.ts";
import { generate } from "./generator.ts";
import { medianOf } from "./measure.ts";
import { printTable, report, type Table, writeRecord } from "./records.ts";

interface Archive {
  readonly name: string;
  readonly files: readonly string[];
  /** Least MB/s of the messages. */
  readonly floor: number;
}

const ARCHIVES: readonly Archive[] = [
  { name: "list mail", files: ["r-help-1999.pipermail.mbox.gz", "spamassassin-easy_ham_2.mbox.gz"], floor: 600 },
  { name: "HTML newsletters and spam", files: ["spamassassin-hard_ham.mbox.gz", "spamassassin-spam.mbox.gz"], floor: 250 },
];
/** Least ratio of the speeds of urlmill and postal-mime. */
const POSTAL_MIME_FLOOR = 10;
/** Least speed, as a share of the speed of gunzip alone. */
const GUNZIP_FLOOR = 0.85;
/** Least files of a maildir in a second. */
const MAILDIR_FLOOR = 50_000;
/** Most bytes of an archive for postal-mime. */
const POSTAL_MIME_BYTES = 8 << 20;

/** Returns the bytes of an archive, at most `size` of them. */
function bytesOf(archive: Archive, size: number): Buffer {
  const files = archive.files.map(readCorpusFile).filter((file) => file !== undefined);
  // Without the files the archive is generated mail.
  if (files.length === archive.files.length) return Buffer.concat(files).subarray(0, size);
  const text = Buffer.from(generate("mail", 1, Math.min(size, 8 << 20))).toString("latin1");
  const messages = text.match(/(?:[^\n]*\n){1,40}/g) ?? [];
  const header = "From a@mill.example Thu Jan  5 10:11:12 1995\nFrom: a@mill.example\nSubject: mail\n\n";
  return Buffer.from(messages.map((message) => `${header}${message}\n`).join(""), "latin1");
}

/** Returns the messages of an mbox, cut at its From_ lines. */
function messagesOf(mbox: Buffer): Buffer[] {
  const starts = [...mbox.toString("latin1").matchAll(/(?<=^|\n\n)From [^\n]*\d:\d\d[^\n]*\n/g)].map((line) => line.index);
  return starts.map((start, index) => mbox.subarray(start, starts[index + 1]));
}

/** Scans a file on this thread; returns the time in ms and the number of lines. */
async function timeScan(path: string, type: SourceType, format: "plain" | "ndjson"): Promise<{ time: number; lines: number }> {
  const { settings } = checkOptions("ExtractStream", { type, format });
  let lines = 0;
  const write = (result: Result): void => {
    if (result.kind === "bytes") lines += result.count;
  };
  const sink = formatted(settings, { write, wait: () => undefined, end: () => undefined });
  const context = { settings, sink, totals: emptyTotals(), pacer: new Pacer(), failureOf: sourceErrorOf };
  const file = openSync(path, "r");
  const start = performance.now();
  const part = { file, name: path, size: fstatSync(file).size, ...EVERYTHING };
  for await (const _ of scanFile(part, context));
  const time = performance.now() - start;
  closeSync(file);
  return { time, lines };
}

async function timePostalMime(messages: readonly Uint8Array[]): Promise<number> {
  const start = performance.now();
  for (const message of messages) await new PostalMime().parse(message);
  return performance.now() - start;
}

/** Measures all ways to read an archive, in turn. */
async function compareReaders(archive: Archive, folder: string, size: number, runs: number): Promise<Measured> {
  const bytes = bytesOf(archive, size);
  const copies = Math.ceil(size / bytes.length);
  const megabytes = (bytes.length * copies) / 1e6;
  const path = join(folder, "archive.mbox");
  writeCopies(path, bytes, copies);
  const all = messagesOf(bytes);
  let taken = 0;
  const messages = all.filter((message) => {
    taken += message.length;
    return taken <= POSTAL_MIME_BYTES;
  });
  // Copies, because postal-mime may look at the whole buffer of a message.
  const alone = messages.map((message) => Uint8Array.from(message));
  const sampled = messages.reduce((sum, message) => sum + message.length, 0) / 1e6;
  const ways: [string, SourceType, "plain" | "ndjson"][] = [
    ["messages taken apart, plain", "mbox", "plain"],
    ["messages taken apart, ndjson", "mbox", "ndjson"],
    ["as it lies, plain (--type text)", "text", "plain"],
  ];
  const times = ways.map((): number[] => []);
  const peer: number[] = [];
  const lines: number[] = [];
  for (const [, type, format] of ways) lines.push((await timeScan(path, type, format)).lines);
  await timePostalMime(alone);
  for (let run = 0; run < runs; run++) {
    for (const [index, [, type, format]] of ways.entries()) times[index]?.push((await timeScan(path, type, format)).time);
    peer.push(await timePostalMime(alone));
  }
  const speeds = times.map((each) => (megabytes / medianOf(each)) * 1000);
  const peerSpeed = (sampled / medianOf(peer)) * 1000;
  const [ours = 0] = speeds;
  const ratio = ours / peerSpeed;
  const slow = [
    ...(ours < archive.floor ? [`${archive.name}: ${ours.toFixed(0)} MB/s, the floor is ${archive.floor}`] : []),
    ...(ratio < POSTAL_MIME_FLOOR ? [`${archive.name}: ${ratio.toFixed(1)} times postal-mime, the floor is ${POSTAL_MIME_FLOOR}`] : []),
  ];
  const table = {
    title: `${archive.name}: ${megabytes.toFixed(0)} MB of mbox, one thread, in process`,
    notes: [
      `${archive.files.join(" + ").replaceAll(".gz", "")}, ${copies} times; medians of ${runs}, page cache warm`,
      `${all.length * copies} messages`,
    ],
    columns: ["way", "lines out", "MB/s", "x postal-mime", "floor MB/s"],
    rows: [
      ...ways.map(([name], index) => {
        const speed = speeds[index] as number;
        return [name, lines[index] as number, speed.toFixed(0), (speed / peerSpeed).toFixed(1), index === 0 ? archive.floor : ""];
      }),
      [`postal-mime (${messages.length} messages, no URLs looked for)`, "", peerSpeed.toFixed(1), "1.0", ""],
    ],
  };
  return { table, slow };
}

interface Measured {
  readonly table: Table;
  readonly slow: string[];
}

/** Measures whole processes on a compressed archive, beside gunzip. */
function compareGzip(folder: string, size: number, runs: number): Measured {
  const bytes = bytesOf(ARCHIVES[0] as Archive, size);
  const copies = Math.ceil(size / bytes.length);
  const packed = join(folder, "archive.mbox.gz");
  const out = join(folder, "output");
  writeCopies(packed, gzipSync(bytes), copies);
  const gunzipCommand = { name: "gunzip -c", program: "gunzip", arguments: ["-c", packed] };
  const commands = [gunzipCommand, ours("urlmill -j 1", "-j", "1", packed), ours("urlmill", packed)];
  const medians = mediansInTurn(commands, out, runs);
  const [gunzip = 0] = medians;
  const megabytes = (bytes.length * copies) / 1e6;
  const slow = commands.flatMap(({ name }, index) => {
    const share = gunzip / (medians[index] as number);
    return share < GUNZIP_FLOOR ? [`${name}: ${share.toFixed(2)} of gunzip's speed, the floor is ${GUNZIP_FLOOR}`] : [];
  });
  const table = {
    title: `gzip: ${megabytes.toFixed(0)} MB of list mail, whole processes`,
    notes: [`output to a file; medians of ${runs}`],
    columns: ["command", "ms", "MB/s", "of gunzip's speed", "floor"],
    rows: commands.map(({ name }, index) => {
      const median = medians[index] as number;
      return [
        name,
        median.toFixed(0),
        ((megabytes / median) * 1000).toFixed(0),
        (gunzip / median).toFixed(2),
        index === 0 ? "" : GUNZIP_FLOOR,
      ];
    }),
  };
  return { table, slow };
}

/** Measures whole processes on a maildir. */
function measureMaildir(folder: string, size: number, files: number, runs: number): Measured {
  const messages = messagesOf(bytesOf(ARCHIVES[0] as Archive, size));
  const maildir = join(folder, "maildir/cur");
  mkdirSync(maildir, { recursive: true });
  for (let index = 0; index < files; index++) {
    const message = messages[index % messages.length] as Buffer;
    writeFileSync(join(maildir, `${index}.mill`), message.subarray(message.indexOf(0x0a) + 1));
  }
  const out = join(folder, "output");
  const commands = ["1", "2"].map((threads) => ours(`urlmill -j ${threads}`, "-j", threads, join(folder, "maildir")));
  const medians = mediansInTurn(commands, out, runs);
  const best = (files / Math.min(...medians)) * 1000;
  const table = {
    title: `maildir of ${files} files, whole processes`,
    notes: [`messages of ${(ARCHIVES[0] as Archive).files.join(" + ").replaceAll(".gz", "")}, in the page cache`],
    columns: ["command", "ms", "files/s", "floor"],
    rows: medians.map((median, index) => {
      return [commands[index]?.name ?? "", median.toFixed(0), ((files / median) * 1000).toFixed(0), MAILDIR_FLOOR];
    }),
  };
  return { table, slow: best < MAILDIR_FLOOR ? [`maildir: ${best.toFixed(0)} files a second, the floor is ${MAILDIR_FLOOR}`] : [] };
}

/** Returns every table, with complaints about speeds below their floors. */
export async function measureArchives(size: number, files: number, runs: number): Promise<Measured[]> {
  return withTemporaryFolder(async (folder) => {
    const measured: Measured[] = [];
    for (const archive of ARCHIVES) measured.push(await compareReaders(archive, folder, size, runs));
    if (isInstalled("gunzip")) measured.push(compareGzip(folder, size, runs));
    if (files > 0) measured.push(measureMaildir(folder, size, files, runs));
    return measured;
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      record: { type: "boolean" },
      size: { type: "string", default: "256" },
      files: { type: "string", default: "100000" },
      runs: { type: "string", default: "5" },
    },
  });
  const measured = await measureArchives(Number(values.size) * 2 ** 20, Number(values.files), Number(values.runs));
  const tables = measured.map(({ table }) => table);
  for (const table of tables) printTable(table);
  if (values.record) await writeRecord("archives", tables);
  const slow = measured.flatMap((one) => one.slow);
  report(slow);
}

if (process.argv[1] === import.meta.filename) await main();
