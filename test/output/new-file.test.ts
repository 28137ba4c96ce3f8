// Output files that a later run goes on with: two runs never write one file.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newId, unfinishedName } from "../../src/base/unfinished.ts";
import { NewFile } from "../../src/output/new-file.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

const { signal } = new AbortController();
let folder: string;
let target: string;

beforeEach(() => {
  folder = newFolder();
  target = join(folder, "out");
});
afterEach(() => removeFolder(folder));

it("a kept file whose writer is there is not taken: that run has found it first", async () => {
  const id = newId();
  // Its name says that this process writes it.
  const written = join(folder, unfinishedName(target, id));
  writeFileSync(written, "a line");
  await expect(NewFile.open(target, signal, { id, bytes: 2 })).rejects.toThrow("is written by another run that goes on with it");
  expect(readFileSync(written, "utf8")).toBe("a line");
});

it("one whose writer is gone is cut to what is right of it, and gone on with", async () => {
  const id = newId();
  const gone = unfinishedName(target, id).replace(/-\d+-\d+-(?=[0-9a-f]{8}\.)/, "-4194304999-1-");
  writeFileSync(join(folder, gone), "a line");
  const { ino: inode } = statSync(join(folder, gone));
  const file = await NewFile.open(target, signal, { id, bytes: 2, inode });
  file.commit();
  expect(readFileSync(target, "utf8")).toBe("a ");
});
