// A plan: what is scanned, cut into shards that any number of machines may scan in any order. The same inputs give the same plan.
import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { PACKAGE_VERSION, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import { SourceError, type SourceErrorCode } from "../errors.ts";
import type { BlockRange } from "../input/containers/block-range.ts";
import { folderReading } from "../input/folder-reading.ts";
import type { InputFormat } from "../input/input-format.ts";
import { type FileSource, type Input, isSource, type Listed } from "../input/paths.ts";
import type { Omission } from "../omission.ts";
import { checkValues, type ReaderName } from "../option-table.ts";
import { EVERYTHING } from "../options.ts";
import { commandSettings, uniqueFields } from "../run/command-settings.ts";
import type { FilePart } from "../run/scan-file.ts";
import { shown } from "../shown.ts";
import { type Part, planSteps, type Step } from "../threads/plan.ts";
import { listInputs } from "../threads/scan-files.ts";
import { ShardError } from "./errors.ts";
import { RESULTS_VERSION } from "./frames.ts";
import { isRemote, openRemote } from "./open.ts";
import type { Remote } from "./remote/remote.ts";
import type { Patience } from "./remote/tries.ts";

/** Bytes of a shard: some tenths of a second of scanning, and a thousand times what its files cost. */
export const SHARD_BYTES = 256 << 20;
/** Shards of a plan, at most: 256 TB of the usual ones. */
const SHARDS_MOST = 1_000_000;
/** Files in a shard, at most. */
const SHARD_FILES = 1 << 16;

/** The first line of a plan: what holds for all shards. */
export interface PlanHeader {
  readonly urlmill: "plan";
  /** Versions of the package, of the rules, of Unicode and of the files of results: others may find something else. */
  readonly version: string;
  readonly command: ReaderName;
  /** Options of the command, as a program would give them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths are relative to it. */
  readonly folder: string;
  /** Where the files of that folder have been moved to, if somebody has written that here. */
  readonly moved?: string | undefined;
  /** Reduces that distinct records and counts are divided into. */
  readonly partitions?: number | undefined;
}

/** A file, or a part of one. */
export interface PlannedFile {
  /** Its name in records and messages: the path, or the URL. */
  readonly uri: string;
  /** The bytes of a path that is not UTF-8, in base64. */
  readonly path?: string | undefined;
  readonly size: number;
  /** When it was written last, in milliseconds. */
  readonly mtime?: number | undefined;
  /** What a server calls this version of it. */
  readonly etag?: string | undefined;
  /** The shard owns what starts in `[from, to)`; absent: from the start, to the end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly format?: InputFormat | undefined;
  readonly byMessage?: boolean | undefined;
  readonly blocks?: BlockRange | undefined;
}

/** What a shard has: files, and what stands between them that is not read. */
export type ShardInput =
  | PlannedFile
  | { readonly omitted: Omission }
  | { readonly failed: { readonly code: SourceErrorCode; readonly source: string | undefined; readonly reason: string } };

/** What one worker scans at once. */
export interface Shard {
  /** Number, from 0 on. */
  readonly id: number;
  /** Bytes that are read. */
  readonly bytes: number;
  readonly inputs: readonly ShardInput[];
}

/** The last line of a plan. */
export interface PlanEnd {
  readonly shards: number;
  readonly bytes: number;
  /** The inputs, as they were given. */
  readonly paths: readonly string[];
  /** SHA-256 of the lines of the shards. */
  readonly sha256: string;
}

/** A line of a plan. */
export type PlanLine = PlanHeader | Shard | PlanEnd;

/** How a plan is made. */
export interface PlanOptions {
  /** The command whose run is divided; `extract` if it is absent. */
  readonly command?: ReaderName | undefined;
  /** Its options, by their names in the library: `{ format: "ndjson" }`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Bytes of a shard; SHARD_BYTES if absent. */
  readonly shardBytes?: number | undefined;
  readonly partitions?: number | undefined;
  /** How servers are waited for. */
  readonly patience?: Partial<Patience> | undefined;
  /** Files that are left out, by `identityOf`. */
  readonly outputs?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the versions of the package, of the rules, of Unicode and of the files of results. */
export function planVersion(): string {
  return `${PACKAGE_VERSION} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION}, results ${RESULTS_VERSION})`;
}

/** Returns whether an input is a file that is read. */
export function isFile(input: ShardInput): input is PlannedFile {
  return "uri" in input;
}

/**
 * Yields the lines of a plan: its header, the shards, and its end. Rejects with OptionError for wrong options, with ShardError for an input
 * that cannot be read again, and with the signal's reason.
 */
export async function* plan(paths: readonly Input[], options: PlanOptions = {}): AsyncGenerator<PlanLine> {
  const { command = "extract", options: given = {}, signal } = options;
  const own = checkValues("urlmill plan", { shardBytes: options.shardBytes, partitions: options.partitions });
  const { shardBytes = SHARD_BYTES, partitions } = own;
  const values = checkValues(`urlmill ${command}`, given);
  const settings = commandSettings(command, values);
  if (partitions !== undefined && command !== "count" && uniqueFields(values) === undefined) {
    throw new ShardError("ERR_PLAN", "only distinct records and counts have partitions: give -u, --unique-by or count");
  }
  const folder = process.cwd();
  if (folder.includes("\ufffd"))
    throw new ShardError("ERR_PLAN", `${shown(folder)} has a name that is not UTF-8; plan in a folder above it`);
  yield { urlmill: "plan", version: planVersion(), command, options: given, folder, partitions };
  const folders = await folderReading(values);
  // The number of a message counts in the whole file, which only one reader of all of it knows.
  const keys = command === "count" ? values.by : partitions === undefined ? [] : (uniqueFields(values) ?? []);
  const isCut = !keys.includes("message");
  const open: Parameters<typeof planSteps>[1]["open"] = new Map();
  const plan = { range: EVERYTHING, rangeBytes: isCut ? shardBytes : Number.POSITIVE_INFINITY, threads: 1, settings, open };
  const shards = new Grouping(shardBytes);
  try {
    let remote: Remote | undefined;
    for (const path of paths) {
      if (typeof path === "string" && isRemote(path)) {
        remote ??= await openRemote({ ...options.patience, signal });
        const { planObjects } = await import("./remote/plan-objects.ts");
        for await (const { input, isLarge } of planObjects(path, remote, folders, plan)) {
          signal?.throwIfAborted();
          yield* shards.add(input, isLarge);
        }
        continue;
      }
      const listed = sized(listInputs([path], { outputs: options.outputs, folders }), plan.rangeBytes);
      for (const step of planSteps(listed, plan)) {
        signal?.throwIfAborted();
        if (step.kind !== "close") yield* shards.take(step);
        else {
          step.file.close();
          open.delete(step.file);
        }
      }
    }
    yield* shards.flush();
  } finally {
    for (const file of open.keys()) file.close();
  }
  yield { shards: shards.count, bytes: shards.bytes, paths: paths.map(String), sha256: shards.hash.digest("hex") };
}

/** Puts small files together, and gives each part of a large one a shard. */
class Grouping {
  readonly #shardBytes: number;
  #inputs: ShardInput[] = [];
  #groupBytes = 0;
  /** The file whose parts come. */
  #source: FileSource | undefined;
  count = 0;
  bytes = 0;
  readonly hash = createHash("sha256");

  constructor(shardBytes: number) {
    this.#shardBytes = shardBytes;
  }

  /** Yields the shards that are complete with a step. */
  *take(step: Exclude<Step, { kind: "close" }>): Generator<Shard> {
    if (step.kind === "omitted") return void this.#inputs.push({ omitted: step.omission });
    if (step.kind === "failed") return void this.#inputs.push(failedInput(step.error));
    if (step.kind === "stream") throw new ShardError("ERR_PLAN", `${step.source.name} is no file: a shard may be read again`);
    const sources = step.listed.filter(isSource);
    for (const [index, part] of step.parts.entries()) {
      this.#source = sources[index] ?? this.#source;
      const isLarge = step.file !== undefined;
      const error = isLarge ? undefined : permissionError(this.#source as FileSource);
      if (error !== undefined) this.#inputs.push(failedInput(error));
      else yield* this.add(plannedFile(part, this.#source as FileSource), isLarge);
    }
  }

  /** Yields the shards that are complete with an input. A part of a large one has a shard of its own. */
  *add(input: ShardInput, isLarge: boolean): Generator<Shard> {
    const bytes = isFile(input) ? bytesOf(input) : 0;
    if (isLarge || this.#groupBytes + bytes > this.#shardBytes || this.#inputs.length >= SHARD_FILES) yield* this.flush();
    this.#inputs.push(input);
    this.#groupBytes += bytes;
    if (isLarge) yield* this.flush();
  }

  /** Yields the shard of what has come, if there is something. */
  *flush(): Generator<Shard> {
    if (this.#inputs.length === 0) return;
    if (this.count === SHARDS_MOST) throw tooManyShards("the inputs", this.#shardBytes);
    const shard: Shard = { id: this.count, bytes: this.#groupBytes, inputs: this.#inputs };
    this.hash.update(`${JSON.stringify(shard)}\n`);
    yield shard;
    this.count++;
    this.bytes += this.#groupBytes;
    this.#inputs = [];
    this.#groupBytes = 0;
  }
}

/** Returns the error for more shards than a plan may have. */
function tooManyShards(what: string, shardBytes: number): ShardError {
  const most = SHARDS_MOST.toLocaleString("en");
  return new ShardError("ERR_PLAN", `${what} would be more than ${most} shards of ${shardBytes} bytes; give a larger --shard-bytes`);
}

/** Throws ShardError if one file alone is too large for a plan: before any of its shards is written. */
export function checkSize(name: string, size: number, shardBytes: number): void {
  if (size / shardBytes > SHARDS_MOST) throw tooManyShards(shown(name), shardBytes);
}

/** Yields what was listed. Throws as `checkSize` does. */
function* sized(all: Iterable<Listed>, shardBytes: number): Generator<Listed> {
  for (const listed of all) {
    if (isSource(listed)) checkSize(listed.name, listed.size, shardBytes);
    yield listed;
  }
}

/** Returns why a small file, which is not opened here, cannot be; then no worker is to wait for it. */
function permissionError({ file, name }: FileSource): SourceError | undefined {
  try {
    if (typeof file !== "number") accessSync(file as string, constants.R_OK);
    return undefined;
  } catch (error) {
    return SourceError.from(name, error);
  }
}

function failedInput({ code, source, reason }: SourceError): ShardInput {
  return { failed: { code, source, reason } };
}

function plannedFile(part: FilePart, source: FileSource): PlannedFile {
  const { file, name, size, mtime } = source;
  if (typeof file === "number") throw new ShardError("ERR_PLAN", "standard input is no file with a name: a shard may be read again");
  const path = Buffer.from(file as string).toString() === name ? undefined : Buffer.from(file as string).toString("base64");
  return { uri: name, path, size, mtime, ...plannedPart(part) };
}

/** Returns what a plan says of a part of a file. */
export function plannedPart({ format, from, to, byMessage, blocks }: Part & Pick<FilePart, "format">): Omit<PlannedFile, "uri" | "size"> {
  return {
    from: from === 0 ? undefined : from,
    to: to === EVERYTHING.to ? undefined : to,
    format,
    byMessage: byMessage || undefined,
    blocks: blocks && { type: blocks.type, start: blocks.start, next: blocks.next },
  };
}

/** Returns the bytes of a file that are read for a part. */
function bytesOf({ size, from = 0, to = size, blocks }: PlannedFile): number {
  if (blocks !== undefined) return (blocks.next?.compressed ?? size) - blocks.start.compressed;
  return Math.max(0, Math.min(to, size) - from);
}
