// The first bytes of a stream, however it is cut into chunks: they tell what it is.
import { SourceError } from "../errors.ts";
import type { SourceType, TextType } from "../options.ts";
import { CONTAINER_START_BYTES, type Container, recognizeContainer } from "./containers/recognize.ts";
import { needsMore, textTypeOf } from "./text-type.ts";

/** Bytes of the longest magic number. */
const MAGIC_BYTES = 6;
const LINE_FEED = 0x0a;

/** How compressed data is opened outside. */
const OPENED_BY: Readonly<Record<Container, string>> = {
  gzip: "zcat",
  bzip2: "bzcat",
  xz: "xzcat",
  zstd: "zstdcat",
  zip: "unzip -p",
  tar: "tar -xO",
};

/** Throws SourceError (`ERR_COMPRESSED`) if a source that begins with `start` is compressed or an archive: not everybody can open it. */
export function refuseContainer(start: Uint8Array, source: string | undefined): void {
  const container = recognizeContainer(start);
  if (container === undefined) return;
  const kind = container === "zip" || container === "tar" ? "an archive" : "compressed";
  const reason = `is ${kind} (${container}); extractFiles, extractFrom and the command open it, here unpack it first (${OPENED_BY[container]})`;
  throw new SourceError("ERR_COMPRESSED", source, reason);
}

/** Whether more bytes may tell a container: a header of tar has zeros and no line break. */
function isShort(start: Uint8Array): boolean {
  const lineEnd = start.indexOf(LINE_FEED);
  if (start.length >= CONTAINER_START_BYTES || (lineEnd >= MAGIC_BYTES && !start.subarray(0, lineEnd).includes(0))) return false;
  return true;
}

/** Keeps the first bytes of a stream until they tell what it is. */
export class SourceStart {
  readonly #type: SourceType;
  readonly #source: string | undefined;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(type: SourceType, source: string | undefined) {
    this.#type = type;
    this.#source = source;
  }

  /** Takes the next bytes. */
  take(chunk: Uint8Array): void {
    const bytes = new Uint8Array(this.#bytes.length + chunk.length);
    bytes.set(this.#bytes);
    bytes.set(chunk, this.#bytes.length);
    this.#bytes = bytes;
  }

  /** Whether nothing more is needed. */
  get isEnough(): boolean {
    return !isShort(this.#bytes) && !needsMore(this.#type, this.#bytes);
  }

  /** All bytes that were taken. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** What the stream is. Throws SourceError (`ERR_COMPRESSED`). */
  get type(): TextType {
    refuseContainer(this.#bytes, this.#source);
    return textTypeOf(this.#type, this.#bytes);
  }
}
