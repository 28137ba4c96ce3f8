// Data that a terminal shows does not act on it; files and pipes get every byte.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesForTerminal } from "../../src/base/shown.ts";
import { COMMAND, newFolder, removeFolder, run } from "./run.ts";

const SUBJECT = "\x1b]0;title\x07 \u202erow\u009b2J \x7f";
const SHOWN = String.raw`\u001b]0;title\u0007 \u202erow\u009b2J \u007f`;
let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

it.each([
  ["a\nb\r\nc\td\0e\r", "a\nb\r\nc\td\0e\r"],
  ["a\rb\x1b[2J\n", "a\\u000db\\u001b[2J\n"],
  [`${SUBJECT}\u2028\u061c日本é\n`, `${SHOWN}\\u2028\\u061c日本é\n`],
])("%j as lines of a terminal", (text, shown) => expect(linesForTerminal(text)).toBe(shown));

describe("a subject and the name of a file", () => {
  const name = "a\x1b[31m.mbox";
  const args = ["--print", "{url}|{subject}|{source}", name];

  beforeEach(() => {
    const subject = `=?utf-8?B?${Buffer.from(SUBJECT).toString("base64")}?=`;
    const head = "From a@b.example Fri Jan  5 10:11:12 1996\nFrom: a@b.example\n";
    writeFileSync(join(folder, name), `${head}Subject: ${subject}\n\nhttp://a.example/\n`);
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("do not act on a terminal (needs script of util-linux)", () => {
    const command = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(" ");
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, encoding: "utf8" });
    const records = stdout.split("\r\n");
    expect(records[0]).toMatch(/^http:\/\/a\.example\/\|/);
    expect(records[0]?.endsWith("|a\\u001b[31m.mbox")).toBe(true);
    expect(records[0]).toContain("\\u202erow");
    expect([..."\x1b\x07\u009b\u202e"].filter((character) => stdout.includes(character))).toEqual([]);
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("are not Parquet there (needs script of util-linux)", () => {
    const command = [process.execPath, COMMAND, "-f", "parquet", `'${name}'`].join(" ");
    const { stdout, status } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, encoding: "utf8" });
    expect(stdout).toContain("-f parquet needs -o FILE: a terminal shows text");
    expect([status, stdout.includes("PAR1")]).toEqual([2, false]);
  });

  it("are exact in a pipe and in a file", async () => {
    const { stdout } = await run(args, { cwd: folder });
    expect(stdout.endsWith("|a\x1b[31m.mbox\n")).toBe(true);
    expect(stdout).toContain("\u202erow");
  });
});

describe.skipIf(spawnSync("script", ["--version"]).status !== 0)("the match in a context (needs script of util-linux)", () => {
  const shownBy = (args: string, env: object = {}): string => {
    writeFileSync(join(folder, "a.txt"), "see http://a.example/ \ufdd0 and http://b.example/ \ufdd1 there\n");
    const command = `'${process.execPath}' '${COMMAND}' ${args} a.txt`;
    const { NO_COLOR: _noColor, ...rest } = process.env;
    return spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, encoding: "utf8", env: { ...rest, TERM: "xterm", ...env } })
      .stdout;
  };

  it("is red", () => {
    expect(shownBy("--context 5").split("\r\n").slice(0, 2)).toEqual([
      "http://a.example/\tsee \x1b[1;31mhttp://a.example/\x1b[0m and",
      "http://b.example/\tand \x1b[1;31mhttp://b.example/\x1b[0m ther",
    ]);
  });

  it.each([
    ["--context 5 --color never", {}],
    ["--context 5", { NO_COLOR: "1" }],
    ["--context 5 -o /dev/stdout", {}],
  ])("%s %j: is not", (args, env) => {
    expect(shownBy(args, env)).not.toContain("\x1b");
  });
});
