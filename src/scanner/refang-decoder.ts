// Reads defanged text (X15) after another decoder, in the window.
import { DECODED_END, DECODED_MAP_ROWS, DECODED_SOURCE } from "#core/layout/decoded.js";
import { STOP_FULL } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import type { MatchBatch } from "./batch.ts";
import { RefangLog } from "./refang-log.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import { type Rewritten, TextStep } from "./text-step.ts";

/** Decodes a source by another decoder, and refangs its text. */
export class RefangDecoder extends TextStep {
  readonly #log: RefangLog;

  constructor(core: Core, inner: SourceDecoder, log = new RefangLog()) {
    super(core, inner, log.map);
    this.#log = log;
  }

  protected rewrite(start: number, end: number, base: number, innerBase: number, isLast: boolean): Rewritten {
    const { core } = this;
    const result = (address: number): number => core.words[address >> 2];
    let [from, to] = [start, start];
    let stop: number = STOP_FULL;
    while (stop === STOP_FULL) {
      stop = core.refang(from, end, to, isLast);
      this.#log.take(core, result(DECODED_MAP_ROWS), base, innerBase);
      from = result(DECODED_SOURCE);
      to = result(DECODED_END);
    }
    return { from, to };
  }

  protected override drop(offset: number): void {
    this.#log.drop(offset);
  }

  restore(batch: MatchBatch, window: Uint8Array): MatchBatch {
    return this.#log.restore(batch, window);
  }
}
