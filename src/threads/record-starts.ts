// Where records of a web archive begin (A12), as far as a look at a few bytes can say. Nothing has to be true: who reads a part finds out
// whether a record begins where the next part does.
import { decodeLatin1 } from "../core/text.ts";
import { type BlockFile, FileWindow, readOf } from "../input/containers/file-window.ts";

/** Bytes of a record that are looked at: headers have fewer. */
const HEAD_BYTES = 1 << 12;
/** Bytes that are searched at a time. */
const SEARCH_BYTES = 1 << 16;
/** What seems to begin a record that is looked at for one cut, at most. */
const TRIES_MOST = 64;
const RECORD_START = "WARC/";
const LINE_AND_RECORD_START = Buffer.from(`\n${RECORD_START}`);
const BETWEEN_AND_RECORD_START = new RegExp(`^[\\r\\n]{0,16}${RECORD_START}`);
const HEADER_END = /\n\r?\n/;
const CONTENT_LENGTH = /^Content-Length[ \t]*:[ \t]*(\d+)/im;

/** Returns whether a text begins with a record. */
export function beginsRecord(text: Uint8Array): boolean {
  return decodeLatin1(text, 0, Math.min(text.length, RECORD_START.length)) === RECORD_START;
}

/** Finds where records of a file begin. */
export class RecordSearch {
  readonly #file: BlockFile;
  readonly #window: FileWindow;
  /** The line break before the bytes that are searched, these, and the rest of a start that begins in them. */
  readonly #bytes = Buffer.alloc(SEARCH_BYTES + RECORD_START.length);

  constructor(file: BlockFile) {
    this.#file = file;
    this.#window = new FileWindow(file);
  }

  /**
   * Returns where the first record in `[from, to)` begins, or undefined if none is seen there. A block may have text that looks like a
   * record, so one counts only if the next begins where its length says.
   */
  first(from: number, to: number): number | undefined {
    let tries = 0;
    for (let piece = from; piece < to; piece += SEARCH_BYTES) {
      const read = this.#bytes.subarray(0, readOf(this.#file, this.#bytes, piece - 1));
      for (let at = read.indexOf(LINE_AND_RECORD_START); at >= 0; at = read.indexOf(LINE_AND_RECORD_START, at + 1)) {
        const record = piece + at;
        const end = this.#endOf(record);
        if (end !== undefined && BETWEEN_AND_RECORD_START.test(this.#textAt(end))) return record;
        if (++tries === TRIES_MOST) return undefined;
      }
    }
    return undefined;
  }

  /** Returns where the block of a record ends; undefined if its header does not say it. */
  #endOf(record: number): number | undefined {
    const text = this.#textAt(record);
    const end = HEADER_END.exec(text);
    const length = end === null ? undefined : CONTENT_LENGTH.exec(text.slice(0, end.index))?.[1];
    return end === null || length === undefined ? undefined : record + end.index + end[0].length + Number(length);
  }

  /** Returns what can be seen of a header; nothing after the end of the file, as a length may be any number. */
  #textAt(position: number): string {
    const count = Math.min(HEAD_BYTES, this.#file.size - position);
    return count > 0 ? decodeLatin1(this.#window.at(position, count) ?? new Uint8Array(0)) : "";
  }
}
