// What a run leaves out is said at its end, counted by --stats and listed by --rejected.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Repeats } from "../../src/cli/end-of-run.ts";
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
    expect(first).toBe("urlmill: not followed: 2 links in folders or archives, the first: in/link");
    expect(second).toBe("urlmill: not read: 2 pipes, sockets or devices in folders or archives, the first: in/pipe");
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
  const MESSAGE = "Content-Type: multipart/mixed\n\ntext\n";

  it("a body that is not taken apart, with its source, its message and where it begins", async () => {
    writeFileSync(join(folder, "list.mbox"), `From a@b.example Fri Jan  5 10:11:12 1996\n${HEAD}${MESSAGE}`);
    const start = 42 + HEAD.length + MESSAGE.indexOf("text");
    const what = "urlmill: read as plain text: 1 multipart without a boundary (no-boundary)";
    const { stderr } = await run(["--rejected", "why", "list.mbox"], { cwd: folder });
    expect(stderr).toBe(`${what}: list.mbox, byte ${start}, message <1@mill.example>\n`);
    expect(listed()).toEqual([{ reason: "no-boundary", source: "list.mbox", start, message_id: "1@mill.example" }]);
    // Without a list nothing is collected of messages: the byte leads there.
    expect((await run(["list.mbox"], { cwd: folder })).stderr).toBe(`${what}: list.mbox, byte ${start}\n`);
  });

  it("files that are encoded in texts are listed", async () => {
    const text = `${HEAD}\nbegin 644 x\n#86)C\n\`\nend\n=ybegin line=1 size=1 name=x\nabc\n=yend size=1\nhttp://:1/\n`;
    writeFileSync(join(folder, "one.eml"), text);
    const { stderr } = await run(["--rejected", "why", "one.eml"], { cwd: folder });
    expect(stderr.split("\n")).toEqual([
      `urlmill: not read: 1 uuencoded file in mail (uuencode): one.eml, byte ${text.indexOf("begin")}, message <1@mill.example>`,
      `urlmill: not read: 1 yEnc file in mail (yenc): one.eml, byte ${text.indexOf("=ybegin")}, message <1@mill.example>`,
      "",
    ]);
    const [source, message_id] = ["one.eml", "1@mill.example"];
    expect(listed()).toEqual([
      { reason: "uuencode", source, start: text.indexOf("begin"), message_id },
      { reason: "yenc", source, start: text.indexOf("=ybegin"), message_id },
      { reason: "no-host", source, start: text.indexOf("http"), end: text.indexOf("http") + 10, text: "http://:1/" },
    ]);
  });
});

describe("what urlmill does not read", () => {
  const mail = (type: string): string =>
    `From a@b.example Fri Jan  5 10:11:12 1996\nSubject: x\nContent-Type: ${type}\n\nhttp://b.example/\n\n`;

  it.each(THREADS)("attachments are named with their types (-j %s)", async (threads) => {
    const types = [...Array(3).fill("Application/PDF; name=x"), ...Array(2).fill("image/png"), "a/b", "a/c", "a/d", "a/e", "a/f"];
    writeFileSync(join(folder, "list.mbox"), types.map(mail).join(""));
    writeFileSync(join(folder, "one.eml"), `Message-ID: <1@mill.example>\n${mail("image/png").slice(42)}`);
    const { stdout, stderr, code } = await run(["-j", threads, "--stats", "--rejected", "why", "list.mbox", "one.eml"], { cwd: folder });
    const [line, stats] = stderr.split("\n");
    expect({ stdout, line, code }).toEqual({
      stdout: "",
      line:
        "urlmill: not read: 11 attachments (application/pdf 3, image/png 3, a/b 1, a/c 1, a/d 1, 2 other types; " +
        "--parts all reads their bytes, and opens zip, gzip, zstd and PDF), " +
        "the first: list.mbox, byte 92",
      code: 1,
    });
    const attachments = { "application/pdf": 3, "image/png": 3, "a/b": 1, "a/c": 1, "a/d": 1, "a/e": 1, "a/f": 1 };
    expect(JSON.parse(stats)).toMatchObject({ parts_skipped: 11, left_out: { attachment: 11 }, attachments });
    expect(listed()).toHaveLength(11);
    expect(listed().at(-1)).toEqual({
      reason: "attachment",
      source: "one.eml",
      start: 65,
      message_id: "1@mill.example",
      text: "image/png",
    });
    const all = await run(["-j", threads, "--parts", "all", "list.mbox", "one.eml"], { cwd: folder });
    expect(all).toMatchObject({ stdout: "http://b.example/\n".repeat(11), stderr: "", code: 0 });
    expect((await run(["-q", "-j", threads, "list.mbox"], { cwd: folder })).stderr).toBe("");
  });

  it.each([
    ['application/pdf; name="a b.pdf"', "", "a b.pdf"],
    ["a/b; name=other", 'attachment; filename="=?utf-8?B?csOpc3Vtw6kucGRm?="', "résumé.pdf"],
    ["a/b; name=a.zip", "attachment", "a.zip"],
    ["a/b", "attachment; filename*=utf-8''na%C3%AFve%20%0Ax.zip", "naïve x.zip"],
    ['a/b; name*0="a-very";\n name*1="-long.png"', "", "a-very-long.png"],
    ["a/b", 'inline; filename="../caf\xe9.exe"', "../café.exe"],
    ["a/b", `attachment; filename=${"x".repeat(257)}`, undefined],
    ["a/b", "", undefined],
  ])("an attachment is listed with its file name (C322): %j, %j", async (type, disposition, name) => {
    const fields = [`Content-Type: ${type}\n`, ...(disposition === "" ? [] : [`Content-Disposition: ${disposition}\n`])];
    for (const header of [fields, fields.toReversed()]) {
      writeFileSync(join(folder, "one.eml"), Buffer.from(`From: a@b.example\nSubject: x\n${header.join("")}\nAAAA\n`, "latin1"));
      await run(["--rejected", "why", "one.eml"], { cwd: folder });
      expect(listed()).toEqual([
        { reason: "attachment", source: "one.eml", start: expect.any(Number), text: type.split(";")[0], ...(name && { name }) },
      ]);
    }
  });

  it("1000 types of attachments are counted one by one, and none brings controls to the terminal", async () => {
    const types = ["application/\u009b31m", ...Array.from({ length: 1004 }, (_, index) => `a/b${index}`), "a/b0", "a/b1003"];
    const parts = types.map((type) => `--x\nContent-Type: ${type}\n\n`).join("");
    writeFileSync(join(folder, "one.eml"), `From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=x\n\n${parts}`);
    const { stderr } = await run(["--stats", "one.eml"], { cwd: folder });
    expect(stderr).not.toContain("\u009b");
    const { attachments, left_out } = JSON.parse(stderr.split("\n")[1] ?? "") as Record<string, Record<string, number>>;
    expect(left_out).toEqual({ attachment: 1007 });
    expect(attachments).toMatchObject({ "application/\u00c2\u009b31m": 1, "a/b0": 2, "a/b998": 1, other: 6 });
    expect(Object.keys(attachments ?? {})).toHaveLength(1001);
  });

  it("git repositories in folders, bare ones too", async () => {
    for (const path of ["in/.git", "in/list.git"]) {
      for (const below of ["objects/ab", "refs"]) mkdirSync(join(folder, path, below), { recursive: true });
      writeFileSync(join(folder, path, "HEAD"), "http://b.example/\n");
    }
    mkdirSync(join(folder, "in/none/objects"), { recursive: true });
    writeFileSync(join(folder, "in/none/HEAD"), "http://c.example/\n");
    const { stdout, stderr, code } = await run(["--stats", "--rejected", "why", "in"], { cwd: folder });
    const [line, stats] = stderr.split("\n");
    expect({ stdout, line, code }).toEqual({
      stdout: "http://a.example/\nhttp://c.example/\n",
      line:
        "urlmill: not read: 2 git repositories (archives of mail in them are read if you name them; " +
        "git cat-file --batch --batch-all-objects writes all), the first: in/.git",
      code: 0,
    });
    expect(JSON.parse(stats)).toMatchObject({ left_out: { git: 2 } });
    expect(listed()).toEqual(["in/.git", "in/list.git"].map((source) => ({ reason: "git", source })));
  });

  it("databases and files of Outlook are named, exit code 2", async () => {
    writeFileSync(join(folder, "in/b.sqlite"), "SQLite format 3\0http://b.example/\n");
    writeFileSync(join(folder, "in/c.msg"), Buffer.from("d0cf11e0a1b11ae1687474703a2f2f622e6578616d706c652f0a", "hex"));
    writeFileSync(join(folder, "in/d.txt"), "SQLite format 3\nhttp://d.example/\n");
    const { stdout, stderr, code } = await run(["in"], { cwd: folder });
    expect({ stdout, stderr: stderr.split("\n"), code }).toEqual({
      stdout: "http://a.example/\nhttp://d.example/\n",
      stderr: [
        "urlmill: in/b.sqlite: has the format sqlite, which urlmill does not read; unpack it first (sqlite3 FILE .dump)",
        "urlmill: in/c.msg: is corrupt: a stream of its compound file ends too early; everything else was read; " +
          "reading ended at byte 0 of its text",
        "",
      ],
      code: 2,
    });
  });

  it.each(THREADS)("the compressed texts of a PDF; its bytes are read (-j %s)", async (threads) => {
    writeFileSync(join(folder, "in/b.pdf"), "%PDF-1.4\n/URI (http://b.example/)\n");
    const { stdout, stderr } = await run(["-j", threads, "--stats", "--rejected", "why", "in"], { cwd: folder });
    const [line, stats] = stderr.split("\n");
    expect({ stdout, line }).toEqual({
      stdout: "http://a.example/\nhttp://b.example/\n",
      line: "urlmill: compressed text not read: 1 PDF (pdftotext writes it): in/b.pdf",
    });
    expect(JSON.parse(stats)).toMatchObject({ left_out: { pdf: 1 } });
    expect(listed()).toEqual([{ reason: "pdf", source: "in/b.pdf" }]);
    expect((await run(["--type", "text", "in/b.pdf"], { cwd: folder })).stderr).toBe("");
  });

  it.each(THREADS)("the compressed texts of PDFs in mail, with --parts all (-j %s)", async (threads) => {
    const part = (type: string, text: string): string =>
      `--q\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text).toString("base64")}\n`;
    const parts = part("application/pdf", "%PDF-1.4\n/URI (http://b.example/)\n") + part("application/octet-stream", "%PDF-1.7\nx\n");
    const header = "From: a@a.example\nMessage-ID: <1@a.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=q\n\n";
    writeFileSync(join(folder, "p.eml"), `${header}${parts}${part("application/pdf", "%PPF")}--q--\n`);
    expect(await run(["-j", threads, "--parts", "all", "p.eml"], { cwd: folder })).toMatchObject({
      stdout: "http://b.example/\n",
      stderr: expect.stringContaining("compressed text not read: 2 PDFs (pdftotext writes it), the first: p.eml, byte 174"),
    });
  });

  it("doubtful lines, beyond a few", async () => {
    const archive = (count: number): string => `${mail("text/plain")}${"\nFrom x Fri Jan  5 10:11:12 1996\n\n".repeat(count)}`;
    writeFileSync(join(folder, "few.mbox"), archive(10));
    writeFileSync(join(folder, "many.mbox"), archive(11));
    expect((await run(["few.mbox"], { cwd: folder })).stderr).toBe("");
    expect((await run(["many.mbox"], { cwd: folder })).stderr).toBe(
      "urlmill: not split: 11 lines that may begin a message or a record and are read as text (doubtful)\n",
    );
  });

  it("members of archives that are no regular files, alike in tar and zip", async () => {
    const script = `
import io, sys, tarfile, zipfile
with tarfile.open("x.tar", "w") as tar:
    for name, kind in [("a", b"0"), ("hard", b"1"), ("soft", b"2"), ("null", b"3"), ("disk", b"4"), ("folder", b"5"), ("pipe", b"6")]:
        info = tarfile.TarInfo(name); info.type = kind; info.linkname = "a"; info.size = 18 if kind == b"0" else 0
        tar.addfile(info, io.BytesIO(b"http://t.example/\\n"))
with zipfile.ZipFile("x.zip", "w") as zip:
    for name, mode, text in [("a", 0o100644, "http://z.example/"), ("soft", 0o120777, "http://l.example/"),
        ("null", 0o20666, ""), ("pipe", 0o10644, ""),
        ("typed", 0o10644, "http://p.example/"), ("folder/", 0o40755, "")]:
        info = zipfile.ZipInfo(name); info.create_system = 3; info.external_attr = mode << 16
        zip.writestr(info, text)
`;
    execFileSync("python3", ["-c", script], { cwd: folder });
    const tar = await run(["--stats", "--rejected", "why", "x.tar"], { cwd: folder });
    expect({ ...tar, stderr: tar.stderr.split("\n").slice(0, 2) }).toMatchObject({
      stdout: "http://t.example/\n",
      stderr: [
        "urlmill: not followed: 2 links in folders or archives, the first: x.tar!hard",
        "urlmill: not read: 3 pipes, sockets or devices in folders or archives, the first: x.tar!null",
      ],
      code: 0,
    });
    expect(JSON.parse(tar.stderr.split("\n")[2] ?? "")).toMatchObject({ left_out: { link: 2, "special-file": 3 } });
    expect(listed()).toEqual([
      { reason: "link", source: "x.tar!hard" },
      { reason: "link", source: "x.tar!soft" },
      { reason: "special-file", source: "x.tar!null" },
      { reason: "special-file", source: "x.tar!disk" },
      { reason: "special-file", source: "x.tar!pipe" },
    ]);
    const zip = await run(["--rejected", "why", "x.zip"], { cwd: folder });
    expect({ ...zip, stderr: zip.stderr.split("\n") }).toMatchObject({
      stdout: "http://z.example/\nhttp://p.example/\n",
      stderr: [
        "urlmill: not followed: 1 link in a folder or archive: x.zip!soft",
        "urlmill: not read: 2 pipes, sockets or devices in folders or archives, the first: x.zip!null",
        "",
      ],
    });
    expect(listed()).toEqual([
      { reason: "link", source: "x.zip!soft" },
      { reason: "special-file", source: "x.zip!null" },
      { reason: "special-file", source: "x.zip!pipe" },
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

describe("files with and without a suffix of compression", () => {
  const lineOf = (...names: string[]): string[] => {
    const repeats = new Repeats();
    for (const name of names) repeats.add(name);
    return repeats.lines();
  };

  it("are named at the end of a run, and both are read", async () => {
    writeFileSync(join(folder, "in/a.gz"), gzipSync("http://a.example/\n"));
    writeFileSync(join(folder, "in/a-b"), "");
    const text = "read twice, if the text is the same: 1 file with the name of another, but for a suffix of compression";
    const stdout = "http://a.example/\n".repeat(2);
    expect(await run(["in"], { cwd: folder })).toMatchObject({ code: 0, stdout, stderr: `urlmill: ${text}: in/a.gz beside in/a\n` });
    expect(await run(["-q", "in"], { cwd: folder })).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  it("are found whatever is between them, and counted", () => {
    const names = ["in/2003.txt", "in/2003.txt-old", "in/2003.txt.d/x", "in/2003.txt.gz", "in/2004.txt.bz2", "in/2004.txt.gz"];
    const text = "2 files with the name of another, but for a suffix of compression, the first: in/2003.txt.gz beside in/2003.txt";
    expect(lineOf(...names)).toEqual([`read twice, if the text is the same: ${text}`]);
    expect(lineOf("2003.txt.gz", "2003.txt")).toHaveLength(1);
  });

  it("are not files of other folders or names, nor one file that is given twice", () => {
    expect(lineOf("a/2003.txt", "b/2003.txt.gz", "2003.tx", "2003.txt.gz", "2003.txt.gz", "x.tar", "x.tar.gz.sig", "y.gz/z")).toEqual([]);
  });
});
