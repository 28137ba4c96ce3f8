// From the paths that a user names to the files that are read, one after the other; nothing is opened here.
import { type Dirent, fstatSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { SourceError } from "../errors.ts";

/** Stands in a list of inputs for the standard input. */
export const STDIN: unique symbol = Symbol("stdin");

/** A path, or the standard input. */
export type Input = string | typeof STDIN;

/** A file to be read. */
export interface FileSource {
  /** Bytes of the path (names of files need not be UTF-8), or the descriptor of an open file. */
  readonly file: Uint8Array | number;
  /** Name of the source in records and messages. */
  readonly name: string;
  /** False for what has no offsets: a pipe, a terminal, a device. */
  readonly regular: boolean;
  /** Bytes at the time of listing. */
  readonly size: number;
  /** Device and inode. */
  readonly identity: string;
}

/** Device and inode of a file, so that an output is never read as an input. */
export function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

/**
 * The files behind the inputs in their order, each folder in byte order of the paths below it (hidden ones too, links inside folders not
 * followed). What cannot be listed stands in its place as a SourceError.
 */
export function* listSources(inputs: Iterable<Input>): Generator<FileSource | SourceError> {
  for (const input of inputs) {
    if (input === STDIN) yield stdinSource();
    else yield* listPath(Buffer.from(input), true);
  }
}

function* listPath(path: Buffer, named: boolean): Generator<FileSource | SourceError> {
  let entries: Dirent<Buffer>[];
  try {
    const stats = named ? statSync(path) : lstatSync(path);
    if (!stats.isDirectory()) {
      if (named || stats.isFile()) yield sourceOf(path, path.toString(), stats, stats.isFile());
      return;
    }
    entries = readdirSync(path, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    yield SourceError.from(path.toString(), error);
    return;
  }
  const folder = path.at(-1) === 0x2f ? path : Buffer.concat([path, SLASH]);
  const names = entries.filter((entry) => entry.isFile() || entry.isDirectory()).map(sortName);
  for (const name of names.sort(Buffer.compare)) {
    yield* listPath(Buffer.concat([folder, name.at(-1) === 0x2f ? name.subarray(0, -1) : name]), false);
  }
}

const SLASH = Buffer.from("/");

// With its slash a folder sorts where the paths below it belong: "a.txt" before "a/b", "a-" before both.
function sortName(entry: Dirent<Buffer>): Buffer {
  return entry.isDirectory() ? Buffer.concat([entry.name, SLASH]) : entry.name;
}

function sourceOf(file: Uint8Array | number, name: string, stats: Stats, regular: boolean): FileSource {
  return { file, name, regular, size: stats.size, identity: identityOf(stats) };
}

function stdinSource(): FileSource | SourceError {
  try {
    const stats = fstatSync(0);
    return sourceOf(0, "-", stats, stats.isFile() && isAtStart(0));
  } catch (error) {
    return SourceError.from("-", error);
  }
}

// A redirected file is read by offsets, like a path; not if somebody has read a part of it before: `(head -c 9 >&2; urlmill) <file`.
function isAtStart(fd: number): boolean {
  try {
    return /^pos:\s*0$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"));
  } catch {
    return false;
  }
}
