// extractFiles: matches of files and folders in order, with or without workers.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { extract, extractFiles, type Match } from "../../src/index.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { collect, TEXT } from "./pieces.ts";

/** Enough files for workers to be used. */
const FILES = 2200;
let folder: string;

beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "b"), "http://b.example/");
  writeFileSync(join(folder, "sub/a"), TEXT);
  mkdirSync(join(folder, "many"));
  for (let index = 0; index < FILES; index++) writeFileSync(join(folder, "many", `${index}`), TEXT.subarray(index * 10, index * 11 + 2000));
});
afterAll(() => removeFolder(folder));

const json = (matches: readonly Match[]): object[] => matches.map((match) => match.toJSON());

it("matches carry their source", async () => {
  const found = await collect(extractFiles([join(folder, "sub"), join(folder, "b")]));
  const expected = extract(TEXT).map((match) => ({ ...match.toJSON(), source: join(folder, "sub/a") }));
  expect(json(found)).toEqual([...expected, expect.objectContaining({ url: "http://b.example/", source: join(folder, "b") })]);
  expect(json(await collect(extractFiles(join(folder, "b"))))).toHaveLength(1);
});

it("workers give what one thread gives", async () => {
  const listed = async (threads: number): Promise<string> => {
    let list = "";
    for await (const { start, end, source } of extractFiles(join(folder, "many"), { threads })) list += `${source} ${start} ${end}\n`;
    return list;
  };
  const alone = await listed(1);
  expect(alone.split("\n").length).toBeGreaterThan(50_000);
  expect(await listed(2)).toBe(alone);
});

it.each([1, 2])("a caller who stops early ends the scan, %i threads", async (threads) => {
  for await (const match of extractFiles(join(folder, "many"), { threads })) {
    expect(match.start).toBeGreaterThanOrEqual(0);
    break;
  }
});

it.each([1, 2])("a signal ends it with its reason, %i threads", async (threads) => {
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _ of extractFiles(join(folder, "many"), { threads, signal: controller.signal })) controller.abort(new Error("enough"));
  })();
  await expect(reading).rejects.toThrow("enough");
});

it("a source that cannot be read rejects after what stands before it", async () => {
  const found: Match[] = [];
  const reading = (async () => {
    for await (const match of extractFiles([join(folder, "b"), join(folder, "nowhere")])) found.push(match);
  })();
  await expect(reading).rejects.toMatchObject({ code: "ERR_URLMILL_NOT_FOUND", source: join(folder, "nowhere") });
  expect(found).toHaveLength(1);
});

it("range and options", async () => {
  const matches = await collect(extractFiles(join(folder, "sub/a"), { range: [1000, 2000] }));
  expect(matches.every(({ start }) => start >= 1000 && start < 2000)).toBe(true);
  expect(matches.length).toBe(extract(TEXT, { range: [1000, 2000] }).length);
  expect(() => extractFiles([7] as unknown as string[])).toThrow(expect.objectContaining({ code: "ERR_URLMILL_INPUT_TYPE" }));
  expect(() => extractFiles([], { format: "plain" } as object)).toThrow(expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION" }));
});

it("a container is left where its matches are not wanted any more", async () => {
  const path = join(folder, "large.gz");
  const lines = 1_500_000;
  writeFileSync(path, gzipSync("http://a.example/some/path/that/is/longer\n".repeat(lines)));
  const controller = new AbortController();
  let count = 0;
  const all = (async () => {
    for await (const _ of extractFiles(path, { signal: controller.signal })) if (++count === 1) controller.abort(new Error("enough"));
  })();
  await expect(all).rejects.toThrow("enough");
  expect(count).toBeLessThan(lines / 2);
});
