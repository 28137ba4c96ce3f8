// The commands plan, run-shard and merge: the output is that of one run.
import { describe, expect, it } from "vitest";
import { inFolder, merge, plan, read, runAll, useArchives } from "./command-folder.ts";

useArchives();

/** Expects of a command what one run of it gives: the output, the rejected, messages, totals and the exit code. */
async function expectSame(args: readonly string[], least = 9): Promise<void> {
  const whole = await inFolder([...args, "--stats", "--rejected", "why", "-o", "one", "in"]);
  const shards = await plan([...args, "--stats", "--rejected", "why-merged"]);
  expect(shards).toBeGreaterThanOrEqual(least);
  expect(await runAll(shards)).toMatchObject({ code: 0, stderr: "" });
  const { stderr, ...ended } = await merge("-o", "all");
  const withoutSpeed = (text: string): string => text.replace(/"seconds":[^}]*"rules"/g, '"rules"');
  expect({ ...ended, stderr: withoutSpeed(stderr) }).toEqual({ ...whole, stderr: withoutSpeed(whole.stderr) });
  expect(read("all").equals(read("one"))).toBe(true);
  expect(read("why-merged").equals(read("why"))).toBe(true);
}

describe("merge writes what one run writes", () => {
  it.each([
    ["plain", []],
    ["plain with NULs and a filter", ["-0", "--flag", "numeric-host"]],
    ["ndjson", ["-f", "ndjson", "--context", "20"]],
    ["csv", ["-f", "csv", "--fields", "message,date,url,source"]],
    ["a template", ["--print", "{message} {url}"]],
    ["defanged, without passwords", ["-f", "ndjson", "--userinfo", "redact", "--defang", "--bare", "www"]],
    ["distinct lines", ["-u"]],
    ["distinct records", ["-u", "-f", "csv", "--fields", "message,date,url,source"]],
    ["distinct records by another field", ["--unique-by", "host", "-f", "ndjson"]],
    ["distinct hosts, one a line", ["--unique-by", "host"]],
    ["distinct messages", ["--unique-by", "message,url", "-f", "tsv"]],
    ["Parquet", ["-f", "parquet"]],
    ["distinct records as Parquet", ["-f", "parquet", "-u"]],
  ])("%s", async (_, args) => {
    await expectSame(args);
  });

  it.each([
    ["hosts", []],
    ["months and domains", ["--by", "month,domain", "-f", "csv"]],
    ["URLs", ["--by", "url", "-f", "tsv"]],
    ["flags, by messages", ["--by", "flag", "--messages", "--min", "2", "--top", "3"]],
    ["Parquet", ["-f", "parquet"]],
  ])("of count: %s", async (_, args) => {
    await expectSame(["count", ...args]);
  });

  it("of count by messages, for which no file is cut", async () => {
    await expectSame(["count", "--by", "message,source", "-f", "ndjson"], 5);
  });

  it("of report, but for the times", async () => {
    await inFolder(["report", "--json", "--top", "5", "-o", "one", "in"]);
    const shards = await plan(["report", "--json", "--top", "5"]);
    await runAll(shards);
    expect(await merge("-o", "all")).toMatchObject({ code: 0, stderr: "" });
    const [one, all] = ["one", "all"].map((name) => JSON.parse(read(name).toString().replaceAll('"all"', '"one"')));
    expect(all).toEqual({ ...one, run: { ...one.run, started: all.run.started, seconds: all.run.seconds } });
  });
});
