// The messages between the page and its workers.
import type { InputFormat } from "../../input/input-format.ts";
import type { OwnedRange, ScanSettings } from "../../options/options.ts";
import type { Totals } from "../../run/totals.ts";
import type { SummaryPart } from "../../summary/summarizer.ts";
import type { Summary, SummaryRun } from "../../summary/summary.ts";

/** An input: a file of the user, or of the server of the page. */
export interface PageInput {
  readonly name: string;
  readonly size: number;
  /** undefined: the input could not be opened. */
  readonly bytes: Blob | URL["href"] | undefined;
}

/** An input, or a range of one. */
export interface PagePart extends OwnedRange {
  readonly input: PageInput;
  /** Absent if it has not been detected yet. */
  readonly format?: InputFormat;
  readonly byMessage?: boolean;
}

/** A request to a worker, which answers one at a time. "begin", "stop", "taken" and "sum" have no answer. */
export type Request =
  /** Sends the counts of the scan to `counts`. */
  | { readonly kind: "begin"; readonly settings: ScanSettings; readonly counts: MessagePort }
  | { readonly kind: "scan"; readonly parts: readonly PagePart[] }
  /** Sends all remaining counts to `counts`. */
  | { readonly kind: "flush" }
  /** Ends the scan as if the inputs ended here. */
  | { readonly kind: "stop" }
  | { readonly kind: "write"; readonly settings: ScanSettings; readonly inputs: readonly PageInput[] }
  /** The page has written a piece of the records. */
  | { readonly kind: "taken" }
  | { readonly kind: "sum"; readonly counts: readonly MessagePort[]; readonly most: number }
  | { readonly kind: "finish"; readonly run: SummaryRun }
  | { readonly kind: "try"; readonly text: string };

/** A match or a rejected candidate of a text that was tried. */
export interface TriedCandidate {
  readonly url: string | null;
  readonly isMatch: boolean;
  /** Its kind, flags and reason. */
  readonly words: readonly string[];
  /** The rules that decided, in their order. */
  readonly rules: readonly { readonly rule: string; readonly what: string }[];
}

/** A piece of a tried text: a candidate, or the text between candidates. */
export interface TriedPiece {
  readonly text: string;
  readonly candidate?: TriedCandidate;
}

/** A reply of a worker. */
export type Reply =
  | { readonly kind: "read"; readonly bytes: number }
  | { readonly kind: "failed"; readonly message: string }
  /** The request is done. */
  | { readonly kind: "done" }
  | { readonly kind: "written"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "summary"; readonly summary: Summary; readonly isLast: boolean }
  | { readonly kind: "tried"; readonly pieces: readonly TriedPiece[] }
  | { readonly kind: "broken"; readonly message: string };

/** Counts from a scanning worker to the summing one. `totals`: all totals of the worker so far. */
export interface CountsMessage {
  readonly part: SummaryPart;
  readonly totals: Totals;
}
