/**
 * Texts that know where each of their bytes stands in the source: decoded references (X9), wrapped and nested URLs (X7, X11).
 */

/** A byte string; byte `at` of it was read from the bytes `[startOf(at), endOf(at))` of the source. */
export interface Source {
  bytes: string;
  startOf: (at: number) => number;
  endOf: (at: number) => number;
}

/** A source as it stands, `from` bytes after the start of the input. */
export function sourceOf(bytes: string, from = 0): Source {
  return { bytes, startOf: (at) => from + at, endOf: (at) => from + at + 1 };
}

/** The part of a source between two of its offsets. */
export function sliceOf(source: Source, from: number, to: number): Source {
  return { bytes: source.bytes.slice(from, to), startOf: (at) => source.startOf(from + at), endOf: (at) => source.endOf(from + at) };
}

/** A text of which each byte was one byte of a source, that at `offsets`, or the bytes up to `ends`. */
export function pickedFrom(source: Source, bytes: string, offsets: readonly number[], ends?: readonly number[]): Source {
  const lastOf = (at: number): number => (ends === undefined ? (offsets[at] ?? 0) : (ends[at] ?? 1) - 1);
  return { bytes, startOf: (at) => source.startOf(offsets[at] ?? 0), endOf: (at) => source.endOf(lastOf(at)) };
}

/** A source in which pieces have been decoded: `decodeAt` gives what stands at an offset and how many bytes say so, or null. */
export function decodedFrom(source: Source, decodeAt: (at: number) => { bytes: string; width: number } | null): Source {
  const starts: number[] = [];
  const ends: number[] = [];
  let bytes = "";
  let at = 0;
  while (at < source.bytes.length) {
    const piece = decodeAt(at) ?? { bytes: source.bytes.charAt(at), width: 1 };
    for (const byte of piece.bytes) {
      bytes += byte;
      starts.push(source.startOf(at));
      ends.push(source.endOf(at + piece.width - 1));
    }
    at += piece.width;
  }
  return { bytes, startOf: (index) => starts[index] ?? 0, endOf: (index) => ends[index] ?? 0 };
}

/** A text of a page or of JSON, where no byte is one of those that stand for markup: 01 to 03 are 04. */
export function neutral(source: Source): Source {
  return { ...source, bytes: source.bytes.replace(/./gs, (byte) => (byte > "\0" && byte < "\x04" ? "\x04" : byte)) };
}
