// A web archive that is read in parts gives what it gives as a whole, compressed or not, also where its records are not what the plan took
// for them (A12, X13).
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { extractFrom } from "../../src/api/extract-from.ts";
import { InputFile } from "../../src/input/file.ts";
import { Pacer } from "../../src/input/pacer.ts";
import type { Result } from "../../src/output/sink.ts";
import { scanFile } from "../../src/run/scan-file.ts";
import { sourceErrorOf } from "../../src/run/scan-source.ts";
import { emptyTotals } from "../../src/run/totals.ts";
import { bgzf, piecesOf } from "../input/blocks.ts";
import { mutatedWarcs, warcs } from "../mail/warc-pieces.ts";
import { put, useFolder } from "./folder.ts";
import { count, partsOf, SETTINGS, scan } from "./scans.ts";
import { filler, inMembers, MIB, misleading, paddedTo, RECORDS, recordOf, response, WHOLE } from "./web-records.ts";

useFolder();

const MEMBERS = RECORDS.map((one) => gzipSync(one));
const ANYWHERE = { threads: 2, rangeBytes: 1000, scansHere: true };
const SPARSE = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 } };

/** Returns records with another in the middle. */
const among = (other: Buffer): Buffer[] => [...RECORDS.slice(0, 160), other, ...RECORDS.slice(160)];

async function expectSame(path: string, parts: { least?: number; most?: number }): Promise<void> {
  const cut = partsOf(path, ANYWHERE.rangeBytes, SETTINGS);
  expect(cut.length).toBeGreaterThanOrEqual(parts.least ?? 1);
  expect(cut.length).toBeLessThanOrEqual(parts.most ?? 100);
  const other = put("other.warc", RECORDS[2] ?? Buffer.of());
  const serial = await scan([path, other]);
  for (const scansHere of [false, true]) expect(await scan([path, other], { ...ANYWHERE, scansHere })).toEqual(serial);
  const auto = { ...SETTINGS, type: "auto" } as const;
  expect(await count([path, other], ANYWHERE, auto)).toEqual(await count([path, other], {}, auto));
}

it("the records of the tests are in more than three bytes of a limit", () => {
  expect(WHOLE.length).toBeGreaterThan(3 * MIB);
});

describe("is cut where records begin", () => {
  it.each([
    ["as it is", WHOLE],
    ["a member for each record", Buffer.concat(MEMBERS)],
    [
      "a member for each record, of several programs",
      Buffer.concat(RECORDS.map((one, index) => gzipSync(one, { level: (index % 9) + 1 }))),
    ],
    ["a member for some records, of which the first is the first of a limit", inMembers(piecesOfRecords(100_000))],
    ["with a line break at its start", Buffer.concat([Buffer.from("\r\n"), WHOLE])],
    ["with an end that is cut", WHOLE.subarray(0, WHOLE.length - 5000)],
    ["members with an end that is cut", Buffer.concat(MEMBERS).subarray(0, -5000)],
  ])("%s", async (name, bytes) => {
    const path = put(`${name.replaceAll(" ", "-")}.warc`, bytes);
    await expectSame(path, { least: 3, most: 4 });
    expect((await scan(path)).text).toMatch(/"message":2\d\d,"target_uri":"http:\/\/t\.example\/1\d\d"/);
  });
});

it("is cut after a record that is longer than parts, but not at one whose header is longer than what is looked at", async () => {
  const before = Buffer.concat([
    ...paddedTo(RECORDS.slice(0, 3), MIB - 9),
    recordOf("resource", [], filler(3, 5 * MIB)),
    recordOf("resource", [`X: ${"y".repeat(5000)}`], "http://header.example/"),
  ]);
  const path = put("long.warc", Buffer.concat([before, ...RECORDS]));
  const ends = partsOf(path, 1000, SETTINGS).map(({ rest }) => rest);
  expect(ends[0]).toBe(before.length);
  expect(ends).toHaveLength(5);
  await expectSame(path, {});
});

// A plan looks at few bytes, whatever they hold.
describe("is planned in few reads", () => {
  const readsOf = (path: string): number => {
    const read = vi.spyOn(InputFile.prototype, "read");
    try {
      expect(partsOf(path, 1000, SETTINGS)).toHaveLength(1);
      return read.mock.calls.length;
    } finally {
      read.mockRestore();
    }
  };
  const start = Buffer.concat(RECORDS.slice(0, 3));
  /** A header of gzip, and before it the length of a text. */
  const header = (length: number): Buffer => {
    const bytes = Buffer.from("0000000000001f8b0800000000000003", "hex").subarray(2);
    bytes.writeUInt32LE(length, 0);
    return bytes;
  };

  it.each([
    ["of what only begins like records", Buffer.concat([start, Buffer.alloc(3 * MIB, "\nWARC/1.0\r\n")]), 3 * (64 + 1) + 9],
    [
      "of what only begins like members",
      Buffer.concat([gzipSync(start), ...Array.from({ length: 4096 }, () => Buffer.concat([Buffer.alloc(1010), header(MIB)]))]),
      256 + 20 + 9,
    ],
    ["of members without text", Buffer.concat([gzipSync(start), Buffer.alloc(20 << 20, gzipSync(""))]), 9],
  ])("%s", (name, bytes, most) => {
    expect(readsOf(put(`${name.replaceAll(" ", "-")}.warc`, bytes))).toBeLessThanOrEqual(most);
  });
});

/** Returns the records in pieces of at least so many bytes, none of which goes on over a border of a limit. */
function piecesOfRecords(bytes: number): Buffer[] {
  const pieces: Buffer[] = [];
  let [held, heldBytes, at] = [[] as Buffer[], 0, 0];
  for (const one of RECORDS) {
    if (heldBytes >= bytes || Math.floor(at / MIB) > Math.floor((at - heldBytes) / MIB)) {
      pieces.push(Buffer.concat(held));
      [held, heldBytes] = [[], 0];
    }
    held.push(one);
    heldBytes += one.length;
    at += one.length;
  }
  return [...pieces, Buffer.concat(held)];
}

describe("is one part", () => {
  it.each([
    ["one member", gzipSync(WHOLE)],
    ["members that end anywhere", Buffer.concat(piecesOf(WHOLE, 7000).map((one) => gzipSync(one)))],
    ["blocks of BGZF", bgzf(WHOLE, 30_000)],
  ])("%s", async (name, bytes) => {
    await expectSame(put(`${name.replaceAll(" ", "-")}.warc`, bytes), { most: 1 });
  });
});

const fake = recordOf("resource", [], "http://fake.example/");

describe("is the same where lengths are doubtful", () => {
  it.each([
    ["a header that says two lengths", recordOf("resource", ["Content-Length: 5"], `abcde${fake}`)],
    ["a length on a folded line", recordOf("resource", ["X: y\r\n Content-Length: 7"], `abcdefg${fake}`)],
    ["a length on the line after its name", recordOf("resource", ["Content-Length:\r\n 4"], `abcd${fake}`)],
    ["a record without a length", Buffer.from(`WARC/1.0\r\nWARC-Type: resource\r\n\r\n${fake}`)],
    ["text between records", Buffer.from(`http://between.example/\r\n\r\n${fake}`)],
    ["a length beyond the end", Buffer.from(`WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n${fake}`)],
    ["a length beyond 2^53", Buffer.from(`WARC/1.0\r\nContent-Length: 9007199254740993\r\n\r\n${fake}`)],
    ["a length beyond all numbers", Buffer.from(`WARC/1.0\r\nContent-Length: 1${"0".repeat(400)}\r\n\r\n${fake}`)],
  ])("%s", async (name, record) => {
    const records = among(record);
    await expectSame(put(`${name.replaceAll(" ", "-")}.warc`, Buffer.concat(records)), { least: 2 });
    await expectSame(put(`${name.replaceAll(" ", "-")}.warc.gz`, inMembers(records)), { least: 2 });
  });

  it("a member that is wrong", async () => {
    const wrong = Buffer.from(MEMBERS[150] ?? Buffer.of()).fill(255, 40, 60);
    await expectSame(put("wrong.warc.gz", Buffer.concat(MEMBERS.with(150, wrong))), { least: 3 });
  });
});

it.each([2_000_000_010, 2_147_483_629])("a record of %i bytes ends after them (A12)", async (bytes) => {
  const pieces = function* (): Generator<Uint8Array> {
    yield Buffer.from(`WARC/1.0\r\nWARC-Type: request\r\nContent-Length: ${bytes}\r\n\r\n`);
    const piece = new Uint8Array(MIB).fill("x".charCodeAt(0));
    for (let left = bytes; left > 0; left -= MIB) yield piece.subarray(0, left);
    yield Buffer.from(`\r\n\r\n${fake}`);
  };
  const urls = [];
  for await (const { url } of extractFrom(pieces(), { type: "warc" })) urls.push(url);
  expect(urls).toEqual(["http://fake.example/"]);
});

// The plan takes what is in the block of a record for the start of the next one, and cuts there. The part before reads on, to the end.
describe("is the same where the plan cuts in a record", () => {
  const border = (before: number): Buffer[] => paddedTo(RECORDS.slice(0, 3), MIB - before);

  it("whose length seems to be another: a carriage return is no end of a line", async () => {
    const { bytes, at } = misleading();
    const path = put("return.warc", bytes);
    expect(partsOf(path, 1000, SETTINGS).map(({ rest = 0 }) => rest)).toContain(at);
    await expectSame(path, { least: 4 });
  });

  it("that begins in text after one whose length is no number, and has others in it", async () => {
    const begin = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: ";
    const holds = Buffer.from(`${begin}none\r\nContent-Length: 90\r\n\r\n${`${begin}300000\r\n\r\n`.padEnd(90)}`);
    const path = put("holds.warc", Buffer.concat([...border(500), holds, ...RECORDS]));
    await expectSame(path, { least: 4 });
  });

  it("that holds members as they are", async () => {
    const inner = gzipSync(recordOf("resource", [], "http://inner.example/"));
    const record = recordOf("resource", ["Content-Type: text/plain"], Buffer.concat([inner, inner, Buffer.from(" http://end.example/")]));
    const members = [...border(30), record, ...RECORDS].map((one) => gzipSync(one, { level: one === record ? 0 : 6 }));
    const path = put("members.warc.gz", Buffer.concat(members));
    await expectSame(path, { least: 4 });
    expect((await scan(path, ANYWHERE)).text).toContain("http://end.example/");
  });
});

describe("has the same limits of what is decoded", () => {
  /** A body of 12 MiB from a kilobyte or two. */
  const large = brotliCompressSync(Buffer.concat([Buffer.alloc(12 * MIB, "x "), Buffer.from("http://large.example/")]), SPARSE);
  const bomb = (index: number): Buffer => response(index, large, "Content-Encoding: br");
  const five = [0, 1, 2, 3, 4].map(bomb);

  it("for records that begin in the same MiB", async () => {
    const first = paddedTo(five, MIB);
    expect(Buffer.concat(first)).toHaveLength(MIB);
    const records = [...paddedTo([...first, ...five], 2 * MIB), ...five];
    const plain = put("limits.warc", Buffer.concat(records));
    const packed = put("limits.warc.gz", inMembers(records));
    expect((await scan(plain)).text.match(/"url":"http:\/\/large\.example/g)).toHaveLength(6);
    for (const path of [plain, packed]) await expectSame(path, { least: 3 });
  });

  it("where a record before the cut shares a limit with those after it", async () => {
    // The second member has the last record before the border and two after it: a third begins the next member.
    const before = paddedTo([bomb(0)], MIB - 1000);
    const records = [...before, Buffer.concat([recordOf("metadata", [], "x".repeat(950)), bomb(1), bomb(2)]), bomb(3), ...RECORDS];
    const path = put("shared-limit.warc.gz", inMembers(records));
    await expectSame(path, { least: 2 });
    expect((await scan(path)).text.match(/"url":"http:\/\/large\.example/g)).toHaveLength(3);
  });
});

it("lists what was left out of the last record before a cut, after which no text is", async () => {
  const header = "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Encoding: gzip\r\n\r\n";
  const body = gzipSync(" ".repeat(MIB), { level: 0 });
  const record = recordOf("response", [], Buffer.concat([Buffer.from(header), body]));
  const records = [...paddedTo(RECORDS.slice(0, 3), MIB - 600), record, ...RECORDS];
  for (const [name, bytes] of [
    ["left-out.warc", Buffer.concat(records)],
    ["left-out.warc.gz", inMembers(records)],
  ] as const) {
    const path = put(name, bytes);
    await expectSame(path, { least: 4 });
    expect((await scan(path, ANYWHERE)).rejected).toContain('"reason":"encoded-body"');
  }
});

describe("is the same where it ends or is wrong near a cut", () => {
  it.each([-3, 0, 5])("%i bytes after a cut", async (distance) => {
    const gz = inMembers(RECORDS);
    const [first] = partsOf(put("near.warc.gz", gz), 1000, SETTINGS);
    const part = first?.kind === "parts" ? first.parts[0] : undefined;
    const at = (part?.blocks?.next?.compressed ?? 0) + distance;
    expect(at).toBeGreaterThan(1000);
    const wrong = Buffer.concat([gz.subarray(0, at), Buffer.alloc(9, 255), gz.subarray(at + 9)]);
    for (const bytes of [gz.subarray(0, at), wrong]) await expectSame(put("near.warc.gz", bytes), {});
    const path = put("near.warc.gz", gz);
    const settings = { ...SETTINGS, expandMax: (part?.to ?? 0) + distance };
    expect(await scan(path, { ...ANYWHERE, settings })).toEqual(await scan(path, { settings }));
  });

  it("a part that has no end says that its file became shorter, and that it is over", async () => {
    const { bytes, at } = misleading();
    const path = put("shorter.warc", bytes.subarray(0, at + 100_000));
    const part = { file: path, name: path, size: bytes.length, format: "warc", from: 0, to: at, byMessage: true } as const;
    const kinds: string[] = [];
    const sink = { write: ({ kind }: Result) => void kinds.push(kind), wait: () => undefined, end: () => undefined };
    const settings = { ...SETTINGS, format: "matches" as const };
    const run = async (): Promise<void> => {
      const context = { settings, sink, totals: emptyTotals(), pacer: new Pacer(), failureOf: sourceErrorOf };
      for await (const _ of scanFile(part, context));
    };
    await expect(run()).rejects.toMatchObject({ code: "ERR_URLMILL_TRUNCATED" });
    expect(kinds).toContain("over");
  });
});

it("of generated records, whatever their cuts", async () => {
  const gap = recordOf("metadata", [], " ".repeat(MIB));
  const pieces = fc.sample(fc.oneof(warcs, mutatedWarcs), { numRuns: 24, seed: 11 });
  for (let at = 0; at < pieces.length; at += 8) {
    const records = pieces.slice(at, at + 8).flatMap((piece) => [gap, piece]);
    await expectSame(put(`generated-${at}.warc`, Buffer.concat(records)), {});
    await expectSame(put(`generated-${at}.warc.gz`, inMembers(records)), {});
  }
});
