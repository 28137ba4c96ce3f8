// Kills runs of the command at random moments (SIGKILL), goes on with --resume, and compares the outputs with those of runs that nobody
// kills: node tools/kill-and-resume.mjs [--outputs 200] [--seed 1] [--megabytes 120]. Each output is of a run
// that is killed once, and sometimes again while it goes on. The inputs are made in a temporary folder: a page
// that cannot be cut, so that threads start, many files, and mboxes as text, gzip and bgzip.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const COMMAND = fileURLToPath(new URL("../build/node/command.cjs", import.meta.url));
const { values } = parseArgs({
  options: {
    outputs: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    megabytes: { type: "string", default: "120" },
  },
});
const FORMATS = [
  ["-f", "plain"],
  ["-f", "ndjson"],
  ["-f", "csv"],
  ["-f", "tsv"],
  ["--print", "{message}\\t{start}\\t{url}"],
];
const folder = mkdtempSync(join(tmpdir(), "urlmill-kills-"));
let state = Number(values.seed);

/** Returns a random whole number below `most`. */
function below(most) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
}

/** Returns a message with `count` URLs and some more lines. */
function message(number, count, lines) {
  const urls = Array.from({ length: count }, (_, index) => `<URL:http://h${below(9999)}.example/${number}/${index}-\n b>, http://:1/ no\n`);
  const head = `From a@b Thu Jan  1 00:00:00 1998\nFrom: joe@b.example\nMessage-ID: <${number}@b.example>\n`;
  const words = "a line of words without any address in it, as most lines are\n".repeat(lines);
  return `${head}Date: Thu, 1 Jan 1998 00:00:00 +0000\n\n${urls.join("")}${words}\n`;
}

/** Bytes of text in a block of bgzip. */
const BLOCK_BYTES = 65_280;

/** Returns a block of bgzip: a member of gzip whose header says how long it is. */
function bgzipBlock(text) {
  const member = gzipSync(text, { level: 1 });
  const head = Buffer.from(member.subarray(0, 10));
  const extra = Buffer.from("\x06\0BC\x02\0\0\0", "latin1");
  head[3] = 4;
  extra.writeUInt16LE(member.length + extra.length - 1, 6);
  return Buffer.concat([head, extra, member.subarray(10)]);
}

function bgzip(text) {
  const starts = Array.from({ length: Math.ceil(text.length / BLOCK_BYTES) }, (_, index) => index * BLOCK_BYTES);
  return Buffer.concat(starts.map((start) => bgzipBlock(text.subarray(start, start + BLOCK_BYTES))));
}

/** Writes copies of `bytes`, and then `end`, to a file. */
function putCopies(name, bytes, copies, end = Buffer.alloc(0)) {
  const file = openSync(join(folder, name), "w");
  for (let copy = 0; copy < copies; copy++) writeSync(file, bytes);
  writeSync(file, end);
  closeSync(file);
}

function makeInputs() {
  mkdirSync(join(folder, "in/small"), { recursive: true });
  writeFileSync(join(folder, "in/a.html"), "<html>");
  truncateSync(join(folder, "in/a.html"), 33 << 20);
  for (let index = 0; index < 10_000; index++) writeFileSync(join(folder, `in/small/${index}`), `${message(index, 1 + (index % 7), 9)}`);
  const dense = Array.from({ length: 8000 }, (_, index) => message(index, 5, 3)).join("");
  writeFileSync(join(folder, "in/dense.mbox"), dense);
  writeFileSync(join(folder, "in/dense.mbox.gz"), gzipSync(dense, { level: 1 }));
  const block = Buffer.from(Array.from({ length: 500 }, (_, index) => message(index, index % 3, 50)).join(""));
  const copies = Math.ceil((Number(values.megabytes) << 20) / block.length);
  putCopies("in/large.mbox", block, copies);
  putCopies("in/large.mbox.bgz", bgzip(block), copies, bgzipBlock(Buffer.alloc(0)));
}

/** Runs the command; kills it after `milliseconds` if they are given. Returns whether it was killed. */
async function run(args, milliseconds) {
  const child = spawn(process.execPath, [COMMAND, ...args, "in"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const timer = milliseconds === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const [code, signal] = await new Promise((resolve) => child.on("close", (...end) => resolve(end)));
  clearTimeout(timer);
  if (signal === "SIGKILL") return true;
  if (code !== 0) throw new Error(`urlmill ${args.join(" ")}: exit code ${code}: ${errors}`);
  return false;
}

async function hashOf(name) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk);
  return hash.digest("hex");
}

/** Runs with one format until it is complete, killed at first and sometimes again. Returns how far the run was each time. */
async function killed(format, milliseconds) {
  const args = [...format, "-o", "out", "--rejected", "refused", "--resume", "-q"];
  const kept = [];
  for (
    let isLast = false;
    await run([...args, "-j", String(1 + below(3))], isLast ? undefined : below(milliseconds));
    isLast = below(3) > 0
  ) {
    const checkpoint = join(folder, "out.checkpoint");
    kept.push(existsSync(checkpoint) ? JSON.parse(readFileSync(checkpoint, "utf8")).scan : {});
  }
  return kept;
}

try {
  console.log(`seed ${values.seed}`);
  makeInputs();
  const expected = [];
  for (const format of FORMATS) {
    const begin = performance.now();
    await run([...format, "-o", "whole", "--rejected", "whole-refused", "-q"]);
    expected.push({ format, milliseconds: performance.now() - begin, hashes: [await hashOf("whole"), await hashOf("whole-refused")] });
    rmSync(join(folder, "whole"));
  }
  const kept = [];
  for (let outputs = 0; outputs < Number(values.outputs); ) {
    const { format, milliseconds, hashes } = expected[outputs % expected.length];
    const before = kept.length;
    // A run that was complete before its moment came is no test.
    while (kept.length === before) kept.push(...(await killed(format, milliseconds)));
    outputs++;
    const found = [await hashOf("out"), await hashOf("refused")];
    const left = readdirSync(folder).filter((name) => name.startsWith(".") || name.endsWith(".checkpoint"));
    if (found.join() !== hashes.join() || left.length > 0)
      throw new Error(`output ${outputs}, ${format.join(" ")}: differs, or leaves ${left}`);
    const begun = kept.filter(({ entries }) => entries > 0).length;
    const within = kept.filter(({ from }) => from > 0).length;
    console.log(`${outputs} outputs as they would be; ${kept.length} kills, ${begun} after a checkpoint, ${within} of them within a file`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
