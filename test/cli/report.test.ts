// The command urlmill report --json: what it writes, its options, and what it refuses.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_VERSION } from "../../src/core/names.ts";
import type { Summary, TableName } from "../../src/summary/summary.ts";
import { COMMAND, newFolder, removeFolder, run } from "./run.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLES = join(ROOT, "examples");
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

async function report(...args: string[]): Promise<Summary> {
  const { code, stdout, stderr } = await run(["report", "--json", "-q", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("urlmill report --json", () => {
  it("has the totals of --stats, and says how it was made", async () => {
    const { stderr } = await run(["-q", "--stats", "--unwrap", EXAMPLES]);
    const stats = JSON.parse(stderr);
    const summary = await report("--top", "5", "--since", "1990", "--base", "http://u:secret@h.example/", "--links", EXAMPLES);
    const all = await report(EXAMPLES);
    const { bytes, sources, messages, matches, skipped, doubtful, parts_skipped, bytes_skipped } = stats;
    expect(all.totals).toMatchObject({ bytes, sources, messages, matches, skipped, doubtful, parts_skipped, bytes_skipped });
    expect(Object.fromEntries(all.rejected.map(({ reason, count }) => [reason, count]))).toEqual(
      Object.fromEntries(Object.entries(stats.rejected).filter(([, count]) => count !== 0)),
    );
    const { options, inputs, started, seconds } = summary.run;
    expect(options).toEqual({ json: true, quiet: true, top: 5, since: "1990", base: "http://***@h.example/", links: true });
    expect(inputs).toEqual([EXAMPLES]);
    expect(new Date(started).toISOString()).toBe(started);
    expect(seconds).toBeGreaterThan(0);
    expect(summary.totals.filtered_undated).toBeGreaterThan(0);
    expect(Math.max(...Object.values(summary.tables).map(({ rows }) => rows.length))).toBe(5);
  });

  it.each<TableName>(["scheme", "kind", "where", "flag", "host", "domain", "url", "from_address", "list_id", "source"])(
    "counts by %s as urlmill count does",
    async (name) => {
      const args = ["count", "-f", "ndjson", "--unwrap", "--userinfo", "redact", "--by", name, EXAMPLES];
      const { stdout } = await run(args);
      const lines = stdout.trimEnd().split("\n");
      const groups = lines.map((line) => JSON.parse(line));
      if (name === "where") {
        // A report counts signatures as bodies. That of the examples is in a message whose body has other URLs.
        const [signature] = groups.splice(
          groups.findIndex(({ where }) => where === "signature"),
          1,
        );
        groups.find(({ where }) => where === "body").count += signature.count;
      }
      const sum = (cells: readonly number[], field: number): number =>
        cells.filter((_, index) => index % 3 === field).reduce((all, count) => all + count, 0);
      const { rows, rest } = (await report(EXAMPLES)).tables[name];
      const found = rows.map(([value, first, last, cells]) => ({
        [name]: value,
        count: sum(cells, 1),
        messages: sum(cells, 2),
        first,
        last,
      }));
      // Rows with equal counts are in the order of their URLs as these are before their userinfo is hidden.
      const ordered = (list: typeof found): typeof found =>
        name === "url" ? list.toSorted((one, other) => (String(one.url) < String(other.url) ? -1 : 1)) : list;
      expect(ordered(found)).toEqual(ordered(groups.filter((group) => group[name] !== null)));
      expect(sum(rest, 1)).toBe(groups.find((group) => group[name] === null)?.count ?? 0);
    },
  );

  it("unwraps redirectors unless --no-unwrap is given", async () => {
    const redirects = join(EXAMPLES, "redirects.eml");
    const [unwrapped, kept] = [await report(redirects), await report("--no-unwrap", redirects)];
    expect(unwrapped.tables.redirect.rows.length).toBeGreaterThan(0);
    expect(kept.tables.redirect.rows).toEqual([]);
    const hosts = ({ tables }: Summary): string[] => tables.host.rows.map(([host]) => host);
    for (const [value] of unwrapped.tables.redirect.rows) expect(hosts(kept)).toContain(value.split(" ")[0]);
    expect(await report("--unwrap", "--unwrapped", redirects)).toMatchObject({ totals: { filtered: expect.any(Number) } });
  });

  it("writes to a file; --rejected lists the candidates as without a report; exit codes are those of extraction", async () => {
    const [out, rejected, wanted] = ["out", "rejected", "wanted"].map((name) => join(folder, name)) as [string, string, string];
    expect(await run(["report", "--json", "-o", out, "--rejected", rejected, EXAMPLES])).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(readFileSync(out, "utf8")).urlmill).toBe(PACKAGE_VERSION);
    await run(["--unwrap", "--rejected", wanted, EXAMPLES]);
    expect(readFileSync(rejected, "utf8")).toBe(readFileSync(wanted, "utf8"));
    writeFileSync(join(folder, "nothing"), "nothing");
    expect((await run(["report", "--json", join(folder, "nothing")])).code).toBe(1);
    const { code, stdout } = await run(["report", "--json", EXAMPLES, join(folder, "nowhere")]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { skipped: 1 },
      left_out: [
        { reason: "unreadable", source: join(folder, "nowhere") },
        { reason: "attachment", source: join(EXAMPLES, "letter.eml"), types: { "image/gif": 1 } },
      ],
    });
  });

  it("a small memory tells the bound", async () => {
    const many = join(folder, "many");
    writeFileSync(many, Array.from({ length: 30_000 }, (_, index) => `http://h${index}.example/ http://often.example/\n`).join(""));
    const { tables, totals } = await report("--memory", "1M", many);
    expect(tables.url.bound).toBeGreaterThan(0);
    expect(tables.url.rows[0]).toEqual(["http://often.example/", null, null, [0, 30_000, 0]]);
    expect(totals).toMatchObject({ matches: 60_000, urls: tables.url.distinct });
    expect((await report(many)).tables.url).toMatchObject({ bound: 0, distinct: 30_001 });
  });

  it.each([
    [["report", "--json", "--top", "0"], "--top must be a whole number"],
    [["report", "--json", "-f", "csv"], "urlmill report has no option -f"],
    [["report", "--json", "--unwrapped", "--no-unwrap"], "--unwrapped needs --unwrap"],
    [["report", "--json", "--unwrap", "any", "--no-unwrap"], "--no-unwrap cannot be given with --unwrap"],
    [["report", "--json", "--flag", "open-redirect"], "--flag open-redirect needs --unwrap any: no match has it otherwise"],
    [["report", "--json", "--fields", "url"], "urlmill report has no option --fields"],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await run(args);
    expect({ code, stderr: stderr.slice(0, `urlmill: ${message}`.length) }).toEqual({ code: 2, stderr: `urlmill: ${message}` });
  });
});

describe("urlmill report -o FILE", () => {
  it("takes a page that is not there for a forgotten -o, and reads nothing", async () => {
    const { code, stdout, stderr } = await run(["report", "r.html", EXAMPLES], { cwd: folder });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: "urlmill: there is no file r.html; did you mean -o r.html?\n",
    });
    expect((await run(["report", "-o", "out.html", "r.html"], { cwd: folder })).stderr).toContain("r.html: ");
  });

  it("says so where it found nothing; otherwise to a terminal alone, and never with -q", async () => {
    writeFileSync(join(folder, "nothing"), "nothing");
    const nothing = await run(["report", "-o", "n.html", "nothing"], { cwd: folder });
    expect(nothing).toMatchObject({ code: 1, stdout: "", stderr: "urlmill: n.html: 0 URLs in 1 source\n" });
    expect(await run(["report", "-q", "-o", "n.html", "nothing"], { cwd: folder })).toMatchObject({ code: 1, stderr: "" });
    expect(await run(["report", "-o", "n.html", join(EXAMPLES, "archive.mbox")], { cwd: folder })).toMatchObject({ code: 0, stderr: "" });
  });

  it("refuses to keep passwords", async () => {
    const { code, stderr } = await run(["report", "--json", "--userinfo", "keep", EXAMPLES]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("never shows a password")]);
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("says what it wrote to a terminal (needs script of util-linux)", async () => {
    const mbox = join(EXAMPLES, "archive.mbox");
    const { totals } = await report(mbox);
    const shownBy = (args: string): string =>
      spawnSync("script", ["-qec", `'${process.execPath}' '${COMMAND}' report ${args} '${mbox}'`, "/dev/null"], {
        cwd: folder,
        encoding: "utf8",
      }).stdout;
    expect(shownBy("-o r.html")).toContain(`urlmill: r.html: ${totals.matches} URLs in ${totals.messages} messages of 1 source\r\n`);
    expect(shownBy("-q -o r.html")).toBe("");
  });
});

it("a signal while values are forgotten, in one long step, ends the command at once", async () => {
  const preload = join(folder, "signal.cjs");
  // The last of the listeners is taken off, and the step begins.
  writeFileSync(
    preload,
    `const off = process.off;
     process.off = (name, listener) => {
       off.call(process, name, listener);
       if (name === "SIGHUP") process.kill(process.pid, "SIGTERM");
       return process;
     };`,
  );
  const urls = Array.from({ length: 20_000 }, (_, index) => `http://h${index}.example/`).join("\n");
  const args = ["report", "--json", "-j", "1", "--memory", "1M"];
  const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
  expect(await run(args, { input: urls, env })).toEqual({ code: null, signal: "SIGTERM", stdout: "", stderr: "" });
  // Without a signal there the listeners are back.
  expect(await run(args, { input: urls })).toMatchObject({ code: 0, stderr: "" });
});

it("the version that the code has is that of package.json", () => {
  expect(PACKAGE_VERSION).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
});
