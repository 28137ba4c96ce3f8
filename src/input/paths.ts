// Lists the files in the paths that the user gave, without opening them. In folders, globs choose them, and links are followed or not.
import { isUtf8 } from "node:buffer";
import { type Dirent, fstatSync, lstatSync, readdirSync, readFileSync, type Stats, statfsSync, statSync } from "node:fs";
import { SourceError, systemCode } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import { isUnfinished } from "../base/unfinished.ts";
import type { FolderOptions } from "../options/options.ts";

export const STDIN: unique symbol = Symbol("stdin");

/** A path (bytes if the path is not UTF-8), or the standard input. */
export type Input = string | Buffer | typeof STDIN;

/** A file for the system: its path (as bytes if they are not ASCII, because they need not be UTF-8), or an open descriptor. */
export type FileName = string | Uint8Array | number;

export interface FileSource {
  readonly file: FileName;
  /** Name of the source in records and messages: the path, in which a byte that is not UTF-8 is `\xNN`; `-` for the standard input. */
  readonly name: string;
  /** Whether the user named the file; false: it was found in a folder. */
  readonly isNamed: boolean;
  /** Whether bytes can be read at any offset: not of pipes, terminals, devices, files of the kernel, repositories, or a begun stdin. */
  readonly isRegular: boolean;
  /** Bytes at the time of listing. */
  readonly size: number;
  /** Time of the last write, in milliseconds. */
  readonly mtime: number;
  readonly identity: string;
  /** Whether the source is a git repository, which may be an archive of mail (A20). */
  readonly isRepository?: boolean;
}

/** An entry of an input: a source, a file or folder that is omitted, or an error. */
export type Listed = FileSource | Omission | SourceError;

export function isSource(listed: Listed): listed is FileSource {
  return "identity" in listed;
}

/** Returns device and inode of a file or folder: they are equal if two paths lead to the same one. */
export function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

/** Returns the stats of a file; undefined if there are none. If this is an error, reading or writing the file reports it. */
export function statsOf(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

type PathTest = (pathInFolder: string, isFolder: boolean) => boolean;

export interface FolderReading {
  readonly follow: boolean;
  /** Selects the files that are read, and folders whose files are all read. Absent: all. */
  readonly includes?: PathTest;
  readonly excludes?: PathTest;
}

export const ALL_FILES: FolderReading = { follow: false };

/** Returns how folders are read with these options. The glob library is loaded only if there are globs. */
export async function folderReading({ include, exclude, follow }: FolderOptions): Promise<FolderReading> {
  return {
    follow,
    ...(include.length > 0 && { includes: await testOf(include) }),
    ...(exclude.length > 0 && { excludes: await testOf(exclude) }),
  };
}

// Globs are like lines of a .gitignore: one with a slash before its end is matched against the whole path, others against names at any
// depth. A glob that ends in a slash matches only folders.
async function testOf(globs: readonly string[]): Promise<PathTest> {
  const { default: picomatch } = await import("picomatch");
  const tests = globs.map((glob): PathTest => {
    const ofFolders = glob.endsWith("/");
    const ofPaths = glob.slice(0, -1).includes("/");
    const matches = picomatch(glob.replace(/^\/|\/$/g, ""), { dot: true, nonegate: true, windows: false });
    return (path, isFolder) => (isFolder || !ofFolders) && matches(ofPaths ? path : path.slice(path.lastIndexOf("/") + 1));
  });
  return (path, isFolder) => tests.some((test) => test(path, isFolder));
}

/**
 * Lists the files of the inputs. A path that cannot be listed is a SourceError. The files of a folder, also hidden ones, come in byte order
 * of their paths. In folders, special files, git repositories, excluded paths, and links that are not followed are omissions.
 */
export function* listSources(inputs: Iterable<Input>, reading: FolderReading = ALL_FILES): Generator<Listed> {
  for (const input of inputs) {
    if (input === STDIN) yield stdinSource();
    else if (input === "") yield new SourceError("ERR_URLMILL_NOT_FOUND", undefined, "has an empty path");
    else yield* listPath(Buffer.from(input as string).toString("latin1"), reading, new Set());
  }
}

interface Found {
  readonly isLink: boolean;
  /** Whether the path, or a folder above it, matches an include glob. True if there are none. */
  readonly isIncluded: boolean;
  /** Length of the path of the folder that was given, with its slash. */
  readonly rootLength: number;
}

// Here a path is a string with a character for each byte, so that any name can be read and strings sort in byte order.

/** Lists a path; `found` is absent for an input itself. `listed`: identities of the folders that were listed, if links are followed. */
function* listPath(path: string, reading: FolderReading, listed: Set<string>, found?: Found): Generator<Listed> {
  const isNamed = found === undefined;
  const [file, name] = [fileOf(path), nameOf(path)];
  let entries: Dirent[];
  try {
    const stats = isNamed ? statSync(file) : found.isLink ? statsOfLink(file, reading, listed) : lstatSync(file);
    if (stats === undefined) return yield { reason: "link", source: name };
    if (!stats.isDirectory()) {
      if (isNamed || stats.isFile()) yield sourceOf(file, name, stats, isNamed, stats.isFile() && !isOfKernel(file, stats));
      else yield { reason: "special-file", source: name };
      return;
    }
    if (reading.follow) listed.add(identityOf(stats));
    entries = readdirSync(file, { withFileTypes: true, encoding: "latin1" });
    if (isRepository(entries)) {
      if (isNamed) yield { ...sourceOf(file, name, stats, isNamed, false), isRepository: true };
      else yield { reason: "git", source: name };
      return;
    }
  } catch (error) {
    return yield SourceError.from(name, error);
  }
  const { follow, includes, excludes } = reading;
  const folder = path.endsWith("/") ? path : `${path}/`;
  const { rootLength, isIncluded: isAllIncluded } = found ?? { rootLength: folder.length, isIncluded: includes === undefined };
  const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name));
  const isFolderAt = (entry: Dirent): boolean =>
    follow && entry.isSymbolicLink() ? statsOf(fileOf(folder + entry.name))?.isDirectory() === true : entry.isDirectory();
  // Folders get a slash, so that they sort like the paths below them: "a.txt" before "a/b", "a-" before both.
  const names = entries.filter((entry) => !isUnfinished(entry.name)).map((entry) => (isFolderAt(entry) ? `${entry.name}/` : entry.name));
  for (const slashed of names.sort()) {
    const isFolder = slashed.endsWith("/");
    const entry = isFolder ? slashed.slice(0, -1) : slashed;
    const below = (): string => nameOf((folder + entry).slice(rootLength));
    const isIncluded = isAllIncluded || includes?.(below(), isFolder) === true;
    if (excludes?.(below(), isFolder) === true || !(isFolder || isIncluded)) yield { reason: "excluded", source: nameOf(folder + entry) };
    else yield* listPath(folder + entry, reading, listed, { isLink: links.has(entry), isIncluded, rootLength });
  }
}

/** Returns the stats of a link's target; undefined if links are not followed, it is missing, or listed already, so that loops end. */
function statsOfLink(file: string | Buffer, { follow }: FolderReading, listed: ReadonlySet<string>): Stats | undefined {
  try {
    const stats = follow ? statSync(file) : undefined;
    return stats === undefined || listed.has(identityOf(stats)) ? undefined : stats;
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ELOOP") return undefined;
    throw error;
  }
}

/** Returns whether a folder has the entries of a git repository: a bare one, or the `.git` of a working tree. Its texts are compressed. */
function isRepository(entries: readonly Dirent[]): boolean {
  const has = (name: string, isFolder: boolean): boolean =>
    entries.some((entry) => entry.name === name && entry.isDirectory() === isFolder);
  return has("HEAD", false) && has("objects", true) && has("refs", true);
}

const fileOf = (path: string): string | Buffer => (/^[\0-\x7f]*$/.test(path) ? path : Buffer.from(path, "latin1"));

function sourceOf(file: FileName, name: string, stats: Stats, isNamed: boolean, isRegular: boolean): FileSource {
  return { file, name, isNamed, isRegular, size: stats.size, mtime: stats.mtimeMs, identity: identityOf(stats) };
}

const CHARACTER = /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

/** Returns a path of bytes as text: a byte that is not UTF-8 becomes `\xNN`, so that names stay unique. */
function nameOf(path: string): string {
  return path.replace(CHARACTER, (character) => {
    const bytes = Buffer.from(character, "latin1");
    return isUtf8(bytes) ? bytes.toString() : Array.from(bytes, (byte) => `\\x${byte.toString(16)}`).join("");
  });
}

/** Types of file systems whose files are made by the kernel: proc, sysfs, tracefs, debugfs. Reading some of these files never ends. */
const KERNEL_FILE_SYSTEMS: readonly number[] = [0x9fa0, 0x62656572, 0x74726163, 0x64626720];

function isOfKernel(file: string | Buffer, { size }: Stats): boolean {
  return size === 0 && KERNEL_FILE_SYSTEMS.includes(statfsSync(file).type);
}

function stdinSource(): FileSource | SourceError {
  try {
    const stats = fstatSync(0);
    if (stats.isDirectory()) return new SourceError("ERR_URLMILL_UNREADABLE", "-", "is a folder; give its path");
    return sourceOf(0, "-", stats, true, stats.isFile() && isAtStart(0));
  } catch (error) {
    return SourceError.from("-", error);
  }
}

// A redirected file is read by offsets, like a path, unless its start has been read before: `(head -c 9 >&2; urlmill) <file`. Without /proc
// this is not known, and the file is read as a stream.
function isAtStart(fd: number): boolean {
  try {
    return /^pos:\s*0$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"));
  } catch {
    return false;
  }
}
