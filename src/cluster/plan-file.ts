// The file of a plan: a line of JSON for the header, for each shard, and for the end.
import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { fileError, systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { mayBeUnmounted } from "./absent.ts";
import { ShardError } from "./errors.ts";
import { checkVersion, isEnd, isHeader, isShard, type PlanEnd, type PlanHeader, type Shard } from "./plan-lines.ts";

const READ_BYTES = 1 << 20;
/** Most UTF-16 code units of a line: a shard may name 65,536 files. */
const LINE_LENGTH_MOST = 1 << 28;
const INCOMPLETE = "is not complete: its last line is missing";
const PLAN_START = Buffer.from('{"urlmill":"plan"');

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
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    return readSync(fd, start) === start.length && start.equals(PLAN_START);
  } catch (error) {
    throw fileError(path, "read", error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export function parsed<T>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

// Node's readline module treats U+2028 as a line end, but a name may contain it.
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of textOf(path)) {
    const lines = chunk.split("\n");
    const last = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = rest.join("") + lines[0];
      [rest, length] = [[], 0];
    }
    yield* lines;
    // A file that is no plan may be one endless line.
    if (length === 0 && last !== "" && !last.startsWith("{")) return;
    rest.push(last);
    length += last.length;
    if (length > LINE_LENGTH_MOST) throw planError(path, "is damaged: a line of it does not end");
  }
  if (length > 0) yield rest.join("");
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
