// An object on a server, or a range of one, scanned on this thread.
import type { Pacer } from "../../input/pacer.ts";
import type { ScanSettings } from "../../options.ts";
import { ReadMeter } from "../../run/run-position.ts";
import type { SourceResults } from "../../run/scan-members.ts";
import { type RangedPart, scanRanged } from "../../run/scan-ranged.ts";
import type { Totals } from "../../run/totals.ts";
import type { RemoteInput } from "./remote-input.ts";

/**
 * Scans a part of `input` with the results that a file of its bytes would have. Rejects if bytes did not come, also where that looks like
 * the end of an archive, and if the object has changed: what went to the sink then counts for nothing.
 */
export async function* scanRemote(
  input: RemoteInput,
  part: RangedPart,
  settings: ScanSettings,
  results: SourceResults,
  totals: Totals,
  pacer: Pacer,
): AsyncGenerator<undefined> {
  const { name, size } = input;
  const meter = new ReadMeter(results.read, part.from, Math.min(part.to, size));
  const counted = {
    name,
    size,
    load: input.load.bind(input),
    chunks: (from: number, to: number) => meter.count(input.chunks(from, to)),
  };
  yield* scanRanged(counted, part, settings, results, totals, pacer);
  if (input.failure !== undefined) throw input.failure;
  await input.confirm();
  meter.reach(size);
}
