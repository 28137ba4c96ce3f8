// Runs for long, and watches memory, file handles and threads meanwhile (Linux): mixed work through the library in one process, and beside
// it the command over a sparse file of 4 TiB. Arguments: --minutes N (30), --only library|command. Ends with 1 if the last third of a run
// needs more than the middle one.
import { spawn } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const COMMAND = fileURLToPath(new URL("../build/node/command.cjs", import.meta.url));
const LIBRARY = new URL("../build/index.js", import.meta.url).href;
const SPARSE_BYTES = 2 ** 42;
/** Distance between two pieces of text in the sparse file. */
const STEP_BYTES = 2 ** 28;
const SAMPLES = 120;
/** Kept of the output of a process: more than a record. */
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

/** Returns the needs of a process at one moment, or undefined after its end. */
function sampleOf(pid) {
  try {
    const [, kib = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    return { "MiB resident": Math.round(Number(kib) / 1024), "file handles": handles, threads: readdirSync(`/proc/${pid}/task`).length };
  } catch {
    return undefined;
  }
}

/** Samples a process until it ends, or for so many seconds. Returns the samples and the end of its standard output. */
async function watch(args, seconds) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let last = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    last = (last + text).slice(-SHOWN_LENGTH);
  });
  let hasEnded = false;
  child.on("close", () => {
    hasEnded = true;
  });
  const samples = [];
  for (const end = Date.now() + seconds * 1000; !hasEnded && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / SAMPLES));
    const sample = sampleOf(child.pid);
    if (sample !== undefined && sample["MiB resident"] > 0) samples.push(sample);
  }
  child.kill();
  return { samples, last };
}

const most = (samples, key) => Math.max(0, ...samples.map((sample) => sample[key]));

/** Prints the highest values of a run, and whether its last third is flat. Returns whether it is. */
function report(name, { samples, last }) {
  const third = Math.floor(samples.length / 3);
  const [middle, end] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const keys = Object.keys(samples[0]);
  const growing = keys.filter((key) => most(end, key) > GROWTH_MOST * most(middle, key));
  const grown = growing.map((key) => `${key}: ${most(middle, key)}, then ${most(end, key)}`);
  const highest = keys.map((key) => `${key} at most ${most(samples, key)}`);
  const offset = [...last.matchAll(/"start":(\d+),/g)].at(-1)?.[1];
  const reached = offset === undefined ? "" : `; the last record is at byte ${offset}`;
  console.log(`${name}: ${highest.join(", ")}; ${grown.join(", ") || "flat"}${reached}`);
  return growing.length === 0;
}

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" }, only: { type: "string" } } });
const folder = mkdtempSync(join(tmpdir(), "urlmill-soak-"));
try {
  const [text, broken, script, sparse] = ["text", "broken.gz", "mixed.mjs", "sparse"].map((name) => join(folder, name));
  const bytes = Buffer.from("see http://a.example/some/path and more\n".repeat(50_000));
  writeFileSync(text, bytes);
  writeFileSync(broken, gzipSync(bytes).subarray(0, -9));
  writeFileSync(script, MIXED);
  const file = openSync(sparse, "w");
  ftruncateSync(file, SPARSE_BYTES);
  for (let at = 0; at < SPARSE_BYTES; at += STEP_BYTES) writeSync(file, `\nsee http://h${at}.example/\n`, at);
  closeSync(file);
  const seconds = Number(values.minutes) * 60;
  const runs = Object.entries({
    library: [script, `${seconds}`, text, broken],
    command: [COMMAND, "-j", "2", "-f", "ndjson", "--type", "text", sparse],
  }).filter(([name]) => values.only === undefined || values.only === name);
  const areFlat = await Promise.all(runs.map(async ([name, args]) => report(name, await watch(args, seconds))));
  if (areFlat.includes(false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
