// Cores go back to the pool whatever ends a scan, and never while the scan still runs.
import { finished } from "node:stream/promises";
import { expect, it } from "vitest";
import { coresInUse } from "../../src/core/core.ts";
import { ExtractStream, extract, extractWebStream } from "../../src/index.ts";
import { checkOptions } from "../../src/options/options.ts";
import { openScanner } from "../../src/run/open-scanner.ts";

const TIMES = 40;

/** Returns how many cores `work` has left behind in the course of many runs. */
async function coresTaken(work: () => unknown): Promise<number> {
  await work();
  const before = coresInUse();
  for (let time = 0; time < TIMES; time++) await work();
  return coresInUse() - before;
}

const fail = (): never => {
  throw new Error("no more");
};

it.each<[string, () => unknown]>([
  ["extract", () => extract("http://a.example/")],
  ["nested URLs", () => extract("http://a.example/?u=http://b.example/", { nested: true })],
  ["a listener that throws", () => expect(() => extract("http://[x ", { onRejected: fail })).toThrow("no more")],
  ["a stream that is destroyed", () => destroyed(() => undefined)],
  ["a stream that is destroyed by a listener", () => destroyed((stream) => stream.on("data", () => stream.destroy()))],
  ["a stream that fails", () => destroyed((stream) => stream.on("data", fail).on("error", () => undefined))],
  ["a web stream whose scan throws", webStreamThatThrows],
  ["a scanner that cannot be opened", scannerWithTooManySchemes],
])("%s takes no core for good", async (_, work) => {
  expect(await coresTaken(work)).toBeLessThanOrEqual(1);
});

async function destroyed(prepare: (stream: ExtractStream<true>) => unknown): Promise<void> {
  const stream = new ExtractStream({ objectMode: true, type: "text" });
  prepare(stream);
  const over = finished(stream).catch(() => undefined);
  stream.write("http://a.example/ http://b.example/ ".repeat(10));
  setImmediate(() => stream.destroy());
  await over;
}

async function webStreamThatThrows(): Promise<void> {
  const stream = extractWebStream({ onRejected: fail });
  const writer = stream.writable.getWriter();
  const ended = [writer.write(Buffer.from("http://[x ")), writer.close()].map((written) => written.catch(() => undefined));
  writer.closed.catch(() => undefined);
  await expect(stream.readable.getReader().read()).rejects.toThrow("no more");
  await Promise.all(ended);
}

function scannerWithTooManySchemes(): void {
  const { settings } = checkOptions("extract", {});
  const extraSchemes = Array.from({ length: 1000 }, (_, index) => ({ name: `s${index}`, shape: "//" as const }));
  const sink = { write: () => undefined, wait: () => undefined, end: () => undefined };
  const open = (): unknown => openScanner({ ...settings, extraSchemes }, "text", sink, { offset: 0, from: 0, to: 1 });
  expect(open).toThrow("no room for the scheme");
  expect(extract("s0://a.example/ http://b.example/").map(({ url }) => url)).toEqual(["http://b.example/"]);
}

it("a listener that destroys its stream and scans at once gets a core of its own", async () => {
  const found: (string | null)[] = [];
  const stream = new ExtractStream({ objectMode: true, type: "text" });
  stream.on("data", ({ url }) => {
    stream.destroy();
    found.push(url, ...extract("see http://c.example/ and http://d.example/").map((match) => match.url));
  });
  stream.write("http://a.example/ http://b.example/ ".repeat(1000));
  await finished(stream).catch(() => undefined);
  expect(found).toEqual(["http://a.example/", "http://c.example/", "http://d.example/"]);
});
