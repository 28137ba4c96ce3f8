// Messages show names and data, and nothing in these acts on the terminal that shows them.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SourceError } from "../../src/base/errors.ts";
import { SHOWN_LENGTH, shown, withoutControls } from "../../src/base/shown.ts";
import { tar } from "../input/archives.ts";
import { COMMAND, type Ended, ended, newFolder, removeFolder, run } from "./run.ts";

/** ESC, a line feed, the CSI of one byte in Latin-1, a right-to-left override. */
const HOSTILE = "\x1b[31mx\n\u009b2J\u202ey";
const SHOWN = String.raw`\u001b[31mx\u000a\u009b2J\u202ey`;
let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

describe("what a message shows", () => {
  const acts = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;

  it("holds nothing that acts on a terminal, and is not long", () => {
    const text = fc.string({ unit: "binary", maxLength: 2 * SHOWN_LENGTH });
    const units = fc
      .array(fc.constantFrom(..."\0\x1b\n\r\t\x7f\x80\x9b\u061c\u200e\u2028\u2029\u202e\u2066\ud800\udc00a"))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(text, units), (any) => {
        expect(shown(any)).not.toMatch(acts);
        expect(withoutControls(shown(any))).toBe(shown(any));
        expect(new SourceError("ERR_URLMILL_CORRUPT", any, "is corrupt").message).not.toMatch(acts);
      }),
    );
    expect(shown("x".repeat(SHOWN_LENGTH + 1))).toBe(`${"x".repeat(SHOWN_LENGTH)}...`);
    expect(shown("plain é 日本 😀")).toBe("plain é 日本 😀");
  });

  it.each([
    ["a path", [HOSTILE], `${SHOWN}: no such file or folder; give a file, a folder, or - for standard input`],
    [
      "an output",
      ["-o", `${HOSTILE}/x`],
      `${SHOWN}/x: cannot be written (ENOENT); give a file in a folder that is there and that you may write to`,
    ],
    ["an option", [`--${HOSTILE}`], `urlmill has no option --${SHOWN}; urlmill --help lists them`],
    [
      "a command",
      ["help", HOSTILE],
      `there is no command ${SHOWN}; there are extract, count, report, page, explain, normalize, ` +
        "parse, resolve, plan, run-shard, verify, merge, help, completions",
    ],
    ["a scheme", ["-s", `a${HOSTILE}`, "-q"], undefined],
  ] as const)("%s", async (_, args, message) => {
    const { stderr, code } = await run(args, { cwd: folder });
    expect(code).toBe(2);
    if (message !== undefined) expect(stderr).toBe(`urlmill: ${message}\n`);
    expect(stderr.slice(0, -1)).not.toMatch(acts);
  });

  it.each([
    [`--${"x".repeat(3000)}`],
    ["-s", `a${"x".repeat(3000)}`],
    ["--profile", "x".repeat(3000)],
    ["-o", `${"x".repeat(3000)}/y`],
    ["x".repeat(3000)],
  ])("long ones are cut: %.20s", async (...args) => {
    const { stderr } = await run([...args, "nowhere"], { cwd: folder });
    expect(stderr.length).toBeGreaterThan(0);
    for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(400);
  });

  it("names of files in folders and of members", async () => {
    mkdirSync(join(folder, "in"));
    const broken = gzipSync("http://a.example/").subarray(0, 20);
    writeFileSync(join(folder, "in", HOSTILE), broken);
    writeFileSync(join(folder, "in/tar"), tar([{ name: HOSTILE, text: broken }]));
    const { stderr, code } = await run(["in"], { cwd: folder });
    expect(code).toBe(2);
    const reason = "ends too early; everything up to there was read; reading ended at byte 9 of its text";
    expect(stderr).toBe([`in/${SHOWN}`, `in/tar!${SHOWN}`].map((name) => `urlmill: ${name}: ${reason}\n`).join(""));
  });
});

describe("--color", () => {
  it.each([
    ["--color always", "\x1b[1;31murlmill:\x1b[0m"],
    ["--color never", "urlmill:"],
    ["", "urlmill:"],
  ])("%s, in a pipe", async (option, prefix) => {
    const { stderr } = await run([...option.split(" ").filter(Boolean), "nowhere"], { env: { ...process.env, FORCE_COLOR: "1" } });
    expect(stderr).toBe(`${prefix} nowhere: no such file or folder; give a file, a folder, or - for standard input\n`);
  });

  it("is of errors alone, not of what a run says beside them", async () => {
    writeFileSync(join(folder, "out"), "");
    const { stderr } = await run(["--color", "always", "-o", "out", "."], { cwd: folder });
    expect(stderr).toBe("urlmill: not read: 1 file that is the output itself: ./out\n");
    expect((await run(["parse", "--color", "always", "x"])).stderr).toBe('\x1b[1;31murlmill:\x1b[0m no-scheme: "x"\n');
  });
});

describe("a path that is not UTF-8", () => {
  // Node cannot give such an argument; a shell can.
  const named = (script: string): Promise<Ended> =>
    ended(spawn("sh", ["-c", script, process.execPath, COMMAND], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }));

  it("can be given, and is named with its bytes", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9])]), "http://a.example/\n");
    const { stdout } = await named(String.raw`exec "$0" "$1" -f ndjson --fields url,source "$(printf '\351')" -q`);
    expect(JSON.parse(stdout)).toEqual({ url: "http://a.example/", source: "\\xe9" });
    const missing = await named(String.raw`exec "$0" "$1" -- "$(printf '\350')"`);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(String.raw`urlmill: \xe8: no such file or folder`) });
  });
});
