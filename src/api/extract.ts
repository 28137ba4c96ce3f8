// Matches of an input that is there as a whole.
import { releaseCore } from "../core/core.ts";
import { InputError } from "../errors.ts";
import { formatOf, refuseContainer } from "../input/format.ts";
import { checkOptions, type ExtractOptions } from "../options.ts";
import { openScanner } from "../run/open-scanner.ts";
import type { Match } from "../scanner/batch.ts";
import { Collector } from "./collector.ts";

/**
 * The matches in `input`, in the order of their starts. Offsets count the bytes of UTF-8, also in a string.
 * Throws OptionError, InputError, or SourceError (`ERR_COMPRESSED`) for compressed data and archives, which the other ways in open.
 * @see docs/rules.md X1 to X14
 */
export function extract(input: string | Uint8Array, options?: ExtractOptions): Match[] {
  const { settings, range, onRejected } = checkOptions("extract", options);
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  if (!(bytes instanceof Uint8Array)) throw new InputError("input must be a string, Uint8Array or Buffer");
  const type = refuseContainer(formatOf(settings.type, bytes), undefined);
  const collector = new Collector(onRejected);
  const { scanner, core } = openScanner(settings, type, undefined, collector, { offset: 0, ...range });
  scanner.write(bytes);
  scanner.end();
  releaseCore(core);
  return collector.take();
}
