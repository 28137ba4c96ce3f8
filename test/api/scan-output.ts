// The bytes that a scan gives out, as the command writes them.
import { takeCore } from "../../src/core/core.ts";
import { textTypeOf } from "../../src/input/text-type.ts";
import { checkOptions, EVERYTHING, type ExtractStreamOptions } from "../../src/options/options.ts";
import { formatted } from "../../src/output/formatted.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { scanOptionsOf } from "../../src/run/open-scanner.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { sinkOf } from "../output/sinks.ts";

/** What a scan wrote: to its output and to the file of `--rejected`. */
export interface Written {
  out: string;
  rejected: string;
}

/** Scans `input` as a source of the name `-`. */
export function written(input: Uint8Array, streamOptions: ExtractStreamOptions, separator = 0x0a): Written {
  const { settings } = checkOptions("ExtractStream", streamOptions);
  const parts: Buffer[] = [];
  let rejected = "";
  const sink = sinkOf({
    bytes: ({ bytes }) => void parts.push(Buffer.from(bytes)),
    rejected: (batch) => {
      rejected += rejectedLines(batch);
    },
  });
  const given = { ...settings, separator, rejected: true };
  const options = scanOptionsOf(given, textTypeOf(settings.type, input));
  const range = { source: "-", offset: 0, ...EVERYTHING };
  const scanner = new Scanner(takeCore(), options, formatted(given, sink), range);
  scanner.write(input);
  scanner.end();
  return { out: Buffer.concat(parts).toString(), rejected };
}
