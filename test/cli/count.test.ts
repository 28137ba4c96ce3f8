// The command urlmill count: its formats, its order, and what it refuses.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GroupText, type GroupTextOptions } from "../../src/output/group-text.ts";
import { COMMAND, ended, newFolder, removeFolder, run, start } from "./run.ts";

const ARCHIVE = join(import.meta.dirname, "../../examples/archive.mbox");
let folder: string;

beforeAll(() => {
  folder = newFolder();
  const messages = [
    "From a Mon Mar  1 10:00:00 2004\nDate: Mon, 1 Mar 2004 10:00:00 +0000\n\nhttp://b.example/ http://b.example/ mailto:joe@c.example\n\n",
    "From a Mon Mar  1 10:00:00 2004\nDate: Mon, 1 Apr 2002 10:00:00 +0000\n\nhttp://a.example/ http://a.example/x,y\n\n",
    "From a Thu Jan  1 00:00:00 1970\nSubject: s\n\nhttp://a.example/\n",
  ];
  writeFileSync(join(folder, "mbox"), messages.join(""));
});
afterAll(() => removeFolder(folder));

const TSV = `host	count	messages	first	last
a.example	3	2	2002-04-01T10:00:00Z	2002-04-01T10:00:00Z
b.example	2	1	2004-03-01T10:00:00Z	2004-03-01T10:00:00Z
	1	1	2004-03-01T10:00:00Z	2004-03-01T10:00:00Z
`;

describe("formats", () => {
  it("tsv, by host, where nothing else is said", async () => {
    expect(await run(["count", "mbox"], { cwd: folder })).toEqual({ code: 0, signal: null, stdout: TSV, stderr: "" });
    expect((await run(["count", "--no-header", "mbox"], { cwd: folder })).stdout).toBe(TSV.slice(TSV.indexOf("\n") + 1));
  });

  it("--min leaves out the rows that have fewer", async () => {
    const rows = async (...args: string[]): Promise<string[]> =>
      (await run(["count", "-f", "tsv", "--no-header", "--by", "host", ...args, "mbox"], { cwd: folder })).stdout.split("\n").slice(0, -1);
    const all = await rows();
    for (const [column, ...args] of [[1], [2, "--messages"]] as const) {
      const wanted = (await rows(...args)).filter((row) => Number(row.split("\t")[column]) >= 2);
      expect(await rows(...args, "--min", "2")).toEqual(wanted);
      expect(wanted.length).toBeLessThan(all.length);
    }
    expect((await run(["count", "--min", "1000000", "mbox"], { cwd: folder })).code).toBe(1);
  });

  it("csv", async () => {
    const { stdout } = await run(["count", "-f", "csv", "--by", "url,month", "--csv-safe", "--top", "2", "mbox"], { cwd: folder });
    expect(stdout).toBe(
      "\ufeffurl,month,count,messages,first,last\r\nhttp://b.example/,2004-03,2,1,2004-03-01T10:00:00Z,2004-03-01T10:00:00Z\r\n" +
        "http://a.example/,,1,1,,\r\n",
    );
  });

  it("ndjson has numbers as numbers, and null for no value", async () => {
    const { stdout } = await run(["count", "-f", "ndjson", "--by", "year,host", "mbox"], { cwd: folder });
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { year: null, host: "a.example", count: 1, messages: 1, first: null, last: null },
      { year: 2002, host: "a.example", count: 2, messages: 1, first: "2002-04-01T10:00:00Z", last: "2002-04-01T10:00:00Z" },
      { year: 2004, host: null, count: 1, messages: 1, first: "2004-03-01T10:00:00Z", last: "2004-03-01T10:00:00Z" },
      { year: 2004, host: "b.example", count: 2, messages: 1, first: "2004-03-01T10:00:00Z", last: "2004-03-01T10:00:00Z" },
    ]);
  });

  it("a table with bars", async () => {
    const { stdout } = await run(["count", "-f", "table", "mbox"], { cwd: folder });
    expect(stdout).toBe(
      [
        "host       count  messages  first       last",
        "a.example      3         2  2002-04-01  2002-04-01  ████████████████████",
        "b.example      2         1  2004-03-01  2004-03-01  █████████████▍",
        "-              1         1  2004-03-01  2004-03-01  ██████▋",
        "",
      ].join("\n"),
    );
  });

  it("the counts of urls are those of sort and uniq, with any number of threads", async () => {
    const script = "LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2 | awk '{print $2\"\\t\"$1}'";
    const urls = await run([ARCHIVE]);
    const wanted = execFileSync("bash", ["-c", script], { input: urls.stdout, encoding: "utf8" });
    for (const threads of ["1", "3"]) {
      const { stdout } = await run(["count", "--by", "url", "--no-header", "-j", threads, ARCHIVE]);
      const rows = stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join("\t"));
      expect(rows.filter((row) => !row.startsWith("\t")).join("\n")).toBe(wanted);
    }
  });
});

describe("a table on a terminal", () => {
  it.skipIf(spawnSync("script", ["--version"]).status !== 0)(
    "is not cut where the terminal has no width (needs script of util-linux)",
    () => {
      const long = `http://${"a".repeat(40)}.example/`;
      writeFileSync(join(folder, "long"), long);
      const command = `stty cols 0 && '${process.execPath}' '${COMMAND}' count -q long`;
      const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, encoding: "utf8" });
      expect(stdout).toContain(`${"a".repeat(40)}.example`);
    },
  );

  const table = (options: Partial<GroupTextOptions>, values: readonly string[][]): string => {
    const rows = new GroupText({
      by: ["url"],
      header: false,
      byMessages: false,
      share: false,
      ofMessages: false,
      columns: undefined,
      ...options,
    });
    const groups = values.map((of) => ({ values: of, count: 1, messages: 0, first: undefined, last: undefined }));
    return groups.map((group) => rows.add(group)).join("") + rows.end();
  };

  it("cuts long values by columns, not by characters", () => {
    const lines = table({ columns: 50 }, [[`http://a.example/${"x".repeat(50)}`], ["漢字".repeat(20)], ["e\u0301".repeat(9)]]).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      `http://a.example/${"x".repeat(23)}…      1`,
      `${"漢字".repeat(10)}…      1`,
      `${"e\u0301".repeat(9)}${" ".repeat(38)}1`,
    ]);
  });

  it("counts columns as terminals do: pictures, flags, wide and half characters", () => {
    const widths = { "🫠": 2, "👨‍👩‍👧": 2, "🇯🇵": 2, "❤️": 2, "\u{1f004}": 2, "\u{17000}": 2, ｶﾞ: 2 };
    for (const [text, width] of Object.entries(widths)) {
      const [line = ""] = table({}, [[text], ["123456"]]).split("\n");
      expect(`${text}${line.slice(text.length).replace(/\S.*/, "").length}`).toBe(`${text}${6 - width + 6}`);
    }
    expect(table({ columns: 40 }, [["👨‍👩‍👧".repeat(40)]])).toMatch(/^(?:👨‍👩‍👧)+… /);
  });

  it("shows controls as text", () => {
    expect(table({}, [["\u001b[31mred\u202e"]])).toContain("\\u001b[31mred\\u202e");
  });

  it("leaves room for several fields", () => {
    const lineIn = (columns: number, url: number): string =>
      table({ by: ["url", "subject"], columns }, [["x".repeat(url), "y".repeat(12)]]).split("\n")[0] ?? "";
    expect(lineIn(60, 100)).toBe(`${"x".repeat(36)}…  ${"y".repeat(12)}      1`);
    expect(lineIn(60, 20)).toBe(`${"x".repeat(20)}  ${"y".repeat(12)}      1  ${"█".repeat(17)}`);
    expect(lineIn(30, 100)).toBe(`${"x".repeat(8)}…  ${"y".repeat(9)}…      1`);
  });

  it("writes the rows after the first thousand in the same columns", () => {
    const lines = table(
      {},
      Array.from({ length: 1500 }, (_, index) => [`http://h${index}.example/`]),
    )
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(1500);
    expect(new Set(lines.map((line) => line.indexOf("█")))).toHaveProperty("size", 1);
  });

  it("writes larger numbers after the first thousand rows whole, with the longest bar", () => {
    const rows = new GroupText({ by: ["host"], header: false, byMessages: false, share: false, ofMessages: false, columns: undefined });
    const lineOf = (count: number): string => rows.add({ values: ["a.example"], count, messages: 0, first: undefined, last: undefined });
    for (let row = 0; row < 1000; row++) lineOf(1);
    expect(lineOf(123_456)).toBe(`a.example  123456  ${"█".repeat(20)}\n`);
  });
});

describe("order and share", () => {
  const rows = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run(["count", "-f", "csv", "--no-header", ...args, "mbox"], { cwd: folder });
    return stdout
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").slice(0, 3).join(" "));
  };

  it("--sort: by count, or by values; dates are in order of time unless it says else", async () => {
    expect(await rows("--by", "host")).toEqual(["a.example 3 2", "b.example 2 1", " 1 1"]);
    expect(await rows("--by", "host", "--sort", "key")).toEqual([" 1 1", "a.example 3 2", "b.example 2 1"]);
    expect(await rows("--by", "year")).toEqual([" 1 1", "2002 2 1", "2004 3 1"]);
    expect(await rows("--by", "month,scheme")).toEqual([" http 1", "2002-04 http 2", "2004-03 http 2", "2004-03 mailto 1"]);
    expect(await rows("--by", "year", "--sort", "count")).toEqual(["2004 3 1", "2002 2 1", " 1 1"]);
  });

  it("--top gives the largest rows in any order", async () => {
    expect(await rows("--by", "year", "--top", "2")).toEqual(["2002 2 1", "2004 3 1"]);
    expect(await rows("--by", "host", "--sort", "key", "--top", "2")).toEqual(["a.example 3 2", "b.example 2 1"]);
    expect(await rows("--by", "host", "--sort", "key", "--top", "2", "--messages", "--min", "2")).toEqual(["a.example 3 2"]);
  });

  it("--per: the largest rows of each value", async () => {
    expect(await rows("--by", "url", "--per", "year", "--top", "1")).toEqual([
      " http://a.example/ 1",
      "2002 http://a.example/ 1",
      "2004 http://b.example/ 2",
    ]);
    // A field is shown once.
    expect(await rows("--by", "year,url", "--per", "year", "--min", "2")).toEqual(["2004 http://b.example/ 2"]);
    expect(await rows("--by", "year", "--per", "year")).toEqual(await rows("--by", "year"));
  });

  it.each(["1", "3"])("--share: percent of all matches, or of those with the same first value (-j %s)", async (threads) => {
    const shares = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await run(["count", "-j", threads, "--share", "-f", "ndjson", ...args, "mbox"], { cwd: folder });
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).share);
    };
    expect(await shares("--by", "scheme")).toEqual([83.33, 16.67]);
    expect(await shares("--by", "scheme", "--top", "1")).toEqual([83.33]);
    expect(await shares("--by", "month,scheme")).toEqual([100, 100, 66.67, 33.33]);
    expect(await shares("--by", "scheme", "--per", "month")).toEqual([100, 100, 66.67, 33.33]);
    expect(await shares("--by", "scheme,month")).toEqual([40, 40, 20, 100]);
  });

  it("--share in a table for people, and in csv", async () => {
    const { stdout } = await run(["count", "-f", "table", "--by", "scheme", "--share", "mbox"], { cwd: folder });
    expect(stdout).toBe(
      [
        "scheme  count   share  messages  first       last",
        "http        5  83.33%         3  2002-04-01  2004-03-01  ████████████████████",
        "mailto      1  16.67%         1  2004-03-01  2004-03-01  ████",
        "",
      ].join("\n"),
    );
    const csv = await run(["count", "-f", "csv", "--by", "scheme", "--share", "--top", "1", "mbox"], { cwd: folder });
    expect(csv.stdout).toBe("scheme,count,share,messages,first,last\r\nhttp,5,83.33,3,2002-04-01T10:00:00Z,2004-03-01T10:00:00Z\r\n");
  });
});

describe("--plot", () => {
  it("draws the matches of each month, beside the rows that --top leaves", async () => {
    const [plot, out] = [join(folder, "plot.svg"), join(folder, "plotted")];
    const args = ["count", "--by", "month,host", "--top", "1", "--plot", plot, "-o", out, "mbox"];
    expect(await run(args, { cwd: folder })).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const picture = readFileSync(plot, "utf8");
    await run([...args, "--share"], { cwd: folder });
    expect(readFileSync(plot, "utf8")).toContain(">Share of URLs by month and host<");
    expect(picture.match(/<text [^>]*>[^<]*/g)?.map((text) => text.replace(/.*>/, ""))).toEqual([
      "URLs by month and host",
      ...["0", "1", "2", "3", "Apr 2002", "Jul 2002", "Oct 2002", "Jan 2003", "Apr 2003", "Jul 2003", "Oct 2003", "Jan 2004"],
      ...["a.example 2", "b.example 2", "no host 1", "1 URL without a date"],
    ]);
    expect(picture.match(/<path class="series-\d" d="[^"]*"/g)).toEqual([
      '<path class="series-0" d="M0.08 1000.0V333.3h0.84V1000.0z"',
      '<path class="series-1" d="M23.08 1000.0V333.3h0.84V1000.0z"',
      '<path class="series-2" d="M23.08 333.3V0.0h0.84V333.3z"',
    ]);
    expect(readFileSync(out, "utf8").split("\n")).toHaveLength(3);
  });

  it("leaves an older picture and nothing else if nothing could be read; one that cannot be written is an error", async () => {
    const plot = join(folder, "old.svg");
    writeFileSync(plot, "old");
    expect((await run(["count", "--by", "month", "--plot", plot, "nowhere"], { cwd: folder })).code).toBe(2);
    expect(readFileSync(plot, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.includes("urlmill-partial"))).toEqual([]);
    expect(await run(["count", "--by", "month", "--plot", "mbox", "mbox"], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: "urlmill: mbox is also an input; give another file\n",
    });
  });
});

describe("options", () => {
  it("--messages sorts by messages", async () => {
    const { stdout } = await run(["count", "--by", "scheme", "--messages", "--no-header", "mbox"], { cwd: folder });
    expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([["http", "5", "3"], ["mailto", "1", "1"], [""]]);
  });

  it("filters and the output file are those of extraction; exit codes too", async () => {
    const out = join(folder, "out");
    expect((await run(["count", "--host", "b.example", "-o", out, "mbox"], { cwd: folder })).code).toBe(0);
    expect(readFileSync(out, "utf8").split("\n")).toHaveLength(3);
    expect(await run(["count", "--host", "c.example", "mbox"], { cwd: folder })).toMatchObject({
      code: 1,
      stdout: TSV.slice(0, TSV.indexOf("\n") + 1),
    });
    expect((await run(["count", "mbox", "nowhere"], { cwd: folder })).code).toBe(2);
  });

  it.each([
    [["--by", "hots"], '--by got "hots"; did you mean host? It may list'],
    [["--per", "hots"], '--per got "hots"; did you mean host? It must be'],
    [["--plot", "x.svg", "--by", "host,month"], "--plot needs --by month, or --by month and one more field"],
    [["--plot", "-", "--by", "month"], "--plot needs the name of a file"],
    [["--plot", "x.svg", "--by", "month", "--share"], "--plot with --share needs --by month and one more field"],
    [["--sort", "host"], "--sort must be key or count"],
    [["--top", "0"], "--top must be a whole number"],
    [["-f", "ndjson", "--no-header"], "--no-header needs -f table, csv or tsv"],
    [["-f", "parquet", "--header"], "--header needs -f table, csv or tsv"],
    [["--csv-safe"], "--csv-safe needs -f csv"],
    [["--fields", "url"], "urlmill count has no option --fields"],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await run(["count", ...args]);
    expect({ code, stderr: stderr.slice(0, `urlmill: ${message}`.length) }).toEqual({ code: 2, stderr: `urlmill: ${message}` });
  });

  it("a temporary file that cannot be written ends the run with one message", async () => {
    const many = join(folder, "many");
    writeFileSync(many, Array.from({ length: 30_000 }, (_, index) => `http://h${index}.example/\n`).join(""));
    const nowhere = join(folder, "nowhere");
    const env = { ...process.env, TMPDIR: nowhere };
    const advice = "set TMPDIR to a folder with more room, or give more --memory";
    expect(await run(["count", "--by", "url", "--memory", "1M", many], { env })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `urlmill: ${nowhere}: a temporary file cannot be written (ENOENT); ${advice}\n`,
    });
  });

  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("%s leaves no temporary file", async (signal) => {
    const temporary = newFolder();
    const child = start(["count", "--by", "url", "--memory", "1M"], { env: { ...process.env, TMPDIR: temporary } });
    const end = ended(child);
    child.stdin?.on("error", () => undefined);
    const isSpilling = (): boolean => {
      const fds = readdirSync(`/proc/${child.pid}/fdinfo`);
      return fds.some((fd) => spilledBy(child.pid ?? 0, fd));
    };
    for (let index = 0; !isSpilling(); index += 1000) {
      const urls = Array.from({ length: 1000 }, (_, more) => `http://h${index + more}.example/\n`).join("");
      await new Promise((resolve) => child.stdin?.write(urls, resolve));
    }
    child.kill(signal);
    expect((await end).code).not.toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    removeFolder(temporary);
  });
});

/** Whether a descriptor of a process is a temporary file. */
function spilledBy(pid: number, fd: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`).includes("urlmill-partial");
  } catch {
    return false;
  }
}
