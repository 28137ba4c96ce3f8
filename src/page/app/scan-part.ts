// An input of the page, or a range of one, scanned on this thread.
import type { Pacer } from "../../input/pacer.ts";
import type { ScanSettings } from "../../options/options.ts";
import { type SourceResults, scanRanged } from "../../run/scan-source.ts";
import type { Totals } from "../../run/totals.ts";
import { InputBytes } from "./input-bytes.ts";
import type { PagePart } from "./messages.ts";

/** Scans `part`, adding to `totals`; yields after each piece. `read` gets the number of bytes of the part in each piece. */
export function scanPart(
  part: PagePart,
  settings: ScanSettings,
  results: SourceResults,
  totals: Totals,
  pacer: Pacer,
  { read, signal }: { readonly read: (bytes: number) => void; readonly signal: AbortSignal },
): AsyncGenerator<undefined> {
  const { name, size } = part.input;
  const bytes = new InputBytes(part.input, signal);
  const end = Math.min(part.to, size);
  const chunks = async function* (offset: number): AsyncGenerator<Uint8Array> {
    let at = offset;
    for await (const piece of bytes.chunks(offset)) {
      read(Math.max(0, Math.min(at + piece.length, end) - Math.max(at, part.from)));
      at += piece.length;
      yield piece;
    }
  };
  return scanRanged({ name, size, load: bytes.load.bind(bytes), chunks }, part, settings, results, totals, pacer);
}
