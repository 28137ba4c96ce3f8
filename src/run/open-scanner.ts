// A scanner over one text, with a core of its own.
import { type Core, takeCore } from "../core/core.ts";
import type { ScanSettings, TextType } from "../options.ts";
import { type Receiver, scanOptionsOf, sinkOf } from "../output/receiver.ts";
import type { ScanRange } from "../scanner/scan.ts";
import { Scanner } from "../scanner/scanner.ts";

/** A scanner, and the core that is to be released after it. */
export interface OpenScanner {
  readonly scanner: Scanner;
  readonly core: Core;
}

/** Opens a scanner for a text of the name `source`; the results go to `receiver`. */
export function openScanner(
  settings: ScanSettings,
  type: TextType,
  source: string | undefined,
  receiver: Receiver,
  range: ScanRange,
): OpenScanner {
  const core = takeCore();
  return { core, scanner: new Scanner(core, scanOptionsOf(settings, type), sinkOf(settings, source, receiver), range) };
}
