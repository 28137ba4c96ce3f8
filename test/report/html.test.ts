// The HTML of a report: what it holds ends no element, and its policy allows what is in the template alone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embedded, reportHtml } from "../../src/report/html.ts";
import { COMMAND, newFolder, removeFolder, run } from "../cli/run.ts";
import { sampleSummary } from "../page/sample.ts";

const TEMPLATE = readFileSync(join(COMMAND, "../../report/template.html"), "utf8");

describe("the summary in a report", () => {
  it("has nothing that ends a script or starts markup", () => {
    const sample = sampleSummary(10);
    const hostile = "</script><!-- <script> \u2028\u2029 {{summary}} $& ' \" ]]>";
    const summary = { ...sample, run: { ...sample.run, inputs: [hostile], options: JSON.parse('{"__proto__":"</SCRIPT>"}') } };
    const text = embedded(summary);
    expect(text).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(text)).toEqual(summary);
    const html = reportHtml(TEMPLATE, summary);
    expect(html.match(/<\/script/gi)).toHaveLength(2);
    const [, json = ""] = /<script type="application\/json" id="summary">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json).run.inputs).toEqual([hostile]);
  });
});

describe("the policy of a report", () => {
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(TEMPLATE) ?? [];
  const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

  it("allows its script and its style by their hashes, and nothing else", () => {
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(TEMPLATE) ?? [];
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(TEMPLATE) ?? [];
    const own = `script-src ${hashOf(script)}; style-src ${hashOf(style)}`;
    expect(policy).toBe(`default-src 'none'; ${own}; base-uri 'none'; form-action 'none'`);
  });

  it("stands before all that it governs", () => {
    expect(TEMPLATE.indexOf("Content-Security-Policy")).toBeLessThan(TEMPLATE.search(/<(?:script|style|link)/));
    expect(TEMPLATE).not.toMatch(/\b(?:src|href)=|@import|url\(|@font-face| style=| on[a-z]+=/);
  });
});

describe("urlmill report", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder();
    writeFileSync(join(folder, "a.txt"), "http://a.example/\n");
    writeFileSync(join(folder, "none.txt"), "nothing\n");
  });
  afterAll(() => removeFolder(folder));

  it("writes the same to standard output as to a file, and --json without the page", async () => {
    const numbers = /"(?:started|seconds|options)":(?:"[^"]*"|[\d.]+|\{[^}]*\})/g;
    expect((await run(["report", "-o", "a.html", "a.txt"], { cwd: folder })).code).toBe(0);
    const { stdout } = await run(["report", "a.txt"], { cwd: folder });
    expect(stdout.replace(numbers, "")).toBe(readFileSync(join(folder, "a.html"), "utf8").replace(numbers, ""));
    const json = (await run(["report", "--json", "a.txt"], { cwd: folder })).stdout;
    expect(stdout.replace(numbers, "")).toContain(json.trim().replace(numbers, ""));
  });

  it("is written too where nothing was found", async () => {
    expect((await run(["report", "-o", "none.html", "none.txt"], { cwd: folder })).code).toBe(1);
    expect(readFileSync(join(folder, "none.html"), "utf8")).toContain('"matches":0');
  });

  it("leaves an older report as it is if nothing could be read", async () => {
    writeFileSync(join(folder, "old.html"), "old");
    expect((await run(["report", "-o", "old.html", "missing"], { cwd: folder })).code).toBe(2);
    expect(readFileSync(join(folder, "old.html"), "utf8")).toBe("old");
    expect((await run(["report", "-o", "new.html", "missing"], { cwd: folder })).code).toBe(2);
    expect(existsSync(join(folder, "new.html"))).toBe(false);
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("writes no HTML to a terminal (needs script of util-linux)", () => {
    const command = `'${process.execPath}' '${COMMAND}' report a.txt`;
    const env = { ...process.env, NO_COLOR: "1" };
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, env, encoding: "utf8" });
    expect(stdout.trim()).toBe("urlmill: urlmill report needs -o FILE, or --json: a terminal shows no page");
  });
});
