// Bytes on their way to a file.
import { closeSync, openSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Output } from "../../src/output/output.ts";
import { pathOf, useFolder } from "../threads/folder.ts";

useFolder();

const PIECES = [10, 1 << 17, 1, 1 << 16, (1 << 16) - 1, 5 << 20, 3, ...Array.from({ length: 200 }, () => 50_000)].map((length, index) =>
  Buffer.alloc(length, index),
);

it.each(["later", "at once"])("pieces that are written %s are in the file in their order", async (when) => {
  const path = pathOf(when);
  const fd = openSync(path, "w");
  const output = new Output(fd, path);
  if (when === "at once") output.writeAtOnce();
  for (const piece of PIECES) {
    output.write(piece);
    await output.wait();
  }
  await output.flush();
  closeSync(fd);
  expect(readFileSync(path).equals(Buffer.concat(PIECES))).toBe(true);
  expect(output.taken).toBe(Buffer.concat(PIECES).length);
});

it("an error of a piece that is written at once is thrown, and again by what follows", async () => {
  const path = pathOf("read-only");
  closeSync(openSync(path, "w"));
  const fd = openSync(path, "r");
  const output = new Output(fd, path);
  output.writeAtOnce();
  expect(() => output.write(Buffer.alloc(1 << 20))).toThrow(`${path}: cannot be written (EBADF)`);
  expect(() => output.write(Buffer.alloc(1))).toThrow("EBADF");
  await expect(output.flush()).rejects.toThrow("EBADF");
  closeSync(fd);
});
