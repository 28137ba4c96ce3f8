// From the paths that a user names to the files that are read, one after the other; nothing is opened here.
import { type Dirent, fstatSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { SourceError } from "../errors.ts";

/** Stands in a list of inputs for the standard input. */
export const STDIN: unique symbol = Symbol("stdin");

/** A path, or the standard input. */
export type Input = string | typeof STDIN;

/** What names a file to the system: its path (as bytes where they are no ASCII: they need not be UTF-8), or an open descriptor. */
export type FileName = string | Uint8Array | number;

/** A file to be read. */
export interface FileSource {
  readonly file: FileName;
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
    else yield* listPath(Buffer.from(input).toString("latin1"), true);
  }
}

// Here a path is a string with a character for each byte, so that any name can be read and the order of strings is that of bytes.
function* listPath(path: string, named: boolean): Generator<FileSource | SourceError> {
  const isAscii = /^[\0-\x7f]*$/.test(path);
  const file = isAscii ? path : Buffer.from(path, "latin1");
  let entries: Dirent[];
  try {
    const stats = named ? statSync(file) : lstatSync(file);
    if (!stats.isDirectory()) {
      if (named || stats.isFile()) yield sourceOf(file, file.toString(), stats, stats.isFile());
      return;
    }
    entries = readdirSync(file, { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    yield SourceError.from(file.toString(), error);
    return;
  }
  const folder = path.endsWith("/") ? path : `${path}/`;
  // With its slash a folder sorts where the paths below it belong: "a.txt" before "a/b", "a-" before both.
  const names = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  for (const name of names.sort()) yield* listPath(folder + (name.endsWith("/") ? name.slice(0, -1) : name), false);
}

function sourceOf(file: FileName, name: string, stats: Stats, regular: boolean): FileSource {
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
