// Maps the window back to the source of a MailDecoder, and keeps the log of the messages in it.
import * as results from "#core/layout/decoded.js";
import { CONVERT_MAP, MAP_REGION, TRANSFER_MAP } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import type { ReadField } from "../scan/scan.ts";
import { type CopiedRun, Mappings, type SourceMap } from "../scan/source-map.ts";
import { MessageLog } from "./message-log.ts";

/** Maps the window to the converted text, the converted text to the transferred bytes, and the transferred bytes to the source. */
export class SourceMaps implements SourceMap {
  readonly log: MessageLog;
  readonly #isMapped: boolean;
  readonly #toText = new Mappings();
  readonly #toTransferred = new Mappings();
  readonly #toSource = new Mappings();
  readonly #maps = [this.#toText, this.#toTransferred, this.#toSource];
  /** A run that all three steps copy; empty if the last byte was in none. */
  readonly #run: CopiedRun = { start: 0, end: 0, shift: 0 };
  /** Number of bytes of the converted text so far. */
  #text = 0;
  #transferred = 0;

  /** `asked`: the fields that are read. `isMapped`: whether offsets of the source are read. */
  constructor(asked: ReadonlySet<ReadField>, isMapped: boolean) {
    this.log = new MessageLog(asked);
    this.#isMapped = isMapped;
  }

  /** Takes the rows of the core; `base` and `sourceBase` are the offsets of address 0 in the window and in the source. */
  take(core: Core, base: number, sourceBase: number): void {
    this.log.take(core, base);
    if (!this.#isMapped) return;
    const { words } = core;
    const result = (address: number): number => words[address >> 2];
    this.#toSource.addRows(words, TRANSFER_MAP, result(results.DECODED_TRANSFER_ROWS), this.#transferred, sourceBase);
    this.#toTransferred.addRows(words, CONVERT_MAP, result(results.DECODED_CONVERT_ROWS), this.#text, this.#transferred);
    this.#toText.addRows(words, MAP_REGION, result(results.DECODED_MAP_ROWS), base, this.#text);
    this.#transferred += result(results.DECODED_TRANSFERRED);
    this.#text += result(results.DECODED_CONVERTED);
    // The last run of each map may have ended.
    this.#run.end = this.#run.start;
  }

  startOf(decoded: number): number {
    if (this.#isInRun(decoded)) return decoded + this.#run.shift;
    return this.#toSource.startOf(this.#toTransferred.startOf(this.#toText.startOf(decoded)));
  }

  endOf(decoded: number): number {
    if (this.#isInRun(decoded - 1)) return decoded + this.#run.shift;
    return this.#toSource.endOf(this.#toTransferred.endOf(this.#toText.endOf(decoded)));
  }

  /** Finds the copied run of a decoded byte; returns false if there is none. Most matches are in the run of the match before. */
  #isInRun(decoded: number): boolean {
    const run = this.#run;
    if (decoded >= run.start && decoded < run.end) return true;
    run.start = 0;
    run.end = Number.POSITIVE_INFINITY;
    run.shift = 0;
    for (const map of this.#maps) if (run.end > run.start) map.narrow(run, decoded + run.shift);
    return run.end > run.start;
  }

  firstFrom(source: number): number {
    return this.#toText.firstFrom(this.#toTransferred.firstFrom(this.#toSource.firstFrom(source)));
  }

  drop(decoded: number): void {
    this.log.drop(decoded);
    if (!this.#isMapped) return;
    const text = this.#toText.startOf(decoded);
    const transferred = this.#toTransferred.startOf(text);
    this.#toText.drop(decoded);
    this.#toTransferred.drop(text);
    this.#toSource.drop(transferred);
  }
}
