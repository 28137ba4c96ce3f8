// What a run leaves out is said at its end, counted by --stats and listed by --rejected.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, newFolder, removeFolder, run, start } from "./run.ts";

const THREADS = ["1", "2"];
let folder: string;

beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in/a"), "http://a.example/\n");
});
afterEach(() => removeFolder(folder));

const listed = (): unknown[] =>
  readFileSync(join(folder, "why"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("in folders", () => {
  it.each(THREADS)("links, pipes and sockets (-j %s)", async (threads) => {
    symlinkSync("a", join(folder, "in/link"));
    symlinkSync("..", join(folder, "in/up"));
    execFileSync("mkfifo", [join(folder, "in/pipe")]);
    const server = createServer().listen(join(folder, "in/socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    const { stdout, stderr, code } = await run(["-j", threads, "--stats", "--rejected", "why", "in"], { cwd: folder });
    server.close();
    expect({ stdout, code }).toEqual({ stdout: "http://a.example/\n", code: 0 });
    const [first, second, stats] = stderr.split("\n");
    expect(first).toBe("urlmill: not followed: 2 links in folders, the first: in/link");
    expect(second).toBe("urlmill: not read: 2 pipes, sockets or devices in folders, the first: in/pipe");
    expect(JSON.parse(stats)).toMatchObject({ left_out: { link: 2, "special-file": 2 } });
    expect(listed()).toEqual([
      { reason: "link", source: "in/link" },
      { reason: "special-file", source: "in/pipe" },
      { reason: "special-file", source: "in/socket" },
      { reason: "link", source: "in/up" },
    ]);
  });

  it("the file that standard output goes to", async () => {
    const out = openSync(join(folder, "in/out"), "w");
    const child = start(["in"], { cwd: folder, stdout: out });
    const { stderr, code } = await ended(child);
    closeSync(out);
    expect({ stderr, code }).toEqual({ stderr: "urlmill: not read: 1 file that is the output itself: in/out\n", code: 0 });
    expect(readFileSync(join(folder, "in/out"), "utf8")).toBe("http://a.example/\n");
  });

  it("nothing is said of files that another run has not completed; they are not read", async () => {
    const child = start(["-o", "in/out"], { cwd: folder });
    const end = ended(child);
    const opened = (): string | undefined => readdirSync(join(folder, "in")).find((name) => name.endsWith(".urlmill-partial"));
    while (opened() === undefined) await new Promise(setImmediate);
    writeFileSync(join(folder, "in", opened() ?? ""), "http://half.example/\n");
    expect(await run(["in"], { cwd: folder })).toEqual({ code: 0, signal: null, stdout: "http://a.example/\n", stderr: "" });
    child.kill("SIGKILL");
    expect((await end).signal).toBe("SIGKILL");
    expect(opened()).toBeDefined();
    // The next run that writes there removes what the killed one left.
    expect(await run(["-o", "in/other", "in"], { cwd: folder })).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(folder, "in"))).toEqual(["a", "other"]);
  });
});

describe("an input that is also the output", () => {
  it.each(THREADS)("is named, the others are read, and the exit code is 2 (-j %s)", async (threads) => {
    const file = join(folder, "in/a");
    const out = openSync(file, "a");
    writeFileSync(join(folder, "b"), "http://b.example/\n");
    const { stderr, code } = await ended(start(["-j", threads, file, join(folder, "b")], { stdout: out }));
    closeSync(out);
    expect({ stderr, code }).toEqual({ stderr: `urlmill: ${file}: is also the output and was not read\n`, code: 2 });
    expect(readFileSync(file, "utf8")).toBe("http://a.example/\nhttp://b.example/\n");
  });
});

describe("in archives", () => {
  const HEAD = "From: a@b.example\nSubject: x\nMessage-ID: <1@mill.example>\n";
  const MESSAGE = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nTWVzc2FnZQ==\n";

  it("a body that is not decoded, with its source, its message and where it begins", async () => {
    writeFileSync(join(folder, "list.mbox"), `From a@b.example Fri Jan  5 10:11:12 1996\n${HEAD}${MESSAGE}`);
    const start = 42 + HEAD.length + MESSAGE.indexOf("TWVz");
    const { stderr } = await run(["--rejected", "why", "list.mbox"], { cwd: folder });
    expect(stderr).toBe(`urlmill: not fully read: 1 body (encoded-body): list.mbox, byte ${start}, message <1@mill.example>\n`);
    expect(listed()).toEqual([{ reason: "encoded-body", source: "list.mbox", start, message_id: "1@mill.example" }]);
    // Without a list nothing is collected of messages: the byte leads there.
    expect((await run(["list.mbox"], { cwd: folder })).stderr).toBe(
      `urlmill: not fully read: 1 body (encoded-body): list.mbox, byte ${start}\n`,
    );
  });

  it("files that are encoded in texts are listed", async () => {
    const text = `${HEAD}\nbegin 644 x\n#86)C\n\`\nend\n=ybegin line=1 size=1 name=x\nabc\n=yend size=1\nhttp://:1/\n`;
    writeFileSync(join(folder, "one.eml"), text);
    const { stderr } = await run(["--rejected", "why", "one.eml"], { cwd: folder });
    expect(stderr).toBe("");
    const [source, message_id] = ["one.eml", "1@mill.example"];
    expect(listed()).toEqual([
      { reason: "uuencode", source, start: text.indexOf("begin"), message_id },
      { reason: "yenc", source, start: text.indexOf("=ybegin"), message_id },
      { reason: "no-host", source, start: text.indexOf("http"), end: text.indexOf("http") + 10, text: "http://:1/" },
    ]);
  });
});

describe("many sources that cannot be read", () => {
  it("the first are named, the others are counted, and all are listed", async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `nowhere-${index}`);
    const { stderr, code } = await run(["--rejected", "why", ...paths, "in/a"], { cwd: folder });
    const lines = stderr.trimEnd().split("\n");
    expect({ count: lines.length, last: lines.at(-1), code }).toEqual({
      count: 21,
      last: "urlmill: 280 more inputs could not be read",
      code: 2,
    });
    expect((await run(paths, { cwd: folder })).stderr.split("\n").at(-2)).toBe(
      "urlmill: 280 more inputs could not be read; --rejected FILE lists them",
    );
    expect(readdirSync(folder)).toContain("why");
    expect(listed()).toEqual(paths.map((source) => ({ reason: "unreadable", source, text: "no such file or folder" })));
  });

  it("a closed pipe does not undo the error", async () => {
    writeFileSync(join(folder, "many"), "http://a.example/some/path/that/is/a/little/longer\n".repeat(200_000));
    const child = start(["nowhere", "many", "many", "many"], { cwd: folder });
    const end = ended(child);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end).toMatchObject({ code: 2, signal: null });
  });
});
