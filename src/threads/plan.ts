// The steps of a scan of many files: ranges of large files, groups of small ones, streams.
import { SourceError } from "../errors.ts";
import { InputFile } from "../input/file.ts";
import { type FileSource, isSource, type Listed } from "../input/paths.ts";
import type { Omission } from "../omission.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings } from "../options.ts";
import type { FilePart } from "../run/scan-file.ts";
import { isRangeable } from "../scanner/range.ts";

/** Bytes of a large file that one task owns. */
export const RANGE_BYTES = 8 << 20;
/** Bytes of a range at the end of a file, at least. */
const RANGE_BYTES_LEAST = 1 << 20;
/** Ranges that each thread still gets when they begin to become shorter. */
const RANGES_AHEAD = 4;
/** Bytes of small files in one task. */
const GROUP_BYTES = 8 << 20;
/** Small files in one task. */
const GROUP_FILES = 256;

/** One step, in the order of the sources. A large file is open until the step that `closes` it is over. */
export type Step =
  | { kind: "parts"; parts: readonly FilePart[]; closes?: InputFile }
  | { kind: "stream"; source: FileSource }
  | { kind: "omitted"; omission: Omission }
  | { kind: "failed"; error: SourceError };

/** How sources are cut into steps. */
interface PlanOptions {
  /** What is scanned of each source. */
  readonly range: OwnedRange;
  readonly rangeBytes: number;
  readonly threads: number;
  readonly settings: ScanSettings;
  /** The large files that are open: each is added when its turn comes. */
  readonly open: Set<InputFile>;
}

/** Yields the steps for the sources. */
export function* planSteps(sources: Iterable<Listed>, options: PlanOptions): Generator<Step> {
  const { range, rangeBytes } = options;
  let group: FilePart[] = [];
  let groupBytes = 0;
  for (const source of sources) {
    const isSmall = isSource(source) && source.regular && source.size <= rangeBytes;
    if (group.length > 0 && (!isSmall || groupBytes + source.size > GROUP_BYTES || group.length === GROUP_FILES)) {
      yield { kind: "parts", parts: group };
      group = [];
      groupBytes = 0;
    }
    if (isSmall) {
      group.push({ file: source.file, name: source.name, size: source.size, ...range });
      groupBytes += source.size;
    } else if (source instanceof SourceError) yield { kind: "failed", error: source };
    else if (!isSource(source)) yield { kind: "omitted", omission: source };
    else if (source.regular) yield* cutFile(source, options);
    else yield { kind: "stream", source };
  }
  if (group.length > 0) yield { kind: "parts", parts: group };
}

// The file is opened once, so that the parts are of the same file if its name changes hands, and one that cannot be read fails once.
function* cutFile(source: FileSource, { range, rangeBytes, threads, settings, open }: PlanOptions): Generator<Step> {
  let file: InputFile;
  try {
    file = new InputFile(source, settings.type);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "failed", error };
    return;
  }
  open.add(file);
  const { fd, name, size, format } = file;
  // Text can be cut anywhere, an mbox and MMDF at their messages. Nothing else that is decoded can be entered in the middle.
  const byMessage = (format === "mmdf" || (format === "mbox" && settings.mbox !== "cl")) && range === EVERYTHING;
  const end = Math.min(size, range.to);
  const isCut = end - range.from > rangeBytes && (isRangeable(format, settings) || byMessage);
  const least = Math.min(rangeBytes, RANGE_BYTES_LEAST);
  let from = range.from;
  while (isCut && end - from > least) {
    // Shorter ones at the end, so that no thread waits long for the last.
    const shares = Math.floor((end - from) / threads / RANGES_AHEAD);
    const to = from + Math.min(rangeBytes, Math.max(least, shares));
    yield { kind: "parts", parts: [{ file: fd, name, size, format, byMessage, from, to }] };
    from = to;
  }
  // The last part reaches to the file's end, wherever that is by then.
  yield { kind: "parts", parts: [{ file: fd, name, size, format, byMessage, from, to: range.to }], closes: file };
}
