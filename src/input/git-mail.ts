// Archives of mail in git, as public-inbox keeps them (A20): each commit adds a message. Git itself reads the repository. Its output
// becomes a tar: each message is a file with the name of its commit.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { promises } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { SourceError } from "../base/errors.ts";
import { ByteReader } from "./containers/byte-reader.ts";
import { corrupt } from "./containers/errors.ts";
import { TAR_BLOCK } from "./containers/recognize.ts";
import { Pacer } from "./pacer.ts";
import type { FileSource } from "./paths.ts";
import { fromAsync, resultOf, type Steps, toAsync } from "./steps.ts";

const HASH_FILE = /^[0-9a-f]{2}\/[0-9a-f]{38}$/; // Format version 1: the path of a message, `ab/cdef...`. It is the hash of the Message-ID
const MESSAGE_FILE = "m"; // Format version 2: the file with the message that a commit adds
/** The names in the root folder of an archive: folders in format version 1; in version 2 files with added and deleted messages. */
const ROOT = /^(?:(?:[0-9a-f]{2}\n)+|(?:[md]\n)+)$/;
/** The line of `git diff-tree` for a file that a commit adds or changes: captures the blob and the path. */
const CHANGE = /^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) [AM]\t(.*)$/;
const MISSING = /^([0-9a-f]+) missing$/; // The line of git for a blob that the repository lacks
const COMMIT = /^[0-9a-f]{40,64}$/;
const LEADS_OUT = /^(?:\.git|commondir|objects[/\\]info[/\\]alternates)$/i;
const UNREAD = /^(?:hooks|logs|modules|worktrees)(?:$|[/\\])/; // Entries that the commands of git here do not read
const LISTED_BYTES_MAX = 1 << 20; // Most bytes of the names in the root folder
const LINE_BYTES_MAX = 200; // Most bytes of a line of `git cat-file`: a size and a commit before a message, or MISSING
const ERROR_CHARACTERS_MOST = 300; // Most characters of git's standard error in an error message
const LINE_FEED = 0x0a;

/** Returns the messages of a repository as a tar. Rejects with SourceError, also for a repository that is no archive of mail. */
export async function openGitMail({ file, name }: FileSource): Promise<AsyncIterable<Uint8Array>> {
  const path = String(file);
  const refuse = (reason: string): never => {
    throw new SourceError("ERR_URLMILL_METHOD", name, `is a git repository ${reason}`);
  };
  const foreign = await wayOut(path).catch((error: unknown) => Promise.reject(SourceError.from(name, error)));
  if (foreign !== undefined)
    refuse(`that leads elsewhere by ${foreign}, which urlmill does not follow; git clone --bare --no-local makes a whole repository of it`);
  if (!ROOT.test(await listRoot(path, name)))
    refuse("without an archive of mail; git cat-file --batch --batch-all-objects writes all that is in it");
  return toAsync(readMessages(path, name));
}

/** Returns the path of an entry by which git would leave the repository: another one, a link, a pipe or a device, no socket. (C248) */
async function wayOut(path: string): Promise<string | undefined> {
  const entries = await promises.readdir(path, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => relative(path, join(entry.parentPath, entry.name)));
  return names.find((name, index) => {
    const isPlain = entries[index].isFile() || entries[index].isDirectory() || entries[index].isSocket();
    return LEADS_OUT.test(name) || !(isPlain || UNREAD.test(name));
  });
}

// The repository at `path` is not trusted: git must not read another repository, fetch from URLs that this one names, or replace objects.
// The user's own settings stay.
function environmentFor(path: string): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^GIT_(?!CONFIG)/.test(key))),
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: dirname(resolve(path)),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

/** Resolves to the names in the root folder of the newest commit, one a line; to "" if they are too long. Rejects with SourceError. */
function listRoot(path: string, name: string): Promise<string> {
  return new Promise((resolvePromise, reject) => {
    const options = { env: environmentFor(path), maxBuffer: LISTED_BYTES_MAX };
    execFile("git", ["-C", path, "ls-tree", "--name-only", "HEAD"], options, (error, stdout, stderr) => {
      // A folder with a longer list of names is no archive of mail.
      if (error === null || error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolvePromise(error === null ? stdout : "");
      else if (error.code === "ENOENT")
        reject(new SourceError("ERR_URLMILL_METHOD", name, "is a git repository; to read an archive of mail in it, install git"));
      else
        reject(new SourceError("ERR_URLMILL_UNREADABLE", name, `is a git repository, but ${errorLine(stderr, error.code, error.signal)}`));
    });
  });
}

function errorLine(stderr: string, code: unknown, signal: unknown): string {
  const [line = ""] = stderr.slice(0, ERROR_CHARACTERS_MOST).split("\n", 1);
  return line === "" ? `git ended with ${signal ?? `exit code ${code}`}` : `git says ${line}`;
}

function* readMessages(path: string, name: string): Steps<Uint8Array> {
  const git = (...args: string[]) => spawn("git", ["-C", path, ...args], { env: environmentFor(path) });
  const commits = git("rev-list", "--reverse", "HEAD");
  const changes = git("diff-tree", "--stdin", "--root", "-r", "--raw", "--no-renames", "--no-abbrev", "--diff-filter=AM");
  const blobs = git("cat-file", "--batch=%(objectsize) %(rest)", "--buffer");
  const programs = [commits, changes, blobs];
  const ends = programs.map(endOf);
  // A failed program closes its pipe, which ends the programs that feed it. Its exit code reports the error.
  const ignored = (): void => undefined;
  for (const { stdin } of programs) stdin.on("error", ignored);
  commits.stdin.end();
  pipeline(commits.stdout, changes.stdin, ignored);
  pipeline(changes.stdout, requestsOf, blobs.stdin, ignored);
  const reader = new ByteReader(fromAsync<Uint8Array>(blobs.stdout), new Pacer());
  let [missing, firstMissing] = [0, ""];
  try {
    for (;;) {
      const line = yield* takeLine(reader);
      if (line === "") break;
      const [, blob] = MISSING.exec(line) ?? [];
      if (blob !== undefined) {
        if (missing++ === 0) firstMissing = blob;
        continue;
      }
      const [, size, commit] = /^(\d+) ([0-9a-f]+)$/.exec(line) ?? [];
      if (size === undefined || commit === undefined) throw corrupt(name, `git says ${line}`);
      yield* tarEntry(reader, commit, Number(size));
    }
    // The programs that feed a failed one end with SIGPIPE, so the last error counts.
    const failed = (yield* resultOf(Promise.all(ends))).findLast((words) => words !== undefined);
    if (failed !== undefined) throw corrupt(name, failed);
    const lost = `git lacks ${missing} ${missing === 1 ? "message" : "messages"} (the first: ${firstMissing})`;
    if (missing > 0) throw corrupt(name, lost, undefined, "everything else was read");
    yield new Uint8Array(2 * TAR_BLOCK);
  } finally {
    for (const program of programs) program.kill();
  }
}

/** Resolves at the end of a program: to its error message, or to undefined if it succeeded. */
function endOf(program: ChildProcessWithoutNullStreams): Promise<string | undefined> {
  let stderr = "";
  program.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < ERROR_CHARACTERS_MOST) stderr += text;
  });
  return new Promise((resolvePromise) => {
    program.on("error", (error) => resolvePromise(error.message));
    program.on("close", (code, signal) => resolvePromise(code === 0 ? undefined : errorLine(stderr, code, signal)));
  });
}

/** Yields the lines that ask git for the messages. A line has the blob and the commit of one message. */
async function* requestsOf(changes: Readable): AsyncGenerator<string> {
  let rest = "";
  let commit = "";
  for await (const chunk of changes.setEncoding("latin1")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    let asked = "";
    for (const line of lines) {
      const [, blob = "", path = ""] = CHANGE.exec(line) ?? [];
      if (COMMIT.test(line)) commit = line;
      else if (path === MESSAGE_FILE || HASH_FILE.test(path)) asked += `${blob} ${commit}\n`;
    }
    if (asked !== "") yield asked;
  }
}

/** Takes a line of at most LINE_BYTES_MAX bytes; returns it without its line end. Returns "" at the end of the output. */
function* takeLine(reader: ByteReader): Steps<never, string> {
  const start = yield* reader.peek(LINE_BYTES_MAX);
  const end = start.indexOf(LINE_FEED);
  const line = Buffer.from(yield* reader.take(end < 0 ? start.length : end + 1)).toString("latin1");
  return end < 0 ? line : line.slice(0, -1);
}

/** Yields a message of `size` bytes as a file of a tar, and skips the line feed that git writes after the message. */
function* tarEntry(reader: ByteReader, commit: string, size: number): Steps<Uint8Array> {
  yield tarHeader(commit, size);
  for (let left = size; left > 0; ) {
    const chunk = yield* reader.next(left);
    if (chunk === undefined) return;
    left -= chunk.length;
    yield chunk;
  }
  yield new Uint8Array(-size & (TAR_BLOCK - 1));
  yield* reader.skip(1);
}

function tarHeader(name: string, size: number): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0);
  header.write("0000644\x000000000\x000000000\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0        0`, 124);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
