// What the scan of a file costs, before it is scanned.
import { SourceError } from "../base/errors.ts";
import { InputFile } from "../input/file.ts";
import { isContainer } from "../input/input-format.ts";
import type { FileSource } from "../input/paths.ts";
import type { ScanSettings } from "../options/options.ts";
import { isCounted } from "../output/formatted.ts";
import { isReadByMessage, isReadByRecord } from "../scanner/range.ts";

/** What a file costs beside its bytes, in bytes that are scanned in the same time. */
const FILE_COST_BYTES = 1 << 16;
/** What a byte of compressed data costs in the same measure: 410 MB of gzip take 5.6 s, the mbox in it, 1.18 GB, 1.3 s. */
const COMPRESSED_COST = 12;
/** The same of an archive that is taken apart, except for counts and reports: these have more code to be compiled on each thread. */
const ARCHIVE_COST = 2;
/** Files with fewer bytes are not opened to see what they are. */
const OPENED_BYTES_LEAST = 1 << 20;

/** Returns how many bytes of text are scanned in the time that `source` takes. */
export function costOf(source: FileSource, settings: Pick<ScanSettings, "type" | "mbox" | "format">): number {
  const factor = source.regular && source.size >= OPENED_BYTES_LEAST ? costOfByte(source, settings) : 1;
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
    // It is reported when its turn comes.
    if (error instanceof SourceError) return 1;
    throw error;
  }
}
