// A stream between two mailboxes is scanned at its turn, not amid a message of the second one.
import { execFileSync, spawn } from "node:child_process";
import { expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import { spillSettings } from "../../src/count/spill.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { turns } from "../core/check.ts";
import { sinkOf } from "../output/sinks.ts";
import { pathOf, put, useFolder } from "./folder.ts";
import { SETTINGS } from "./settings.ts";

useFolder();

function mailbox(messages: number, lines: number): string {
  const body = "http://same.example/ some text some text some text some text\n".repeat(lines);
  return `From a@b.example Fri Jan  5 10:11:12 1996\nSubject: x\n\n${body}\n`.repeat(messages);
}

async function messagesOf(paths: readonly string[], options: Partial<ScanFilesOptions>): Promise<number[]> {
  const spill = spillSettings();
  const counter = new Counter({ by: ["host"] }, spill);
  const taken = sinkOf({ matches: (batch) => counter.add(batch), groups: (groups) => counter.merge(groups) });
  // Whoever takes the results is slow, so that the worker's come while this thread scans.
  const settings = { ...SETTINGS, format: "groups" as const, by: ["host" as const] };
  await scanFiles(paths, { settings, threads: 1, workMillisecondsLeast: 0, ...options }, { ...taken, wait: turns });
  const messages = [...counter.groups()].map((group) => group?.messages ?? 0);
  spill.file.close();
  return messages;
}

it.each([1, 2])("with %i threads each message is counted once", async (threads) => {
  const [first, last] = [put("first.mbox", mailbox(12, 50_000)), put("last.mbox", mailbox(6, 50_000))];
  const stream = pathOf(`stream-${threads}`);
  execFileSync("mkfifo", [stream]);
  const writer = spawn("sh", ["-c", 'cat "$0" > "$1"', put("between.mbox", mailbox(3, 200)), stream]);
  expect(await messagesOf([first, stream, last], { threads, scansHere: true })).toEqual([12 + 3 + 6]);
  writer.kill();
});
