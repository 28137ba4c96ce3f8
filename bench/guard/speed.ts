// Measures speeds as multiples of the yardstick's speed on the same generated text; the best round counts. They reveal gross faults that no
// count reveals, such as code that V8 no longer optimizes.
import { Readable } from "node:stream";
import { type Core, type CoreBuild, loadCore } from "../../src/core/core.ts";
import { checksum } from "../corpora.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { countLines, normalizeList, rawLines, scanAs, scanBytes } from "../in-memory.ts";
import { type Effort, measure, type Row } from "../measure.ts";
import { extractRow, plainRow, smallText, urlRows } from "../small.ts";
import { yardstickLines } from "../yardstick.ts";
import type { Seen } from "./judge.ts";

/** Seed of every text of the guard. */
export const SEED = 1738;
/** Bytes of each text. They are few, so that most runs end before another process gets the processor. */
const TEXTS: Readonly<Partial<Record<GeneratedKind, number>>> = { mail: 1 << 20, html: 1 << 19, urls: 1 << 18, none: 1 << 20 };
/** Bytes of the texts of small calls, each with three URLs. */
const SMALL_TEXTS = [150, 1 << 12] as const;
const EFFORT: Effort = { rounds: 10, time: 20, iterations: 3 };

/** Bytes of a piece of `inPieces`. */
const PIECE_BYTES = 1 << 16;

/** Returns a stream of bytes in pieces of 64 KiB. */
export function inPieces(bytes: Uint8Array): Readable {
  let at = 0;
  return new Readable({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, at + PIECE_BYTES) : null);
      at += PIECE_BYTES;
    },
  });
}

/** Measures every row on texts of `size` bytes, by default those of TEXTS; `load` returns the core of a build. */
export async function observeSpeed(
  effort: Effort = EFFORT,
  size?: number,
  load: (build: CoreBuild) => Promise<Core> = loadCore,
): Promise<Pick<Seen, "texts" | "counts" | "ratios">> {
  const [simd, javascript] = [await load("simd"), await load("javascript")];
  const speed: Pick<Seen, "texts" | "counts" | "ratios"> = { texts: {}, counts: {}, ratios: {} };
  const compare = (kind: string, yardstick: Row, rows: readonly Row[]): void => {
    const [base, ...timings] = measure([yardstick, ...rows], effort);
    speed.counts[`${kind}: ${yardstick.name}`] = base?.count ?? 0;
    for (const { name, count, best } of timings) {
      speed.counts[`${kind}: ${name}`] = count;
      speed.ratios[`${kind}: ${name}`] = Number(((base?.best ?? 0) / best).toFixed(3));
    }
  };
  for (const [kind, bytesWanted] of Object.entries(TEXTS) as [GeneratedKind, number][]) {
    const bytes = generate(kind, SEED, size ?? bytesWanted);
    const out = new Uint8Array(2 * bytes.length + 64);
    speed.texts[kind] = checksum(bytes);
    compare(kind, { name: "yardstick lines", run: () => yardstickLines(bytes, 0, bytes.length, out) }, [
      { name: "WASM SIMD lines", run: () => scanBytes(simd, bytes) },
      { name: "JavaScript build lines", run: () => scanBytes(javascript, bytes) },
    ]);
  }
  const list = rawLines(simd, generate("urls", SEED, size ?? (TEXTS.urls as number)));
  const lines = countLines(list);
  const out = new Uint8Array(3 * list.length + 64);
  compare("urls", { name: "yardstick list", run: () => yardstickLines(list, 0, list.length, out) }, [
    { name: "WASM SIMD list", run: () => normalizeList(simd, list, lines, out) },
  ]);
  const mbox = mboxOf(generate("mail", SEED, size ?? (TEXTS.mail as number)));
  compare("mbox", { name: "lines", run: () => scanAs(simd, mbox, "mbox", "plain") }, [
    { name: "WASM SIMD records, times the speed of lines", run: () => scanAs(simd, mbox, "mbox", "ndjson") },
  ]);
  for (const bytes of SMALL_TEXTS) compare(`${bytes} bytes`, plainRow(smallText(bytes, 3)), [extractRow(smallText(bytes, 3))]);
  const single = urlRows();
  compare("one URL", single.pop() as Row, single.slice(0, -1));
  return speed;
}

/** Bytes of a message of `mboxOf`. */
const MESSAGE_BYTES = 3000;

/** Returns an mbox whose messages contain a text. */
function mboxOf(text: Uint8Array): Uint8Array {
  const messages = Array.from({ length: Math.ceil(text.length / MESSAGE_BYTES) }, (_, index) => {
    const header = `From a@a.example Mon Jan  6 10:00:00 2003\nMessage-ID: <${index}@a.example>\nDate: Mon, 6 Jan 2003 10:00:00 +0100\n\n`;
    return Buffer.concat([Buffer.from(header), text.subarray(index * MESSAGE_BYTES, (index + 1) * MESSAGE_BYTES), Buffer.from("\n\n")]);
  });
  return Buffer.concat(messages);
}
