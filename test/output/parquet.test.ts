// Format parquet, but for what DuckDB reads in it.
import { describe, expect, it } from "vitest";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import type { ScanSettings } from "../../src/options/options.ts";
import { runOutput } from "../../src/output/run-output.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { put, useFolder } from "../threads/folder.ts";
import { SETTINGS } from "../threads/settings.ts";
import { sinkOf } from "./sinks.ts";

useFolder();

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
    expect(whole.toString("latin1").split("start")).toHaveLength(6 + 2);
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
    const pooled = { threads: 2, workMillisecondsLeast: 0, rangeBytes: 1 << 20 };
    expect((await scanned(pooled)).equals(one)).toBe(true);
    expect((await scanned({ ...pooled, scansHere: true })).equals(one)).toBe(true);
    expect(one.length).toBeGreaterThan(10_000);
  });
});
