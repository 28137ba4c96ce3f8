// Streams share the memory of one core: a hundred side by side hold what waits in each, not a window each.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { ExtractStream } from "../../src/index.ts";

const STREAMS = 100;
/** Bytes that a stream may hold, whatever it was given: three times the longest URL and a page. */
const HELD_BYTES_MOST = 100_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of buffers that something still holds. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

it("a hundred streams side by side hold at most 0.1 MB each", async () => {
  const heldBefore = heldBytes();
  const found: string[][] = Array.from({ length: STREAMS }, () => []);
  const streams = found.map((urls) => new ExtractStream({ objectMode: true }).on("data", (match) => urls.push(match.url)));
  const piece = Buffer.from(`${"words ".repeat(10_000)} http://a.example/x`);
  for (let round = 0; round < 20; round++) {
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write(piece, resolve))));
  }
  expect((heldBytes() - heldBefore) / STREAMS).toBeLessThan(HELD_BYTES_MOST);
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.on("end", resolve).end())));
  expect(found.every((urls) => urls.length === 20)).toBe(true);
});
