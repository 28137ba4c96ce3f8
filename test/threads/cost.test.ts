// What decides whether workers are started: which files count for more than their bytes.
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { isSource, listSources } from "../../src/input/paths.ts";
import { costOf } from "../../src/threads/cost.ts";
import { put, useFolder } from "./folder.ts";
import { SETTINGS } from "./settings.ts";

const MIB = 1 << 20;
const FILE_COST_BYTES = 1 << 16;
const MESSAGE = "From a@b.example Fri Jan  5 10:11:12 1996\nSubject: x\n\nhttp://a.example/\n\n";

useFolder();

function costOfFile(path: string, format: (typeof SETTINGS)["format"] = "plain"): number {
  const [source] = listSources([path]);
  if (source === undefined || !isSource(source)) throw new Error(`${path} is no file`);
  return (costOf(source, { ...SETTINGS, format }) - FILE_COST_BYTES) / source.size;
}

it.each([
  ["text", Buffer.alloc(MIB, "http://a.example/\n"), "plain", 1],
  ["a mailbox", Buffer.alloc(MIB, MESSAGE), "plain", 2],
  ["a mailbox, as records", Buffer.alloc(MIB, MESSAGE), "ndjson", 2],
  ["a mailbox, counted", Buffer.alloc(MIB, MESSAGE), "groups", 1],
  ["a mailbox, summarized", Buffer.alloc(MIB, MESSAGE), "summary", 1],
  ["a web archive", Buffer.alloc(MIB, "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n"), "plain", 2],
  ["a web archive, counted", Buffer.alloc(MIB, "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n"), "groups", 1],
  ["a short mailbox, which is not opened", Buffer.alloc(MIB - 1, MESSAGE), "plain", 1],
  ["gzip", gzipSync(randomBytes(2 * MIB)), "plain", 12],
  ["a file that is no container although it is binary", Buffer.alloc(MIB), "plain", 1],
] as const)("a byte of %s counts for what it takes to scan it", (name, bytes, format, expected) => {
  expect(costOfFile(put(name, bytes), format)).toBe(expected);
});
