// What takes the results of sources, and what goes wrong with them.
import type { SourceError } from "../errors.ts";
import type { Omission } from "../omission.ts";
import type { Receiver } from "../output/receiver.ts";

/** Takes also the sources that could not be read, and those that were left out. */
export interface FilesReceiver extends Receiver {
  failed(error: SourceError): void;
  omitted?(omission: Omission): void;
}

/** Takes what is found in the sources of one thread. */
export interface SourceReceiver extends FilesReceiver {
  /** Returns why the reading of `source` ended with `error`. Throws what ends the whole scan. */
  failureOf(source: string | undefined, error: unknown): SourceError;
}
