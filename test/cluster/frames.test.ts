// The file of results is read as it was written, however its bytes come.
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FrameSink, type ResultFile, readFrames } from "../../src/cluster/frames.ts";
import type { Store } from "../../src/cluster/store.ts";
import type { GroupBatch } from "../../src/count/groups.ts";
import type { ByteBatch } from "../../src/scanner/batch.ts";
import { pathOf, useFolder } from "../threads/folder.ts";

useFolder();

const groupsOf = (bytes: number, value = 0): GroupBatch => ({ kind: "groups", bytes: new Uint8Array(bytes).fill(value), count: 0 });

/** What is written: bytes of an output, of which most are joined, between results of another kind. */
const WRITTEN = [0, 1, 15, 16, 17, 300, 5000, 70_000].flatMap((length, index): (ByteBatch | GroupBatch)[] => [
  { kind: "bytes", bytes: Buffer.alloc(length, 97 + index), count: index },
  groupsOf(160 * index, index),
  groupsOf(4, 100 + index),
]);

function write(path: string): ResultFile {
  const fd = openSync(path, "w");
  const sink = new FrameSink(fd, path);
  for (const value of WRITTEN) sink.write(value);
  sink.end();
  closeSync(fd);
  return { name: "results", hash: sink.digest(), bytes: sink.bytes };
}

/** A store that reads into one buffer, as FolderStore does, `size` bytes at a time. */
function storeOf(path: string, size: number): Store {
  const bytes = readFileSync(path);
  const read = async function* (): AsyncGenerator<Uint8Array> {
    // Not at the start of its memory.
    const chunk = new Uint8Array(new ArrayBuffer(size + 3), 3);
    for (let at = 0; at < bytes.length; at += size) {
      const count = bytes.copy(chunk, 0, at, at + size);
      yield chunk.subarray(0, count);
      chunk.fill(0xff);
    }
  };
  return { read } as unknown as Store;
}

// Numbers of joined batches count from the start of all.
it("has numbers of messages", async () => {
  const path = pathOf("numbers");
  const fd = openSync(path, "w");
  const sink = new FrameSink(fd, path);
  const large = Buffer.alloc(1 << 20, 98);
  for (const [text, numbers] of [
    ["a1\n", [1, 1]],
    ["b\n", undefined],
    ["c22\nd333\n", [1, 22, 5, 333]],
  ] as const) {
    const messageNumbers = numbers && Int32Array.from(numbers);
    sink.write({ kind: "bytes", bytes: Buffer.from(text), count: 1, messageNumbers });
  }
  sink.write({
    kind: "bytes",
    bytes: Buffer.concat([large, Buffer.from("4\n")]),
    count: 1,
    messageNumbers: Int32Array.of(large.length, 4),
  });
  sink.end();
  closeSync(fd);
  const file = { name: "", hash: sink.digest(), bytes: sink.bytes };
  for (const size of [1, 7, 1000, 1 << 21]) {
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
    const path = pathOf(`frames-${size}`);
    const file = write(path);
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
    const path = pathOf("changed");
    const fd = openSync(path, "w");
    const sink = new FrameSink(fd, path);
    for (let value = 0; value < 3; value++) sink.write(groupsOf(4, value));
    sink.end();
    closeSync(fd);
    const file = { name: "results", hash: sink.digest(), bytes: sink.bytes };
    const size = sink.bytes / 3;
    const frames = [0, size, 2 * size].map((at) => readFileSync(path).subarray(at, at + size));
    const read = async (): Promise<number> => {
      let count = 0;
      for await (const _ of readFrames(storeOf(path, 1000), file)) count++;
      return count;
    };
    expect(await read()).toBe(3);
    writeFileSync(path, Buffer.concat(change(frames)));
    await expect(read()).rejects.toMatchObject({ code: "ERR_RESULTS", loss: { name: "results", state: "damaged" } });
  });
});
