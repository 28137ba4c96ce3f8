// Compares what two builds of the command print, byte for byte, over a table of options, inputs and numbers of threads:
//   node tools/compare-builds.mjs OLD NEW [--corpus DIR] [--sample MIB] [--no-threads] [--only TEXT]
// OLD and NEW are folders that hold build/node/command.cjs, or such a file. Compared are the standard output, the exit code, the list of
// --rejected and the object of --stats without its times. A set of options that differs is run again for each input by itself.
// The inputs are samples of the files of the corpus (--corpus, URLMILL_CORPUS, else ../shared/corpus, else examples/), archives made of
// them, and the cases of test/vectors/. Exits with 1 if anything differs.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

const ROOT = resolve(import.meta.dirname, "..");
const FIELDS = [
  "url,raw,source,start,end,scheme,host,chain,kind,flags,reason",
  "where,part,quote,message_id,date,from,subject,newsgroups,list_id,target_uri",
].join(",");
const EVERYTHING = ["-f", "ndjson", "--bare", "www,email,domain,ip", "--guess", "--nested", "--any-scheme", "--parts", "all"];

/** Options of extraction. Each set is run on all inputs at once. */
const SETS = [
  [],
  ["-f", "ndjson"],
  ["-0"],
  ...["text", "html", "mbox", "eml", "maildir", "news", "warc"].flatMap((type) => [
    ["--type", type],
    ["--type", type, "-f", "ndjson", "--parts", "all"],
  ]),
  ["--parts", "all"],
  ...["rd", "o", "cl"].map((dialect) => ["--mbox", dialect, "-f", "ndjson"]),
  ["-f", "ndjson", "--fields", FIELDS],
  ...["www", "email", "domain", "www,email,domain"].map((kinds) => ["--bare", kinds, "-f", "ndjson"]),
  ["--guess", "-f", "ndjson"],
  ["--nested", "-f", "ndjson"],
  ["--any-scheme", "-f", "ndjson"],
  ["-s", "ftp,news,mailto", "-f", "ndjson"],
  ["--extra-scheme", "foo,http"],
  ["--url-bytes-max", "256", "-f", "ndjson"],
  ...["rfc1738", "whatwg", "surt", "none"].flatMap((name) => [
    ["--profile", name],
    ["--profile", name, "-f", "ndjson"],
  ]),
  ...["redact", "strip"].map((way) => ["--userinfo", way]),
  ...["--unwrap", "--strip-tracking", "--strip-fragment", "--strip-www", "--sort-query"].map((flag) => [flag]),
  ["--unwrap", "--strip-tracking", "--strip-fragment", "--strip-www", "--sort-query", "--userinfo", "redact", "-f", "ndjson"],
  EVERYTHING,
  [...EVERYTHING, "--profile", "whatwg", "--unwrap"],
  [...EVERYTHING, "--fields", FIELDS, "--type", "html"],
];

/** Options of extraction that are run with workers too. */
const THREAD_SETS = [[], ["-f", "ndjson", "--fields", FIELDS], ["--guess", "--bare", "www,email"], ["--type", "text", "--nested"]];
/** A page of so many bytes cannot be cut: workers start for it. */
const PAGE_BYTES = 33 << 20;

/** Commands that read the URLs found as written, one a line. */
const LIST_SETS = [
  ["normalize"],
  ...["rfc1738", "whatwg", "surt", "none"].map((name) => ["normalize", "--profile", name]),
  ["normalize", "--unwrap", "--strip-tracking", "--strip-fragment", "--strip-www", "--sort-query", "--userinfo", "redact"],
  ["parse"],
  ["resolve", "--base", "http://a.example/b/c?d"],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string" },
    sample: { type: "string", default: "1" },
    "no-threads": { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

/** Returns the path of a build's command. */
function commandOf(path) {
  const found = [path, join(path, "build/node/command.cjs"), join(path, "node/command.cjs")].find(
    (one) => one.endsWith(".cjs") && existsSync(one),
  );
  if (found === undefined) throw new Error(`no build of the command in ${path}`);
  return resolve(found);
}

/** Returns the files of the corpus as [name, text], each cut at the last line end before `most` bytes. */
function readCorpus(folder, most) {
  return readdirSync(folder)
    .filter((name) => !/^README/.test(name))
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      const text = name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
      const cut = text.length <= most ? text.length : text.lastIndexOf(0x0a, most) + 1;
      return [name.replace(/\.gz$/, ""), text.subarray(0, cut)];
    });
}

/** Returns the first messages of an mbox, each without its From_ line. */
function messagesOf(mbox, count) {
  const messages = mbox.toString("latin1").split(/^From .*\r?\n/m);
  return messages.slice(1, count + 1).map((text) => Buffer.from(text, "latin1"));
}

/** Returns a web archive whose responses hold `bodies`. */
function warcOf(bodies) {
  const records = bodies.flatMap((body, index) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/${index % 3 === 0 ? "plain" : "html"}\r\n\r\n`;
    const fields = `WARC-Type: response\r\nWARC-Target-URI: http://a.example/${index}\r\nContent-Length: ${head.length + body.length}\r\n`;
    return [Buffer.from(`WARC/1.0\r\n${fields}\r\n${head}`), body, Buffer.from("\r\n\r\n")];
  });
  return Buffer.concat(records);
}

/** Writes mail in the forms other than mbox: a maildir, messages of news in batches, a web archive, a page. */
function writeMailForms(folder, mboxes) {
  const messages = mboxes.flatMap(([, mbox]) => messagesOf(mbox, 40));
  mkdirSync(join(folder, "maildir/cur"), { recursive: true });
  for (const [index, message] of messages.slice(0, 100).entries()) writeFileSync(join(folder, `maildir/cur/${index}.mill:2,S`), message);
  writeFileSync(join(folder, "letter.eml"), messages[0] ?? "");
  writeFileSync(join(folder, "news.batch"), Buffer.concat(messages.flatMap((one) => [Buffer.from(`#! rnews ${one.length}\n`), one])));
  writeFileSync(join(folder, "pages.warc"), warcOf(messages));
  writeFileSync(join(folder, "page.html"), Buffer.concat([Buffer.from("<!DOCTYPE html>\n<html>"), ...messages.slice(0, 20)]));
}

/** Packs a folder and files of it with the programs that are there. */
function pack(folder, names) {
  const programs = [
    ["tar", ["-cf", "all.tar", "maildir", ...names]],
    ["tar", ["-czf", "all.tar.gz", "maildir", "letter.eml"]],
    ["zip", ["-qr", "all.zip", "maildir", ...names]],
    ...["gzip", "bzip2", "xz", "zstd"].map((name) => [name, ["-kfq", "letter.eml", "pages.warc"]]),
  ];
  for (const [program, args] of programs) {
    const { error } = spawnSync(program, args, { cwd: folder });
    if (error !== undefined) console.log(`no ${program} here: what it packs is not compared`);
  }
}

/** Writes every case of test/vectors/ as a file of its own. */
function writeCases(folder) {
  for (const name of ["cases", "mail"]) {
    mkdirSync(join(folder, name));
    const lines = readFileSync(join(ROOT, `test/vectors/${name}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    for (const [index, line] of lines.entries()) {
      const { input = "", input_hex: hex, inputBase64 } = JSON.parse(line);
      const plain = Buffer.from(input, name === "mail" ? "latin1" : "utf8");
      const bytes = hex !== undefined ? Buffer.from(hex, "hex") : inputBase64 !== undefined ? Buffer.from(inputBase64, "base64") : plain;
      writeFileSync(join(folder, name, `${index}`), bytes);
    }
  }
}

/** Writes all inputs to a folder and returns the paths that the command is given, relative to it. */
function writeInputs(folder) {
  const given = values.corpus ?? process.env.URLMILL_CORPUS;
  const shared = resolve(ROOT, "../shared/corpus");
  const corpus = readCorpus(given ?? (existsSync(shared) ? shared : join(ROOT, "examples")), Number(values.sample) * 2 ** 20);
  for (const [name, text] of corpus) writeFileSync(join(folder, name), text);
  const mboxes = corpus.filter(([name]) => name.endsWith(".mbox"));
  writeMailForms(folder, mboxes);
  pack(
    folder,
    corpus.slice(0, 2).map(([name]) => name),
  );
  writeCases(folder);
  const paths = readdirSync(folder).sort();
  // Cut for workers at several places.
  const large = Buffer.concat(mboxes.map(([, text]) => text));
  const copies = Math.max(1, Math.ceil((24 << 20) / Math.max(1, large.length)));
  writeFileSync(join(folder, "large.mbox"), Buffer.concat(Array(copies).fill(large)));
  writeFileSync(join(folder, "page.html"), "<html>");
  truncateSync(join(folder, "page.html"), PAGE_BYTES);
  return { paths, shared: ["page.html", ...paths, "large.mbox"] };
}

/** A run that takes longer has hung. */
const RUN_MS_MAX = 120_000;

/** Runs a command and returns what is compared of it. */
function run(command, args, cwd, input) {
  const rejected = args.indexOf("--rejected");
  const child = spawn(process.execPath, [command, ...args], { cwd, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
  if (input !== undefined) createReadStream(join(cwd, input)).pipe(child.stdin);
  child.stdin?.on("error", () => undefined);
  const hash = createHash("sha256");
  let [bytes, errors] = [0, ""];
  child.stdout.on("data", (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  return new Promise((done) => {
    // Node 20 may hang at its end, when V8 still compiles: then the run is repeated.
    const limit = setTimeout(() => {
      child.removeAllListeners("close");
      child.kill("SIGKILL");
      done(run(command, args, cwd, input));
    }, RUN_MS_MAX);
    child.on("close", (status) => {
      clearTimeout(limit);
      const seen = { status, bytes, output: hash.digest("hex") };
      const last = errors.trimEnd().split("\n").at(-1) ?? "";
      if (args.includes("--stats") && last.startsWith("{")) {
        const { seconds, bytes_per_second, ...stats } = JSON.parse(last);
        seen.stats = stats;
      }
      if (rejected >= 0 && existsSync(args[rejected + 1])) seen.rejected = readFileSync(args[rejected + 1], "utf8");
      done(seen);
    });
  });
}

/** Returns the names of what differs between the two builds for some arguments. */
async function differences(commands, args, cwd, input) {
  const both = await Promise.all(
    commands.map((command, index) => {
      const own = args.map((arg) => (arg === "REJECTED" ? join(cwd, `../rejected.${index}`) : arg));
      return run(command, own, cwd, input);
    }),
  );
  const [before, after] = both;
  if (before.status === null || (before.status === 2 && before.bytes === 0)) return ["old build refuses"];
  return Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Yields all runs: arguments, paths and what is read from standard input. */
function* runsOf({ paths, shared }) {
  for (const set of SETS) {
    yield { args: [...set, "-j", "1"], paths };
    yield { args: [...set, "-j", "1", "--stats", "--rejected", "REJECTED"], paths };
  }
  for (const path of paths.filter((name) => !/^(?:cases|mail|maildir)$/.test(name))) {
    for (const set of [[], ["-f", "ndjson"], EVERYTHING]) yield { args: set, paths: ["-"], input: path };
  }
  for (const args of LIST_SETS) yield { args, paths: [], input: "../urls" };
  if (values["no-threads"]) return;
  for (const set of THREAD_SETS) {
    yield { args: [...set, "-j", "2", "--stats", "--rejected", "REJECTED"], paths: shared };
    yield { args: [...set, "-j", "3"], paths: shared };
  }
}

/** Returns the inputs among `paths` for which a set of options differs when they are read alone. */
async function differingPaths(commands, args, paths, cwd) {
  const found = [];
  for (const path of new Set(paths)) {
    if ((await differences(commands, [...args, path], cwd)).length > 0) found.push(path);
  }
  return found.length === 0 ? "only together" : found.join(" ");
}

async function main() {
  const commands = positionals.map(commandOf);
  if (commands.length !== 2) throw new Error("give two builds");
  const folder = mkdtempSync(join(tmpdir(), "urlmill-builds-"));
  const cwd = join(folder, "inputs");
  mkdirSync(cwd);
  let [runs, differing] = [0, 0];
  try {
    const inputs = writeInputs(cwd);
    const listed = spawnSync(process.execPath, [commands[0], "--profile", "none", ...inputs.paths], { cwd, maxBuffer: 2 ** 30 });
    writeFileSync(join(folder, "urls"), listed.stdout);
    for (const { args, paths, input } of runsOf(inputs)) {
      const name = [...args.map((arg) => (arg === "REJECTED" ? "FILE" : arg)), ...(input === undefined ? [] : ["<", input])].join(" ");
      if (!name.includes(values.only)) continue;
      runs++;
      const parts = await differences(commands, [...args, ...paths], cwd, input);
      if (parts.length === 0) continue;
      differing++;
      const where = input === undefined ? ` in ${await differingPaths(commands, args, paths, cwd)}` : "";
      console.log(`urlmill ${name}: ${parts.join(", ")}${where}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`${runs} runs compared, ${differing} differ`);
  process.exitCode = differing > 0 ? 1 : 0;
}

await main();
