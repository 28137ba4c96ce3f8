// The members of an input: the text of compressed data, and the files of archives, also nested ones (A11).
import { SourceError } from "../../base/errors.ts";
import type { SourceType, TextType } from "../../options/options.ts";
import { detectFormat, FORMAT_BYTES, fileFormatOf, type InputFormat, inputFormatOf, isContainer } from "../input-format.ts";
import { Pacer } from "../pacer.ts";
import type { Decoder, RangeDecoder } from "./block-range.ts";
import { ByteReader, gather } from "./byte-reader.ts";
import { type ArchiveError, type Entry, type LeftOut, SourceName } from "./entry.ts";
import { Budget, CONTAINER_LIMITS, type ContainerLimits, Meter, overLimit } from "./limits.ts";
import { type Container, isOpened, OPENED_BY, type OpenedContainer, UNBATCH_BYTES, unbatchLine } from "./recognize.ts";
import type { OpenFile } from "./zip-index.ts";

/** Most bytes of a yielded chunk. */
const GIVEN_BYTES = 1 << 18;

const LINE_FEED = 0x0a;

/** Most errors of an archive that become members; the others are counted. */
const ERRORS_MAX = 10;

/** An input that may be a container. */
export interface PackedSource {
  readonly name: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The type of the texts as set by the user; absent: "auto". */
  readonly type?: SourceType;
  /**
   * The file whose bytes `chunks` yields. If it is a zip archive, its directory is read first. The formats of its texts are detected as
   * those of files. It is not closed here.
   */
  readonly file?: OpenFile & { readonly format?: InputFormat };
  /** Called with the kind and the full name of each archive member that is neither a regular file nor a folder. */
  readonly leftOut?: (reason: LeftOut["leftOut"], name: string | undefined) => void;
  /** Set if only a part of a compressed file's text is read. `chunks` start at the block `blocks.start`. */
  readonly blocks?: RangeDecoder | undefined;
}

/** A text: an input, or a member of a container. */
export interface Member {
  /** The name of the input, or of a member or container in it: `outer.zip!inner`. Long names are shortened. */
  readonly name: string | undefined;
  readonly type: TextType;
  /** The bytes. Throws SourceError after all readable bytes, and the errors of the input. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Yields the members of a source, and skips unread bytes of the last one. Never throws: a container's error is thrown by the chunks of a
 * member with the container's name. When the caller stops, the chunks of the source are closed. `pacer` yields to the event loop; when its
 * signal fires, chunks throw the signal's reason. (A11)
 */
export function openMembers(
  source: PackedSource,
  limits: ContainerLimits = CONTAINER_LIMITS,
  pacer: Pacer = new Pacer(),
): AsyncGenerator<Member, undefined> {
  const reader = new ByteReader(source.chunks, pacer, source.name, source.blocks?.start.compressed);
  // Not awaited, because a source that waits for its next chunk would block the caller.
  const closeRoot = (): void => void reader.close().catch(() => undefined);
  const walk = new MemberWalk(reader, source, limits, pacer);
  const members = (async function* (): AsyncGenerator<Member, undefined> {
    try {
      yield* walk.openRoot();
    } finally {
      closeRoot();
    }
  })();
  return {
    next: () => members.next(),
    throw: (error: unknown) => members.throw(error),
    return: (value) => {
      // First, to end a pending read of the source.
      closeRoot();
      return members.return(value);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  } as AsyncGenerator<Member, undefined>;
}

/** Bytes that may be a container. */
interface Layer {
  readonly name: SourceName;
  readonly reader: ByteReader;
  readonly meter: Meter;
  readonly depth: number;
}

async function loadDecoder(
  container: Exclude<OpenedContainer, "zip" | "tar" | "unbatch">,
  { windowMax }: ContainerLimits,
): Promise<Decoder> {
  if (container === "gzip") return (await import("./gzip.ts")).readGzip;
  if (container === "zstd") {
    const { readZstd } = await import("./zstd.ts");
    return (reader, atFrame) => readZstd(reader, windowMax, atFrame);
  }
  if (container === "xz") {
    const { readXz } = await import("./xz.ts");
    return (reader) => readXz(reader, windowMax);
  }
  if (container === "ole") return (await import("./outlook.ts")).readOutlook;
  if (container === "compress") return (await import("./compress.ts")).readCompress;
  return (await import("./bzip2.ts")).readBzip2;
}

function unread(container: Container, source: string | undefined): SourceError {
  const reason = `has the format ${container}, which urlmill does not read; unpack it first (${OPENED_BY[container]})`;
  return new SourceError("ERR_URLMILL_METHOD", source, reason);
}

class MemberWalk {
  readonly #root: ByteReader;
  readonly #source: PackedSource;
  readonly #limits: ContainerLimits;
  readonly #pacer: Pacer;
  readonly #budget: Budget;
  /** Bytes of text before the part that is read. */
  readonly #textBefore: number;
  /** Errors that were already thrown to the reader of a member. */
  readonly #thrown = new WeakSet<object>();

  constructor(root: ByteReader, source: PackedSource, limits: ContainerLimits, pacer: Pacer) {
    this.#root = root;
    this.#source = source;
    this.#limits = limits;
    this.#pacer = pacer;
    this.#textBefore = source.blocks?.start.decoded ?? 0;
    this.#budget = new Budget(limits, source.name, () => source.file?.size ?? root.position, this.#textBefore);
  }

  openRoot(): AsyncGenerator<Member, undefined> {
    const name = new SourceName(this.#source.name);
    const meter = new Meter(this.#budget, name.text, () => 1, undefined);
    return this.#open({ name, reader: this.#root, meter, depth: 0 });
  }

  async *#open(layer: Layer): AsyncGenerator<Member, undefined> {
    try {
      const { file, blocks, type = "auto" } = this.#source;
      const known = layer.depth === 0 ? file?.format : blocks?.type;
      const format = known ?? (await (file === undefined ? peekStream(layer.reader, type) : peekFile(layer.reader, type)));
      if (!isContainer(format)) yield this.#member(layer, format);
      else if (layer.depth === this.#limits.depthMax)
        throw overLimit(layer.name.text, `it is inside ${layer.depth} other containers (--depth-max)`);
      else if (!isOpened(format)) throw unread(format, layer.name.text);
      else if (format === "zip" || format === "tar") yield* this.#openArchive(format, layer);
      else if (format === "unbatch") yield* this.#openBatch(layer);
      else yield* this.#openCompressed(await loadDecoder(format, this.#limits), layer);
    } catch (error) {
      if (this.#hasSeen(error)) return;
      // An error that ends the whole source has the name of the source.
      if (this.#budget.isSpent && layer.depth > 0) throw error;
      yield this.#failedMember(layer, error);
    }
  }

  #failedMember({ name }: Layer, error: unknown): Member {
    return { name: name.text, type: "text", chunks: this.#watch(refused(error)) };
  }

  /** Opens a compressed news batch. Its first line names a program, but the format is detected from the bytes after the line. */
  async *#openBatch({ name, reader, meter, depth }: Layer): AsyncGenerator<Member> {
    const program = unbatchLine(await reader.peek(UNBATCH_BYTES)) ?? "";
    while ((await reader.take(1))[0] !== LINE_FEED);
    const format = inputFormatOf("auto", await reader.peek(FORMAT_BYTES));
    if (!isContainer(format) || !isOpened(format) || format === "zip" || format === "tar" || format === "unbatch")
      throw new SourceError(
        "ERR_URLMILL_METHOD",
        name.text,
        `is a news batch for ${program}, which urlmill does not read; unpack it first`,
      );
    yield* this.#openCompressed(await loadDecoder(format, this.#limits), { name, reader, meter, depth });
  }

  async *#openCompressed(decode: Decoder, { name, reader, meter: outer, depth }: Layer): AsyncGenerator<Member> {
    const { blocks } = this.#source;
    const meter = outer.inner(name.text, () => reader.position, this.#textBefore);
    const texts = blocks === undefined ? decode(reader) : blocks.decode(decode, reader);
    const decoded = new ByteReader(meter.count(gather(texts, reader)), this.#pacer, name.text);
    try {
      yield* this.#open({ name, reader: decoded, meter, depth: depth + 1 });
    } finally {
      await decoded.close();
    }
  }

  async *#openArchive(container: "zip" | "tar", layer: Layer): AsyncGenerator<Member> {
    for await (const entry of this.#limitErrors(this.#entries(container, layer), layer.name)) {
      // Errors are given as members, so they count as members.
      this.#budget.addMember();
      if ("leftOut" in entry) {
        this.#source.leftOut?.(entry.leftOut, layer.name.member(entry.name).text);
        continue;
      }
      if ("error" in entry) {
        yield this.#failedMember(layer, entry.error);
        continue;
      }
      const name = layer.name.member(entry.name);
      const reader = new ByteReader(entry.chunks, this.#pacer, name.text);
      try {
        yield* this.#open({ name, reader, meter: entry.meter ?? layer.meter, depth: layer.depth + 1 });
      } finally {
        // Ends a decoder that may still read bytes of this entry.
        await reader.close();
      }
      if (this.#budget.isSpent) return;
    }
  }

  /** Yields `entries` without errors that were thrown before. Counts errors above ERRORS_MAX, and reports their number at the end. */
  async *#limitErrors<E extends Entry | LeftOut>(
    entries: AsyncIterable<E | ArchiveError>,
    name: SourceName,
  ): AsyncGenerator<E | ArchiveError> {
    let errors = 0;
    const rest = function* (): Generator<ArchiveError> {
      if (errors <= ERRORS_MAX) return;
      const reason = `has ${errors - ERRORS_MAX} more errors, which are not named`;
      yield { error: new SourceError("ERR_URLMILL_CORRUPT", name.text, reason) };
    };
    try {
      for await (const entry of entries) {
        if (!("error" in entry)) yield entry;
        else if (!this.#hasSeen(entry.error) && ++errors <= ERRORS_MAX) yield entry;
      }
    } catch (error) {
      yield* rest();
      throw error;
    }
    yield* rest();
  }

  async *#entries(container: "zip" | "tar", { name, reader, meter }: Layer): AsyncGenerator<Entry | LeftOut | ArchiveError> {
    if (container === "tar") {
      yield* (await import("./tar.ts")).readTar(reader);
      return;
    }
    const { ZipReader } = await import("./zip.ts");
    const { file } = this.#source;
    const isFile = reader === this.#root && file !== undefined;
    const index = isFile ? await (await import("./zip-index.ts")).ZipIndex.open(file, () => reader.pause()) : undefined;
    yield* new ZipReader(reader, name, meter, this.#pacer, index).read();
  }

  #member({ name, reader, depth }: Layer, type: TextType): Member {
    return { name: name.text, type, chunks: this.#watch(depth === 0 ? allOf(reader) : this.#bounded(allOf(reader), name.text)) };
  }

  /** Yields the bytes of a member up to the limits. */
  async *#bounded(chunks: AsyncIterable<Uint8Array>, name: string | undefined): AsyncGenerator<Uint8Array> {
    const { memberBytesMax } = this.#limits;
    let length = this.#textBefore;
    for await (const chunk of chunks) {
      length += chunk.length;
      const left = this.#budget.textLeft;
      // Bytes up to the limit are yielded, so that the result does not depend on chunk sizes.
      if (chunk.length > left && left > 0) yield chunk.subarray(0, left);
      if (length > memberBytesMax) throw overLimit(name, `it has more than ${memberBytesMax} bytes`);
      this.#budget.addText(chunk.length);
      yield chunk;
    }
  }

  async *#watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#thrown.add(error);
      // A container may throw the decoder's error without its offset in the text.
      if (error instanceof SourceError && error.cause instanceof SourceError) this.#thrown.add(error.cause);
      throw error;
    }
  }

  #hasSeen(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#thrown.has(error);
  }
}

/** Yields all bytes, in chunks that are scanned in some milliseconds. */
async function* allOf(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (let chunk = await reader.next(GIVEN_BYTES); chunk !== undefined; chunk = await reader.next(GIVEN_BYTES)) yield chunk;
}

/** Returns the format of a file, or of a text in a container in a file. */
async function peekFile(reader: ByteReader, type: SourceType): Promise<InputFormat> {
  return fileFormatOf(type, await reader.peek(FORMAT_BYTES));
}

/** Returns the format of a stream, or of a text in a container in a stream. It may be live, so this waits only for bytes that decide. */
async function peekStream(reader: ByteReader, type: SourceType): Promise<InputFormat> {
  let start = await reader.peek(1);
  for (;;) {
    const format = detectFormat(type, start);
    if (format !== undefined) return format;
    const before = start.length;
    await reader.peek(before + 1);
    start = await reader.peek(Math.min(reader.held, FORMAT_BYTES));
    if (start.length === before) return inputFormatOf(type, start);
  }
}

/** Returns the chunks of an unreadable member: the first read rejects with `error`. */
function refused(error: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
