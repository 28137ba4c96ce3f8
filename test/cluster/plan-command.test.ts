// The command plan: what it takes for its output and its inputs.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, type Ended, newFolder, removeFolder, run } from "../cli/run.ts";

const LOG = "http://log.example/\n";
const OLDER = "an older file\n";
const NONE = "urlmill: no plan is written, because no input can be read\n";

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

  it.skipIf(process.getuid?.() !== 0)("is refused if nobody knows what it replaces (skipped: needs root)", async () => {
    writeFileSync(join(folder, "plan"), "x", { mode: 0o600 });
    chmodSync(folder, 0o777);
    const { code, stderr } = await run(["plan", "-o", "plan", "in"], { cwd: folder, uid: 65534 });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "urlmill: plan: cannot be read (EACCES)\n" });
  });

  it("may be a device", async () => {
    expect(await plan("-q", "-o", "/dev/null", "in")).toMatchObject({ code: 0, stderr: "" });
    expect((await plan("-q", "-o", "/dev/stdout", "in")).stdout.split("\n")).toHaveLength(4);
  });
});

it("a plan is not made in a folder whose name it could not hold", async () => {
  const odd = Buffer.concat([Buffer.from(`${folder}/odd`), Buffer.from([0xff])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from("/a.log")]), LOG);
  const script = `cd odd* && "${process.execPath}" "${COMMAND}" plan -o ../plan .`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/odd\ufffd has a name that is not UTF-8; plan in a folder above it\n$/),
  });
  expect(readdirSync(folder)).not.toContain("plan");
});

describe("the inputs of a plan", () => {
  it("are an error if none can be read, and an older plan stays", async () => {
    writeFileSync(join(folder, "plan"), '{"urlmill":"plan"}\n');
    const stderr = `urlmill: nope: no such file or folder\n${NONE}`;
    expect(await plan("-o", "plan", "nope")).toMatchObject({ code: 2, stderr });
    expect(await plan("nope")).toMatchObject({ code: 2, stdout: "", stderr });
    expect([read("plan"), readdirSync(folder).sort()]).toEqual(['{"urlmill":"plan"}\n', ["in", "plan"]]);
  });

  it("may be empty, and beside others that cannot be read", async () => {
    writeFileSync(join(folder, "empty"), "");
    mkdirSync(join(folder, "none"));
    const stderr = "urlmill: nope: no such file or folder\nurlmill: plan: 1 shard, 0 B\n";
    expect(await plan("-o", "plan", "nope", "empty")).toMatchObject({ code: 2, stderr });
    expect(await plan("-o", "plan", "none")).toMatchObject({ code: 0, stderr: "urlmill: plan: 0 shards, 0 B\n" });
    expect(read("plan").split("\n")).toHaveLength(3);
  });

  it("make a further shard after 65,536 of them, also of those that are left out: a line of a plan must not become too long", async () => {
    for (let file = 0; file < 65_540; file++) writeFileSync(join(folder, `in/${file}.x`), "");
    expect(await plan("-o", "plan", "--exclude", "*.x", "in")).toMatchObject({ code: 0, stderr: "urlmill: plan: 2 shards, 40 B\n" });
    const shards = read("plan")
      .split("\n")
      .slice(1, 3)
      .map((line): unknown[] => JSON.parse(line).inputs);
    expect(shards.map((inputs) => inputs.length)).toEqual([65_536, 6]);
  });

  it.each([
    [["report", "--unwrap", "any", "--no-unwrap", "in"], "--no-unwrap cannot be given with --unwrap"],
    [["-q", "report", "in"], "there is no file report; the name of a command comes right after plan: urlmill plan report ..."],
    [["-u", "-o", "plan", "count", "in"], "there is no file count; the name of a command comes right after plan: urlmill plan count ..."],
    [["cuont", "in"], "there is no file cuont; did you mean the command urlmill plan count?"],
    [["normalize", "in"], "there is no file normalize; of commands only count and report are planned"],
  ])("are no commands: %j", async (args, message) => {
    expect(await plan(...args)).toMatchObject({ code: 2, stdout: "", stderr: `urlmill: ${message}\n` });
  });

  it("may be called as commands are", async () => {
    writeFileSync(join(folder, "report"), OLDER);
    expect(await plan("-o", "plan", "in", "report")).toMatchObject({ code: 0, stderr: "urlmill: plan: 1 shard, 54 B\n" });
  });

  it("are no URLs of other schemes than those that are read", async () => {
    const stderr = `urlmill: ftp://h.example/x: no such file or folder; of URLs plan takes https://, http:// and s3://\n${NONE}`;
    expect(await plan("-o", "plan", "ftp://h.example/x")).toMatchObject({ code: 2, stderr });
  });
});
