/**
 * JSON taken apart (A16): strings and what stands between them, each a text of its own with its escapes undone, and the name of the member
 * that holds it.
 */
import { closedReference } from "./html.ts";
import { decodedFrom, neutral, type Source, sourceOf } from "./source.ts";
import { bytesOf } from "./unicode.ts";

/** A piece of JSON that is read as a text of its own; `name` is a byte string. */
export interface JsonPiece {
  text: Source;
  name: string;
}

const HEX = "[0-9A-Fa-f]{2}";
const WRITTEN = new RegExp(`\\\\(?:["\\\\/bfnrt]|u[Dd][89ABab]${HEX}\\\\u[Dd][C-Fc-f]${HEX}|u${HEX}${HEX})`, "y");
const NAME_BYTES_MAX = 128;
const DEPTH_MAX = 64;

/** The escape or the reference (C283) at an offset, or null where none stands there. */
function undoneAt(bytes: string, at: number): { bytes: string; width: number } | null {
  const reference = closedReference(bytes, at, /&|\\u0026/y);
  if (reference !== null) {
    return reference;
  }
  WRITTEN.lastIndex = at;
  const written = WRITTEN.exec(bytes)?.[0];
  // Half a pair becomes U+FFFD where it is written as UTF-8.
  return written === undefined ? null : { bytes: bytesOf(JSON.parse(`"${written}"`)), width: written.length };
}

/** A name as it is reported: 128 bytes at most, cut between characters. */
function reported(name: string): string {
  let end = Math.min(name.length, NAME_BYTES_MAX);
  while (end < name.length && end > 0 && /[\x80-\xBF]/.test(name.charAt(end))) {
    end--;
  }
  return Array.from(name.slice(0, end), (byte) => (byte > "\0" && byte <= "\x03" ? "\x04" : byte)).join("");
}

/** What holds the string that is read: follows the bytes of a text. */
class Structure {
  /** The names of the open containers; the first is that of the text. */
  #names = [""];
  /** The name of the member whose value is read. */
  #member: string | null = null;
  /** The string that was read last, if it may be a name. */
  #last: string | null = null;
  #string: string | null = null;

  get isInString(): boolean {
    return this.#string !== null;
  }

  get name(): string {
    return this.#member ?? this.#names[Math.min(this.#names.length - 1, DEPTH_MAX)] ?? "";
  }

  /** A quotation mark that no escape stands for. */
  quote(): void {
    this.#last = this.#member === null ? this.#string : null;
    this.#string = this.#string === null ? "" : null;
  }

  /** Bytes that an escape stands for. */
  escaped(bytes: string): void {
    this.#string = this.#string === null ? null : this.#string + bytes;
  }

  /** Any other byte. */
  take(byte: string): void {
    if (this.#string === null) {
      this.#takeStructure(byte);
    } else if (byte === "\n") {
      [this.#names, this.#member, this.#last, this.#string] = [[""], null, null, null];
    } else {
      this.#string += byte;
    }
  }

  #takeStructure(byte: string): void {
    if (byte === ":" && this.#last !== null) {
      this.#member = reported(this.#last);
    } else if (/[{[]/.test(byte)) {
      this.#names.push(this.name);
      this.#member = null;
    } else if (/[}\]]/.test(byte)) {
      this.#names = this.#names.slice(0, Math.max(1, this.#names.length - 1));
      this.#member = null;
    } else if (byte === ",") {
      this.#member = null;
    }
    this.#last = /[{[}\],:]/.test(byte) ? null : this.#last;
  }
}

/** What stands in JSON, in its order. */
export function readJson(page: string): JsonPiece[] {
  const structure = new Structure();
  const pieces: JsonPiece[] = [];
  let name = "";
  let start = 0;
  const end = (at: number): void => {
    const source = sourceOf(page.slice(start, at), start);
    pieces.push({ text: neutral(decodedFrom(source, (offset) => undoneAt(source.bytes, offset))), name });
    start = at + 1;
  };
  for (let at = 0; at < page.length; ) {
    const undone = undoneAt(page, at);
    if (undone !== null) {
      structure.escaped(undone.bytes);
    } else if (page[at] === '"') {
      end(at);
      structure.quote();
      name = structure.isInString ? structure.name : "";
    } else {
      structure.take(page.charAt(at));
    }
    at += undone?.width ?? 1;
  }
  end(page.length);
  return pieces;
}

const SPACE = "[\\t\\n\\r ]*";
const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"';
const VALUE = `${SPACE}["{[0-9tfn-]`;
const EMPTY = new RegExp(`^(?:\\{${SPACE}\\}|\\[${SPACE}\\])`);
const SCALAR = /^(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)/;
const NEXT = new RegExp(`^${SPACE},${SPACE}`);
const NEXT_LINE = new RegExp(`^[\\t\\r ]*\\n${SPACE}`);
const MEMBER = new RegExp(`^\\{${SPACE}${STRING}${SPACE}:${VALUE}`);
const ITEM = new RegExp(`^${STRING}${SPACE}(?:,${VALUE}|\\](?:${SPACE}[,\\]]|[\\t\\r ]*(?:\\n|$)))`);

/** A1: whether the first bytes of a text are those of JSON; `isCut`: more follow. */
export function beginsJson(bytes: string, isCut: boolean): boolean {
  let rest = /^[\t\n\r ]{0,1023}([[{].*)/s.exec(bytes)?.[1] ?? "";
  for (let depth = 0; rest !== ""; ) {
    const empty = EMPTY.exec(rest)?.[0] ?? (depth > 0 ? SCALAR.exec(rest)?.[0] : undefined);
    if (empty !== undefined) {
      const next = (depth > 0 ? NEXT : NEXT_LINE).exec(rest.slice(empty.length))?.[0];
      if (next === undefined) {
        return false;
      }
      rest = rest.slice(empty.length + next.length);
    } else if (rest.startsWith("[")) {
      depth++;
      rest = rest.slice(1).replace(/^[\t\n\r ]+/, "");
    } else {
      return MEMBER.test(rest) || (depth > 0 && ITEM.test(isCut ? `${rest}x` : rest));
    }
  }
  return false;
}
