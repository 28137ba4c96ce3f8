// Matches of an input that is in memory as a whole.
import { releaseCore } from "../core/core.ts";
import { wrongInput } from "../errors.ts";
import { inputFormatOf, refuseContainer } from "../input/input-format.ts";
import { checkOptions, type ExtractOptions } from "../options.ts";
import { formatted } from "../output/formatted.ts";
import { openScanner } from "../run/open-scanner.ts";
import type { Match } from "../scanner/batch.ts";
import { MatchList } from "./match-list.ts";

/**
 * Returns the matches in `input` in the order of their starts (X1 to X14). Offsets count bytes of UTF-8, also in a string.
 * Throws OptionError, InputError, or SourceError (`ERR_COMPRESSED`) for compressed data and archives, which the other ways in open.
 */
export function extract(input: string | Uint8Array, options?: ExtractOptions): Match[] {
  const checked = checkOptions("extract", options);
  const { settings, range } = checked;
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  if (!(bytes instanceof Uint8Array)) throw wrongInput("input", "a string, Uint8Array or Buffer", input);
  const type = refuseContainer(inputFormatOf(settings.type, bytes), undefined);
  const matches = new MatchList(checked);
  const { scanner, core } = openScanner(settings, type, formatted(settings, matches), { offset: 0, ...range });
  try {
    scanner.write(bytes);
    scanner.end();
  } finally {
    releaseCore(core);
  }
  return matches.take();
}
