// The bytes that a scan gives out, as the command writes them.
import { getCore } from "../../src/core/core.ts";
import { textTypeOf } from "../../src/input/text-type.ts";
import { checkOptions, type ExtractStreamOptions } from "../../src/options.ts";
import { scanOptionsOf, sinkOf } from "../../src/output/receiver.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { Scanner } from "../../src/scanner/scanner.ts";

/** What a scan wrote: to its output and to the file of `--rejected`. */
export interface Written {
  out: string;
  rejected: string;
}

/** Scans `input` as a source of the name `-`. */
export function written(input: Uint8Array, options: ExtractStreamOptions, separator = 0x0a): Written {
  const { settings } = checkOptions("ExtractStream", options);
  const parts: Buffer[] = [];
  let rejected = "";
  const receiver = {
    bytes: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)),
    matches: () => undefined,
    rejected: (batch: Parameters<typeof rejectedLines>[0], source: string | undefined) => {
      rejected += rejectedLines(batch, source);
    },
    room: () => undefined,
  };
  const given = { ...settings, separator, rejected: true };
  const scanner = new Scanner(getCore(), scanOptionsOf(given, textTypeOf(settings.type, input)), sinkOf(given, "-", receiver));
  scanner.write(input);
  scanner.end();
  return { out: Buffer.concat(parts).toString(), rejected };
}
