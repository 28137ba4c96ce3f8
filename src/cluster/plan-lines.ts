// The lines of a plan (plan.ts): their form, their versions, and the identity of the work of a shard.
import type { SourceErrorCode } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import { PACKAGE_VERSION, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { BlockRange } from "../input/containers/block-range.ts";
import type { InputFormat } from "../input/input-format.ts";
import { READER_NAMES, type ReaderName } from "../options/table.ts";
import { hashOf } from "./checked-json.ts";
import { ShardError } from "./errors.ts";
import { RESULTS_VERSION } from "./frames.ts";
import { isAbsentOr, isCount, isObject, isOmission, isText } from "./value-form.ts";

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
  /**
   * Start of the range: the shard owns the matches or messages that start in `[from, to)`. Offsets of a file with `blocks` count
   * decompressed bytes. Absent: the start of the file.
   */
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

export function planVersion(): string {
  return `${PACKAGE_VERSION} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION}, results ${RESULTS_VERSION})`;
}

export function isFile(input: ShardInput): input is PlannedFile {
  return "uri" in input;
}

/** Throws ShardError if a plan was made by another version. `name` is the plan's name in the message. */
export function checkVersion({ version }: PlanHeader, name: string): void {
  if (version === planVersion()) return;
  throw new ShardError("ERR_URLMILL_PLAN", `${name} is of urlmill ${version}, which may find others than ${planVersion()}`);
}

/**
 * Returns the identity of a shard's work. Shards with the same identity have the same results, whatever their plans. `moved` does not
 * change the identity.
 */
export function identityOf({ moved: _, ...header }: PlanHeader, shard: Shard): string {
  return hashOf(`${JSON.stringify(header)}\n${JSON.stringify(shard)}\n`);
}

/** Options that no plan has: `merge` takes the name of the output, and a shard has no checkpoint. */
const WRITTEN = ["output", "checkpoint", "resumable", "resume"];

export function isHeader({ command, options, folder, moved }: PlanHeader): boolean {
  const areFolders = isText(folder) && isAbsentOr(isText, moved);
  return READER_NAMES.includes(command) && isObject(options) && !WRITTEN.some((name) => name in options) && areFolders;
}

export function isEnd({ shards, bytes, paths }: PlanEnd): boolean {
  return isCount(shards) && isCount(bytes) && Array.isArray(paths) && paths.every(isText);
}

export function isShard(value: unknown): value is Shard {
  return isObject(value) && isCount(value.id) && isCount(value.bytes) && Array.isArray(value.inputs) && value.inputs.every(isInput);
}

function isInput(value: unknown): value is ShardInput {
  if (!isObject(value)) return false;
  const { uri, path, size, from, to, failed } = value;
  if ("omitted" in value) return isOmission(value.omitted);
  if ("failed" in value) return isObject(failed) && isText(failed.code) && isText(failed.reason);
  const isPath = isText(uri) && !uri.includes("\0") && isAbsentOr(isText, path);
  return isPath && isCount(size) && isAbsentOr(isCount, from) && isAbsentOr(isCount, to);
}
