// What stands first on the command line.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, removeFolder, run } from "./run.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

describe("help", () => {
  it.each(["extract", "normalize", "parse", "resolve"])("%s is what --help gives", async (command) => {
    const expected = await run([command, "--help"]);
    expect(expected).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["help", command])).toEqual(expected);
  });

  it("alone is that of urlmill", async () => {
    expect(await run(["help"])).toEqual(await run(["--help"]));
  });

  it("of a command that is not there names those that are", async () => {
    expect(await run(["help", "count"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "urlmill: there is no command count; there are extract, normalize, parse, resolve, help\n",
    });
  });
});

describe("extract", () => {
  it("is what urlmill does without it", async () => {
    writeFileSync(join(folder, "a"), "http://a.example/");
    expect(await run(["extract", "-f", "ndjson", "a"], { cwd: folder })).toEqual(await run(["-f", "ndjson", "a"], { cwd: folder }));
    expect(await run(["extract"], { input: "http://b.example/" })).toMatchObject({ code: 0, stdout: "http://b.example/\n" });
  });
});

describe("almost the name of a command", () => {
  it.each([
    ["normalise", "normalize"],
    ["Parse", "parse"],
    ["extrakt", "extract"],
    ["resolv", "resolve"],
  ])("%s: urlmill asks whether %s was meant", async (word, command) => {
    expect(await run([word, "x"], { cwd: folder })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `urlmill: there is no file ${word}; did you mean the command urlmill ${command}?\n`,
    });
  });

  it("is read where it is a file", async () => {
    writeFileSync(join(folder, "normalise"), "http://a.example/");
    expect(await run(["normalise"], { cwd: folder })).toMatchObject({ code: 0, stdout: "http://a.example/\n" });
  });

  it("any other word is a path", async () => {
    expect((await run(["mail"], { cwd: folder })).stderr).toMatch(/^urlmill: mail: no such file/);
  });
});
