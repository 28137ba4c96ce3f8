// Scans a file, or a part of one, on this thread.
import { SourceError } from "../base/errors.ts";
import type { BlockRange } from "../input/containers/block-starts.ts";
import { type FileToOpen, InputFile } from "../input/file.ts";
import { isPacked } from "../input/input-format.ts";
import type { Steps } from "../input/steps.ts";
import type { Sink } from "../output/sink.ts";
import { mustEndAtRecord, readingStart } from "../scan/range.ts";
import type { Scanner } from "../scan/scanner.ts";
import { type AddRead, ReadMeter } from "./run-position.ts";
import { type CutPart, isDropped, type ScanContext, scanMembers, scanOpened } from "./scan-source.ts";

const READ_BYTES = 1 << 20; // Bytes of one read. Smaller reads stay in the L2 cache, but are slower: each read has a cost of its own
/** Reads after the first start at page borders, as in the memory: some processors copy slower if the two differ by a few bytes. */
const PAGE = 4096;

export interface FilePart extends FileToOpen, CutPart {
  /** Of compressed text: the blocks that hold the range. The range is in offsets of the text. */
  readonly blocks?: BlockRange | undefined;
}

/**
 * Scans `part`; yields after each read. Throws SourceError, and errors of the sink. If the next part does not begin at the end of `part`,
 * scans to the end of the file and writes `over`.
 */
export function* scanFile(part: FilePart, context: ScanContext): Steps<undefined> {
  const { settings, sink, read } = context;
  const file = new InputFile(part, settings.type);
  const meter = meterOf(part, read);
  try {
    if (isPacked(file.format)) {
      const { name } = file;
      const blocks = part.blocks && { ...part.blocks, hasReachedNext: false };
      const chunks = meter.count(file.chunks(blocks?.start.compressed));
      yield* scanMembers({ name, chunks, file, blocks }, part, context);
    } else {
      const range = { ...part, source: file.name, offset: readingStart(file.format, part, settings) };
      yield* scanOpened(context, file.format, range, (scanner) => feed(scanner, sink, file, range.offset, part, meter));
    }
  } finally {
    // Bytes that the scan did not need count too.
    meter.reach(part.size);
    file.close();
  }
}

/** Returns the meter of a part. Of compressed text it counts the bytes from the part's first block to that of the next part. */
function meterOf({ from, to, size, blocks }: FilePart, read: AddRead | undefined): ReadMeter {
  if (blocks === undefined) return new ReadMeter(read, from, Math.min(to, size));
  return new ReadMeter(read, blocks.start.compressed, blocks.next?.compressed ?? size);
}

// Reads a text from byte `offset` on into the scanner's window until the scanner needs no more; yields after each turn. Throws SourceError,
// also for a file that has become shorter and ends inside the part: then the bytes that exist are scanned.
function* feed(scanner: Scanner, sink: Sink, file: InputFile, offset: number, part: FilePart, meter: ReadMeter): Generator<undefined> {
  const { start, size } = file;
  let position = offset;
  let isOver = false;
  if (offset === 0 && start.length > 0) {
    yield* scanner.writing(start);
    position = start.length;
    isOver = file.isAllStart;
  }
  while (!isOver && !scanner.done) {
    const space = scanner.space(READ_BYTES);
    const wanted = Math.min(space.length, position % PAGE === 0 ? READ_BYTES : PAGE - (position % PAGE));
    const count = file.read(space, wanted, position);
    position += count;
    meter.reach(position);
    yield* scanner.advancing(count);
    isOver = file.isEnd(count, wanted, position) || isDropped(part);
  }
  const reachesEnd = scanner.done || !mustEndAtRecord(file.format, part);
  const isShorter = !scanner.done && position < (reachesEnd ? Math.min(size, part.to) : size);
  if (!reachesEnd) scanner.endAt(Number.POSITIVE_INFINITY);
  yield* scanner.ending();
  if (!reachesEnd) sink.write({ kind: "over" });
  if (isShorter)
    throw new SourceError("ERR_URLMILL_TRUNCATED", file.name, "became shorter while it was read; everything up to its new end was read");
}
