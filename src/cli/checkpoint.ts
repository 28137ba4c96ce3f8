// Resuming: a run that was killed continues, and its outputs are byte for byte those of a run that nobody kills.
//
// The outputs grow in unfinished files beside their final names (output/new-file.ts). The checkpoint, by default beside the output, has
// their lengths at the end of a step, and the state of the scan there (threads/scan-state.ts):
//
//   checkpoint   41 entries scanned, the next one up to byte 134,217,728; totals; out: 9,000 bytes
//   output       | 9,000 bytes | 3,100 bytes of later steps | kill
//   --resume     | 9,000 bytes | cut off here. The scan repeats the later steps
//
// The cut prevents doubled bytes, and the repeated steps prevent lost ones. For a checkpoint the scan pauses between two steps: the outputs
// are flushed, and lengths and state become text. The scan continues, and meanwhile the outputs are synced. Then a temporary file is
// written, synced, and renamed to the checkpoint. Each part has a failure that it prevents:
//
// 1. A checkpoint is between two steps (`reached`). Inside a step the state would include decoders and half a message. A single thread cuts
//    large files too (RANGE_BYTES_ALONE). Otherwise such a file would be one step, and a kill would repeat all of it.
// 2. Lengths and state become text in the pause (`#write`). The scan then changes `totals`: a later text would count the matches of bytes
//    that are cut off.
// 3. The outputs are synced before the checkpoint is written (`#save`). Otherwise a power failure could take bytes that it counts.
// 4. A rename replaces the checkpoint (`#replace`). A kill during the write leaves the older checkpoint, and its bytes are there too.
// 5. The first checkpoint is written before the outputs are opened (`begin`). An unfinished output without a checkpoint would stay, because
//    `removeAbandoned` keeps resumable files.
// 6. An output is known by the id in its name and by its inode, and no link is followed (`openOwn`). Otherwise somebody else's file in its
//    place could be cut.
// 7. `openKept` renames the file to a name with its own process before the cut. Of two runs with `--resume`, the second fails there.
// 8. The state has a hash of the entries so far: names, sizes and times (`takeScanned`). In another file the offset would be another place.
//    Options that change the output must be the same. Threads may differ: a match has one owner, wherever files are cut (X13).
// 9. If a part was read to the end of its file (`over`), the state has no offset. The next run would otherwise find the rest again.
// 10. At the end the outputs are synced and get their names, and then the checkpoint is removed. If counted bytes are gone after a
//     kill in between (`hasAllBytes`), the run begins at the start.
// 11. `-u`, `--unique-by`, `--sample` and files that depend on all matches (`isOfFile`) are refused: no state has the matches so far.
import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { fileError, named } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { findResumable, newId, openOwn, removeAbandoned, unfinishedName } from "../base/unfinished.ts";
import { absentOr, checkedJson, checkedValue, isCount, isObject, isText, listOf, objectOf } from "../cluster/checked-json.ts";
import { milliseconds } from "../input/pacer.ts";
import { type Input, identityOf, STDIN, statsOf } from "../input/paths.ts";
import { longFlag, type OptionValues } from "../options/table.ts";
import { isOfFile } from "../output/format-fields.ts";
import { descriptorOf, type KeptFile, targetOf } from "../output/new-file.ts";
import type { Output } from "../output/output.ts";
import { firstState, type ScanState, type StateKeeper } from "../threads/scan-state.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { note } from "./session.ts";
import { versionText } from "./usage.ts";

/** Least milliseconds between two checkpoints. */
const PAUSE_LEAST = 100;
/** Least ratio of the pause after a checkpoint to the time for which it held up the scan: checkpoints take less than 1 % of a run. */
const PAUSE_FACTOR = 150;
const FORM = 2; // Version of the form of a checkpoint file
/** The look of every checkpoint file, also of a damaged one. */
const LOOK = /^\{"form":\d+,.*"check":"\w{64}"\}\s*$/s;
/** Options that may differ in a resumed run: they change no byte of its outputs, or are compared separately. */
const NOT_COMPARED = "output rejected checkpoint resumable resume memory stats threads failFast progress color quiet".split(" ");

/** An output: its path, and the valid part of its unfinished file. */
interface SavedOutput extends KeptFile {
  readonly path: string;
}

/** The content of the checkpoint file. Another run continues it only if form, version, options, inputs and paths of outputs are equal. */
interface Saved {
  readonly form: number;
  readonly version: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The operands. A file has its size, and the time of its last write in milliseconds, both from the start of the run. */
  readonly inputs: readonly { readonly path: string; readonly size?: number; readonly mtime?: number }[];
  readonly outputs: readonly SavedOutput[];
  readonly urls: number;
  readonly scan: ScanState;
}

/** Checks the form of a checkpoint: anybody can compute a checksum. */
const isSaved = objectOf<Saved>({
  version: isText,
  options: isObject,
  inputs: listOf(objectOf<Saved["inputs"][number]>({ path: isText })),
  outputs: listOf(objectOf<SavedOutput>({ path: isText, id: isText, bytes: isCount })),
  urls: isCount,
  scan: objectOf<ScanState>({ entries: isCount, listing: isText, from: absentOr(isCount), messagesBefore: isCount, totals: isObject }),
});

export class Checkpoint implements StateKeeper {
  /** The state from which the scan continues; undefined: from the beginning. */
  readonly resumed: ScanState | undefined;
  /** The checkpoint with which this run begins. */
  readonly #first: Saved;
  readonly #path: string;
  /** The path that the user gave, or the default path. */
  readonly #given: string;
  readonly #note: (text: string) => void;
  #written: readonly Output[] = [];
  #countUrls = (): number => 0;
  #due = milliseconds() + PAUSE_LEAST;
  #writing: Promise<void> | undefined;
  #error: unknown;
  /** Identity (`identityOf`) of the checkpoint file, which is a new file after each write. */
  identity = "";
  #hasBegun = false;

  /** Reads the checkpoint of an earlier run, if any. Throws UsageError if this run can have none, or cannot continue the earlier one. */
  constructor(args: Arguments, inputs: readonly Input[]) {
    const { output = "", rejected, checkpoint = `${output}.checkpoint`, resume, quiet } = args.options;
    refuseTogether(args, inputs);
    const paths = [output, ...(rejected === undefined ? [] : [rejected])].map(targetPath);
    // Resolves links in the folder only: the file itself is replaced, so a link with its name is not followed.
    this.#path = join(targetPath(dirname(resolve(checkpoint))), basename(checkpoint));
    this.#given = checkpoint;
    this.#note = quiet ? () => undefined : note;
    const name = shown(checkpoint);
    if (paths.includes(this.#path)) throw new UsageError(`${name} is also an output; give another file`);
    const saved = readCheckpoint(this.#path, checkpoint);
    const begun: Saved = {
      form: FORM,
      version: versionText().trim(),
      options: comparedOptions(args.options),
      inputs: inputs.map(savedInput),
      // If the earlier run cannot be continued, each of its unfinished files is replaced: the new one has the same id.
      outputs: paths.map((path, index) => ({ path, id: saved?.outputs[index]?.id ?? newId(), bytes: 0 })),
      urls: 0,
      scan: firstState(),
    };
    if (saved !== undefined) refuseOtherRun(saved, begun, resume, name);
    const isResumed = saved?.outputs.every(hasAllBytes) === true;
    this.resumed = isResumed ? saved.scan : undefined;
    this.#first = isResumed ? saved : begun;
    const absence = saved === undefined ? `there is no checkpoint ${name}` : "the unfinished output is gone";
    if (resume && !isResumed) this.#note(`${absence}: the run begins at the start`);
  }

  /** Number of URLs that the earlier run has written; 0 for a new run. */
  get urls(): number {
    return this.#first.urls;
  }

  /** Whether an earlier run has written bytes of an output. The output then has its header. */
  get hasOutput(): boolean {
    return this.#first.outputs.some(({ bytes }) => bytes > 0);
  }

  /** Writes the first checkpoint of a new run, and removes files of killed writers. Call it before the outputs are opened. */
  begin(): void {
    removeAbandoned(dirname(this.#path));
    if (this.resumed === undefined) named(this.#given, "written", () => this.#replace(checkedJson(this.#first)));
    else this.identity = identityOf(fs.statSync(this.#path));
  }

  /** Returns the id and the kept bytes of an output; undefined if `path` is no output of the checkpoint. */
  kept(path: string): KeptFile | undefined {
    return this.#first.outputs.find((output) => output.path === targetPath(path));
  }

  /** Sets the outputs: the URLs, then the file of `--rejected`. `urls` returns the number of written URLs. */
  follow(written: readonly Output[], urls: () => number): void {
    this.#written = written;
    this.#countUrls = urls;
  }

  reached(state: () => ScanState): Promise<void> | undefined {
    this.#hasBegun = true;
    if (this.#error !== undefined) throw this.#error;
    return this.#writing !== undefined || milliseconds() < this.#due ? undefined : this.#write(state);
  }

  /** Resolves when a pending checkpoint is written. Rejects with the error of a checkpoint that failed. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#error !== undefined) throw this.#error;
  }

  remove(): void {
    fs.rmSync(this.#path, { force: true });
  }

  /** Writes a note on how to resume the run, if a step has been completed since the last such note. */
  reportKept(): void {
    if (this.#hasBegun) this.#note(`${shown(this.#given)} keeps what is done; the same command with --resume goes on`);
    this.#hasBegun = false;
  }

  async #write(state: () => ScanState): Promise<void> {
    const begin = milliseconds();
    await Promise.all(this.#written.map((output) => output.flush()));
    const outputs = this.#first.outputs.map((kept, index) => {
      const { fd, taken } = this.#written[index];
      return { ...kept, bytes: kept.bytes + taken, inode: fs.fstatSync(fd).ino };
    });
    const text = checkedJson({ ...this.#first, outputs, urls: this.#countUrls(), scan: state() } satisfies Saved);
    this.#writing = this.#save(text, milliseconds() - begin).catch((error: unknown) => {
      this.#error = fileError(this.#given, "written", error);
    });
  }

  async #save(text: string, waited: number): Promise<void> {
    for (const { fd } of this.#written) await promisify(fs.fdatasync)(fd);
    const begin = milliseconds();
    this.#replace(text);
    const end = milliseconds();
    this.#due = end + Math.max(PAUSE_LEAST, PAUSE_FACTOR * (waited + end - begin));
    this.#writing = undefined;
  }

  #replace(text: string): void {
    const temporary = join(dirname(this.#path), unfinishedName(this.#path));
    try {
      fs.writeFileSync(temporary, text, { flag: "wx", flush: true });
      fs.renameSync(temporary, this.#path);
    } catch (error) {
      // The previous checkpoint stays.
      fs.rmSync(temporary, { force: true });
      throw error;
    }
    this.identity = identityOf(fs.statSync(this.#path));
  }
}

/** Returns the checkpoint in a file, if there is one. Throws UsageError if the file is no checkpoint, or was changed. */
function readCheckpoint(path: string, given: string): Saved | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() ? named(given, "read", () => readOwnFile(path)) : "";
  const saved = LOOK.test(text) ? checkedValue<object>(text) : {};
  if (saved === undefined)
    throw new UsageError(`${shown(given)} is not what the run wrote: it was changed, or is damaged; remove it to begin anew`);
  if (isSaved(saved)) return saved;
  throw new UsageError(`${shown(given)} is there and is no checkpoint; give another file`);
}

/** Throws UsageError if the run that left a checkpoint still runs or differs from this one, or if `resume` is not given. */
function refuseOtherRun(saved: Saved, begun: Saved, resume: boolean, name: string): void {
  const found = saved.outputs.flatMap(({ path, id }) => findResumable(dirname(path), id) ?? []);
  const of = `${name} is of a run`;
  if (found.some(({ isWritten }) => isWritten)) throw new UsageError(`${of} that still goes on; wait for its end`);
  const anew = `or remove ${["it", ...found.map(({ path }) => shown(path))].join(" and ")} to begin anew`;
  if (!resume) throw new UsageError(`${of} that is not complete; go on with --resume, ${anew}`);
  const difference = differenceOf(saved, begun);
  if (difference !== undefined) throw new UsageError(`${of} with ${difference}; give what it was given, ${anew}`);
}

/** Returns the text of a file. Throws if it is a link, has a second name (hard link), or is another user's. */
function readOwnFile(path: string): string {
  const { fd } = openOwn(path, fs.constants.O_RDONLY);
  try {
    return fs.readFileSync(fd, "utf8");
  } finally {
    fs.closeSync(fd);
  }
}

function refuseTogether({ options, given, typed }: Arguments, inputs: readonly Input[]): void {
  const { output, format, rejected } = options;
  const flag = typed(["resume", "resumable"].find((name) => name in given) ?? "checkpoint");
  if (output === undefined || output === "-") throw new UsageError(`${flag} needs -o FILE`);
  const choice = ["unique", "uniqueBy", "sample"].find((name) => name in given);
  if (choice !== undefined) throw new UsageError(`${flag} cannot be given with ${typed(choice)}: what it knows is not kept`);
  if (isOfFile(format)) throw new UsageError(`${flag} cannot be given with -f ${format}: the end of such a file depends on all of it`);
  const isNoFile = (path: string): boolean => descriptorOf(path) !== undefined || statsOf(path)?.isFile() === false;
  const other = [output, rejected].find((path) => path !== undefined && isNoFile(path));
  if (other !== undefined) throw new UsageError(`${flag} needs files as outputs, and ${shown(other)} is none`);
  const once = inputs.find((input) => !canBeReadAgain(input));
  if (once === undefined) return;
  const name = once === STDIN ? "standard input" : shown(String(once));
  throw new UsageError(`${flag} needs files and folders as inputs: ${name} is read once`);
}

function canBeReadAgain(input: Input): boolean {
  const stats = input === STDIN ? undefined : statsOf(input);
  return input !== STDIN && (stats === undefined || stats.isFile() || stats.isDirectory());
}

/** Returns the absolute path of the file that a path refers to. Resolves links, for a missing file those of its folder. */
function targetPath(path: string): string {
  const target = resolve(targetOf(resolve(path)));
  return join(resolve(targetOf(dirname(target))), basename(target));
}

function savedInput(input: Input): Saved["inputs"][number] {
  if (input === STDIN) return { path: "-" };
  const path = typeof input === "string" ? input : input.toString("latin1");
  const stats = statsOf(input);
  return stats?.isFile() === true ? { path, size: stats.size, mtime: stats.mtimeMs } : { path };
}

function comparedOptions(options: OptionValues): Record<string, unknown> {
  const isCompared = ([name, value]: [string, unknown]): boolean => !NOT_COMPARED.includes(name) && value !== undefined && value !== false;
  return Object.fromEntries(Object.entries(options).filter(isCompared));
}

function differenceOf(saved: Saved, begun: Saved): string | undefined {
  if (saved.form !== begun.form || saved.version !== begun.version) return `another version (${saved.version})`;
  const names = Object.keys({ ...saved.options, ...begun.options });
  const changed = names.filter((name) => !isEqual(saved.options[name], begun.options[name]));
  if (changed.length > 0) return `other options (${changed.map((name) => longFlag(name)).join(", ")})`;
  if (!isEqual(pathsOf(saved.outputs), pathsOf(begun.outputs))) return "other outputs";
  if (!isEqual(pathsOf(saved.inputs), pathsOf(begun.inputs))) return "other inputs";
  const other = begun.inputs.find((input, index) => !isEqual(input, saved.inputs[index]));
  return other === undefined ? undefined : `an input that has changed (${shown(other.path)})`;
}

function pathsOf(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns whether the unfinished file of an output has all bytes that the checkpoint counts. */
function hasAllBytes({ path, id, bytes }: SavedOutput): boolean {
  const found = findResumable(dirname(path), id);
  const stats = found && fs.lstatSync(found.path, { throwIfNoEntry: false });
  // Anything but a regular file is refused later, when it is opened.
  return bytes === 0 || (stats !== undefined && (!stats.isFile() || stats.size >= bytes));
}
