// The file of a plan (plan.ts): a line of JSON for the header, for each shard, and for the end.
import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { fileError, named, type SourceErrorCode, systemCode } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import { shown } from "../base/shown.ts";
import { PACKAGE_VERSION, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { BlockRange } from "../input/containers/block-starts.ts";
import type { InputFormat } from "../input/input-format.ts";
import { READER_NAMES, type ReaderName } from "../options/table.ts";
import { absentOr, type Check, hashOf, isCount, isObject, isOmission, isText, listOf, objectOf } from "./checked-json.ts";
import { mayBeUnmounted, ShardError } from "./errors.ts";
import { RESULTS_VERSION } from "./frames.ts";

const READ_BYTES = 1 << 20;
const LINE_LENGTH_MOST = 1 << 28; // Most UTF-16 code units of a line: a shard may name 65,536 files
const INCOMPLETE = "is not complete: its last line is missing";
const PLAN_START = Buffer.from('{"urlmill":"plan"');
/** Options that no plan has: `merge` takes the name of the output, and a shard has no checkpoint. */
const WRITTEN = ["output", "checkpoint", "resumable", "resume"];

/** The first line of a plan: facts about all shards. */
export interface PlanHeader {
  readonly urlmill: "plan";
  /** Versions of the package, the rules, Unicode and the result files. Other versions may give other results. */
  readonly version: string;
  readonly command: ReaderName;
  /** Options of the command, in the form of the library. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Absolute folder that paths are relative to. */
  readonly folder: string;
  /** New folder that relative paths start from, if the files were moved. The user adds this member to the plan. */
  readonly moved?: string | undefined;
}

/** A file, or a part of one. */
export interface PlannedFile {
  /** Name of the file in records and messages: its path or URL. */
  readonly uri: string;
  /** The bytes of a path that is not UTF-8, in base64. */
  readonly path?: string | undefined;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Time of the last write, in milliseconds since 1970; absent for an object with an ETag. */
  readonly mtime?: number | undefined;
  /** ETag of the object's version on a server. */
  readonly etag?: string | undefined;
  /** The shard owns what starts in `[from, to)`, in decompressed bytes for a file with `blocks`. Absent: the start of the file. */
  readonly from?: number | undefined;
  /** End of the range; absent: the end of the file. */
  readonly to?: number | undefined;
  readonly format?: InputFormat | undefined;
  readonly byMessage?: boolean | undefined;
  readonly blocks?: BlockRange | undefined;
}

/** An input of a shard: a file, or an omission or error between files. */
export type ShardInput =
  | PlannedFile
  | { readonly omitted: Omission }
  | { readonly failed: { readonly code: SourceErrorCode; readonly source: string | undefined; readonly reason: string } };

/** A unit of work for one worker. */
export interface Shard {
  readonly id: number;
  /** Number of bytes to read. */
  readonly bytes: number;
  readonly inputs: readonly ShardInput[];
}

/** The last line of a plan. */
export interface PlanEnd {
  readonly shards: number;
  readonly bytes: number;
  /** The inputs as given by the user. */
  readonly paths: readonly string[];
  /** SHA-256 of the lines of the shards. */
  readonly sha256: string;
}

/** A line of a plan. */
export type PlanLine = PlanHeader | Shard | PlanEnd;

const isHeader = objectOf<PlanHeader>({
  command: (name) => (READER_NAMES as readonly unknown[]).includes(name),
  options: (options) => isObject(options) && !WRITTEN.some((name) => name in options),
  folder: isText,
  moved: absentOr(isText),
});
const isEnd = objectOf<PlanEnd>({ shards: isCount, bytes: isCount, paths: listOf(isText) });
const isPlannedFile = objectOf<PlannedFile>({
  uri: (uri) => isText(uri) && !uri.includes("\0"),
  path: absentOr(isText),
  size: isCount,
  from: absentOr(isCount),
  to: absentOr(isCount),
});
const isFailure = objectOf<{ code: SourceErrorCode; reason: string }>({ code: isText, reason: isText });
const isInput: Check = (value) => {
  if (!isObject(value)) return false;
  if ("omitted" in value) return isOmission(value.omitted);
  return "failed" in value ? isFailure(value.failed) : isPlannedFile(value);
};
export const isShard = objectOf<Shard>({ id: isCount, bytes: isCount, inputs: listOf(isInput) });

export function isFile(input: ShardInput): input is PlannedFile {
  return "uri" in input;
}

export function planVersion(): string {
  return `${PACKAGE_VERSION} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION}, results ${RESULTS_VERSION})`;
}

/** Throws ShardError if a plan was made by another version. `name` is the plan's name in the message. */
export function checkVersion({ version }: PlanHeader, name: string): void {
  if (version === planVersion()) return;
  throw new ShardError("ERR_URLMILL_PLAN", `${name} is of urlmill ${version}, which may find others than ${planVersion()}`);
}

/** Returns the identity of a shard's work: with the same one, shards of any plan have the same results. `moved` does not change it. */
export function identityOf({ moved: _, ...header }: PlanHeader, shard: Shard): string {
  return hashOf(`${JSON.stringify(header)}\n${JSON.stringify(shard)}\n`);
}

/** A plan in a file. It is read line by line, because it may have a million shards. */
export class PlanFile {
  readonly header: PlanHeader;
  readonly #path: string;
  #end: PlanEnd | undefined;

  private constructor(path: string, header: PlanHeader) {
    this.#path = path;
    this.header = header;
  }

  /** Opens a plan and reads its header. Rejects with ShardError for a file that is no plan, or a plan of another version. */
  static async open(path: string): Promise<PlanFile> {
    for await (const line of linesOf(path)) {
      const header = parsed<PlanHeader>(line);
      if (header?.urlmill !== "plan") break;
      checkVersion(header, shown(path));
      if (!isHeader(header)) throw planError(path, "is damaged: its first line is not that of a plan");
      return new PlanFile(path, header);
    }
    throw planError(path, "is no plan of urlmill");
  }

  /** Returns the shard with this number. Rejects with ShardError if the plan has none, or if its line is missing or damaged. */
  async shard(id: number): Promise<Shard> {
    let line = -1;
    let last = "";
    for await (const text of linesOf(this.#path)) {
      if (line++ === id) return this.#checked(parsed<Shard | PlanEnd>(text), id);
      last = text;
    }
    const end = parsed<PlanEnd>(last);
    if (end?.shards === undefined) throw planError(this.#path, INCOMPLETE);
    return this.#checked(end, id);
  }

  /** Returns the last line. The first call reads and checks all lines. Rejects with ShardError as `shards` does. */
  async end(): Promise<PlanEnd> {
    if (this.#end === undefined) for await (const _ of this.shards());
    return this.#end as PlanEnd;
  }

  /** Yields the shards in their order. Rejects with ShardError if the file is damaged, or its end is missing. */
  async *shards(): AsyncGenerator<Shard> {
    let count = -1;
    let end: PlanEnd | undefined;
    const hash = createHash("sha256");
    for await (const text of linesOf(this.#path)) {
      if (++count === 0) continue;
      if (end !== undefined) throw planError(this.#path, "is damaged: there is more after its last line");
      const line = parsed<Shard | PlanEnd>(text);
      if (line !== undefined && "shards" in line && line.shards === count - 1) {
        if (line.sha256 !== hash.digest("hex") || !isEnd(line))
          throw planError(this.#path, "is damaged: its shards are not those that it was written with");
        end = line;
        continue;
      }
      hash.update(`${text}\n`);
      yield this.#checked(line, count - 1);
    }
    if (end === undefined) throw planError(this.#path, INCOMPLETE);
    this.#end = end;
  }

  #checked(line: Shard | PlanEnd | undefined, id: number): Shard {
    if (isShard(line) && line.id === id) return line;
    if (line !== undefined && "shards" in line) throw planError(this.#path, `has no shard ${id}`);
    throw planError(this.#path, `is cut off, or damaged: line ${id + 2} is not that of shard ${id}`);
  }
}

function planError(path: string, words: string): ShardError {
  return new ShardError("ERR_URLMILL_PLAN", `${shown(path)} ${words}`);
}

/** Returns whether a file begins like a plan of any version. If it cannot be read, throws an error that names it. */
export function isPlan(path: string): boolean {
  const start = Buffer.alloc(PLAN_START.length);
  return named(path, "read", () => {
    const fd = openSync(path, "r");
    try {
      return readSync(fd, start) === start.length && start.equals(PLAN_START);
    } finally {
      closeSync(fd);
    }
  });
}

export function parsed<T>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

// Node's readline module treats U+2028 as a line end, but a name may contain it.
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of textOf(path)) {
    const [first, ...others] = chunk.split("\n");
    rest += first;
    for (const line of others) {
      yield rest;
      rest = line;
    }
    const last = others.at(-1) ?? first;
    // A file that is no plan may be one endless line.
    if (rest.length === last.length && /^[^{]/.test(last)) return;
    if (rest.length > LINE_LENGTH_MOST) throw planError(path, "is damaged: a line of it does not end");
  }
  if (rest !== "") yield rest;
}

async function* textOf(path: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(path, { encoding: "utf8", highWaterMark: READ_BYTES });
  } catch (error) {
    const code = systemCode(error);
    if (code === "EISDIR") throw planError(path, "is a folder; give the file of a plan");
    if (code === "ENOTDIR" || (code === "ENOENT" && !mayBeUnmounted(path)))
      throw new ShardError("ERR_URLMILL_PLAN", `${shown(path)}: no such file`);
    throw fileError(path, "read", error);
  }
}
