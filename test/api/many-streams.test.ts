// Streams share the memory of one core: a hundred side by side hold what waits in each, not a window each.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const STREAMS = 100;
/** Bytes that a stream may hold, whatever it was given: three times the longest URL, and a page. */
const HELD_BYTES_MOST = 100_000;

// A process of its own: buffers of a test runner must not count.
const PROGRAM = `
const { ExtractStream } = await import(${JSON.stringify(resolve(import.meta.dirname, "../../build/index.js"))});
// Buffers are swept on another thread, some time behind a collection: until the number stays.
const held = async () => {
  for (let last = -1; ; ) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const bytes = process.memoryUsage().arrayBuffers;
    if (bytes === last) return bytes;
    last = bytes;
  }
};
const found = Array.from({ length: ${STREAMS} }, () => []);
const piece = Buffer.from("words ".repeat(10_000) + " http://a.example/x");
const before = await held();
const streams = found.map((urls) => new ExtractStream({ objectMode: true }).on("data", (match) => urls.push(match.url)));
for (let round = 0; round < 20; round++) {
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write(piece, resolve))));
}
const bytes = ((await held()) - before) / ${STREAMS};
await Promise.all(streams.map((stream) => new Promise((resolve) => stream.on("end", resolve).end())));
console.log(JSON.stringify({ bytes, urls: found.map((urls) => urls.length) }));
`;

it("a hundred streams side by side hold at most 0.1 MB each", () => {
  const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  const { bytes, urls } = JSON.parse(output) as { bytes: number; urls: number[] };
  expect(urls).toEqual(Array(STREAMS).fill(20));
  expect(bytes).toBeLessThan(HELD_BYTES_MOST);
});
