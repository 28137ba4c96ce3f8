// Runs for long, and looks at memory, file handles and threads meanwhile (Linux): mixed work through the library in one process, and
// beside it the command over a sparse file of 4 TiB. Arguments: --minutes N (30), --only library|command, --record (also draws
// docs/soak.svg). Ends with 1 if the last third of a run needs more than the middle one.
import { spawn } from "node:child_process";
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { COMMAND, LIBRARY, withTemporaryFolder } from "./commands.ts";
import { encode, svgOf } from "./plot.ts";
import { type Table, writeDrawing, writeRecord } from "./records.ts";

const SPARSE_BYTES = 2 ** 42;
/** Distance between two pieces of text in the sparse file. */
const STEP_BYTES = 2 ** 28;
const SAMPLES = 120;
/** Kept of what a process writes: more than a record. */
const SHOWN_LENGTH = 1000;
/** The first third is for warming up. Above this, the last third is not flat. */
const GROWTH_MOST = 1.15;

// Streams that come to their end, are dropped half-way, aborted, or fail, and pools that are made and closed, until the time is over.
const MIXED = `
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ExtractStream, extractFiles, extractFrom, normalize } from ${JSON.stringify(LIBRARY)};
const [, , seconds, text, broken] = process.argv;
const read = (path, stream) => {
  stream.resume();
  return pipeline(createReadStream(path), stream);
};
const dropped = (stream) => {
  const end = read(text, stream);
  setImmediate(() => stream.destroy());
  return end;
};
async function* failing() {
  yield Buffer.from("http://a.example/ and ");
  throw new Error("no more");
}
const some = async (matches, count) => {
  for await (const _ of matches) if (--count === 0) break;
};
const WORK = [
  () => read(text, new ExtractStream()),
  () => read(broken, new ExtractStream({ format: "ndjson" })),
  () => dropped(new ExtractStream()),
  () => some(extractFiles([text, broken], {}), Infinity),
  () => some(extractFiles(text, {}), 10),
  () => { const signal = AbortSignal.abort(); return some(extractFiles(text, { signal }), Infinity); },
  () => some(extractFrom(failing()), Infinity),
  () => read(text, new ExtractStream({ threads: 2 })),
  () => dropped(new ExtractStream({ threads: 2 })),
  () => normalize("HTTP://A.example/%7e"),
];
let count = 0;
for (const end = Date.now() + seconds * 1000; Date.now() < end; count++) {
  await Promise.resolve().then(WORK[count % WORK.length]).catch(() => {});
}
console.error(count + " pieces of work");`;

/** What a process needs at one moment. */
interface Sample {
  readonly "MiB resident": number;
  readonly "file handles": number;
  readonly threads: number;
}

const KEYS = ["MiB resident", "file handles", "threads"] as const;

function sampleOf(pid: number): Sample | undefined {
  try {
    const [, kib = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    return { "MiB resident": Math.round(Number(kib) / 1024), "file handles": handles, threads: readdirSync(`/proc/${pid}/task`).length };
  } catch {
    return undefined;
  }
}

/** What was seen of a process. */
interface Watched {
  readonly name: string;
  readonly samples: readonly Sample[];
  /** The last that it wrote to standard output. */
  readonly last: string;
}

/** Samples a process until it ends, or for so many seconds. */
async function watch(args: readonly string[], seconds: number): Promise<Omit<Watched, "name">> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let last = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-SHOWN_LENGTH);
  });
  let hasEnded = false;
  child.on("close", () => {
    hasEnded = true;
  });
  const samples: Sample[] = [];
  for (const end = Date.now() + seconds * 1000; !hasEnded && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / SAMPLES));
    const sample = sampleOf(child.pid ?? 0);
    if (sample !== undefined && sample["MiB resident"] > 0) samples.push(sample);
  }
  child.kill();
  return { samples, last };
}

const most = (samples: readonly Sample[], key: keyof Sample): number => Math.max(0, ...samples.map((sample) => sample[key]));

/** Returns the offset of the last record of `text`, or 0. */
const offsetIn = (text: string): number => Number([...text.matchAll(/"start":(\d+),/g)].at(-1)?.[1] ?? 0);

/** Returns what is not flat. */
function growing(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  return KEYS.filter((key) => most(last, key) > GROWTH_MOST * most(middle, key)).map(
    (key) => `${key}: ${most(middle, key)}, then ${most(last, key)}`,
  );
}

function tableOf({ name, samples, last }: Watched, minutes: number): Table {
  const seen = `${KEYS.map((key) => `${key} at most ${most(samples, key)}`).join(", ")}; ${growing(samples).join(", ") || "flat"}`;
  return {
    title: name,
    notes: name === "command" ? [seen, `the last record is at byte ${offsetIn(last)}`] : [seen],
    columns: ["minute", ...KEYS],
    rows: samples.map((sample, index) => [((index + 1) * minutes) / SAMPLES, ...KEYS.map((key) => sample[key])]),
  };
}

const [WIDTH, HEIGHT, PANEL] = [360, 90, 130];

/** Draws a panel for each value of each run. */
function drawingOf(runs: readonly Watched[], minutes: number): string {
  const panels = runs.flatMap(({ name, samples }, column) =>
    KEYS.map((key, row) => {
      const [x, y] = [20 + column * (WIDTH + 60), 50 + row * PANEL];
      const top = Math.max(1, most(samples, key));
      const point = (value: number, index: number): string =>
        `${(x + (index / Math.max(1, samples.length - 1)) * WIDTH).toFixed(1)},${(y + HEIGHT - (value / top) * HEIGHT).toFixed(1)}`;
      const points = samples.map((sample, index) => point(sample[key], index)).join(" ");
      const title = `<text x="${x}" y="${y - 4}">${encode(`${name}: ${key}, at most ${top}`)}</text>`;
      return `${title}<path d="M${x} ${y + HEIGHT}h${WIDTH}"/><polyline points="${points}"/>\n`;
    }),
  );
  const style = "polyline{fill:none;stroke:#1a7f37;stroke-width:1.5}path{stroke:#8c959f}";
  return svgOf(
    `${minutes} minutes; the grey lines are 0`,
    40 + runs.length * (WIDTH + 60),
    60 + KEYS.length * PANEL,
    style,
    panels.join(""),
  );
}

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, only: { type: "string" }, record: { type: "boolean" } },
});
const minutes = Number(values.minutes);
await withTemporaryFolder(async (folder) => {
  const [text, broken, script, sparse] = ["text", "broken.gz", "mixed.mjs", "sparse"].map((name) => join(folder, name)) as string[];
  const bytes = Buffer.from("see http://a.example/some/path and more\n".repeat(50_000));
  writeFileSync(text as string, bytes);
  writeFileSync(broken as string, gzipSync(bytes).subarray(0, -9));
  writeFileSync(script as string, MIXED);
  const file = openSync(sparse as string, "w");
  ftruncateSync(file, SPARSE_BYTES);
  for (let at = 0; at < SPARSE_BYTES; at += STEP_BYTES) writeSync(file, `\nsee http://h${at}.example/\n`, at);
  closeSync(file);
  const ways: Record<string, readonly string[]> = {
    library: [script, `${minutes * 60}`, text, broken] as string[],
    command: [COMMAND, "-j", "2", "-f", "ndjson", "--type", "text", sparse as string],
  };
  const names = Object.keys(ways).filter((name) => values.only === undefined || values.only === name);
  const runs = await Promise.all(names.map(async (name) => ({ name, ...(await watch(ways[name] ?? [], minutes * 60)) })));
  const tables = runs.map((run) => tableOf(run, minutes));
  for (const { title, notes } of tables) console.log(`${title}: ${notes.join("; ")}`);
  if (runs.some(({ samples }) => growing(samples).length > 0)) process.exitCode = 1;
  if (values.record === true) {
    writeRecord("soak", tables);
    writeDrawing("soak.svg", drawingOf(runs, minutes));
  }
});
