// A thousand streams that are open at the same time: each scan has a core of its own, and all of them fit into memory.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const STREAMS = 1000;
const ROUNDS = 3;
/** Lines of a chunk, which has 64 KiB then, as the chunks of Node's streams have. */
const LINES = 93;
/** Resident memory of the whole process, in MiB. */
const RESIDENT_MOST = 500;

// A process of its own: the memory of a test runner must not count. Its maxRSS begins with that of its parent on Linux, VmHWM does not.
const PROGRAM = `
const { readFileSync } = await import("node:fs");
const { ExtractStream } = await import(${JSON.stringify(resolve(import.meta.dirname, "../../build/index.js"))});
const LINE = "<p>words of a page, and a link to http://host.example/path/page.html?a=1&amp;b=2 among them " + "words ".repeat(100) + "\\n";
const HEADER = "From a@b Mon Jan  1 00:00:00 2001\\nMessage-ID: <1@a.example>\\nContent-Type: text/html\\n\\n";
const PIECES = {
  text: Buffer.from(LINE.repeat(${LINES})),
  mbox: Buffer.from(HEADER + LINE.repeat(${LINES}) + "\\n"),
};
const found = new Array(${STREAMS}).fill(0);
const streams = found.map((_, index) => {
  const type = index % 2 === 0 ? "text" : "mbox";
  const stream = new ExtractStream({ type, objectMode: true }).on("data", () => void found[index]++);
  return { stream, piece: PIECES[type] };
});
for (let round = 0; round < ${ROUNDS}; round++) {
  await Promise.all(streams.map(({ stream, piece }) => new Promise((resolve) => stream.write(piece, resolve))));
}
await Promise.all(streams.map(({ stream }) => new Promise((resolve) => stream.on("end", resolve).end())));
const peak = /VmHWM:\\s*(\\d+)/;
const kib = process.platform === "linux" ? peak.exec(readFileSync("/proc/self/status", "utf8"))[1] : process.resourceUsage().maxRSS;
console.log(JSON.stringify({ resident: Number(kib) / 1024, found }));
`;

/** Bytes of a chunk, and the chunks before the heap is looked at: 3.2 MB of data, more than is kept for the text before an error. */
const [SMALL_BYTES, SMALL_CHUNKS] = [16, 200_000];
const GROWTH_MOST_MB = 5;

const SMALL_PROGRAM = `
const { gzipSync } = await import("node:zlib");
const { ExtractStream } = await import(${JSON.stringify(resolve(import.meta.dirname, "../../build/index.js"))});
const data = gzipSync(Buffer.alloc(${2 * SMALL_CHUNKS * SMALL_BYTES}, "no URL is here\\n"), { level: 0 });
const stream = new ExtractStream().resume();
const heap = [];
for (let chunk = 0; chunk < ${2 * SMALL_CHUNKS}; chunk++) {
  const at = chunk * ${SMALL_BYTES};
  await new Promise((resolve) => stream.write(data.subarray(at, at + ${SMALL_BYTES}), resolve));
  if ((chunk + 1) % ${SMALL_CHUNKS} === 0) {
    gc();
    heap.push(process.memoryUsage().heapUsed / 1e6);
  }
}
console.log(JSON.stringify(heap));
`;

it("a compressed stream of small chunks keeps nothing of each", () => {
  const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", SMALL_PROGRAM], { encoding: "utf8" });
  const [before = 0, after = 0] = JSON.parse(output) as number[];
  expect(after - before).toBeLessThan(GROWTH_MOST_MB);
});

// Half of the streams are read from, and have a match that waits.
const DROPPED_PROGRAM = `
const { getEventListeners } = await import("node:events");
const { extractWebStream } = await import(${JSON.stringify(resolve(import.meta.dirname, "../../build/index.js"))});
const { signal } = new AbortController();
async function drop(isRead) {
  const { readable, writable } = extractWebStream({ signal });
  const reference = new WeakRef(readable);
  if (!isRead) return reference;
  const read = readable.getReader().read();
  await writable.getWriter().write(Buffer.from("see http://a.example/ and http://b.example/ and\\n"));
  await read;
  return reference;
}
const streams = [];
for (let stream = 0; stream < 100; stream++) streams.push(await drop(stream % 2 === 0));
const held = () => streams.filter((stream) => stream.deref() !== undefined).length;
for (let round = 0; round < 100 && held() > 0; round++) {
  await new Promise((resolve) => setImmediate(resolve));
  gc();
}
console.log(JSON.stringify([getEventListeners(signal, "abort").length, held()]));
`;

it("a signal holds no web stream that is dropped", () => {
  const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", DROPPED_PROGRAM], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual([0, 0]);
});

it("a thousand streams side by side take at most 500 MiB, and each finds its own", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  const { resident, found } = JSON.parse(output) as { resident: number; found: number[] };
  expect(found).toEqual(Array(STREAMS).fill(ROUNDS * LINES));
  expect(resident).toBeLessThan(RESIDENT_MOST);
});
