// The command `urlmill explain`: what it shows. That it says what the rules decided is in test/api/explain.test.ts.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain.ts";
import { COMMAND, run } from "./run.ts";

it("marks the span below the line, and names the rules with what they are about", async () => {
  const { stdout, stderr, code } = await run(["explain", "At http://mill.example/wiki/Rye_(grain)! See http://[::zz/."]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(stdout).toBe(`At http://mill.example/wiki/Rye_(grain)! See http://[::zz/.
   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  http://mill.example/wiki/Rye_(grain)
    X1   the name before the colon is a known scheme: "http"
    X3   white space or another delimiter byte ends the match: " "
    X5   trailing punctuation goes off the end: "!"

…xample/wiki/Rye_(grain)! See http://[::zz/.
                              ^^^^^^^^^^^^^^
  no URL: bad-host. No host can be written like this.
    X1   the name before the colon is a known scheme: "http"
    X2   the authority has no host or port that is possible: "[::zz"
`);
});

it("shows the whole character that ends a match", async () => {
  const { stdout } = await run(["explain", "http://c.example/… http://d.example/“"]);
  expect(stdout).toContain('ends the match: "…"\n');
  expect(stdout).toContain('ends the match: "“"\n');
});

describe("what other options would find", () => {
  it.each([
    [
      "Go to www.mill.example or mail joe@mill.example",
      ["www.mill.example would be found with --bare www", "joe@mill.example would be found with --bare email"],
    ],
    [
      "hxxp://evil[.]example/ http://evil[.]example/",
      ["hxxp://evil[.]example/ would be found with --refang", "http://evil[.]example/ would be found with --refang"],
    ],
    ["foo://bar http://a.example/", ["foo://bar would be found with --any-scheme"]],
    ["see github.com or 192.0.2.1:80", ["github.com would be found with --bare domain", "192.0.2.1:80 would be found with --bare ip"]],
    ["http://www.a.example/?joe@b.example", []],
  ])("is named: %s", async (text, hints) => {
    const { stderr } = await run(["explain", text]);
    expect(
      stderr
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.includes("would be")),
    ).toEqual(hints.map((line) => `urlmill: ${line}`));
    expect((await run(["explain", "-q", text])).stderr).toBe("");
  });

  it("is not named where it is found", async () => {
    for (const [text, ...options] of [
      ["www.a.example joe@b.example", "--bare", "www,email"],
      ["hxxp://evil[.]example/", "--refang"],
      ["foo://bar", "--any-scheme"],
    ])
      expect(await run(["explain", ...options, text as string])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is named once, ten of them at most, without controls", async () => {
    const once = await run(["explain", "joe@a.example or www.a.example or joe@a.example"]);
    const texts = once.stderr.match(/\S+ would be/g);
    expect(texts).toEqual(["joe@a.example would be", "www.a.example would be"]);
    const input = Array.from({ length: 30 }, (_, index) => `www.a${index}.example/\u009b\n`).join("");
    const { stderr } = await run(["explain"], { input });
    expect(stderr.split("\n").filter((line) => line.includes("would be found"))).toHaveLength(11);
    expect(stderr).toContain("urlmill: 20 more would be found with other options\n");
    expect(stderr).not.toContain("\u009b");
  });
});

it("says so if the text is compressed or an archive", async () => {
  for (const input of ["\x1f\x8b\x08 http://a.example/", "PK\x03\x04 http://a.example/"]) {
    expect(await run(["explain"], { input: Buffer.from(input, "latin1") })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^urlmill: the input is (?:compressed \(gzip\)|an archive \(zip\)); .* unpack it first \([\w -]+\)\n$/),
    });
  }
});

it("says how to read a file whose name is given in the place of a text", async () => {
  const { stderr, code } = await run(["explain", "README.md"], { cwd: join(import.meta.dirname, "../..") });
  expect({ stderr, code }).toEqual({
    stderr: "urlmill: README.md has nothing that begins like a URL; it is a file, which urlmill explain < README.md reads\n",
    code: 1,
  });
});

it.skipIf(spawnSync("script", ["--version"]).status !== 0)("says on a terminal where the rules are (needs script of util-linux)", () => {
  const shownBy = (args: string): string =>
    spawnSync("script", ["-qec", `'${process.execPath}' '${COMMAND}' explain ${args}`, "/dev/null"], { encoding: "utf8" }).stdout;
  const [, path = ""] = /The rules are described in (.*)\r\n$/.exec(shownBy("http://a.example/")) ?? [];
  expect(readFileSync(path, "utf8")).toContain("### X1 Trigger");
  for (const args of ["nothing", "-q http://a.example/", "-f ndjson http://a.example/"])
    expect(shownBy(args)).not.toContain("described in");
});

it.skipIf(spawnSync("script", ["--version"]).status !== 0)("is colored on a terminal (needs script of util-linux)", () => {
  const { NO_COLOR: _noColor, ...rest } = process.env;
  const command = `'${process.execPath}' '${COMMAND}' explain "$(printf 'x\\033[2J http://a.example/')"`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", env: { ...rest, TERM: "xterm" } });
  expect(stdout).toContain("  \u001b[1;32mhttp://a.example/\u001b[0m");
  expect(stdout).toContain("x\\u001b[2J http://a.example/");
});

it("marks each line of a URL over several, and columns, not characters", async () => {
  const { stdout } = await run(["explain"], { input: "日本\t<http://a.example/\nb>" });
  const lines = stdout.split("\n");
  expect(lines.slice(0, 5)).toEqual(["日本 <http://a.example/", "      ^^^^^^^^^^^^^^^^^", "b>", "^", "  http://a.example/b (rejoined)"]);
});

it("lets no control character through, in text or NDJSON", async () => {
  const text = "\u001b]0;x\u0007 http://a.example/\u001b[31m \u202e\u009b http://b.example/?\u0085 http://[\u001b";
  for (const format of ["text", "ndjson"]) {
    const { stdout } = await run(["explain", "-f", format], { input: text });
    expect(stdout).toContain("http://a.example/");
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Bidi_Control}]/u);
  }
});

it("colours the output where it is asked to, and not else", async () => {
  const { stdout } = await run(["explain", "--color", "always", "http://a.example/"]);
  expect(stdout).toContain("\u001b[1;32mhttp://a.example/\u001b[0m");
  expect((await run(["explain", "http://a.example/"])).stdout).not.toContain("\u001b");
});

it("writes what the library gives as NDJSON, with the number of the text", async () => {
  const texts = ["www.a.example", "hxxp://b[.]example and http://c:99999/"];
  const { stdout } = await run(["explain", "-f", "ndjson", "--bare", "www", "--refang", ...texts]);
  const written = stdout.trimEnd().split("\n");
  const wanted = texts.flatMap((text, index) =>
    explain(text, { bare: ["www"], refang: true }).map(({ code: reason, ...one }) => ({ text: index + 1, ...one, reason })),
  );
  expect(written.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(wanted)));
  expect(wanted).toHaveLength(3);
});

it("exits with 1 if there is no URL, and says what was wrong of too long a text", async () => {
  expect(await run(["explain", "nothing"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/nothing that begins like a URL/),
  });
  expect(await run(["explain", "-q", "http://[::zz/"])).toMatchObject({ code: 1, stderr: "" });
  const long = await run(["explain", "-"], { input: "a".repeat((1 << 18) + 1) });
  expect(long).toMatchObject({ code: 2, stdout: "" });
  expect(long.stderr).toContain("standard input has more than the 262144 bytes that explain reads");
});
