// What shards take, in seconds of the processor, so that the load of the machine counts little: the start of a process, a megabyte of each
// kind of input, the spread between shards, and plan, verify and merge. The figures of bench/scale-model.ts come from here.
//   tsx bench/scale-shards.ts FOLDER [--record]     FOLDER is made by bench/scale-corpus.ts
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND, withTemporaryFolder } from "./commands.ts";
import { medianOf } from "./measure.ts";
import { printTable, type Table, writeRecord } from "./records.ts";

const MB = 1e6;
const SIZES = [1, 16, 64, 256].map((size) => size * MB);
/** Shards that are run of each size: those of a file lie far apart. */
const SAMPLE = 8;

/** Runs the command; returns the seconds of the processor that it took, of all threads. */
function secondsOf(args: readonly string[]): number {
  // The second line of what the shell's `times` prints is of its children: user, system.
  const { stdout, status, stderr } = spawnSync(
    "sh",
    ["-c", '"$@" >/dev/null; code=$?; times; exit $code', "sh", process.execPath, COMMAND, ...args],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const [, children = ""] = stdout.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

interface Shard {
  readonly id: number;
  readonly bytes: number;
}

/** Makes a plan; returns its shards, and the seconds that took. */
function planOf(plan: string, paths: readonly string[], shardBytes: number): { shards: Shard[]; seconds: number } {
  const seconds = secondsOf(["plan", "-q", "-f", "tsv", "--fields", "message,url", "--shard-bytes", `${shardBytes}`, "-o", plan, ...paths]);
  const lines = readFileSync(plan, "utf8").trimEnd().split("\n").slice(1, -1);
  return { shards: lines.map((line) => JSON.parse(line) as Shard), seconds };
}

/** Runs some shards of a plan, from all over it; returns what each took. */
function runSome(plan: string, results: string, shards: readonly Shard[]): { seconds: number; bytes: number }[] {
  const step = Math.max(1, Math.floor(shards.length / SAMPLE));
  const some = shards.filter((_, index) => index % step === 0).slice(0, SAMPLE);
  return some.map(({ id, bytes }) => ({ seconds: secondsOf(["run-shard", "--plan", plan, "--index", `${id}`, "-o", results]), bytes }));
}

/** Standard deviation of the logarithms: 0.1 means that most lie within a tenth of the median. */
function spreadOf(values: readonly number[]): number {
  const logarithms = values.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}

function measure(folder: string, work: string): Table[] {
  const rows: (string | number)[][] = [];
  const add = (name: string, paths: readonly string[], size: number): void => {
    const plan = join(work, `plan-${rows.length}`);
    const seen = runSome(plan, join(work, `results-${rows.length}`), planOf(plan, paths, size).shards);
    const megabytes = medianOf(seen.map(({ bytes }) => bytes)) / MB;
    const seconds = seen.map((shard) => shard.seconds);
    const spread = seen.length < 3 ? "" : spreadOf(seen.map((shard) => shard.seconds / shard.bytes)).toFixed(2);
    rows.push([name, megabytes.toFixed(1), seen.length, medianOf(seconds).toFixed(2), spread]);
  };
  for (const size of SIZES) add("mbox", [join(folder, "list-0.mbox")], size);
  for (const name of ["crawl.warc", "pages.warc.gz", "old.mbox.gz"]) add(name, [join(folder, name)], 256 * MB);
  add("bgzip of mbox", [join(folder, "spool.mbox.gz")], 64 * MB);
  add("maildir", [join(folder, "maildir")], 16 * MB);
  const columns = ["input", "MB of a shard, median", "shards run", "seconds of the processor, median", "spread of seconds for a MB"];
  const shards = { title: "run-shard", notes: ["each a process; -f tsv --fields message,url; MB as they are stored"], columns, rows };

  const plan = join(work, "plan");
  const results = join(work, "results");
  const files = readdirSync(join(folder, "maildir/new")).length;
  const listing = planOf(plan, [join(folder, "maildir")], 16 * MB).seconds;
  const input = join(folder, "list-0.mbox");
  const { shards: all, seconds } = planOf(plan, [input], 64 * MB);
  for (const { id } of all) secondsOf(["run-shard", "--plan", plan, "--index", `${id}`, "-o", results]);
  const bytes = readdirSync(results).reduce((sum, name) => sum + statSync(join(results, name)).size, 0);
  const others: [string, number, string][] = [
    [`plan of ${files} files`, listing, ""],
    [`plan of ${basename(input)}`, seconds, `${all.length} shards`],
    [`verify of ${all.length} shards`, secondsOf(["verify", "-q", "--plan", plan, results]), ""],
    [
      `merge of ${(statSync(input).size / MB).toFixed(0)} MB`,
      secondsOf(["merge", "-q", "--plan", plan, results]),
      `${(bytes / MB).toFixed(0)} MB of results`,
    ],
  ];
  const table = { title: "plan, verify, merge", notes: [], columns: ["what", "seconds of the processor", "of"] };
  return [shards, { ...table, rows: others.map(([what, spent, of]) => [what, spent.toFixed(2), of]) }];
}

const { values, positionals } = parseArgs({ options: { record: { type: "boolean" } }, allowPositionals: true });
const [folder] = positionals;
if (folder === undefined) throw new Error("give the folder that bench/scale-corpus.ts has made");
const tables = await withTemporaryFolder((work) => measure(folder, work));
tables.forEach(printTable);
if (values.record) writeRecord("scale-shards", tables);
