// The command plan: what it takes for its output and its inputs.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ended, newFolder, removeFolder, run } from "../cli/run.ts";

const LOG = "http://log.example/\n";
const OLDER = "an older file\n";

let folder: string;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in/a.log"), LOG);
  writeFileSync(join(folder, "in/b.log"), LOG);
});
afterEach(() => removeFolder(folder));

const plan = (...args: string[]): Promise<Ended> => run(["plan", ...args], { cwd: folder });
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("the output of a plan", () => {
  it.each([
    ["an input", "in/a.log", ["in/a.log", "in/b.log"]],
    ["in a folder that is an input", "in/a.log", ["in"]],
    ["any other file", "in/a.log", ["in/b.log"]],
    ["a link to one", "link", ["in/b.log"]],
  ])("replaces no file that is no plan: %s", async (_, output, inputs) => {
    symlinkSync("in/a.log", join(folder, "link"));
    const stderr = `urlmill: ${output} is there, and is no plan; give another name\n`;
    expect(await plan("-o", output, ...inputs)).toMatchObject({ code: 2, stdout: "", stderr });
    expect([read("in/a.log"), readdirSync(folder).sort()]).toEqual([LOG, ["in", "link"]]);
  });

  it.each(["", '{"urlmill":"plan","version":"0"}\n'])("replaces an empty file, and a plan: %j", async (text) => {
    writeFileSync(join(folder, "plan"), text);
    expect(await plan("-o", "plan", "in")).toMatchObject({ code: 0, stderr: "urlmill: plan: 1 shard, 40 B\n" });
    expect(read("plan").split("\n")).toHaveLength(4);
  });

  it("may be a device", async () => {
    expect(await plan("-q", "-o", "/dev/null", "in")).toMatchObject({ code: 0, stderr: "" });
    expect((await plan("-q", "-o", "/dev/stdout", "in")).stdout.split("\n")).toHaveLength(4);
  });
});

describe("the inputs of a plan", () => {
  it("are an error if none can be read, and an older plan stays", async () => {
    writeFileSync(join(folder, "plan"), '{"urlmill":"plan"}\n');
    const stderr = "urlmill: nope: no such file or folder\n";
    expect(await plan("-o", "plan", "nope")).toMatchObject({ code: 2, stderr });
    expect([read("plan"), readdirSync(folder).sort()]).toEqual(['{"urlmill":"plan"}\n', ["in", "plan"]]);
  });

  it.each([
    [["-q", "report", "in"], "there is no file report; the command that is planned, count or report, comes first: urlmill plan report"],
    [
      ["-u", "-o", "plan", "count", "in"],
      "there is no file count; the command that is planned, count or report, comes first: urlmill plan count",
    ],
    [["normalize", "in"], "there is no file normalize; of commands only count and report are planned"],
  ])("are no commands: %j", async (args, message) => {
    expect(await plan(...args)).toMatchObject({ code: 2, stdout: "", stderr: `urlmill: ${message}\n` });
  });

  it("may be called as commands are", async () => {
    writeFileSync(join(folder, "report"), OLDER);
    expect(await plan("-o", "plan", "in", "report")).toMatchObject({ code: 0, stderr: "urlmill: plan: 1 shard, 54 B\n" });
  });

  it("are no URLs of other schemes than those that are read", async () => {
    const stderr = "urlmill: ftp://h.example/x: no such file or folder; of URLs plan takes https://, http:// and s3://\n";
    expect(await plan("-o", "plan", "ftp://h.example/x")).toMatchObject({ code: 2, stderr });
  });
});
