// Whether markers and plans have the form in which they are written. Whoever else wrote one must not name files elsewhere with it.
import { OMISSION_REASONS } from "../omission.ts";
import { PARTITIONS_MOST, READER_NAMES } from "../option-table.ts";
import type { Totals } from "../run/totals.ts";
import type { ResultFile } from "./frames.ts";
import type { PlanEnd, PlanHeader, Shard, ShardInput } from "./plan.ts";
import { isAbsentOr, isCount, isObject, isOmission } from "./value-form.ts";

/** Any of the values that are counted in totals has fewer kinds. */
const COUNTERS_MOST = 256;
const HASH = /^[0-9a-f]{64}$/;

/** Returns whether a value names the file of results that a writer of the name `name` makes: in that folder, and by its hash. */
export function isResultFile(value: unknown, name: string): value is ResultFile {
  if (!isObject(value)) return false;
  const { hash, bytes } = value;
  return typeof hash === "string" && HASH.test(hash) && value.name === `${name}-${hash}.results` && isCount(bytes);
}

/** Returns whether a value is the totals of a scan. */
export function isTotals(value: unknown): value is Totals {
  if (!isObject(value) || !isObject(value.omitted)) return false;
  const { bytes, matches, filtered, undated, sources, skipped, kinds, rejected, archive, omitted } = value;
  const areCounts = [bytes, matches, filtered, undated, sources, skipped].every(isCount);
  const areLists = [kinds, rejected, archive].every(
    (list) => Array.isArray(list) && list.length <= COUNTERS_MOST && list.every((count) => count === null || isCount(count)),
  );
  return areCounts && areLists && Object.entries(omitted).every(isOmissionCount);
}

function isOmissionCount([reason, value]: [string, unknown]): boolean {
  if (!isObject(value) || !(OMISSION_REASONS as readonly string[]).includes(reason)) return false;
  const areTypes = isAbsentOr((types) => isObject(types) && Object.values(types).every(isCount), value.types);
  return isCount(value.count) && isOmission(value.first) && areTypes;
}

/** Options of files that are written, which no plan has: `merge` is told them. */
const WRITTEN = ["output", "checkpoint", "resumable", "resume"];

/** Returns whether the first line of a plan has what a header has. */
export function isHeader({ command, options, folder, moved, partitions }: PlanHeader): boolean {
  const isPlace = typeof folder === "string" && isAbsentOr((name) => typeof name === "string", moved);
  const arePartitions = isAbsentOr((count) => isCount(count) && count > 0 && count <= PARTITIONS_MOST, partitions);
  return READER_NAMES.includes(command) && isObject(options) && !WRITTEN.some((name) => name in options) && isPlace && arePartitions;
}

/** Returns whether the last line of a plan has what it has to have. */
export function isEnd({ shards, bytes, paths }: PlanEnd): boolean {
  return isCount(shards) && isCount(bytes) && Array.isArray(paths) && paths.every((path) => typeof path === "string");
}

/** Returns whether a value is a shard. */
export function isShard(value: unknown): value is Shard {
  return isObject(value) && isCount(value.id) && isCount(value.bytes) && Array.isArray(value.inputs) && value.inputs.every(isInput);
}

function isInput(value: unknown): value is ShardInput {
  if (!isObject(value)) return false;
  const { uri, path, size, from, to, failed } = value;
  if ("omitted" in value) return isOmission(value.omitted);
  if ("failed" in value) return isObject(failed) && typeof failed.code === "string" && typeof failed.reason === "string";
  const isPath = typeof uri === "string" && !uri.includes("\0") && isAbsentOr((bytes) => typeof bytes === "string", path);
  return isPath && isCount(size) && isAbsentOr(isCount, from) && isAbsentOr(isCount, to);
}
