// What stands first on the command line.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/arguments.ts";
import { FIELD_NAMES } from "../../src/options/fields.ts";
import { KNOWN_SCHEMES } from "../../src/options/filter-values.ts";
import { flagOf, optionsOf } from "../../src/options/table.ts";
import { COMMAND, newFolder, removeFolder, run } from "./run.ts";

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
    const { stdout, ...rest } = await run(["--help"]);
    expect(await run(["help"])).toEqual({ stdout, ...rest });
    expect(rest).toEqual({ code: 0, signal: null, stderr: "" });
  });

  it("alone fits a screen, names every option, and shows five examples that are right", async () => {
    const { stdout } = await run(["--help"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const option of optionsOf("urlmill extract")) expect(stdout).toContain(`--${flagOf(...option)}`);
    const examples = lines.filter((line) => line.startsWith("  urlmill ")).map((line) => line.slice(2).split(/ {2,}/)[0] ?? "");
    expect(examples).toHaveLength(5);
    for (const name of ["list.mbox", "notes.txt", "archive.tar.gz", "mail"]) writeFileSync(join(folder, name), "GOPHER://a.example/");
    for (const example of examples) {
      const script = `urlmill() { "${process.execPath}" "${COMMAND}" "$@"; }; ${example.replace("mail/", "mail")}`;
      expect(execFileSync("bash", ["-c", script], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })).toBeInstanceOf(Buffer);
    }
    expect(readFileSync(join(folder, "normal.txt"), "utf8")).toBe("gopher://a.example/1\n");
  });

  it("of a command that is not there names those that are", async () => {
    expect(await run(["help", "sum"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `urlmill: there is no command sum; there are ${[...COMMAND_NAMES, "help", "completions"].join(", ")}\n`,
    });
  });
});

describe("lists", () => {
  it("--list-schemes: one scheme a line, with its forms, port and document", async () => {
    const { stdout, code, stderr } = await run(["--list-schemes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual([...KNOWN_SCHEMES].sort());
    // The names that editors complete.
    const source = readFileSync(resolve(import.meta.dirname, "../../src/core/names.ts"), "utf8");
    const types = source.slice(source.indexOf("type GenericScheme"), source.indexOf("(string & {})"));
    expect([...types.matchAll(/"(.*?)"/g)].map(([, name]) => name).sort()).toEqual([...KNOWN_SCHEMES].sort());
    expect(lines).toContain("http        http://host, port 80 (RFC 1738 3.3)");
    expect(lines).toContain("news        news://host or news:..., port 119 (RFC 1738 3.6, RFC 5538)");
    expect(lines).toContain("urn         urn:... (RFC 8141)");
  });

  it("--list-fields: one field a line, with what it is", async () => {
    const { stdout, code } = await run(["--list-fields", "nowhere"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => /^(\S+) +\S/.exec(line)?.[1])).toEqual([...FIELD_NAMES, "header:NAME"]);
    const listId = lines.find((line) => line.startsWith("list_id ")) ?? "";
    expect(listId.replace(/ +/g, " ")).toBe("list_id identifier of the mailing list (List-Id); only if --fields names it");
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
    ["completion", "completions"],
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

  it("a command after its options: urlmill says where they belong", async () => {
    expect(await run(["-q", "--fields", "url,date", "count", "x"], { cwd: folder })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "urlmill: there is no file count; options come after the command: urlmill count -q --fields url,date x\n",
    });
    writeFileSync(join(folder, "count"), "http://a.example/");
    expect(await run(["-q", "count"], { cwd: folder })).toMatchObject({ code: 0, stdout: "http://a.example/\n" });
  });

  it("any other word is a path", async () => {
    expect((await run(["mail"], { cwd: folder })).stderr).toMatch(/^urlmill: mail: no such file/);
  });
});
