// How members are read: in order, in part, not at all; limits; what is done with the source.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { turns } from "../core/check.ts";
import { tar, zip } from "./archives.ts";
import { chunksOf, openAsFile, openBytes, openMembers } from "./open.ts";
import { LONG, SHORT, TEXT } from "./packed.ts";

async function firstBytes(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of chunks) return Buffer.from(chunk.subarray(0, 20)).toString();
  return "";
}

describe("members", () => {
  it("of what is no container are the source itself, its chunks not copied", async () => {
    for (const size of [1, 100, 5000]) {
      const given = [Buffer.from("a".repeat(size)), Buffer.from("b"), Buffer.from("c")];
      const source = (async function* () {
        yield* given;
      })();
      const read: Uint8Array[] = [];
      for await (const { name, chunks } of openMembers({ name: "x", chunks: source })) {
        expect(name).toBe("x");
        for await (const chunk of chunks) read.push(chunk);
      }
      expect(read).toHaveLength(3);
      read.forEach((chunk, index) => {
        expect(chunk.buffer).toBe(given[index]?.buffer);
      });
      expect(Buffer.concat(read)).toEqual(Buffer.concat(given));
    }
    expect(await openBytes("x", Buffer.alloc(0))).toEqual([["x", ""]]);
  });

  const files = ["a", "b", "c", "d"].map((name) => ({ name, text: LONG }));
  it.each([
    ["tar", tar(files)],
    ["compressed tar", gzipSync(tar(files))],
    ["zip", zip(files)],
    ["zip whose sizes stand behind", zip(files.map((file) => ({ ...file, isOpenEnded: true })))],
    ["compressed members", tar(files.map(({ name, text }) => ({ name, text: gzipSync(text) })))],
  ])("may be left half-way, or not be read: %s", async (_, bytes) => {
    for (const left of [0, 1, 2, 3]) {
      const found: string[] = [];
      let index = 0;
      for await (const { name, chunks } of openMembers({ name: "x", chunks: chunksOf(bytes, 1000) })) {
        found.push(`${name} ${(index + left) % 4 === 0 ? "" : await firstBytes(chunks)}`);
        index++;
      }
      expect(found).toEqual(["a", "b", "c", "d"].map((name, at) => `x!${name} ${(at + left) % 4 === 0 ? "" : LONG.slice(0, 20)}`));
    }
  });

  it("close the source when the caller stops, also one that never goes on", async () => {
    for (const bytes of [gzipSync(tar(files)), zip(files), Buffer.from(LONG)]) {
      let isClosed = false;
      const source = {
        [Symbol.asyncIterator]: () => ({
          sent: false,
          next(): Promise<IteratorResult<Uint8Array>> {
            if (this.sent) return new Promise(() => undefined);
            this.sent = true;
            return Promise.resolve({ done: false, value: bytes.subarray(0, bytes.length - 300) });
          },
          return(): Promise<IteratorResult<Uint8Array>> {
            isClosed = true;
            return new Promise(() => undefined);
          },
        }),
      };
      for await (const { chunks } of openMembers({ name: "x", chunks: source })) {
        await firstBytes(chunks);
        break;
      }
      expect(isClosed).toBe(true);
    }
  });

  it("throw what the source throws, behind what it gave", async () => {
    const broken = (async function* () {
      yield gzipSync(TEXT, { level: 0 }).subarray(0, 1000);
      throw new RangeError("broken");
    })();
    let text = "";
    const read = async (): Promise<void> => {
      for await (const { chunks } of openMembers({ name: "x", chunks: broken }))
        for await (const chunk of chunks) text += Buffer.from(chunk);
    };
    await expect(read()).rejects.toThrow(new RangeError("broken"));
    expect(text.length).toBeGreaterThan(900);
    expect(TEXT.startsWith(text)).toBe(true);
  });

  it("take no more of the source than they are asked for", async () => {
    let taken = 0;
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7919) % 99_991).join(" "));
    const packed = gzipSync(Buffer.concat(Array.from({ length: 8 }, () => noise)));
    const source = (async function* () {
      for await (const chunk of chunksOf(packed)) {
        taken += chunk.length;
        yield chunk;
      }
    })();
    for await (const { chunks } of openMembers({ name: "x", chunks: source })) {
      for await (const _ of chunks) {
        await turns();
        break;
      }
    }
    expect(packed.length).toBeGreaterThan(4_000_000);
    expect(taken).toBeLessThan(2_000_000);
  });
});

describe("limits", () => {
  const zeros = Buffer.alloc(3_000_000);
  const ratio = { ratioMax: 100, ratioFreeBytes: 1_000_000 };

  it.each([
    ["gzip", gzipSync(zeros)],
    ["gzip in gzip", gzipSync(gzipSync(zeros, { level: 1 }))],
    ["tar.gz", gzipSync(tar([{ name: "a", text: zeros }]))],
    ["zip", zip([{ name: "a", text: zeros }])],
    ["zip whose sizes stand behind", zip([{ name: "a", text: zeros, isOpenEnded: true }])],
  ])("of the ratio: %s", async (_, bytes) => {
    for (const found of [await openBytes("x", bytes, ratio), await openAsFile("x", bytes, ratio)]) {
      expect(found.map(([, , code]) => code)).toEqual(["ERR_URLMILL_LIMIT"]);
      expect(found[0]?.[1].length).toBeGreaterThan(500_000);
      expect(found[0]?.[1].length).toBeLessThan(3_000_000);
    }
  });

  it("of the ratio let others pass", async () => {
    expect(await openBytes("x", gzipSync(zeros), { ratioFreeBytes: 3_000_000, ratioMax: 100 })).toEqual([["x", zeros.toString()]]);
    const found = await openBytes(
      "x",
      zip([
        { name: "a", text: zeros },
        { name: "b", text: SHORT },
      ]),
      ratio,
    );
    expect(found.map(([name, , code]) => [name, code])).toEqual([
      ["x!a", "ERR_URLMILL_LIMIT"],
      ["x!b", undefined],
    ]);
  });

  it("of the ratio hold for all members together", async () => {
    const bytes = zip(Array.from({ length: 10 }, (_, index) => ({ name: `${index}`, text: Buffer.alloc(90_000), method: 8 })));
    const found = await openAsFile("x", bytes, { ratioMax: 300, ratioFreeBytes: 100_000 });
    expect(found.map(([, , code]) => code)).toContain("ERR_URLMILL_LIMIT");
  });

  it("of a member's size", async () => {
    const bytes = tar([
      { name: "a", text: LONG },
      { name: "b", text: SHORT },
    ]);
    const found = await openBytes("x", bytes, { memberBytesMax: 1000 }, 500);
    expect(found.map(([name, , code]) => [name, code])).toEqual([
      ["x!a", "ERR_URLMILL_LIMIT"],
      ["x!b", undefined],
    ]);
    expect(await openBytes("x", Buffer.from(LONG), { memberBytesMax: 1000 })).toEqual([["x", LONG]]);
  });

  it("of the number of members", async () => {
    const bytes = tar(["a", "b", "c"].map((name) => ({ name, text: SHORT })));
    expect(await openBytes("x", bytes, { membersMax: 2 })).toEqual([
      ["x!a", SHORT],
      ["x!b", SHORT],
      ["x", "", "ERR_URLMILL_LIMIT"],
    ]);
  });

  it("of the depth", async () => {
    let bytes = Buffer.from(SHORT);
    for (let depth = 0; depth < 8; depth++) bytes = gzipSync(bytes);
    expect(await openBytes("x", bytes)).toEqual([["x", SHORT]]);
    expect(await openBytes("x", gzipSync(bytes))).toEqual([["x", "", "ERR_URLMILL_LIMIT"]]);
  });
});
