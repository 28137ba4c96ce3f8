// A folder with archives, and the commands plan, run-shard, verify and merge in it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect } from "vitest";
import { type Ended, newFolder, removeFolder, run } from "../cli/run.ts";
import { zip } from "../input/archives.ts";
import { bgzf } from "../input/blocks.ts";

const DAYS = ["Thu Jan  1 00:00:00 1998", "Fri Feb 12 00:00:00 1999"];
const messageOf = (index: number): string => `From a@b ${DAYS[index % 2]}
From: Joe <joe@h${index % 3}.example>
Date: ${index % 28} ${index % 2 === 0 ? "Jan" : "Feb"} 1999 00:00:00 +0000
Subject: http://s${index % 7}.example/

<http://a.example/${index % 11}>, http://:1/ http://paypal.example@192.0.2.${index % 5}/ and http://b.example/${index}

`;
const MBOX = Array.from({ length: 60 }, (_, index) => messageOf(index)).join("");
const WARC_BODY = "see http://w.example/ here";
const WARC = Array.from(
  { length: 8 },
  (_, index) =>
    `WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://p${index}.example/\r\nContent-Type: text/plain\r\n` +
    `Content-Length: ${WARC_BODY.length}\r\n\r\n${WARC_BODY}\r\n\r\n`,
).join("");

/** The folder in which the commands run. */
export let folder: string;

/** Makes a folder with archives in `in` before each test. */
export function useArchives(): void {
  beforeEach(makeArchives);
  afterEach(() => removeFolder(folder));
}

function makeArchives(): void {
  folder = newFolder();
  mkdirSync(join(folder, "in/maildir/new"), { recursive: true });
  const put = (name: string, bytes: string | Uint8Array): void => writeFileSync(join(folder, "in", name), bytes);
  put("a.mbox", MBOX);
  put("b.mbox.gz", gzipSync(MBOX));
  put("c.mbox.gz", bgzf(Buffer.from(MBOX), 700));
  put(
    "d.zip",
    zip([
      { name: "one", text: MBOX.slice(0, 2000) },
      { name: "two.txt", text: "http://zip.example/" },
    ]),
  );
  put("e.warc", WARC);
  put("f.txt", "http://text.example/ and www.bare.example\n".repeat(50));
  for (let index = 0; index < 12; index++) put(`maildir/new/${index}`, messageOf(index).split("\n").slice(1).join("\n"));
}

/** Runs a command in the folder. */
export const inFolder = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  run(args, { cwd: folder, env: { ...process.env, ...env } });
/** Returns the bytes of a file. */
export const read = (name: string): Buffer => readFileSync(join(folder, name));
/** Returns the names of what is in the folder of the results. */
export const results = (): string[] => readdirSync(join(folder, "results")).sort();

/** Makes a plan of shards of 3000 bytes; returns how many there are. */
export async function plan(args: readonly string[]): Promise<number> {
  expect(await inFolder(["plan", ...args, "--shard-bytes", "3000", "-o", "plan", "in"])).toMatchObject({ code: 0, stdout: "" });
  return (JSON.parse(read("plan").toString().trimEnd().split("\n").at(-1) as string) as { shards: number }).shards;
}

/** Runs all shards in one process. */
export async function runAll(count: number): Promise<Ended> {
  const input = Array.from({ length: count }, (_, index) => `${index}\n`).join("");
  return await run(["run-shard", "--plan", "plan", "--stdin", "-o", "results"], { cwd: folder, input });
}

/** Runs one shard; its number comes as an option, or from `env`. */
export const runOne = (index: number, env?: Record<string, string>): Promise<Ended> =>
  inFolder(["run-shard", "--plan", "plan", ...(env === undefined ? ["--index", `${index}`] : []), "-o", "results"], env);
/** Runs `urlmill verify`. */
export const verify = (...args: string[]): Promise<Ended> => inFolder(["verify", "--plan", "plan", ...args, "results"]);
/** Runs `urlmill merge`. */
export const merge = (...args: string[]): Promise<Ended> => inFolder(["merge", "--plan", "plan", ...args, "results"]);
