// Compressed bodies of web archives (A12): their limits, what is listed of them, and zstd with blocks that the oracle does not decode.
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeBody } from "../../src/input/containers/content-coding.ts";
import type { RejectedBatch } from "../../src/matches/batch.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { BUILDS, coreOf, feed, scanOptions, settingsOf } from "../core/builds.ts";
import { sinkOf } from "../output/sinks.ts";
import { scanArchive } from "./builds.ts";

const MIB = 2 ** 20;
const WARC = { type: "warc" } as const;
const SPARSE = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 } };

/** `http://a.example/ http://b.example/ http://b.example/ http://c.example/`, compressed by zstd. */
const ZSTD = Buffer.from("KLUv/QRo9QAAoGh0dHA6Ly9hLmV4YW1wbGUvIGJjAwCgEIBc5c4wFJBVbw==", "base64");

function record(fields: string, body: Uint8Array): Buffer {
  const header = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${fields}\r\n\r\n`;
  const length = header.length + body.length;
  return Buffer.concat([Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nContent-Length: ${length}\r\n\r\n${header}`), body]);
}

const urlsOf = (build: (typeof BUILDS)[number], bytes: Buffer): (string | null)[] =>
  scanArchive(build, bytes, WARC).matches.map(({ url }) => url);
const encodedIn = (build: (typeof BUILDS)[number], bytes: Buffer): number | undefined =>
  scanArchive(build, bytes, WARC).counts.limits["encoded-body"];

describe.each(BUILDS)("%s: compressed bodies", (build) => {
  it("make 16 MiB at most: what is after that is not read, and counted", () => {
    const text = Buffer.alloc(16 * MIB + 1000, " ");
    text.write("http://first.example/");
    text.write("http://last.example/", text.length - 40);
    const inside = text.subarray(0, 16 * MIB);
    const [long, whole] = [text, inside].map((one) => record("Content-Encoding: gzip", gzipSync(one))) as [Buffer, Buffer];
    expect([urlsOf(build, long), encodedIn(build, long)]).toEqual([["http://first.example/"], 1]);
    expect([urlsOf(build, whole), encodedIn(build, whole)]).toEqual([["http://first.example/"], undefined]);
  });

  it("are read up to 16 MiB of the source, whatever its cuts; the next record is read", () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * index * 31 + index * 7) & 255));
    const stored = Buffer.concat(Array.from({ length: 4096 }, () => noise));
    const text = Buffer.concat([Buffer.from("http://first.example/ "), stored, Buffer.from(" http://last.example/")]);
    const body = gzipSync(text, { level: 0 });
    expect(body.length).toBeGreaterThan(16 * MIB);
    const bytes = Buffer.concat([
      record("Content-Encoding: gzip", body),
      Buffer.from("\r\n\r\n"),
      record("X: y", Buffer.from("http://next.example/")),
    ]);
    const whole = scanArchive(build, bytes, WARC);
    expect(whole.matches.map(({ url }) => url)).toEqual(["http://first.example/", "http://next.example/"]);
    expect(whole.counts.limits).toEqual({ "encoded-body": 1 });
    const [match] = whole.matches;
    expect((match?.end ?? 0) - (match?.start ?? 0)).toBe(16 * MIB);
    expect(scanArchive(build, bytes, WARC, [1000, 3 * MIB, 16 * MIB + 100])).toEqual(whole);
  });

  it("make 32 MiB and 100 times the source together, where their records begin in the same MiB", () => {
    const text = Buffer.concat([Buffer.alloc(12 * MIB, "x "), Buffer.from("http://a.example/")]);
    const one = Buffer.concat([record("Content-Encoding: br", brotliCompressSync(text, SPARSE)), Buffer.from("\r\n\r\n")]);
    const five = Buffer.concat(Array<Buffer>(5).fill(one));
    expect(five.length).toBeLessThan(20_000);
    expect([urlsOf(build, five).length, encodedIn(build, five)]).toEqual([2, 3]);
    // The sixth begins before the border, and has a hundred times the bytes up to there; the others begin anew after it.
    const gap = Buffer.alloc(MIB - five.length - 1, "\n");
    const ten = Buffer.concat([five, gap, five]);
    for (const cuts of [[], [1000, MIB - 5, MIB + 3]]) {
      const { matches, counts } = scanArchive(build, ten, WARC, cuts);
      expect([matches.length, counts.limits["encoded-body"]]).toEqual([5, 5]);
    }
  });

  it("have their failures listed in the order of the source", () => {
    const bad = record("Content-Encoding: gzip", Buffer.from("no gzip\0"));
    const part = record(
      "Content-Encoding: gzip",
      Buffer.concat([
        gzipSync("http://a.example/ http:///x").subarray(0, 10),
        Buffer.from([0, 30, 0, 225, 255]),
        Buffer.from("http://a.example/ http://:x/  "),
        Buffer.from([7]),
      ]),
    );
    const bytes = Buffer.concat([bad, Buffer.from("\r\n\r\n"), part]);
    const listed = (cuts: number[]): unknown[] => {
      const seen: unknown[] = [];
      const take = (batch: RejectedBatch): void => {
        for (let row = 0; row <= batch.count; row++) {
          for (const { before, omission } of batch.omitted ?? []) if (before === row) seen.push(omission);
          if (row < batch.count) seen.push(batch.texts?.[row]);
        }
      };
      const options = { ...scanOptions({ ...settingsOf({}), type: "warc" }, "matches"), rejected: true };
      feed(new Scanner(coreOf(build), options, sinkOf({ rejected: take })), bytes, cuts, 0);
      return seen;
    };
    const omission = (of: Buffer, at: number): object => ({
      reason: "encoded-body",
      start: at + of.indexOf("\r\n\r\n", of.indexOf("HTTP/")) + 4,
    });
    const wanted = [omission(bad, 0), omission(part, bad.length + 4), "http://:x/"];
    expect(listed([])).toEqual(wanted);
    expect(listed(Array.from({ length: bytes.length - 1 }, (_, index) => index + 1))).toEqual(wanted);
  });

  it("in zstd, with blocks that are compressed", () => {
    const bytes = record("Content-Encoding: zstd", ZSTD);
    expect(urlsOf(build, bytes)).toEqual(["http://a.example/", "http://b.example/", "http://b.example/", "http://c.example/"]);
  });
});

describe("decodeBody", () => {
  it("counts about as many bytes as it made, also of what fails", () => {
    const bomb = brotliCompressSync(Buffer.alloc(8 * MIB, " "), SPARSE);
    const broken = Buffer.concat([bomb.subarray(0, bomb.length - 1), Buffer.alloc(200, 255)]);
    const { isWhole, cost } = decodeBody(broken, 3, 16 * MIB);
    expect(isWhole).toBe(false);
    expect(cost).toBeGreaterThan(8 * MIB);
    expect(decodeBody(Buffer.from("no brotli at all"), 3, 16 * MIB).cost).toBeLessThan(MIB);
  });

  it("reads a bounded number of gzip members", () => {
    const members = Buffer.concat(Array.from({ length: 100 }, () => gzipSync("a ")));
    const { text, isWhole } = decodeBody(members, 1, MIB);
    expect([text.length, isWhole]).toEqual([128, false]);
  });

  it("takes deflate data without a zlib header", () => {
    expect(decodeBody(deflateRawSync("http://a.example/"), 2, MIB)).toMatchObject({ isWhole: true });
  });
});
