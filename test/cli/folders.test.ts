// Which files of a folder are read: --include, --exclude and --follow, and the same options of extractFiles.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractFiles } from "../../src/api/extract-files.ts";
import { newFolder, removeFolder, run } from "./run.ts";

const FILES = ["a.mbox", "b.txt", ".hidden.mbox", "old/c.mbox", "old/deep/d.txt", "new/old/e.mbox", "new/x{1,2}.mbox", "z,y.txt"];
let folder: string;

beforeAll(() => {
  folder = newFolder();
  for (const name of ["in/old/deep", "in/new/old", "links/sub"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of FILES) writeFileSync(join(folder, "in", name), `http://${Buffer.from(name).toString("hex")}.example/\n`);
  writeFileSync(join(folder, "outside"), "http://outside.example/\n");
  writeFileSync(join(folder, "links/sub/f"), "http://f.example/\n");
  for (const [target, name] of [
    ["../outside", "to-file"],
    ["../in/old", "a-folder"],
    ["../in/old", "b-folder"],
    ["..", "sub/up"],
    ["sub", "zub"],
    ["nowhere", "to-nothing"],
    ["to-itself", "to-itself"],
  ])
    symlinkSync(target as string, join(folder, "links", name as string));
});
afterAll(() => removeFolder(folder));

/** Names of the files whose URLs were found. */
const namesOf = (urls: readonly string[]): string[] =>
  urls.map((url) => Buffer.from(/^http:\/\/(\w+)\.example/.exec(url)?.[1] ?? "", "hex").toString());

async function read(...options: string[]): Promise<string[]> {
  const { stdout } = await run([...options, "in"], { cwd: folder });
  return namesOf(stdout.split("\n").slice(0, -1));
}

describe("globs", () => {
  it.each<[string, string[]]>([
    ["--include *.mbox", [".hidden.mbox", "a.mbox", "new/old/e.mbox", "new/x{1,2}.mbox", "old/c.mbox"]],
    ["--include=*.txt --exclude old", ["b.txt", "z,y.txt"]],
    ["--include *.{txt,gz} --include e.*", ["b.txt", "new/old/e.mbox", "old/deep/d.txt", "z,y.txt"]],
    // With a slash before its end a glob is matched against the path below the folder.
    ["--include /*.mbox", [".hidden.mbox", "a.mbox"]],
    ["--include old/*.mbox", ["old/c.mbox"]],
    ["--include **/old/*.mbox", ["new/old/e.mbox", "old/c.mbox"]],
    ["--exclude /old", [".hidden.mbox", "a.mbox", "b.txt", "new/old/e.mbox", "new/x{1,2}.mbox", "z,y.txt"]],
    // Everything in a folder that matches.
    ["--include old", ["new/old/e.mbox", "old/c.mbox", "old/deep/d.txt"]],
    ["--include old/ --exclude deep/", ["new/old/e.mbox", "old/c.mbox"]],
    // A slash at the end matches folders alone, a comma is itself.
    ["--exclude b.txt/ --include *.txt", ["b.txt", "old/deep/d.txt", "z,y.txt"]],
    ["--include z,y.txt", ["z,y.txt"]],
    ["--exclude * --include *", []],
    ["--include in", []],
    ["--include !(*.txt) --exclude new --exclude old", [".hidden.mbox", "a.mbox"]],
  ])("%s", async (options, names) => expect(await read(...options.split(" "))).toEqual(names));

  it("do not apply to inputs that are named", async () => {
    expect((await run(["--exclude", "*", "outside"], { cwd: folder })).stdout).toBe("http://outside.example/\n");
  });

  it.each(["1", "2"])("what they leave out is counted and listed, and said if nothing is left (-j %s)", async (threads) => {
    const args = ["-j", threads, "--exclude", "*.mbox", "--exclude", "deep", "--rejected", "why", "--stats", "in"];
    const { stderr } = await run(args, { cwd: folder });
    expect(JSON.parse(stderr)).toMatchObject({ matches: 2, left_out: { excluded: 6 } });
    const listed = readFileSync(join(folder, "why"), "utf8").trimEnd().split("\n");
    expect(listed.map((line) => JSON.parse(line))).toEqual(
      [".hidden.mbox", "a.mbox", "new/old/e.mbox", "new/x{1,2}.mbox", "old/c.mbox", "old/deep"].map((name) => ({
        reason: "excluded",
        source: `in/${name}`,
      })),
    );
    expect(await run(["--include", "*.mbx", "in"], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: "urlmill: nothing was read: --include or --exclude left out all that was found\n",
    });
  });

  it("without a name are refused", async () => {
    for (const glob of ["", "/", "//"]) {
      const { stderr, code } = await run(["--include", "*.mbox", "--include", glob, "in"], { cwd: folder });
      expect({ stderr, code }).toEqual({
        stderr: `urlmill: --include must list globs such as *.mbox, not ${JSON.stringify(glob)}\n`,
        code: 2,
      });
    }
    expect(() => extractFiles("in", { include: "*.mbox" as unknown as string[] })).toThrow(
      /^include must list globs such as \*\.mbox, not/,
    );
  });
});

describe("--follow", () => {
  it("reads what links lead to, each folder once, and ends in a loop", async () => {
    const { stdout, stderr, code } = await run(["--follow", "-f", "ndjson", "--fields", "source", "links"], { cwd: folder });
    const sources = stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line).source);
    // b-folder leads where a-folder does, sub/up to links itself, zub to sub.
    expect(sources.slice(0, 2)).toEqual(["links/a-folder/c.mbox", "links/a-folder/deep/d.txt"]);
    expect(sources).toContain("links/to-file");
    expect(sources.filter((source) => /\/f$/.test(source))).toEqual(["links/sub/f"]);
    expect(sources.filter((source) => /b-folder|zub/.test(source))).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toBe("urlmill: not followed: 5 links in folders or archives, the first: links/b-folder\n");
  });

  it("orders a folder behind a link as a folder", async () => {
    const tree = join(folder, "order");
    mkdirSync(tree);
    symlinkSync("../links/sub", join(tree, "a"));
    writeFileSync(join(tree, "a-"), "http://1.example/\n");
    writeFileSync(join(tree, "a0"), "http://3.example/\n");
    const { stdout } = await run(["--follow", "--exclude", "up", tree]);
    expect(stdout).toBe("http://1.example/\nhttp://f.example/\nhttp://3.example/\n");
  });
});

it("extractFiles takes the same options", async () => {
  const urls = async (options: object): Promise<string[]> => {
    const matches = [];
    for await (const match of extractFiles(join(folder, "in"), options)) matches.push(match);
    return namesOf(matches.map(({ url }) => url ?? ""));
  };
  expect(await urls({ include: ["*.mbox"], exclude: ["old", ".*"] })).toEqual(["a.mbox", "new/x{1,2}.mbox"]);
  const followed = [];
  for await (const { url } of extractFiles(join(folder, "links"), { follow: true, exclude: ["sub", "?-folder"] })) followed.push(url);
  expect(followed).toEqual(["http://outside.example/", "http://f.example/"]);
});
