// Makes the inputs of a run of many shards: mailboxes, WARC files, gzip and bgzip files, and a maildir, with the messages of the corpora in
// another order in each file. The same size gives the same bytes.
//   tsx bench/scale-corpus.ts FOLDER [GIB]
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { corpusFolder, readCorpusFile } from "./corpora.ts";
import { generate, Random } from "./generator.ts";

const MIB = 2 ** 20;
const CHUNK_BYTES = 4 * MIB;
const MAIL = [
  "r-help-1999.pipermail.mbox.gz",
  "spamassassin-easy_ham_2.mbox.gz",
  "linux-mips-2000.mbox.gz",
  "cypherpunks-1995.crlf.mbox.gz",
];
const NEWSLETTERS = ["spamassassin-hard_ham.mbox.gz", "spamassassin-spam.mbox.gz"];

/** Cuts mailboxes into messages, each with the line that begins it. */
function messagesOf(names: readonly string[], kind: "mail" | "html"): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (const name of names) {
    const bytes = Buffer.from(readCorpusFile(name) ?? generate(kind, 1, 16 * MIB));
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf("\nFrom ", at) + 1 || bytes.length;
      messages.push(bytes.subarray(at, next));
      at = next;
    }
  }
  return messages;
}

const mail = messagesOf(MAIL, "mail");
const newsletters = messagesOf(NEWSLETTERS, "html");

/** Writes a file with at least `size` bytes of parts that are picked, each as `encode` makes it. */
function writeParts(
  path: string,
  size: number,
  pick: (index: number) => Uint8Array,
  encode = (part: Uint8Array): Uint8Array => part,
): void {
  const fd = openSync(path, "w");
  for (let [taken, index] = [0, 0]; taken < size; ) {
    const parts: Uint8Array[] = [];
    for (let bytes = 0; bytes < CHUNK_BYTES; ) {
      const part = pick(index++);
      bytes += part.length;
      taken += part.length;
      parts.push(encode(part));
    }
    writeSync(fd, Buffer.concat(parts));
  }
  closeSync(fd);
}

/** Returns a WARC record with the body of a newsletter. */
function record(message: Uint8Array, index: number): Uint8Array {
  const text = Buffer.from(message);
  const body = text.subarray(text.indexOf("\n\n") + 2);
  const header = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n`;
  const fields = `WARC-Type: response\r\nWARC-Target-URI: http://pages.example/${index}\r\nContent-Type: application/http;msgtype=response`;
  return Buffer.concat([
    Buffer.from(`WARC/1.0\r\n${fields}\r\nContent-Length: ${header.length + body.length}\r\n\r\n${header}`),
    body,
    Buffer.from("\r\n\r\n"),
  ]);
}

const [folder, gib = "8.4"] = process.argv.slice(2);
if (folder === undefined) throw new Error(`give a folder, and how many GiB; the corpora are looked for in ${corpusFolder}`);
const size = Number(gib) * 1024 * MIB;
mkdirSync(join(folder, "maildir/new"), { recursive: true });
const inFolder = (name: string): string => join(folder, name);
const pickFrom = (random: Random, messages: readonly Uint8Array[]) => () => random.pick(messages);

for (let file = 0; file < 5; file++) {
  const random = new Random(2 * file + 1);
  // One message in eight is a newsletter, which takes far more work.
  writeParts(inFolder(`list-${file}.mbox`), size * 0.134, () => random.pick(random.below(8) === 0 ? newsletters : mail));
}
const random = new Random(21);
writeParts(inFolder("crawl.warc"), size * 0.2, (index) => record(random.pick(newsletters), index));
for (const [seed, name, program, ...options] of [
  [23, "old.mbox", "gzip", "-1", "-n"],
  [25, "spool.mbox", "bgzip", "-l", "1"],
] as const) {
  writeParts(inFolder(name), size * 0.09, pickFrom(new Random(seed), mail));
  execFileSync(program, [...options, inFolder(name)]);
}
// As crawlers write them, a member for each record.
const other = new Random(27);
const pickRecord = (index: number): Uint8Array => record(other.pick(newsletters), index);
writeParts(inFolder("pages.warc.gz"), size * 0.09, pickRecord, (one) => gzipSync(one, { level: 1 }));
const letters = new Random(29);
for (let [written, index] = [0, 0]; written < size * 0.01; index++) {
  const message = Buffer.from(letters.pick(mail));
  const letter = message.subarray(message.indexOf("\n") + 1);
  writeFileSync(inFolder(`maildir/new/${String(index).padStart(6, "0")}.M${index}`), letter);
  written += letter.length;
}
