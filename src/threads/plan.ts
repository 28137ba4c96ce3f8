// How a list of sources is cut into steps: ranges of large files, groups of small ones, and what the main thread does itself.
import { SourceError } from "../errors.ts";
import { recognizeContainer } from "../input/containers/recognize.ts";
import { openFile, readStart } from "../input/file.ts";
import { type FileSource, type Listed, Omitted } from "../input/paths.ts";
import { textTypeOf } from "../input/text-type.ts";
import type { Omission } from "../omission.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings, type TextType } from "../options.ts";
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
  | { kind: "omitted"; omission: Omission }
  | { kind: "failed"; error: SourceError };

/** The steps for `sources` of which `range` is wanted. A large file is opened when its turn comes, and put into `open`. */
export function* planSteps(
  sources: Iterable<Listed>,
  range: OwnedRange,
  rangeBytes: number,
  settings: ScanSettings,
  open: Set<number>,
): Generator<Step> {
  let group: FilePart[] = [];
  let groupBytes = 0;
  for (const source of sources) {
    const isSmall = "regular" in source && source.regular && source.size <= rangeBytes;
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
    } else if (source instanceof Omitted) {
      yield { kind: "omitted", omission: source.omission };
    } else if (source.regular) {
      yield* cutFile(source, range, rangeBytes, settings, open);
    } else {
      yield { kind: "stream", source };
    }
  }
  if (group.length > 0) yield { kind: "parts", parts: group, closes: undefined };
}

// Opened once, so that the parts are of the same file whatever becomes of its name, and a file that cannot be read fails once.
function* cutFile(source: FileSource, range: OwnedRange, rangeBytes: number, settings: ScanSettings, open: Set<number>): Generator<Step> {
  const { file, name, size } = source;
  let fd: number;
  let type: TextType | undefined;
  try {
    fd = typeof file === "number" ? file : openFile(file, name);
    if (fd !== file) open.add(fd);
    type = typeOf(fd, name, settings);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "failed", error };
    return;
  }
  // An mbox is cut at its messages. What else is decoded, and compressed data, cannot be entered in the middle.
  const byMessage = type === "mbox" && settings.mbox !== "cl" && range === EVERYTHING;
  const isCut = type === "text" || byMessage;
  const end = Math.min(size, range.to);
  let from = range.from;
  for (; isCut && end - from > rangeBytes; from += rangeBytes) {
    yield { kind: "parts", parts: [{ file: fd, name, size, type, byMessage, from, to: from + rangeBytes }], closes: undefined };
  }
  // The last part reaches to the file's end, wherever that is by then.
  yield { kind: "parts", parts: [{ file: fd, name, size, type, byMessage, from, to: range.to }], closes: fd === file ? undefined : fd };
}

/** What a file is; undefined: a container. Throws SourceError. */
function typeOf(fd: number, name: string, { type }: ScanSettings): TextType | undefined {
  const start = readStart(fd, name);
  return recognizeContainer(start) === undefined ? textTypeOf(type, start) : undefined;
}
