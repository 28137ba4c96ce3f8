// What is in a source: the text of compressed data, the files of archives, and of those that are in each other.
import { ByteReader } from "./byte-reader.ts";
import { type Entry, memberName, refused } from "./entry.ts";
import { CONTAINER_LIMITS, type ContainerLimits, Meter, overLimit } from "./limits.ts";
import { CONTAINER_START_BYTES, type Container, isUndecided, recognizeContainer } from "./recognize.ts";
import type { OpenFile } from "./zip-file.ts";

/** A source as it lies. */
export interface PackedSource {
  readonly name: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The file of the chunks, if it has offsets: zip archives are then read by their directory. It is not closed. */
  readonly file?: OpenFile;
}

/** Something that holds text: a source that is no container, or what is in one. */
export interface Member {
  /** That of the source; of what is in an archive, `outer.zip!inner`. */
  readonly name: string | undefined;
  /** Its bytes. Throws SourceError behind all that can be read, and what the source's own chunks throw. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The members of a source, one after the other; each is read, wholly or in part, or not at all, before the next is asked for. What is
 * wrong with a container is thrown by the chunks of a member that has the container's name, so this never throws. When the caller
 * stops, the source's chunks are closed. @see docs/rules.md A11
 */
export function openMembers(source: PackedSource, limits: ContainerLimits = CONTAINER_LIMITS): AsyncGenerator<Member, undefined> {
  const reader = new ByteReader(source.chunks);
  const meter = new Meter(limits, source.name, () => 1, undefined);
  // Not awaited: a source that waits for its next chunk would keep the caller waiting too.
  const closeRoot = (): void => void reader.close().catch(() => undefined);
  const walk = new Walk(reader, source.file, limits);
  const members = (async function* (): AsyncGenerator<Member, undefined> {
    try {
      yield* walk.open({ name: source.name, reader, meter, depth: 0 });
    } finally {
      closeRoot();
    }
  })();
  return {
    next: () => members.next(),
    throw: (error: unknown) => members.throw(error),
    return: (value) => {
      // First, so that what waits for the source's next chunk goes on.
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
  readonly name: string | undefined;
  readonly reader: ByteReader;
  readonly meter: Meter;
  readonly depth: number;
}

type Decoder = (reader: ByteReader, source: string | undefined) => AsyncGenerator<Uint8Array>;

async function loadDecoder(container: Exclude<Container, "zip" | "tar">): Promise<Decoder> {
  if (container === "gzip") return (await import("./gzip.ts")).readGzip;
  if (container === "zstd") return (await import("./zstd.ts")).readZstd;
  if (container === "xz") return (await import("./xz.ts")).readXz;
  return (await import("./bzip2.ts")).readBzip2;
}

class Walk {
  readonly #root: ByteReader;
  readonly #file: OpenFile | undefined;
  readonly #limits: ContainerLimits;
  /** Errors that a member's reader has seen. */
  readonly #thrown = new WeakSet<object>();
  #members = 0;
  #given = 0;

  constructor(root: ByteReader, file: OpenFile | undefined, limits: ContainerLimits) {
    this.#root = root;
    this.#file = file;
    this.#limits = limits;
  }

  async *open(layer: Layer): AsyncGenerator<Member, undefined> {
    try {
      const container = recognizeContainer(await peekStart(layer.reader));
      if (container === undefined) yield this.#member(layer);
      else if (layer.depth === this.#limits.depthMax) throw overLimit(layer.name, `it is in ${layer.depth} containers already`);
      else if (container === "zip" || container === "tar") yield* this.#openArchive(container, layer);
      else yield* this.#openCompressed(await loadDecoder(container), layer);
    } catch (error) {
      if (!this.#hasSeen(error)) yield { name: layer.name, chunks: this.#watch(refused(error)) };
    }
  }

  async *#openCompressed(decode: Decoder, { name, reader, meter: outer, depth }: Layer): AsyncGenerator<Member> {
    const meter = outer.inner(name, () => reader.position);
    const decoded = new ByteReader(meter.count(decode(reader, name)));
    try {
      yield* this.open({ name, reader: decoded, meter, depth: depth + 1 });
    } finally {
      await decoded.close();
    }
  }

  async *#openArchive(container: "zip" | "tar", layer: Layer): AsyncGenerator<Member> {
    for await (const entry of this.#entries(container, layer)) {
      this.#members++;
      if (this.#members > this.#limits.membersMax) throw overLimit(layer.name, `it has more than ${this.#limits.membersMax} members`);
      const name = memberName(layer.name, entry.name);
      const reader = new ByteReader(entry.chunks);
      try {
        yield* this.open({ name, reader, meter: entry.meter ?? layer.meter, depth: layer.depth + 1 });
      } finally {
        // A decoder may still be taking bytes that lie before the next entry.
        await reader.close();
      }
    }
  }

  async *#entries(container: "zip" | "tar", { name, reader, meter }: Layer): AsyncGenerator<Entry> {
    if (container === "tar") {
      yield* (await import("./tar.ts")).readTar(reader, name);
      return;
    }
    if (reader === this.#root && this.#file !== undefined) {
      const { openDirectory, readDirectory } = await import("./zip-file.ts");
      const directory = await openDirectory(this.#file);
      if (directory !== undefined) {
        yield* readDirectory(directory, this.#file, name, meter);
        return;
      }
    }
    yield* (await import("./zip-stream.ts")).readZipStream(reader, name, meter);
  }

  #member({ name, reader, depth }: Layer): Member {
    const next = async function* (): AsyncGenerator<Uint8Array> {
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) yield chunk;
    };
    return { name, chunks: this.#watch(depth === 0 ? next() : this.#bounded(next(), name)) };
  }

  /** Bytes of a member in a container. A source whose members share their compressed bytes is found out here. */
  async *#bounded(chunks: AsyncIterable<Uint8Array>, name: string | undefined): AsyncGenerator<Uint8Array> {
    const { memberBytesMax, ratioFreeBytes, ratioMax } = this.#limits;
    let length = 0;
    for await (const chunk of chunks) {
      length += chunk.length;
      this.#given += chunk.length;
      if (length > memberBytesMax) throw overLimit(name, `it has more than ${memberBytesMax} bytes`);
      if (this.#given > ratioFreeBytes && this.#given > ratioMax * (this.#file?.size ?? this.#root.position)) {
        throw overLimit(name, `its source decodes to more than ${ratioMax} times its size`);
      }
      yield chunk;
    }
  }

  async *#watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#thrown.add(error);
      throw error;
    }
  }

  #hasSeen(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#thrown.has(error);
  }
}

/** As many of the first bytes as tell whether they begin a container; of a live source no more than that are waited for. */
async function peekStart(reader: ByteReader): Promise<Uint8Array> {
  let start = await reader.peek(1);
  while (isUndecided(start)) {
    const before = start.length;
    await reader.peek(before + 1);
    start = await reader.peek(Math.min(reader.held, CONTAINER_START_BYTES));
    if (start.length === before) break;
  }
  return start;
}
