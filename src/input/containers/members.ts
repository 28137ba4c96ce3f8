// The members of an input: the text of compressed data, and the files of archives, also nested ones (A11).
import { SourceError } from "../../base/errors.ts";
import type { SourceType, TextType } from "../../options/options.ts";
import { detectFormat, FORMAT_BYTES, fileFormatOf, type InputFormat, inputFormatOf, isContainer, nextLook } from "../input-format.ts";
import { Pacer } from "../pacer.ts";
import { type Chunks, resultOf, type Steps, waited } from "../steps.ts";
import type { BlockReading } from "./block-starts.ts";
import { ByteReader, type Decoder, gather } from "./byte-reader.ts";
import { type ArchiveError, type Entry, type Layer, type LeftOut, sourceName } from "./entry.ts";
import { refuseTrailing } from "./errors.ts";
import { Budget, CONTAINER_LIMITS, type ContainerLimits, limitName, Meter, overLimit } from "./limits.ts";
import { readPdf } from "./pdf.ts";
import { CONTAINERS, UNBATCH_BYTES, unbatchLine } from "./recognize.ts";
import type { OpenFile } from "./zip-index.ts";
import { readZstd } from "./zstd.ts";

const GIVEN_BYTES = 1 << 18; // Most bytes of a yielded chunk: it is scanned in some milliseconds
const LINE_FEED = 0x0a;
const ERRORS_MAX = 10; // Most errors of an archive that become members; the others are counted

/** An input that may be a container. */
export interface PackedSource {
  readonly name: string | undefined;
  readonly chunks: Chunks;
  /** The type of the texts as set by the user; absent: "auto". */
  readonly type?: SourceType;
  /** The file that `chunks` reads; not closed here. The directory of a zip is read first, and formats are detected as those of files. */
  readonly file?: OpenFile & { readonly format?: InputFormat };
  /** Called with the kind and the full name of each archive member that is neither a regular file nor a folder. */
  readonly leftOut?: (reason: LeftOut["leftOut"], name: string | undefined) => void;
  /** Set if only a part of a compressed file's text is read. `chunks` start at the block `blocks.start`. */
  readonly blocks?: BlockReading | undefined;
}

/** A text: an input, or a member of a container. */
export interface Member {
  /** The name of the input, or of a member or container in it: `outer.zip!inner`. Long names are shortened. */
  readonly name: string | undefined;
  readonly type: TextType;
  /** The bytes. Throws SourceError after all readable bytes, and the errors of the input. */
  readonly chunks: Chunks;
}

/**
 * Yields the members of a source, and skips unread bytes of the last one. Never throws: a container's error is thrown by the chunks of a
 * member with the container's name. When the caller stops, the chunks of the source are closed. `pacer` yields to the event loop; when its
 * signal fires, chunks throw the signal's reason. (A11)
 */
export function openMembers(source: PackedSource, limits: ContainerLimits = CONTAINER_LIMITS, pacer: Pacer = new Pacer()): Steps<Member> {
  const { name, chunks, file, blocks } = source;
  const reader = new ByteReader(chunks, pacer, name, blocks?.start.compressed);
  const budget = new Budget(limits, name, () => file?.size ?? reader.position, blocks?.start.decoded);
  const meter = new Meter(budget, name, () => 1, undefined);
  return new MemberWalk(source, budget).open({ name: sourceName(name), reader, meter, depth: 0 });
}

const DECODERS: Partial<Record<InputFormat, () => Promise<Decoder>>> = {
  gzip: async () => (await import("./gzip.ts")).readGzip,
  bzip2: async () => (await import("./bzip2.ts")).readBzip2,
  xz: async () => (await import("./xz.ts")).readXz,
  zstd: async () => readZstd,
  compress: async () => (await import("./compress.ts")).readCompress,
  ole: async () => (await import("./outlook.ts")).readOutlook,
};

class MemberWalk {
  readonly #source: PackedSource;
  readonly #budget: Budget;
  /** Errors that were already thrown to the reader of a member. */
  readonly #thrown = new WeakSet<object>();

  constructor(source: PackedSource, budget: Budget) {
    this.#source = source;
    this.#budget = budget;
  }

  /** Yields the members of a container, or the bytes of `layer` as one member. Closes its reader, which ends a decoder that feeds it. */
  *open(layer: Layer): Steps<Member> {
    try {
      const { file, blocks, type = "auto" } = this.#source;
      const known = layer.depth === 0 ? file?.format : blocks?.type;
      const format = known ?? (yield* peekFormat(layer.reader, type, file !== undefined));
      if (!isContainer(format)) yield this.#member(layer, format);
      else if (layer.depth === this.#budget.limits.depthMax)
        throw overLimit(layer.name.text, `it is inside ${layer.depth} other containers${limitName(this.#budget.limits, "depth")}`);
      else if (format === "zip" || format === "tar") yield* this.#openArchive(format, layer);
      else if (format === "unbatch") yield* this.#openBatch(layer);
      else {
        const reason = `has the format ${format}, which urlmill does not read; unpack it first (${CONTAINERS[format][0]})`;
        yield* this.#openCompressed(format, layer, reason);
      }
    } catch (error) {
      if (this.#thrown.has(error as object)) return;
      // An error that ends the whole source has the name of the source.
      if (this.#budget.isSpent && layer.depth > 0) throw error;
      yield this.#failedMember(layer, error);
    } finally {
      layer.reader.close();
    }
  }

  #failedMember({ name }: Layer, error: unknown): Member {
    const refuse = (): never => {
      throw error;
    };
    return { name: name.text, type: "text", chunks: this.#text({ [Symbol.iterator]: refuse }, name.text, false) };
  }

  /** Opens a compressed news batch. Its first line names a program, but the format is detected from the bytes after the line. */
  *#openBatch(layer: Layer): Steps<Member> {
    const { reader } = layer;
    const program = unbatchLine(yield* reader.peek(UNBATCH_BYTES)) ?? "";
    while ((yield* reader.take(1))[0] !== LINE_FEED);
    const format = inputFormatOf("auto", yield* reader.peek(FORMAT_BYTES));
    yield* this.#openCompressed(format, layer, `is a news batch for ${program}, which urlmill does not read; unpack it first`);
  }

  /** Opens compressed data. Throws SourceError with `reason` for a format that has no decoder. */
  *#openCompressed(format: InputFormat, { name, reader, meter: outer, depth }: Layer, reason: string): Steps<Member> {
    const load = DECODERS[format];
    if (load === undefined) throw new SourceError("ERR_URLMILL_METHOD", name.text, reason);
    const decode = yield* resultOf(load());
    const { windowMax } = this.#budget.limits;
    const { blocks } = this.#source;
    const meter = outer.inner(name.text, () => reader.position, this.#budget.before);
    const atBlock = (): void => {
      if (blocks?.next === undefined) return;
      if (reader.position === blocks.next.compressed && meter.given === blocks.next.decoded) blocks.hasReachedNext = true;
    };
    const read = function* (): Steps<Uint8Array> {
      yield* decode(reader, { windowMax, atBlock });
      yield* refuseTrailing(reader, format);
    };
    const decoded = reader.inner(gather(meter.count(read()), reader), name.text);
    yield* this.open({ name, reader: decoded, meter, depth: depth + 1 });
  }

  *#openArchive(container: "zip" | "tar", layer: Layer): Steps<Member> {
    let errors = 0;
    try {
      for (const entry of this.#entries(container, layer)) {
        if (entry instanceof Promise) {
          yield entry;
          continue;
        }
        if ("error" in entry && (this.#thrown.has(entry.error) || ++errors > ERRORS_MAX)) continue;
        // Errors are given as members, so they count as members.
        this.#budget.addMember();
        if ("leftOut" in entry) this.#source.leftOut?.(entry.leftOut, layer.name.member(entry.name).text);
        else if ("error" in entry) yield this.#failedMember(layer, entry.error);
        else {
          const name = layer.name.member(entry.name);
          const reader = layer.reader.inner(entry.chunks, name.text);
          yield* this.open({ name, reader, meter: entry.meter ?? layer.meter, depth: layer.depth + 1 });
        }
        if (this.#budget.isSpent) return;
      }
    } catch (error) {
      yield* this.#unnamedErrors(layer, errors - ERRORS_MAX);
      throw error;
    }
    yield* this.#unnamedErrors(layer, errors - ERRORS_MAX);
  }

  *#unnamedErrors(layer: Layer, count: number): Generator<Member> {
    if (count <= 0 || this.#budget.isSpent) return;
    this.#budget.addMember();
    const reason = `has ${count} more errors, which are not named`;
    yield this.#failedMember(layer, new SourceError("ERR_URLMILL_CORRUPT", layer.name.text, reason));
  }

  *#entries(container: "zip" | "tar", layer: Layer): Steps<Entry | LeftOut | ArchiveError> {
    const { reader, depth } = layer;
    if (container === "tar") return yield* (yield* resultOf(import("./tar.ts"))).readTar(reader);
    const [{ readZip }, { openZipIndex }] = yield* resultOf(Promise.all([import("./zip.ts"), import("./zip-index.ts")]));
    const { file } = this.#source;
    const index = depth === 0 && file !== undefined ? yield* resultOf(openZipIndex(file, () => waited(reader.pause()))) : undefined;
    yield* readZip(layer, index);
  }

  #member({ name, reader, depth }: Layer, type: TextType): Member {
    const rest = reader.rest(GIVEN_BYTES);
    const chunks = type === "pdf" ? reader.inner(readPdf(rest), name.text).rest(GIVEN_BYTES) : rest;
    return { name: name.text, type, chunks: this.#text(chunks, name.text, depth > 0 || type === "pdf") };
  }

  /** Yields the bytes of a member, up to the limits if `isBounded`, and remembers its error. */
  *#text(chunks: Chunks, name: string | undefined, isBounded: boolean): Steps<Uint8Array> {
    const { memberBytesMax } = this.#budget.limits;
    let length = this.#budget.before;
    try {
      for (const step of chunks) {
        if (isBounded && !(step instanceof Promise)) {
          length += step.length;
          const left = this.#budget.textLeft;
          // Bytes up to the limit are yielded, so that the result does not depend on chunk sizes.
          if (step.length > left && left > 0) yield step.subarray(0, left);
          if (length > memberBytesMax) throw overLimit(name, `it has more than ${memberBytesMax} bytes`);
          this.#budget.addText(step.length);
        }
        yield step;
      }
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#thrown.add(error);
      // A container may throw the decoder's error without its offset in the text.
      if (error instanceof SourceError && error.cause instanceof SourceError) this.#thrown.add(error.cause);
      throw error;
    }
  }
}

/** Returns the format of a source, or of a text in a container in it. A stream may be live, so this waits only for bytes that decide. */
function* peekFormat(reader: ByteReader, type: SourceType, isFile: boolean): Steps<never, InputFormat> {
  if (isFile) return fileFormatOf(type, yield* reader.peek(FORMAT_BYTES));
  let start = yield* reader.peek(1);
  for (let looks = 0; ; looks++) {
    const format = detectFormat(type, start);
    if (format !== undefined) return format;
    const before = start.length;
    yield* reader.peek(nextLook(before, looks));
    start = yield* reader.peek(Math.min(reader.held, FORMAT_BYTES));
    if (start.length === before) return inputFormatOf(type, start);
  }
}
