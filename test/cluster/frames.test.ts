// The file of results is read as it was written, however its bytes come.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ResultFile, ResultWriter, readFrames } from "../../src/cluster/frames.ts";
import { FolderStore, type Store } from "../../src/cluster/store.ts";
import type { GroupBatch } from "../../src/count/group-table.ts";
import type { ByteBatch } from "../../src/matches/batch.ts";
import { pathOf, useFolder } from "../threads/folder.ts";

useFolder();

const groupsOf = (bytes: number, value = 0): GroupBatch => ({ kind: "groups", bytes: new Uint8Array(bytes).fill(value), count: 0 });

/** What is written: bytes of an output, of which most are joined, between results of another kind. */
const WRITTEN = [0, 1, 15, 16, 17, 300, 5000, 70_000].flatMap((length, index): (ByteBatch | GroupBatch)[] => [
  { kind: "bytes", bytes: Buffer.alloc(length, 97 + index), count: index },
  groupsOf(160 * index, index),
  groupsOf(4, 100 + index),
]);

/** Writes results to a file of a new folder. */
async function write(values: readonly (ByteBatch | GroupBatch)[]): Promise<{ readonly file: ResultFile; readonly path: string }> {
  const folder = mkdtempSync(pathOf("results-"));
  const writer = new ResultWriter(new FolderStore(folder), "00000");
  for (const value of values) writer.write(value);
  const file = await writer.commit();
  return { file, path: join(folder, file.name) };
}

/** A store that gives `size` bytes at a time. */
function storeOf(path: string, size: number): Store {
  const bytes = readFileSync(path);
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) {
      // Not at the start of its memory.
      const chunk = new Uint8Array(new ArrayBuffer(size + 3), 3);
      yield chunk.subarray(0, bytes.copy(chunk, 0, at, at + size));
    }
  };
  return { read } as unknown as Store;
}

// Numbers of joined batches count from the start of all.
it("has numbers of messages", async () => {
  const large = Buffer.alloc(1 << 20, 98);
  const batchOf = (bytes: Buffer, ...numbers: number[]): ByteBatch => {
    const messageNumbers = numbers.length === 0 ? undefined : Int32Array.from(numbers);
    return { kind: "bytes", bytes, count: 1, messageNumbers };
  };
  const { file, path } = await write([
    batchOf(Buffer.from("a1\n"), 1, 1),
    batchOf(Buffer.from("b\n")),
    batchOf(Buffer.from("c22\nd333\n"), 1, 22, 5, 333),
    batchOf(Buffer.concat([large, Buffer.from("4\n")]), large.length, 4),
  ]);
  for (const size of [15, 1000, 1 << 21]) {
    const found: unknown[] = [];
    for await (const { bytes, count, messageNumbers } of readFrames(storeOf(path, size), file) as AsyncGenerator<ByteBatch>)
      found.push([bytes.length, count, messageNumbers]);
    expect(found).toEqual([
      [14, 3, Int32Array.of(1, 1, 6, 22, 10, 333)],
      [large.length + 2, 1, Int32Array.of(large.length, 4)],
    ]);
  }
});

describe("a file of results", () => {
  it.each([1, 2, 7, 15, 16, 17, 100, 1000, 65_536, 1 << 20])("is the same in chunks of %i bytes", async (size) => {
    const { file, path } = await write(WRITTEN);
    const output: Buffer[] = [];
    const others: unknown[] = [];
    for await (const value of readFrames(storeOf(path, size), file)) {
      if (value.kind === "bytes") output.push(Buffer.from(value.bytes));
      else others.push(value);
    }
    const all = WRITTEN.flatMap((value) => (value.kind === "bytes" ? [value.bytes] : []));
    expect(Buffer.concat(output).equals(Buffer.concat(all))).toBe(true);
    // Others are still what they were when all has been read.
    expect(others).toEqual(WRITTEN.filter(({ kind }) => kind === "groups"));
  });

  it.each([
    ["in another order", (frames: Buffer[]) => frames.reverse()],
    ["without one, and another twice", ([first, ...others]: Buffer[]) => [first as Buffer, first as Buffer, ...others.slice(1)]],
  ])("is refused if its results are whole, but %s", async (_, change) => {
    const { file, path } = await write([0, 1, 2].map((value) => groupsOf(4, value)));
    const size = file.bytes / 3;
    const frames = [0, size, 2 * size].map((at) => readFileSync(path).subarray(at, at + size));
    const read = async (): Promise<number> => {
      let count = 0;
      for await (const _ of readFrames(storeOf(path, 1000), file)) count++;
      return count;
    };
    expect(await read()).toBe(3);
    writeFileSync(path, Buffer.concat(change(frames)));
    await expect(read()).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", file: file.name, state: "damaged" });
  });
});
