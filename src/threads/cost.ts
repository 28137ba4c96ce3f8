// Estimates the cost of the scan of a file.
import { SourceError } from "../base/errors.ts";
import { InputFile } from "../input/file.ts";
import { isContainer } from "../input/input-format.ts";
import type { FileSource } from "../input/paths.ts";
import type { ScanSettings } from "../options/options.ts";
import { isCounted } from "../output/formatted.ts";
import { isReadByMessage, isReadByRecord } from "../scanner/range.ts";

/** Cost of a file in addition to its bytes, in bytes of text that are scanned in the same time. */
const FILE_COST_BYTES = 1 << 16;
/** Cost of a byte of a container other than tar: its data may be compressed, and decompression is slower than the scan of the text. */
const COMPRESSED_COST = 12;
/** Cost of a byte of a cut mail or web archive. For counts and reports the cost is 1, because each thread must compile more code. */
const ARCHIVE_COST = 2;
/** Files with fewer bytes are not opened to detect their format: a byte of them costs 1. */
const OPENED_BYTES_LEAST = 1 << 20;

/** Returns the cost of `source`, in bytes of text that are scanned in the same time. */
export function costOf(source: FileSource, settings: Pick<ScanSettings, "type" | "mbox" | "format">): number {
  const factor = source.isRegular && source.size >= OPENED_BYTES_LEAST ? costOfByte(source, settings) : 1;
  return factor * source.size + FILE_COST_BYTES;
}

function costOfByte(source: FileSource, settings: Pick<ScanSettings, "type" | "mbox" | "format">): number {
  try {
    const file = new InputFile(source, settings.type);
    file.close();
    if (isContainer(file.format)) return file.format === "tar" ? 1 : COMPRESSED_COST;
    const isCut = isReadByMessage(file.format, settings) || isReadByRecord(file.format);
    return isCut && !isCounted(settings.format) ? ARCHIVE_COST : 1;
  } catch (error) {
    // The error is reported when it is the turn of the file.
    if (error instanceof SourceError) return 1;
    throw error;
  }
}
