// A frame, stream, member or entry costs what its bytes cost: counted are allocations, moved bytes, chunks, reads and members, not time.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { CONTAINER_LIMITS } from "../../src/input/containers/limits.ts";
import { tar, tarFile, zip } from "./archives.ts";
import { BOMBS, nestedZip, wideFrame, widened, windowFrame } from "./bombs.ts";
import { chunksOf, openAsFile, openBytes, openMembers } from "./open.ts";
import { SHORT, XZ_BARE } from "./packed.ts";
import { countWork } from "./work.ts";

/** Bytes that a decoder may allocate and move for each byte of its input and of its text, and beside them. */
const WORK_FACTOR = 64;
const WORK_FREE = 12 * 2 ** 20;

interface Handed {
  members: number;
  chunks: number;
  bytes: number;
  errors: unknown[];
}

async function readMembers(bytes: Uint8Array): Promise<Handed> {
  const handed: Handed = { members: 0, chunks: 0, bytes: 0, errors: [] };
  for await (const { chunks } of openMembers({ name: "x", chunks: chunksOf(bytes) })) {
    handed.members++;
    try {
      for await (const chunk of chunks) {
        handed.chunks++;
        handed.bytes += chunk.length;
      }
    } catch (error) {
      handed.errors.push(error);
    }
  }
  return handed;
}

describe("small input", () => {
  it.each(BOMBS)("costs what its bytes cost, and is handed on in chunks that are worth it: %s", async (_, bytes, textBytes) => {
    await readMembers(bytes.subarray(0, 600));
    let handed: Handed | undefined;
    const work = await countWork(async () => {
      handed = await readMembers(bytes);
    });
    expect(handed?.errors).toEqual([]);
    expect(handed?.bytes).toBeGreaterThanOrEqual(textBytes);
    const most = WORK_FACTOR * (bytes.length + (handed?.bytes ?? 0)) + WORK_FREE;
    expect(work.allocated).toBeLessThan(most);
    expect(work.moved).toBeLessThan(most);
    const { members = 0, chunks = 0, bytes: text = 0 } = handed ?? {};
    // One or two more for each member and each chunk of the source.
    expect(chunks).toBeLessThanOrEqual(2 * members + 2 * Math.ceil(bytes.length / (1 << 16)) + text / (1 << 12));
  });

  it("needs the memory of its text, not of the window that a header claims", async () => {
    const { allocated } = await countWork(() => readMembers(wideFrame(SHORT)));
    expect(allocated).toBeLessThan(2 ** 20);
    for (const bytes of [windowFrame(31, SHORT), widened(XZ_BARE, 38)]) {
      const work = await countWork(async () => {
        expect(await openBytes("x", bytes, { windowMax: 2 ** 31 })).toEqual([["x", SHORT]]);
      });
      expect(work.allocated).toBeLessThan(2 ** 20);
    }
  });
});

describe("a zip directory in another order than its files", () => {
  /** An archive of `count` files; the entries of its directory in the order that `step` makes. */
  function shuffled(count: number, step: number): Buffer {
    const bytes = zip(Array.from({ length: count }, (_, index) => ({ name: `${index}`.padStart(5, "0"), text: "", method: 0 })));
    const start = bytes.readUInt32LE(bytes.length - 6);
    const entry = (index: number): Buffer => bytes.subarray(start + 51 * index, start + 51 * (index + 1));
    const entries = Array.from({ length: count }, (_, index) => entry((index * step) % count));
    return Buffer.concat([bytes.subarray(0, start), ...entries, bytes.subarray(-22)]);
  }

  it("costs what an ordered one costs", async () => {
    const count = 12_000;
    const countReads = async (bytes: Buffer): Promise<number> => {
      const counted = vi.spyOn(fs, "read");
      syncBuiltinESMExports();
      try {
        expect(await openAsFile("x", bytes)).toHaveLength(count);
        return counted.mock.results.length;
      } finally {
        counted.mockRestore();
        syncBuiltinESMExports();
      }
    };
    const ordered = await countReads(shuffled(count, 1));
    expect(ordered).toBeGreaterThan(4);
    expect(await countReads(shuffled(count, 7919))).toBeLessThan(ordered + 4);
  });
});

describe("faults of an archive", () => {
  it("are named up to a number, and then counted", async () => {
    const stray = Buffer.from(zip([]));
    stray.writeUInt16LE(1, 10);
    const bytes = Buffer.concat([zip([{ name: "a", text: SHORT }]), ...new Array<Buffer>(4500).fill(stray)]);
    const fault = ["x", "", "ERR_URLMILL_CORRUPT"];
    const wanted = [["x!a", SHORT], ...new Array<unknown>(11).fill(fault)];
    expect(await openBytes("x", bytes)).toEqual(wanted);
    expect(await openAsFile("x", bytes)).toEqual(wanted);
    expect((await readMembers(bytes)).errors.at(-1)).toMatchObject({ reason: "has 4490 more errors, which are not named" });
    expect((await openBytes("x", bytes.subarray(0, -1))).slice(-2)).toEqual([fault, ["x", "", "ERR_URLMILL_TRUNCATED"]]);
  });

  it("are counted as members", async () => {
    const stray = Buffer.from(zip([]));
    stray.writeUInt16LE(1, 10);
    const bytes = zip([{ name: "a", text: SHORT }, ...Array.from({ length: 9 }, () => ({ name: "b", text: stray }))]);
    const found = await openBytes("x", bytes, { membersMax: 12 });
    expect(found.at(-1)).toEqual(["x", "", "ERR_URLMILL_LIMIT"]);
    expect(found.length).toBeLessThan(12);
  });
});

describe("containers in each other", () => {
  it("end at a limit over all of them, which is said once", async () => {
    const bytes = nestedZip(10, 6);
    expect(bytes.length).toBeLessThan(12_000);
    for (const found of [await openBytes("x", bytes), await openAsFile("x", bytes)]) {
      expect(found.filter(([, , code]) => code !== undefined)).toEqual([["x", "", "ERR_URLMILL_LIMIT"]]);
      expect(found.at(-1)?.[2]).toBe("ERR_URLMILL_LIMIT");
      expect(found.length).toBeGreaterThan(8000);
      expect(found.length).toBeLessThan(CONTAINER_LIMITS.membersFree + bytes.length / CONTAINER_LIMITS.memberBytesLeast);
    }
  });

  it("that are honest pass", async () => {
    const { members, errors } = await readMembers(nestedZip(6, 4));
    expect([members, errors]).toEqual([6 ** 4, []]);
    const files = Array.from({ length: 12_000 }, (_, index) => tarFile({ name: `folder/${(index * 7919) % 20_011}.eml`, text: SHORT }));
    expect(await readMembers(gzipSync(Buffer.concat(files)))).toMatchObject({ members: 12_000, errors: [] });
  });

  it("count what is handed on of all members", async () => {
    const noise = Array.from({ length: 90_000 }, (_, index) => `${(index * 7919) % 99_991}\n`).join("");
    const bytes = tar(Array.from({ length: 12 }, (_, index) => ({ name: `${index}.gz`, text: gzipSync(noise) })));
    expect((await openBytes("x", bytes, { ratioFreeBytes: 600_000, ratioMax: 10 })).every(([, , code]) => code === undefined)).toBe(true);
    const stopped = await openBytes("x", bytes, { ratioFreeBytes: 600_000, ratioMax: 1 });
    expect(stopped.filter(([, , code]) => code !== undefined)).toHaveLength(1);
    expect(stopped.at(-1)?.[2]).toBe("ERR_URLMILL_LIMIT");
    expect(stopped.length).toBeLessThan(12);
  });

  it("count what decoders give that is not handed on", async () => {
    const skipped = gzipSync(tarFile({ name: "all", text: Buffer.alloc(900_000) }, "g"));
    const bytes = tar(Array.from({ length: 12 }, (_, index) => ({ name: `${index}.tgz`, text: skipped })));
    expect(await openBytes("x", bytes)).toEqual([]);
    const found = await openBytes("x", bytes, { ratioFreeBytes: 1_000_000, ratioMax: 20 });
    expect(found.map(([, text, code]) => [text, code])).toEqual([["", "ERR_URLMILL_LIMIT"]]);
  });
});

describe("a text", () => {
  it("in small pieces is not held back while its source waits", async () => {
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    };
    const lines = Array.from({ length: 40 }, (_, index) => `http://${index}.example/\n`);
    let taken = "";
    const source = (async function* () {
      yield wideFrame(...lines);
      await turns();
      expect(taken).toBe(lines.join(""));
      yield wideFrame("c");
      await turns();
      expect(taken.at(-1)).toBe("c");
    })();
    for await (const { chunks } of openMembers({ name: "x", chunks: source }))
      for await (const chunk of chunks) taken += Buffer.from(chunk);
  });
});
