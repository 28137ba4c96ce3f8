// The first bytes of a stream, however it is cut into chunks: they tell what it is.
import { SourceError } from "../errors.ts";
import type { SourceType, TextType } from "../options.ts";
import { isRead, isUndecided, OPENED_BY, recognizeContainer } from "./containers/recognize.ts";
import { needsMore, textTypeOf } from "./text-type.ts";

/** Throws SourceError (`ERR_COMPRESSED`) if a source that begins with `start` is compressed or an archive: not everybody can open it. */
export function refuseContainer(start: Uint8Array, source: string | undefined): void {
  const container = recognizeContainer(start);
  if (container === undefined) return;
  const kind = container === "zip" || container === "tar" ? "an archive" : "compressed";
  const others = isRead(container) ? "extractFiles, extractFrom and the command open it; for others unpack it first" : "unpack it first";
  const reason = `is ${kind} (${container}); ${others} (${OPENED_BY[container]})`;
  throw new SourceError("ERR_COMPRESSED", source, reason);
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
    return !isUndecided(this.#bytes) && !needsMore(this.#type, this.#bytes);
  }

  /** All bytes that were taken. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Returns all bytes that were taken, and keeps them no longer. */
  release(): Uint8Array {
    const bytes = this.#bytes;
    this.#bytes = new Uint8Array(0);
    return bytes;
  }

  /** What the stream is. Throws SourceError (`ERR_COMPRESSED`). */
  get type(): TextType {
    refuseContainer(this.#bytes, this.#source);
    return textTypeOf(this.#type, this.#bytes);
  }
}
