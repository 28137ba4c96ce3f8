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
// parts that an earlier shard has read too (`openMerge`), and keeps the first record of each key. Each precaution prevents a failure:
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
import { Pacer } from "../input/pacer.ts";
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
const SHARDS_MOST = 1_000_000; // Most shards of a plan: about 256 TB with the default size
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
  const { command = "extract" } = options;
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
  const rangeBytes = command === "count" && hasMessageNumbers(values) ? Number.POSITIVE_INFINITY : shardBytes;
  const cut: CutOptions = { range: EVERYTHING, rangeBytes, threads: 1, settings, open: new Set() };
  const [end, hash] = [{ shards: 0, bytes: 0 }, createHash("sha256")];
  try {
    const inputs = plannedInputs(paths, cut, await folderReading(values), options);
    for await (const shard of shardsOf(inputs, cut, shardBytes, new Pacer(options.signal))) {
      end.shards++;
      end.bytes += shard.bytes;
      hash.update(`${JSON.stringify(shard)}\n`);
      yield shard;
    }
  } finally {
    for (const file of cut.open) file.close();
  }
  yield { ...end, paths: paths.map(String), sha256: hash.digest("hex") };
}

/** Groups small inputs into shards. A part of a large file has its own shard. */
async function* shardsOf(
  planned: AsyncIterable<ShardInput>,
  { rangeBytes }: CutOptions,
  shardBytes: number,
  pacer: Pacer,
): AsyncGenerator<Shard> {
  let count = 0;
  let inputs: ShardInput[] = [];
  let bytes = 0;
  const take = (): Shard => {
    const shard = { id: count++, bytes, inputs };
    checkCount("the inputs", count, shardBytes);
    [inputs, bytes] = [[], 0];
    return shard;
  };
  for await (const input of planned) {
    await pacer.pause();
    const isLarge = isFile(input) && input.size > rangeBytes;
    const more = isFile(input) ? bytesOf(input) : 0;
    const isFull = isLarge || inputs.length >= SHARD_FILES || (isFile(input) && bytes + more > shardBytes);
    if (isFull && inputs.length > 0) yield take();
    inputs.push(input);
    bytes += more;
    if (isLarge) yield take();
  }
  if (inputs.length > 0) yield take();
}

async function* plannedInputs(
  paths: readonly Input[],
  cut: CutOptions,
  folders: FolderReading,
  { patience, outputs, signal }: PlanOptions,
): AsyncGenerator<ShardInput> {
  let remote: Remote | undefined;
  for (const path of paths) {
    if (typeof path !== "string" || !isRemote(path)) {
      yield* fileInputs(planSteps(listInputs([path], { outputs, folders }), cut), cut);
      continue;
    }
    remote ??= await openRemote({ ...patience, signal });
    for await (const object of remote.list(path)) {
      const below = object.name.slice(path.length).replace(/^\//, "");
      if (below === "" || !isLeftOut(below, folders)) yield* objectInputs(object, cut);
      else yield { omitted: { reason: "excluded", source: object.name } };
    }
  }
}

function* fileInputs(steps: Iterable<Step>, cut: CutOptions): Generator<ShardInput> {
  let source: FileSource | undefined;
  for (const step of steps) {
    if (step.kind === "omitted") yield { omitted: step.omission };
    else if (step.kind === "failed") yield failedInput(step.error);
    else if (step.kind === "stream") throw new ShardError("ERR_URLMILL_PLAN", `${step.source.name} is no file: a shard may be read again`);
    else if (step.kind === "close") step.close();
    else {
      const sources = step.listed.filter(isSource);
      for (const [index, part] of step.parts.entries()) {
        // Only the first step of a large file lists it.
        source = sources[index] ?? source;
        checkCount(shown(part.name), part.size / cut.rangeBytes, cut.rangeBytes);
        const error = permissionError(source);
        yield error === undefined ? plannedFile(part, source) : failedInput(error);
      }
    }
  }
}

async function* objectInputs(object: RemoteInput, cut: CutOptions): AsyncGenerator<ShardInput> {
  const { name, size, version } = object;
  checkCount(shown(name), size / cut.rangeBytes, cut.rangeBytes);
  const isCut = size > cut.rangeBytes;
  const format = isCut ? fileFormatOf(cut.settings.type, await object.load(0, FORMAT_BYTES)) : undefined;
  if (object.failure !== undefined) throw object.failure;
  const parts = format === undefined || isContainer(format) ? [EVERYTHING] : cutText({ size, format }, cut);
  for (const part of parts) yield { uri: name, ...version, ...plannedPart({ format, ...part }) };
}

/** Throws ShardError for too many shards; for a single large file before any of its shards is written. */
function checkCount(what: string, count: number, shardBytes: number): void {
  if (count <= SHARDS_MOST) return;
  const limit = `${SHARDS_MOST.toLocaleString("en")} shards of ${shardBytes} bytes`;
  throw new ShardError("ERR_URLMILL_PLAN", `${what} would be more than ${limit}; give a larger --shard-bytes`);
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
    blocks,
  };
}

/** Returns the number of bytes to read for a file or a part of it; compressed bytes if the part is given by blocks. */
function bytesOf({ size, from = 0, to = size, blocks }: PlannedFile): number {
  if (blocks !== undefined) return (blocks.next?.compressed ?? size) - blocks.start.compressed;
  return Math.max(0, Math.min(to, size) - from);
}
