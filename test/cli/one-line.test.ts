// What the command writes: one URL a line without controls (C45), and with --userinfo redact no userinfo (C46).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newFolder, removeFolder, run } from "./run.ts";

const folder = newFolder();
afterAll(() => removeFolder(folder));

const wrapped = (target: string): string => `https://www.google.com/url?q=${target}`;
const URLS = [
  [wrapped("http%3A%2F%2Fb.example%2F%0d%0ahttps://injected.example/"), "http://b.example/%0D%0Ahttps://injected.example/"],
  [wrapped("http%3A%2F%2Fb.example%2F%00x"), "http://b.example/%00x"],
  [wrapped("http%3A%2F%2Fb.example%2F%1b%5b2Jx"), "http://b.example/%1B[2Jx"],
  [wrapped("http%3A%2F%2Fb.example%2F%C2%9bx%7F%E2%80%A8%22%20y"), "http://b.example/%C2%9Bx%7F%E2%80%A8%22%20y"],
] as const;

it.each(URLS)("--profile none --unwrap: %s is one line", async (url, wanted) => {
  for (const [separator, options] of [
    ["\n", []],
    ["\0", ["-0"]],
  ] as const) {
    const { stdout, code } = await run(["--profile", "none", "--unwrap", ...options], { input: `${url}\n` });
    expect({ stdout, code }).toEqual({ stdout: wanted + separator, code: 0 });
  }
  const { stdout } = await run(["-f", "ndjson", "--fields", "url,chain", "--profile", "none", "--unwrap"], { input: `${url}\n` });
  expect(stdout).toBe(`${JSON.stringify({ url: wanted, chain: [url] })}\n`);
  expect((await run(["normalize", "--profile", "none", "--unwrap", url])).stdout).toBe(`${wanted}\n`);
});

it("normalize --profile none and resolve write no controls, of arguments and of lines", async () => {
  const given = "http://a.example/x\ny\x1b\x9b\u2028 z";
  expect((await run(["normalize", "--profile", "none", given])).stdout).toBe("http://a.example/x%0Ay%1B%C2%9B%E2%80%A8%20z\n");
  const input = Buffer.from("http://a.example/\0\x1b\x9b x\n", "latin1");
  for (const options of [[], ["--sort-query"]]) {
    const { stdout } = await run(["normalize", "--profile", "none", ...options], { input });
    expect(stdout).toBe("http://a.example/%00%1B%9B%20x\n");
  }
  expect((await run(["resolve", "--base", "http://a.example/b\x1bc/d", "x\ny\x9b z"])).stdout).toBe(
    "http://a.example/b%1Bc/x%0Ay%C2%9B%20z\n",
  );
  expect((await run(["resolve", "--base", "http://a.example/"], { input })).stdout).toBe("http://a.example/%00%1B%9B%20x\n");
});

it("parse writes controls as JSON escapes, those that JSON leaves too", async () => {
  const { stdout } = await run(["parse", "http://a.example/\x9b\u2028\x7f\u202e"]);
  expect(stdout).not.toMatch(/[\x7f-\x9f\u2028\u202e]/);
  expect(JSON.parse(stdout)).toMatchObject({ input: "http://a.example/\x9b\u2028\x7f\u202e", host: "a.example" });
});

it("with redact normalize names refused URLs by their place alone", async () => {
  const refused = [
    "http://joe:secret@:99999/",
    "http://joe:secret@h:99999/",
    "//joe:secret@h",
    "http://joe:secret@[::1",
    "urn://joe:secret@h",
  ];
  const hidden = "(not shown: it may hold a password)";
  const byArgument = await run(["normalize", "--userinfo", "redact", ...refused, "sip:joe:secret@h"]);
  expect(byArgument).toMatchObject({ stdout: "\n\n\n\n\nsip:***@h\n", code: 2 });
  expect(byArgument.stderr).toBe(
    ["no-host", "bad-port", "no-scheme", "bad-host", "bad-shape"]
      .map((code, index) => `urlmill: argument ${index + 1}: ${code} ${hidden}\n`)
      .join(""),
  );
  const byLine = await run(["normalize", "--userinfo", "redact", "--profile", "none"], { input: `http://a/\n${refused[0]}\n` });
  expect(byLine).toMatchObject({ stdout: "http://a/\n\n", stderr: `urlmill: line 2: no-host ${hidden}\n` });
});

it("with redact no userinfo is in plain lines, records, rejected records and statistics", async () => {
  const input = [
    "<URL:sip:joe:secret@h> <URL:tel://joe:secret@h> <URL:urn://joe:secret@h> <cid://joe:secret@h> http://joe:secret@:99999/",
    "https://urldefense.com/v2/url?u=http-3A__joe-3Asecret-40b.example_&d=x",
    wrapped("http%3A%2F%2Fjoe%3Asecret%40b.example%2F"),
  ].join("\n");
  for (const options of [
    [],
    ["-f", "ndjson"],
    ["--unwrap", "-f", "ndjson"],
    ["--nested"],
    ["-f", "ndjson", "--fields", "chain,url", "--unwrap"],
  ]) {
    const rejected = join(folder, "rejected");
    const { stdout, stderr } = await run([...options, "--userinfo", "redact", "--stats", "--rejected", rejected], { input });
    expect(stdout).toContain("***");
    expect(stderr).toContain('"no-host":1');
    const listed = readFileSync(rejected, "utf8");
    expect(JSON.parse(listed)).toEqual({ reason: "no-host", source: "-", start: 94, end: 119 });
    expect(stdout + stderr, options.join(" ")).not.toContain("secret");
  }
});
