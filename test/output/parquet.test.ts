// Format parquet, but for what DuckDB reads in it.
import { describe, expect, it } from "vitest";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import type { ScanSettings } from "../../src/options.ts";
import { runOutput } from "../../src/output/formatted.ts";
import { Dictionary } from "../../src/output/parquet/dictionary.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { put, useFolder } from "../threads/folder.ts";
import { SETTINGS } from "../threads/settings.ts";
import { sinkOf } from "./sinks.ts";

useFolder();

/** The factor of the hash. */
const FACTOR = 0x9e3779b1;

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, FACTOR);
  return product ^ (product >>> 16);
}

/** Returns the text of an entry of a page. */
function textOf(page: Uint8Array, index: number): string {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let at = 0;
  for (let entry = 0; entry < index; entry++) at += 4 + view.getUint32(at, true);
  return Buffer.from(page.subarray(at + 4, at + 4 + view.getUint32(at, true))).toString("hex");
}

describe("the dictionary of a column", () => {
  it("has an entry for each text, in the order in which they come first", () => {
    const dictionary = new Dictionary();
    const bytes = Buffer.from("http://a.example/b");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    expect([dictionary.indexOfString("x"), dictionary.indexOfBytes(view, 0, bytes.length), dictionary.indexOfString("")]).toEqual([
      0, 1, 2,
    ]);
    expect([dictionary.indexOfString(bytes.toString()), dictionary.indexOfBytes(view, 3, 0), dictionary.count]).toEqual([1, 2, 3]);
    const names = Array.from({ length: 20_000 }, (_, index) => `name ${index}`);
    expect(names.map((name) => dictionary.indexOfString(name))).toEqual(names.map((_, index) => index + 3));
    expect(names.map((name) => dictionary.indexOfString(name))).toEqual(names.map((_, index) => index + 3));
    dictionary.clear();
    expect([dictionary.size, dictionary.indexOfString("y")]).toEqual([0, 0]);
  });

  it("looks at few entries of texts that all have one hash: some become entries again", () => {
    const dictionary = new Dictionary();
    const texts = Array.from({ length: 200 }, (_, index) => {
      const view = new DataView(new ArrayBuffer(8));
      view.setInt32(0, index, true);
      view.setInt32(4, mixed(8, index), true);
      return view;
    });
    const wanted = [...texts, ...texts].map((view) => Buffer.from(view.buffer).toString("hex"));
    const indexes = [...texts, ...texts].map((view) => dictionary.indexOfBytes(view, 0, 8));
    expect(indexes.map((index) => textOf(dictionary.page, index))).toEqual(wanted);
    expect(dictionary.count).toBe(200 + 200 - 64);
  });
});

describe("the file is the same", () => {
  async function streamed(text: Buffer, options: ExtractStreamOptions, chunkBytes: number): Promise<Buffer> {
    const stream = new ExtractStream({ ...options, format: "parquet" });
    const send = async (): Promise<void> => {
      for (let at = 0; at < text.length; at += chunkBytes) {
        if (!stream.write(text.subarray(at, at + chunkBytes))) await new Promise((resolve) => stream.once("drain", resolve));
      }
      stream.end();
    };
    const sent = send();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    await sent;
    return Buffer.concat(chunks);
  }

  it("however a text with long URLs is cut, whose groups end before they have all their rows", async () => {
    const lines = Array.from({ length: 3000 }, (_, line) => `http://h.example/${line}/${"x".repeat(15_000)}\n`);
    const text = Buffer.from(lines.join(""));
    const options = { type: "text", fields: ["url", "start"] } as const;
    const whole = await streamed(text, options, text.length);
    expect((await streamed(text, options, 100_003)).equals(whole)).toBe(true);
    expect((await streamed(text, { ...options, threads: 2 }, 1 << 20)).equals(whole)).toBe(true);
    // "PAR1" is at the start and the end; the names of the columns are in the footer, once for each group and once in the schema.
    expect(whole.toString("latin1").split("start")).toHaveLength(2 + 2);
  });

  it("whether one thread reads an mbox or several read ranges of it", async () => {
    const headOf = (number: number): string => `Message-ID: <${number}@b.example>\nDate: Mon, 5 Jan 1998 10:00:${10 + (number % 50)} GMT\n`;
    const message = (number: number): string =>
      `From a@b.example Mon Jan  5 10:00:00 1998\n${headOf(number)}\nhttp://a.example/${number} ${"x".repeat(3000)}\n\n`;
    const path = put("list.mbox", Array.from({ length: 1500 }, (_, number) => message(number)).join(""));
    const fields = ["url", "message", "message_id", "date", "start"] as const;
    const settings: ScanSettings = { ...SETTINGS, type: "mbox", format: "parquet", fields };
    const scanned = async (options: Partial<ScanFilesOptions>): Promise<Buffer> => {
      const chunks: Buffer[] = [];
      const begin = await runOutput(settings);
      const sink = begin(sinkOf({ bytes: ({ bytes }) => chunks.push(Buffer.from(bytes)) }));
      await scanFiles([path], { settings, threads: 1, ...options }, sink);
      return Buffer.concat(chunks);
    };
    const one = await scanned({});
    const pooled = { threads: 2, poolBytesLeast: 0, rangeBytes: 1 << 20 };
    expect((await scanned(pooled)).equals(one)).toBe(true);
    expect((await scanned({ ...pooled, scansHere: true })).equals(one)).toBe(true);
    expect(one.length).toBeGreaterThan(10_000);
  });
});
