// Runs one shard: scans its inputs, stores the file of results, and then the marker (plan.ts).
import { existsSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { SourceError, type SourceErrorCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { Distinct } from "../count/distinct.ts";
import { spillSettings } from "../count/spill.ts";
import { Pacer } from "../input/pacer.ts";
import { EVERYTHING, settingsOf } from "../options/options.ts";
import { checkValues } from "../options/table.ts";
import { uniqueRecords } from "../output/choice.ts";
import { before, type Sink } from "../output/sink.ts";
import { choiceOf, commandSettings } from "../run/command-settings.ts";
import { addingTo, type ReadCounter } from "../run/run-position.ts";
import { type FilePart, scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext, sourceFailure } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import { receivedOf, taskSink } from "../threads/task.ts";
import { checkedJson } from "./checked-json.ts";
import { folderOf, mayBeUnmounted, ShardError } from "./errors.ts";
import { ResultWriter, writeText } from "./frames.ts";
import { type Marker, markerName, readMarker, shardName } from "./marker.ts";
import { isRemote, openRemote } from "./open.ts";
import { checkVersion, identityOf, isFile, isShard, type PlanHeader, type PlannedFile, type Shard } from "./plan-file.ts";
import type { Remote } from "./remote/remote.ts";
import { type Patience, RemoteError } from "./remote/tries.ts";
import { makeFolder, type Store } from "./store.ts";

/** Errors that may not occur on another machine, because the planning machine could read the file. */
const PASSING: readonly SourceErrorCode[] = ["ERR_URLMILL_UNREADABLE", "ERR_URLMILL_NO_PERMISSION"];

/** Options of `runShard`. */
export interface RunShardOptions {
  /** Aborts the run, which then leaves no files. */
  readonly signal?: AbortSignal | undefined;
  readonly read?: ReadCounter | undefined;
  /** Timeouts and retries of servers. */
  readonly patience?: Partial<Patience> | undefined;
}

/**
 * Scans a shard of a plan, unless it is done; resolves to its marker. Several workers may run the same shard: the first marker counts.
 * Rejects with ShardError if an input has changed since it was planned, or if the plan or the marker is wrong. Rejects with the system's
 * error, RemoteError or the signal's reason if another try may succeed.
 */
export async function runShard(header: PlanHeader, shard: Shard, store: Store, options: RunShardOptions = {}): Promise<Marker> {
  checkVersion(header, "the plan");
  if (!isShard(shard)) throw new ShardError("ERR_URLMILL_PLAN", "this is no shard of a plan");
  makeFolder(store.unfinished);
  const done = await readMarker(header, shard, store);
  if (done !== undefined) return done;
  // Checks a large file also before reading, which would be useless if it has changed; many small files only after reading.
  if (shard.inputs.length === 1) checkInputs(header, shard);
  const file = new ResultWriter(store, shardName(shard.id));
  try {
    const scanned = await scanShard(header, shard, file, options);
    checkInputs(header, shard);
    const results = await file.commit();
    const marker: Marker = { shard: shard.id, work: identityOf(header, shard), results, rows: file.rows, ...scanned };
    await writeText(store, markerName(shard.id), checkedJson(marker));
  } finally {
    file.discard();
  }
  // Another worker may have been first.
  const marker = await readMarker(header, shard, store);
  if (marker === undefined) throw new ShardError("ERR_URLMILL_RESULTS", `${markerName(shard.id)} was removed as soon as it was there`);
  return marker;
}

/** Writes the results of a shard's inputs to `file`. Returns the totals, and whether its part was read to the end of the source. */
async function scanShard(
  header: PlanHeader,
  shard: Shard,
  file: Sink,
  { signal, patience, read }: RunShardOptions,
): Promise<Required<Pick<Marker, "isOver" | "totals">>> {
  const values = checkValues(`urlmill ${header.command}`, header.options);
  const settings = commandSettings(header.command, values);
  const by = header.command === "extract" ? choiceOf(values).by : undefined;
  const scanned = { isOver: false, totals: emptyTotals() };
  let written = file;
  if (by !== undefined) {
    // Repetitions of keys that do not fit in memory are left to the merge.
    const keys = new Distinct(spillSettings(values.memory), true);
    written = uniqueRecords(settingsOf(values), { by, keys, pause: () => undefined, leavesMatches: true }, file);
  }
  /** The error of writing the file of results. */
  let thrown: unknown;
  const results = before(written, (result) => {
    scanned.isOver ||= result.kind === "over";
    try {
      written.write(result);
    } catch (error) {
      thrown = error;
      throw error;
    }
  });
  const failureOf = (source: string | undefined, error: unknown): SourceError => {
    signal?.throwIfAborted();
    if (mayPass(error)) throw error;
    return sourceFailure(source, error, thrown);
  };
  const sink = await taskSink(settings, results);
  const context: ScanContext = { settings, sink, totals: scanned.totals, pacer: new Pacer(signal), failureOf, read: addingTo(read) };
  let remote: Remote | undefined;
  for (const input of shard.inputs) {
    if ("omitted" in input) results.write({ kind: "omitted", omission: input.omitted });
    else if ("failed" in input) results.write(receivedOf({ kind: "failed", ...input.failed }));
    else {
      let scan = scanFile;
      if (isRemote(input.uri)) {
        remote ??= await openRemote({ ...patience, signal });
        scan = await remote.scannerOf(input.uri, input);
      }
      const part = partOf(header, input);
      await finishScan(part.name, scan(part, context), context);
    }
  }
  await sink.end();
  return scanned;
}

/** Returns whether an error that ended the reading of a file may not occur in another try. */
function mayPass(error: unknown): boolean {
  if (error instanceof SourceError) return PASSING.includes(error.code);
  return error instanceof RemoteError || error instanceof ShardError;
}

function partOf(header: PlanHeader, input: PlannedFile): FilePart {
  const { uri, size, from = 0, to = EVERYTHING.to, format, byMessage, blocks } = input;
  return { file: pathOf(header, input), name: uri, size, from, to, format, byMessage, blocks };
}

/** Returns the path of a file, as bytes if it is not UTF-8. */
export function pathOf({ folder, moved = folder }: PlanHeader, { uri, path }: PlannedFile): string | Buffer {
  if (path === undefined) return resolve(moved, uri);
  const bytes = Buffer.from(path, "base64");
  return bytes[0] === SLASH ? bytes : Buffer.concat([Buffer.from(`${moved}/`), bytes]);
}

const SLASH = 0x2f;

/** Throws ShardError if a file of a shard has changed since it was planned, or another error if this cannot be decided. */
export function checkInputs(header: PlanHeader, shard: Shard): void {
  for (const input of shard.inputs) {
    // Servers themselves refuse changed objects.
    if (!isFile(input) || isRemote(input.uri)) continue;
    const { uri, size, mtime } = input;
    const path = pathOf(header, input);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.size === size && stats.mtimeMs === mtime) continue;
    if (stats === undefined && isMissingAll(header, shard) && mayBeUnmounted(path))
      throw new Error(`${shown(uri)} is not there, and neither is anything else in ${shown(folderOf(path).toString())}: is it mounted?`);
    const origin = isAbsolute(uri) ? "" : ` from ${shown(header.moved ?? header.folder)}`;
    const state = stats === undefined ? `is gone${origin}` : "has changed";
    throw new ShardError("ERR_URLMILL_CHANGED", `${shown(uri)} ${state} since the plan was made; plan anew`);
  }
}

function isMissingAll(header: PlanHeader, { inputs }: Shard): boolean {
  return inputs.filter(isFile).every((input) => isRemote(input.uri) || !existsSync(pathOf(header, input)));
}
