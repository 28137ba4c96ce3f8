// The plan of shards: a run is divided over machines, and the merged output is that of one run, byte for byte (but for times in reports).
//
// `plan` cuts the inputs, and writes a line for each shard. `run-shard` (shard.ts) scans the inputs of a line, on any machine at any time.
// It leaves a file of results, then a marker. `merge` (merge.ts) gives the results to the sink of the command, in the order of the plan:
//
//   plan.jsonl                                            folder of results
//   {"urlmill":"plan", versions, command, options}
//   {"id":0, inputs: a.mbox to byte 268435456}            00000.json -> 00000-5e3a....results
//   {"id":1, inputs: a.mbox from byte 268435456}          00001.json -> 00001-91c0....results
//   {"id":2, inputs: 300 small files}                     no marker: not done
//   {"shards":3, sha256 of the lines}
//
// A shard owns the matches or messages that start in its parts (X13). So its results depend on its line, the header, and the bytes of its
// inputs, not on other shards. The merge does all else: it numbers messages and adds up totals (OrderedResults, as for threads), drops
// parts that an earlier shard has read too (`doneShards`), and keeps the first record of each key. Each precaution prevents a failure:
//
// 1. The plan cuts as for one thread. For several threads the last ranges are shorter, so a plan would depend on the machine.
// 2. The header has the versions of the package, the rules, Unicode and the results. Another version may find other URLs (`checkVersion`).
// 3. Sizes and times are compared with the plan, also after the scan (`checkInputs`); servers compare ETags. Otherwise results could be of
//    a file that changed meanwhile.
// 4. An error that may be the machine's fails the shard (PASSING in shard.ts). Otherwise a file that one machine may not read would be
//    missing in the output, although another machine can read it.
// 5. Results and marker are complete and synced before they get their names, the marker last. A kill leaves a shard that is done, or one
//    without a marker, which is run again.
// 6. A store with links or conditional writes gives a name once (`Store.commit`): of two workers with one shard, the first marker stays.
//    A file of results has its hash in its name, so that any marker leads to its own bytes.
// 7. `verify` removes damaged results before their marker. Otherwise a worker that finds no marker could not store its results: their name
//    would still be taken.
// 8. A marker has the hash of the header and the line of its shard (`identityOf`). Otherwise a merge could take results of another plan.
// 9. The merge looks at all markers and lengths before its first byte (`openMerge`): the last shard may be the missing one.
// 10. With `-u` a shard leaves out its own repetitions only. The same key in two shards is one for the merge.
// 11. `count` by messages cuts no file (`hasMessageNumbers`): the merge cannot change numbers inside keys.
// 12. Streams are refused: a shard may be read again.
import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { SourceError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { FORMAT_BYTES, fileFormatOf, isContainer } from "../input/input-format.ts";
import { type FileSource, type FolderReading, folderReading, type Input, isSource } from "../input/paths.ts";
import { EVERYTHING } from "../options/options.ts";
import { checkValues, type ReaderName } from "../options/table.ts";
import { commandSettings, hasMessageNumbers } from "../run/command-settings.ts";
import type { FilePart } from "../run/scan-file.ts";
import { type CutOptions, cutText, type FileRange, planSteps, type Step } from "../threads/plan.ts";
import { listInputs } from "../threads/scan-files.ts";
import { ShardError } from "./errors.ts";
import { isRemote, openRemote } from "./open.ts";
import { isFile, type PlanLine, type PlannedFile, planVersion, type Shard, type ShardInput } from "./plan-file.ts";
import type { Remote } from "./remote/remote.ts";
import type { RemoteInput } from "./remote/remote-input.ts";
import type { Patience } from "./remote/tries.ts";

/** Default of the wanted bytes of a shard. Scanning them takes some tenths of a second, so that the fixed cost of a shard is small. */
export const SHARD_BYTES = 256 << 20;
/** Most shards of a plan: about 256 TB with the default size. */
const SHARDS_MOST = 1_000_000;
const SHARD_FILES = 1 << 16;

/** Options of `plan`. */
export interface PlanOptions {
  /** The command whose run is divided; `extract` if absent. */
  readonly command?: ReaderName | undefined;
  /** Options of this command, by their names in the library: `{ format: "ndjson" }`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Wanted bytes of a shard; SHARD_BYTES (256 MiB) if absent. A shard of a file that cannot be cut there may be larger. */
  readonly shardBytes?: number | undefined;
  /** Timeouts and retries of servers. */
  readonly patience?: Partial<Patience> | undefined;
  /** Identities of output files (`identityOf` in input/paths.ts). The plan leaves these files out. */
  readonly outputs?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the lines of a plan: its header, the shards, and its end. Rejects with OptionError for wrong options, with ShardError for an input
 * that cannot be read twice or needs too many shards, with RemoteError for an object that cannot be read, and with the signal's reason.
 */
export async function* plan(paths: readonly Input[], options: PlanOptions = {}): AsyncGenerator<PlanLine> {
  const { command = "extract", signal } = options;
  // A plan is JSON: a RegExp or a function that JSON would lose is an error.
  const inJson = (_: string, value: unknown): unknown => (typeof value === "function" ? null : value);
  const given: NonNullable<PlanOptions["options"]> = JSON.parse(JSON.stringify(options.options ?? {}, inJson));
  const { shardBytes = SHARD_BYTES } = checkValues("urlmill plan", { shardBytes: options.shardBytes });
  const values = checkValues(`urlmill ${command}`, given);
  const settings = commandSettings(command, values);
  const folder = process.cwd();
  if (folder.includes("\ufffd"))
    throw new ShardError("ERR_URLMILL_PLAN", `${shown(folder)} has a name that is not UTF-8; plan in a folder above it`);
  yield { urlmill: "plan", version: planVersion(), command, options: given, folder };
  const folders = await folderReading(values);
  const isCut = command !== "count" || !hasMessageNumbers(values);
  const open: Parameters<typeof planSteps>[1]["open"] = new Map();
  const plan = { range: EVERYTHING, rangeBytes: isCut ? shardBytes : Number.POSITIVE_INFINITY, threads: 1, settings, open };
  const shards = new Grouping(shardBytes, plan.rangeBytes);
  try {
    let remote: Remote | undefined;
    for (const path of paths) {
      if (typeof path === "string" && isRemote(path)) {
        remote ??= await openRemote({ ...options.patience, signal });
        for await (const object of remote.list(path)) {
          signal?.throwIfAborted();
          const below = object.name.slice(path.length).replace(/^\//, "");
          if (below === "" || !isLeftOut(below, folders)) yield* addObject(object, shards, plan, signal);
          else yield* shards.add({ omitted: { reason: "excluded", source: object.name } }, false);
        }
        continue;
      }
      for (const step of planSteps(listInputs([path], { outputs: options.outputs, folders }), plan)) {
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

/** Adds the parts of an object; yields the shards that are complete. Rejects with RemoteError, as `checkSize` throws, and if aborted. */
async function* addObject(object: RemoteInput, shards: Grouping, options: CutOptions, signal?: AbortSignal): AsyncGenerator<Shard> {
  const { name, size, version } = object;
  shards.checkSize(name, size);
  const isLarge = size > options.rangeBytes;
  const format = isLarge ? fileFormatOf(options.settings.type, await object.load(0, FORMAT_BYTES)) : undefined;
  if (object.failure !== undefined) throw object.failure;
  const parts = format === undefined || isContainer(format) ? [EVERYTHING] : cutText({ size, format }, options);
  for (const part of parts) {
    signal?.throwIfAborted();
    yield* shards.add({ uri: name, ...version, ...plannedPart({ format, ...part }) }, isLarge);
  }
}

/** Returns whether to leave out an object. The rules are the same as for a file with this path below a folder. */
function isLeftOut(path: string, { includes, excludes }: FolderReading): boolean {
  let isIncluded = includes === undefined;
  for (const { index } of path.matchAll(/\/|$/g)) {
    const isFolder = index < path.length;
    if (excludes?.(path.slice(0, index), isFolder) === true) return true;
    isIncluded ||= includes?.(path.slice(0, index), isFolder) === true;
  }
  return !isIncluded;
}

/** Groups small files into shards, and gives each part of a large file its own shard. Its generators yield the complete shards. */
class Grouping {
  readonly #shardBytes: number;
  readonly #rangeBytes: number;
  #inputs: ShardInput[] = [];
  #groupBytes = 0;
  #source: FileSource | undefined;
  count = 0;
  bytes = 0;
  readonly hash = createHash("sha256");

  constructor(shardBytes: number, rangeBytes: number) {
    this.#shardBytes = shardBytes;
    this.#rangeBytes = rangeBytes;
  }

  /** Throws ShardError for a single file that is too large for a plan, before any of its shards is written. */
  checkSize(name: string, size: number): void {
    if (size / this.#rangeBytes > SHARDS_MOST) throw this.#tooMany(shown(name));
  }

  #tooMany(what: string): ShardError {
    const limit = `${SHARDS_MOST.toLocaleString("en")} shards of ${this.#shardBytes} bytes`;
    return new ShardError("ERR_URLMILL_PLAN", `${what} would be more than ${limit}; give a larger --shard-bytes`);
  }

  *take(step: Exclude<Step, { kind: "close" }>): Generator<Shard> {
    if (step.kind === "omitted") return void this.#inputs.push({ omitted: step.omission });
    if (step.kind === "failed") return void this.#inputs.push(failedInput(step.error));
    if (step.kind === "stream") throw new ShardError("ERR_URLMILL_PLAN", `${step.source.name} is no file: a shard may be read again`);
    const sources = step.listed.filter(isSource);
    const isLarge = step.file !== undefined;
    for (const [index, part] of step.parts.entries()) {
      if (isLarge) this.checkSize(part.name, part.size);
      this.#source = sources[index] ?? this.#source;
      const error = isLarge ? undefined : permissionError(this.#source);
      if (error !== undefined) this.#inputs.push(failedInput(error));
      else yield* this.add(plannedFile(part, this.#source), isLarge);
    }
  }

  /** Adds an input. One that `isLarge` has its own shard. */
  *add(input: ShardInput, isLarge: boolean): Generator<Shard> {
    const bytes = isFile(input) ? bytesOf(input) : 0;
    if (isLarge || this.#groupBytes + bytes > this.#shardBytes || this.#inputs.length >= SHARD_FILES) yield* this.flush();
    this.#inputs.push(input);
    this.#groupBytes += bytes;
    if (isLarge) yield* this.flush();
  }

  *flush(): Generator<Shard> {
    if (this.#inputs.length === 0) return;
    if (this.count === SHARDS_MOST) throw this.#tooMany("the inputs");
    const shard: Shard = { id: this.count++, bytes: this.#groupBytes, inputs: this.#inputs };
    [this.#inputs, this.#groupBytes] = [[], 0];
    this.hash.update(`${JSON.stringify(shard)}\n`);
    this.bytes += shard.bytes;
    yield shard;
  }
}

/** Returns the error if a small file may not be read. Planning does not open the file, but this check saves workers useless retries. */
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
  if (typeof file === "number")
    throw new ShardError("ERR_URLMILL_PLAN", "standard input is no file with a name: a shard may be read again");
  const path = Buffer.from(file as string).toString() === name ? undefined : Buffer.from(file as string).toString("base64");
  return { uri: name, path, size, mtime, ...plannedPart(part) };
}

function plannedPart({ format, from, to, byMessage, blocks }: FileRange & Pick<FilePart, "format">): Omit<PlannedFile, "uri" | "size"> {
  return {
    from: from === 0 ? undefined : from,
    to: to === EVERYTHING.to ? undefined : to,
    format,
    byMessage: byMessage || undefined,
    blocks: blocks && { type: blocks.type, start: blocks.start, next: blocks.next },
  };
}

/** Returns the number of bytes to read for a file or a part of it; compressed bytes if the part is given by blocks. */
function bytesOf({ size, from = 0, to = size, blocks }: PlannedFile): number {
  if (blocks !== undefined) return (blocks.next?.compressed ?? size) - blocks.start.compressed;
  return Math.max(0, Math.min(to, size) - from);
}
