// How a list of sources is cut into steps: ranges of large files, groups of small ones, and what the main thread does itself.
import { closeSync } from "node:fs";
import { SourceError } from "../errors.ts";
import type { OwnedRange } from "../options.ts";
import { checkStart, openFile } from "../sources/file.ts";
import type { FileSource } from "../sources/paths.ts";
import type { FilePart } from "./task.ts";

/** Bytes of a large file that one task owns. */
export const RANGE_BYTES = 8 << 20;
/** Bytes of small files in one task. */
const GROUP_BYTES = 8 << 20;
/** Small files in one task. */
const GROUP_FILES = 256;

/** One step, in the order of the sources. A file that is given as a descriptor is open until the step that `closes` it is over. */
export type Step =
  | { kind: "parts"; parts: FilePart[]; closes: number | undefined }
  | { kind: "stream"; source: FileSource }
  | { kind: "failed"; error: SourceError };

/** The steps for `sources` of which `range` is wanted. A large file is opened when its turn comes, and put into `open`. */
export function* planSteps(
  sources: Iterable<FileSource | SourceError>,
  range: OwnedRange,
  rangeBytes: number,
  open: Set<number>,
): Generator<Step> {
  let group: FilePart[] = [];
  let groupBytes = 0;
  for (const source of sources) {
    const isSmall = !(source instanceof SourceError) && source.regular && source.size <= rangeBytes;
    const size = isSmall ? source.size : GROUP_BYTES;
    if (group.length > 0 && (groupBytes + size > GROUP_BYTES || group.length === GROUP_FILES)) {
      yield { kind: "parts", parts: group, closes: undefined };
      group = [];
      groupBytes = 0;
    }
    if (isSmall) {
      group.push({ file: source.file, name: source.name, size: source.size, ...range });
      groupBytes += size;
    } else if (source instanceof SourceError) {
      yield { kind: "failed", error: source };
    } else if (source.regular) {
      yield* cutFile(source, range, rangeBytes, open);
    } else {
      yield { kind: "stream", source };
    }
  }
  if (group.length > 0) yield { kind: "parts", parts: group, closes: undefined };
}

// Opened once, so that the parts are of the same file whatever becomes of its name, and a file that cannot be read fails once.
function* cutFile(source: FileSource, range: OwnedRange, rangeBytes: number, open: Set<number>): Generator<Step> {
  const { file, name, size } = source;
  let fd: number;
  try {
    fd = typeof file === "number" ? file : openChecked(file, name);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "failed", error };
    return;
  }
  if (fd !== file) open.add(fd);
  const end = Math.min(size, range.to);
  let from = range.from;
  for (; end - from > rangeBytes; from += rangeBytes) {
    yield { kind: "parts", parts: [{ file: fd, name, size, from, to: from + rangeBytes }], closes: undefined };
  }
  // The last part reaches to the file's end, wherever that is by then.
  yield { kind: "parts", parts: [{ file: fd, name, size, from, to: range.to }], closes: fd === file ? undefined : fd };
}

function openChecked(path: string | Uint8Array, name: string): number {
  const fd = openFile(path, name);
  try {
    checkStart(fd, name);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}
