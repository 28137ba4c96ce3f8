// `node tools/smoke-nodes.mjs [MAIN]`: runs the command, or the one whose main.cjs is MAIN, on Node 20, 22, 24 and 26. All must write the
// same bytes, end with 0, and leave standard error empty. The versions are npm packages, installed to .peers/ if they are not there; one
// that cannot be installed is left out, and named.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { programOf } from "./program-of.mjs";

const MAJORS = [20, 22, 24, 26];
const ROOT = resolve(import.meta.dirname, "..");
const MAIN = resolve(process.argv[2] ?? join(ROOT, "build/node/command.cjs"));
/** Copies of an archive that make what more than one read holds. */
const COPIES = 40;
/** Bytes of a page for which a worker starts, because it cannot be cut, and of a mailbox that both threads share. Most are holes. */
const PAGE_BYTES = 33 << 20;
const SHARED_BYTES = 96 << 20;

/** Limits of a run. One that takes longer hangs, and heeds no signal but SIGKILL. */
const LIMITS = { maxBuffer: 1 << 28, timeout: 300_000, killSignal: "SIGKILL" };

/** Writes the inputs to a folder; `compress` is a version whose zlib has zstd. */
function makeInputs(folder, compress) {
  const put = (name, bytes) => writeFileSync(join(folder, name), bytes);
  const mail = readFileSync(join(ROOT, "examples/archive.mbox"));
  const mailbox = Buffer.concat(Array.from({ length: COPIES }, () => mail));
  put("mail.mbox", mailbox);
  put(
    "text.txt",
    Array.from({ length: 20_000 }, (_, line) => `line ${line}: HTTP://www.Mill.example:80/%7eben/${line}?q=m\u00fcller\n`).join(""),
  );
  put("mail.mbox.gz", gzipSync(mailbox));
  const program = 'fs.writeFileSync("mail.mbox.zst", zlib.zstdCompressSync(fs.readFileSync("mail.mbox")))';
  execFileSync(compress, ["-e", program], { cwd: folder });
  put("page.html", "<html>");
  truncateSync(join(folder, "page.html"), PAGE_BYTES);
  put("shared.mbox", mailbox);
  truncateSync(join(folder, "shared.mbox"), SHARED_BYTES);
  writeSync(openSync(join(folder, "shared.mbox"), "a"), Buffer.concat([Buffer.from("\n\n"), mailbox]));
  const library = JSON.stringify(resolve(MAIN, "../../node/index.mjs"));
  put(
    "stream.mjs",
    `import { createReadStream } from "node:fs";
    import { pipeline } from "node:stream/promises";
    import { ExtractStream } from ${library};
    const [file, threads] = process.argv.slice(2);
    await pipeline(createReadStream(file), new ExtractStream({ format: "ndjson", threads: Number(threads) }), process.stdout);`,
  );
}

/** What is run, by name: the arguments of Node, and the file that is standard input. */
const RUNS = {
  text: [[MAIN, "text.txt"]],
  "text, records": [[MAIN, "-j", "1", "-f", "ndjson", "text.txt"]],
  mbox: [[MAIN, "-f", "ndjson", "mail.mbox"]],
  gzip: [[MAIN, "-f", "csv", "mail.mbox.gz"]],
  zstd: [[MAIN, "-f", "ndjson", "mail.mbox.zst"]],
  Parquet: [[MAIN, "-f", "parquet", "mail.mbox"]],
  "standard input": [[MAIN, "-"], "mail.mbox.gz"],
  pattern: [[MAIN, "-i", "--match", "(?<=WWW\\.)[a-z]{2,20}\\.", "mail.mbox"]],
  table: [[MAIN, "count", "--by", "subject", "-f", "table", "mail.mbox"]],
  report: [[MAIN, "report", "mail.mbox"]],
  "report as JSON": [[MAIN, "report", "--json", "mail.mbox.gz"]],
  "two threads": [[MAIN, "-j", "2", "-f", "ndjson", "page.html", "shared.mbox"]],
  stream: [["stream.mjs", "mail.mbox", "1"]],
  "stream, two threads": [["stream.mjs", "text.txt", "2"]],
  "stream of gzip": [["stream.mjs", "mail.mbox.gz", "1"]],
};
/** What two runs of a report differ in: when it was made, and how long that took. */
const OF_RUN = /"started":"[^"]*"|"seconds":[\d.e-]+/g;

/** Returns what is wrong with a run, or undefined. */
function differenceOf({ status, signal, stdout, stderr }, expected) {
  if (stderr.length > 0) return `standard error: ${stderr.toString().slice(0, 300)}`;
  if (status !== 0) return `it ended with ${status ?? signal}`;
  return expected === undefined || stdout.equals(expected)
    ? undefined
    : `its ${stdout.length} bytes are others than the ${expected.length} of the first version`;
}

function smoke(folder, programs) {
  let failures = 0;
  for (const [name, [args, input]] of Object.entries(RUNS)) {
    let expected;
    for (const program of programs) {
      const stdin = input === undefined ? "ignore" : openSync(join(folder, input), "r");
      const ended = spawnSync(program, args, { ...LIMITS, cwd: folder, stdio: [stdin, "pipe", "pipe"] });
      if (name.startsWith("report")) ended.stdout = Buffer.from(ended.stdout.toString().replaceAll(OF_RUN, ""));
      const difference = differenceOf(ended, expected);
      if (difference !== undefined) {
        failures++;
        console.log(`smoke: ${name}: ${program}: ${difference}`);
      }
      expected ??= ended.stdout;
    }
    if (expected.length === 0) {
      failures++;
      console.log(`smoke: ${name}: nothing is written`);
    }
  }
  return failures;
}

const programs = MAJORS.flatMap((major) => {
  const program = programOf("node", major);
  if (program === undefined) console.log(`smoke: Node ${major} could not be installed: it is left out`);
  return program ?? [];
});
const folder = mkdtempSync(join(tmpdir(), "urlmill-smoke-"));
try {
  makeInputs(folder, programs.at(-1));
  const failures = smoke(folder, programs);
  const versions = programs.map((program) => execFileSync(program, ["--version"], { encoding: "utf8" }).trim());
  console.log(`smoke: ${Object.keys(RUNS).length} runs on ${versions.join(", ")}: ${failures} failures`);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
