// The list of what a scan rejected, and of what it left out of an archive, in the order of the source, however the source was cut.
import { REJECTED_START, REJECTED_WORDS } from "#core/layout/codes.js";
import type { Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import type { RejectedBatch } from "./batch.ts";
import { packRejected, type Refusal, takeRejected } from "./rows.ts";
import type { SourceDecoder } from "./source-decoder.ts";

const NO_ROWS: RejectedBatch = { kind: "rejected", rows: new Int32Array(0), base: 0, count: 0, texts: [] };

/** Lists what was rejected and left out, if that is wanted. */
export class Rejections {
  readonly #give: (batch: RejectedBatch) => void;
  readonly #isWanted: boolean;
  readonly #decoder: SourceDecoder | undefined;
  /** Omissions that wait until every candidate before them has been given. */
  #omissions: Omission[] = [];

  constructor(isWanted: boolean, decoder: SourceDecoder | undefined, give: (batch: RejectedBatch) => void) {
    this.#isWanted = isWanted;
    this.#decoder = decoder;
    this.#give = give;
  }

  /** Returns the first `count` candidates that the core has rejected. */
  takeRejected(core: Core, count: number): Refusal[] {
    return this.#isWanted && count > 0 ? takeRejected(core, count) : [];
  }

  /**
   * Lists refusals, whose offsets count from `base`, and the omissions before them, and those before the offset `settled` of the text: no
   * candidate that is still to come starts before it.
   */
  list(refusals: readonly Refusal[], base: number, settled: number): void {
    if (!this.#isWanted) return;
    const decoder = this.#decoder;
    const packed = refusals.length === 0 ? NO_ROWS : packRejected(refusals, base, decoder?.map);
    this.#omissions.push(...(decoder?.takeOmissions?.() ?? []));
    // At the end nothing is to come, also where no text is after what was left out.
    const before = settled === Number.POSITIVE_INFINITY ? settled : (decoder?.map?.startOf(settled) ?? settled);
    const omitted = this.#omissions.length === 0 ? [] : this.#omissionsIn(packed, before);
    if (packed.count > 0 || omitted.length > 0) this.#give(omitted.length === 0 ? packed : { ...packed, omitted });
  }

  #omissionsIn({ rows, base, count }: RejectedBatch, settled: number): { before: number; omission: Omission }[] {
    const omitted: { before: number; omission: Omission }[] = [];
    let row = 0;
    for (const omission of this.#omissions) {
      const start = omission.start ?? 0;
      while (row < count && base + rows[row * REJECTED_WORDS + REJECTED_START] < start) row++;
      if (row === count && start >= settled) break;
      omitted.push({ before: row, omission });
    }
    this.#omissions = this.#omissions.slice(omitted.length);
    return omitted;
  }
}
