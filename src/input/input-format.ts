// The format of an input: a container, or a type of text (A1). It is detected from the first bytes.
import { grown } from "../base/arrays.ts";
import { SourceError } from "../base/errors.ts";
import type { SourceType, TextType } from "../options/options.ts";
import { CONTAINERS, type Container, isOpened, mayBeContainer, recognizeContainer } from "./containers/recognize.ts";
import { detectTextType, fileTypeOf, TYPE_BYTES, textTypeOf } from "./text-type.ts";

/** A container, or the type of a text. No name is in both sets. */
export type InputFormat = Container | TextType;

export const FORMAT_BYTES = TYPE_BYTES; // Most bytes at the start of an input that are needed to detect its format

const MARK_BYTES = 2; // Bytes of the byte order mark of UTF-16, which a text of any type may begin with

export function isContainer(format: InputFormat): format is Container {
  return format in CONTAINERS;
}

/** Returns whether `openMembers` reads a format: a container, or a PDF, which has text in object streams. */
export function isPacked(format: InputFormat): format is Container | "pdf" {
  return isContainer(format) || format === "pdf";
}

/** Returns the format of an input, without the rule of `fileFormatOf` for an mbox. `start`: its first FORMAT_BYTES bytes, or all. */
export function inputFormatOf(type: SourceType, start: Uint8Array): InputFormat {
  return recognizeContainer(start) ?? textTypeOf(type, start);
}

/** Returns the format of bytes in memory, or of a stream whose start StreamStart kept. With the type `text` it is never a container. */
export function memoryFormatOf(type: SourceType, start: Uint8Array): InputFormat {
  return type === "text" ? textTypeOf(type, start) : inputFormatOf(type, start);
}

/** Returns the format of a file, or of a text in a container in a file. `start`: as for `inputFormatOf`. */
export function fileFormatOf(type: SourceType, start: Uint8Array): InputFormat {
  return recognizeContainer(start) ?? fileTypeOf(type, start);
}

/** Returns the format of the input that begins with `start`, or undefined if more bytes may change it. */
export function detectFormat(type: SourceType, start: Uint8Array): InputFormat | undefined {
  if (mayBeContainer(start)) return undefined;
  return recognizeContainer(start) ?? detectTextType(type, start);
}

/** Looks at the start of a stream that come after each chunk. Later looks come after an eighth more bytes: they take linear time. */
const LOOKS_MAX = 128;

/** Returns at how many bytes an undecided start of `length` bytes is looked at again, after `looks` looks. */
export function nextLook(length: number, looks: number): number {
  return looks < LOOKS_MAX ? length + 1 : Math.max(length + 1, Math.min(FORMAT_BYTES, length + (length >> 3)));
}

/** Returns `format` if it is a type of text. Throws SourceError for a container, because the calling function opens none. */
export function refuseContainer(format: InputFormat): TextType {
  if (!isContainer(format)) return format;
  const kind = format === "zip" || format === "tar" || format === "ole" ? "an archive" : "compressed";
  const others = isOpened(format) ? "use extractFrom, extractFiles or the command, or unpack it first" : "unpack it first";
  throw new SourceError("ERR_URLMILL_COMPRESSED", undefined, `is ${kind} (${format}); ${others} (${CONTAINERS[format][0]})`);
}

/** Keeps the first bytes of a stream until they decide its format. */
export class StreamStart {
  readonly #type: SourceType;
  #room = new Uint8Array(0);
  #looks = 0;
  #next = 0; // Bytes from which on the format is looked for again
  bytes: Uint8Array = this.#room;

  constructor(type: SourceType) {
    this.#type = type;
  }

  /** Takes the next bytes. Returns the format, or undefined while it is undecided. */
  take(chunk: Uint8Array): InputFormat | undefined {
    const before = this.bytes.length;
    const length = before + chunk.length;
    if (length > this.#room.length) this.#room = grown(this.#room, Math.max(length, 2 * before));
    this.#room.set(chunk, before);
    const bytes = this.#room.subarray(0, length);
    this.bytes = bytes;
    if (length < this.#next) return undefined;
    this.#next = nextLook(length, this.#looks++);
    if (this.#type !== "text") return detectFormat(this.#type, bytes);
    return bytes.length < MARK_BYTES ? undefined : textTypeOf("text", bytes);
  }

  end(): InputFormat {
    return memoryFormatOf(this.#type, this.bytes);
  }
}
