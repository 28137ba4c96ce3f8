// The commands run-shard, verify and merge, whatever happens to shards.
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "../cli/run.ts";
import { folder, inFolder, merge, plan, read, results, runAll, runOne, useArchives, verify } from "./command-folder.ts";

useArchives();

/** Changes something in the plan. */
function editPlan(what: string | RegExp, to: string): void {
  writeFileSync(join(folder, "plan"), read("plan").toString().replace(what, to));
}

describe("a shard", () => {
  it("that was run is not run again, and twice at once is once", async () => {
    await plan([]);
    const first = await Promise.all([runOne(0), runOne(0), runOne(0)]);
    expect(first.map(({ code }) => code)).toEqual([0, 0, 0]);
    const files = results();
    expect(files).toHaveLength(2);
    expect(files[1]).toBe("00000.json");
    const marker = read("results/00000.json");
    rmSync(join(folder, "in/a.mbox"));
    expect(await runOne(0)).toMatchObject({ code: 0, stderr: "" });
    expect([results(), read("results/00000.json").equals(marker)]).toEqual([files, true]);
  });

  it.each([
    ["is longer", () => appendFileSync(join(folder, "in/a.mbox"), "more")],
    ["is shorter", () => truncateSync(join(folder, "in/a.mbox"), 20)],
    ["was written again", () => utimesSync(join(folder, "in/a.mbox"), 1, 2)],
    ["is gone", () => rmSync(join(folder, "in/a.mbox"))],
  ])("whose input %s is not run", async (what, change) => {
    await plan([]);
    change();
    const state = what === "is gone" ? `is gone from ${folder}` : "has changed";
    expect(await runOne(0)).toMatchObject({ code: 65, stderr: `urlmill: in/a.mbox ${state} since the plan was made; plan anew\n` });
    expect(results()).toEqual([]);
  });

  it("whose folder is not mounted is tried again", async () => {
    await plan([]);
    const [input, elsewhere] = [join(folder, "in"), join(folder, "elsewhere")];
    const stderr = `urlmill: in/a.mbox is not there, and neither is anything else in ${input}: is it mounted?\n`;
    renameSync(input, elsewhere);
    expect(await runOne(0)).toMatchObject({ code: 75, stderr });
    mkdirSync(input);
    expect(await runOne(0)).toMatchObject({ code: 75, stderr });
    rmdirSync(input);
    renameSync(elsewhere, input);
    expect(await runOne(0)).toMatchObject({ code: 0, stderr: "" });
  });

  it("that lacks one of its inputs, the last of its folder, is not run", async () => {
    for (const name of ["one", "two"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "mbox"), "http://a.example/\n");
    }
    expect(await inFolder(["plan", "-o", "plan", "one", "two"])).toMatchObject({ code: 0, stderr: "urlmill: plan: 1 shard, 36 B\n" });
    rmSync(join(folder, "one/mbox"));
    expect(await runOne(0)).toMatchObject({
      code: 65,
      stderr: `urlmill: one/mbox is gone from ${folder} since the plan was made; plan anew\n`,
    });
  });

  it("whose results can have no folder ends with an error", async () => {
    await plan([]);
    const { code, stderr } = await inFolder(["run-shard", "--plan", "plan", "-i", "0", "-o", "in/a.mbox/x"]);
    expect({ code, stderr }).toEqual({ code: 65, stderr: "urlmill: in/a.mbox/x is a file, or in one; results need a folder\n" });
    const file = await inFolder(["run-shard", "--plan", "plan", "-i", "0", "-o", "in/a.mbox"]);
    expect(file).toMatchObject({ code: 65, stderr: "urlmill: in/a.mbox is a file, or in one; results need a folder\n" });
    const proc = await inFolder(["run-shard", "--plan", "plan", "-i", "0", "-o", "/proc/urlmill/x"]);
    expect(proc).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/^urlmill: \/proc\/urlmill\/x: cannot be written \(E[A-Z]+\)\n$/),
    });
  });

  it("makes the folders of its results", async () => {
    await plan([]);
    expect(await inFolder(["run-shard", "--plan", "plan", "-i", "0", "-o", "new/and/deep"])).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(folder, "new/and/deep"))).toHaveLength(2);
  });

  it.each(["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"])("has its number from %s", async (name) => {
    await plan([]);
    expect(await runOne(0, { [name]: "2" })).toMatchObject({ code: 0, stderr: "" });
    expect(results()).toContain("00002.json");
  });

  it("comes as a line of the plan with a key, and is answered with the key and its marker", async () => {
    await plan([]);
    const line = read("plan").toString().split("\n")[2] as string;
    const input = `a key\t${line}\n${line}\n\n1\n`;
    const { stdout, code } = await run(["run-shard", "--plan", "plan", "--stdin", "-o", "results"], { cwd: folder, input });
    const marker = read("results/00001.json")
      .toString()
      .replace(/,"check":"\w+"/, "");
    expect({ stdout, code }).toEqual({ stdout: `a key\t${marker}1\t${marker}1\t${marker}`, code: 0 });
  });

  it("that the plan does not have, of a file that is no plan, and of another plan are refused for good", async () => {
    const shards = await plan([]);
    expect(await runOne(shards)).toMatchObject({ code: 65, stderr: `urlmill: plan has no shard ${shards}\n` });
    expect(await inFolder(["run-shard", "--plan", "in/f.txt", "-i", "0", "-o", "results"])).toMatchObject({ code: 65 });
    await runOne(0);
    await plan(["-f", "csv"]);
    expect(await runOne(0)).toMatchObject({
      code: 65,
      stderr: "urlmill: 00000.json is of another plan; give each plan a folder of its own\n",
    });
  });

  it.each(["", "x", "-1", "1.5"])("whose number in the environment is wrong is refused: %j", async (number) => {
    await plan([]);
    const stderr = `urlmill: SLURM_ARRAY_TASK_ID must be the number of a shard, from 0 on, not "${number}"\n`;
    expect(await runOne(0, { SLURM_ARRAY_TASK_ID: number })).toMatchObject({ code: 2, stderr });
  });

  it("that comes after the end of a plan that was cut off is refused for that reason", async () => {
    const shards = await plan([]);
    const lines = read("plan").toString().split("\n");
    writeFileSync(join(folder, "plan"), lines.slice(0, shards).join("\n"));
    expect(await runOne(shards - 2)).toMatchObject({ code: 0 });
    expect(await runOne(shards - 1)).toMatchObject({ code: 65, stderr: "urlmill: plan is not complete: its last line is missing\n" });
    truncateSync(join(folder, "plan"), read("plan").length - 9);
    const cut = `urlmill: plan is cut off, or damaged: line ${shards} is not that of shard ${shards - 2}\n`;
    expect(await runOne(shards - 2)).toMatchObject({ code: 65, stderr: cut });
    expect(await merge()).toMatchObject({ code: 2, stderr: cut });
  });

  it("whose results would go to a web server is refused for good", async () => {
    await plan([]);
    expect(await inFolder(["run-shard", "--plan", "plan", "-i", "0", "-o", "http://h.example/results"])).toMatchObject({
      code: 65,
      stderr: "urlmill: http://h.example/results takes no results; give a folder or s3://bucket/prefix/\n",
    });
  });

  it("is of another plan if the same names were planned in another folder", async () => {
    await runAll(await plan([]));
    const shards = results().filter((name) => name.endsWith(".json")).length;
    editPlan(/"folder":"[^"]*"/, '"folder":"/elsewhere"');
    const { code, stdout, stderr } = await verify();
    expect([code, stdout, stderr.split("\n").slice(0, 2)]).toEqual([
      2,
      "",
      [0, 1].map((id) => `urlmill: 0000${id}.json is of another plan`),
    ]);
    const last = `${shards} markers of another plan: give each plan a folder of its own, or remove them (docs/scale.md)`;
    expect(stderr.split("\n").slice(-3)).toEqual([`urlmill: 0 of ${shards} shards done; 0 shards to be run`, `urlmill: ${last}`, ""]);
  });

  it("of a plan that is not there is refused for good, unless that may be mounted later", async () => {
    const ofPlan = (name: string): Promise<Ended> => inFolder(["run-shard", "--plan", name, "-i", "0", "-o", "results"]);
    expect(await ofPlan("nope")).toMatchObject({ code: 65, stderr: "urlmill: nope: no such file\n" });
    expect(await ofPlan("in")).toMatchObject({ code: 65, stderr: "urlmill: in is a folder; give the file of a plan\n" });
    expect(await ofPlan("in/f.txt/plan")).toMatchObject({ code: 65, stderr: "urlmill: in/f.txt/plan: no such file\n" });
    expect(await ofPlan("mnt/plan")).toMatchObject({ code: 75, stderr: "urlmill: mnt/plan: cannot be read (ENOENT)\n" });
    mkdirSync(join(folder, "mnt"));
    expect(await ofPlan("mnt/plan")).toMatchObject({ code: 75 });
  });

  it("has the same results after its files were moved together, and the plan names where", async () => {
    const shards = await plan([]);
    await runOne(0);
    const moved = join(folder, "moved");
    mkdirSync(moved);
    renameSync(join(folder, "in"), join(moved, "in"));
    editPlan('"folder":', `"moved":${JSON.stringify(moved)},"folder":`);
    expect(await runAll(shards)).toMatchObject({ code: 0, stderr: "" });
    expect((await merge()).stdout).toBe((await run(["in"], { cwd: moved })).stdout);
  });
});

describe("verify", () => {
  it("lists what is missing, gone or damaged, until it has been run again", async () => {
    const shards = await plan([]);
    await runAll(shards);
    expect(await verify("--hash")).toEqual({ code: 0, signal: null, stdout: "", stderr: `urlmill: ${shards} of ${shards} shards done\n` });
    const [, , , , second, , third] = results();
    rmSync(join(folder, "results/00001.json"));
    rmSync(join(folder, "results", second as string));
    appendFileSync(join(folder, "results", third as string), "x");
    writeFileSync(join(folder, "results/.00004.0-1-2-12345678.urlmill-partial"), "");
    expect(await merge("-o", "all")).toMatchObject({ code: 2 });
    const { stdout, code, stderr } = await verify("--hash");
    expect({ stdout, code }).toEqual({ stdout: "1\n2\n3\n", code: 1 });
    expect(stderr).toBe(
      `urlmill: shard 2: ${second} is gone\nurlmill: shard 3: ${third} is damaged\n` +
        `urlmill: ${shards - 3} of ${shards} shards done; 3 shards to be run\n`,
    );
    const again = await run(["run-shard", "--plan", "plan", "--stdin", "-o", "results"], { cwd: folder, input: stdout });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(await verify("--hash")).toMatchObject({ code: 0, stdout: "" });
    expect((await merge()).stdout).toBe((await inFolder(["in"])).stdout);
  });

  it("sees results that are cut, without a look at their bytes", async () => {
    await runAll(await plan([]));
    const [cut = ""] = results().filter((name) => name.startsWith("00002-"));
    truncateSync(join(folder, "results", cut), 30);
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: "2\n",
      stderr: expect.stringContaining(`urlmill: shard 2: ${cut} is damaged\n`),
    });
    expect(await runOne(2)).toMatchObject({ code: 0 });
    expect(await verify("--hash")).toMatchObject({ code: 0, stdout: "" });
  });

  it("does not list what cannot be run again", async () => {
    const shards = await plan([]);
    await runOne(0);
    appendFileSync(join(folder, "in/a.mbox"), "more");
    const { stdout, stderr } = await verify();
    expect(stdout.split("\n")).not.toContain("1");
    expect(stderr).toContain("urlmill: shard 1: in/a.mbox has changed since the plan was made; plan anew\n");
    expect(stderr).toMatch(new RegExp(`urlmill: 1 of ${shards} shards done; \\d+ shards to be run, \\d+ whose inputs have changed\n$`));
  });
});

describe("merge", () => {
  it.each([
    ["is not done", (marker: string) => rmSync(marker)],
    ["has a damaged marker", (marker: string) => truncateSync(marker, 20)],
    ["has no results", (_: string, found: string) => rmSync(found)],
    ["has results that are cut", (_: string, found: string) => truncateSync(found, readFileSync(found).length - 5)],
    [
      "has a marker with another digit",
      (marker: string) => writeFileSync(marker, readFileSync(marker, "utf8").replace('"rows":', '"rows":1')),
    ],
  ])("writes nothing if the last shard %s", async (_, spoil) => {
    const shards = await plan([]);
    await runAll(shards);
    const last = String(shards - 1).padStart(5, "0");
    const found = results().find((name) => name.startsWith(`${last}-`)) as string;
    spoil(join(folder, `results/${last}.json`), join(folder, "results", found));
    expect(await merge()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`${shards - 1}`) });
  });

  it("names the folder of the results if it is not there, or is a file", async () => {
    await plan([]);
    const stderr = "urlmill: there is no folder results: run-shard makes it, or mkdir\n";
    for (const command of [merge, verify]) expect(await command()).toMatchObject({ code: 2, stdout: "", stderr });
    writeFileSync(join(folder, "results"), "");
    const file = "urlmill: results is a file; give the folder of the results\n";
    for (const command of [merge, verify]) expect(await command()).toMatchObject({ code: 2, stdout: "", stderr: file });
  });

  it.each([
    ["in/f.txt", "an input"],
    ["link", "an input"],
    ["plan", "the plan"],
    ["results/00001.json", "a result"],
  ])("does not write over what it needs: %s", async (output, what) => {
    await runAll(await plan(["--rejected", "why"]));
    symlinkSync("in/a.mbox", join(folder, "link"));
    appendFileSync(join(folder, "in/f.txt"), "more");
    const before = [read("in/f.txt"), read("in/a.mbox"), read("plan"), read("results/00001.json")];
    const stderr = `urlmill: ${output} is also ${what}; give another file\n`;
    for (const option of ["-o", "--rejected"]) expect(await merge(option, output)).toMatchObject({ code: 2, stdout: "", stderr });
    expect([read("in/f.txt"), read("in/a.mbox"), read("plan"), read("results/00001.json")]).toEqual(before);
    for (const free of ["results/all", "new", "new"]) expect(await merge("-o", free)).toMatchObject({ code: 0 });
  });

  it("names what is no file", async () => {
    await runAll(await plan([]));
    rmSync(join(folder, "results/00001.json"));
    mkdirSync(join(folder, "results/00001.json"));
    const message = "urlmill: results/00001.json: cannot be read (EISDIR)\n";
    for (const command of [merge, verify]) expect(await command()).toMatchObject({ code: 2, stderr: message });
    expect(await runOne(1)).toMatchObject({ code: 75, stderr: message });
  });

  it("names a shard that is missing, or damaged, and writes nothing", async () => {
    const shards = await plan([]);
    await runAll(shards - 1);
    expect(await runOne(1)).toMatchObject({ code: 0 });
    rmSync(join(folder, "results/00001.json"));
    expect(await merge("-o", "all")).toMatchObject({
      code: 2,
      stderr: "urlmill: shard 1 is not done; urlmill verify lists what is missing\n",
    });
    await runOne(1);
    await runOne(shards - 1);
    const [name = ""] = results().filter((file) => file.startsWith("00001-"));
    const bytes = read(`results/${name}`);
    bytes[bytes.length - 20] ^= 1;
    writeFileSync(join(folder, "results", name), bytes);
    expect((await merge("-o", "all")).stderr).toBe(
      `urlmill: ${name} is damaged; urlmill verify --hash removes it, so that its shard can be run again\n`,
    );
    expect(readdirSync(folder).sort()).toEqual(["in", "plan", "results"]);
  });
});

describe("wrong together", () => {
  it.each([
    [["plan"], "plan needs the names of files and folders: standard input is read once"],
    [["plan", "--resume", "in"], "--resume cannot be given to plan: a shard that is not done is run again"],
    [["plan", "--header", "in"], "--header needs -f csv or tsv"],
    [["plan", "count", "--fields", "url", "in"], "urlmill plan has no option --fields, which is one of urlmill extract"],
    [["run-shard", "--plan", "plan", "-o", "results"], /^run-shard needs --index I, --stdin, or one of SLURM_ARRAY_TASK_ID, /],
    [["run-shard", "-i", "0", "-o", "results"], "run-shard needs --plan FILE"],
    [["verify", "--plan", "plan", "results"], "there is no folder results: run-shard makes it, or mkdir"],
    [["merge", "--plan", "plan", "--rejected", "why", "results"], /^--rejected needs a plan that was made with it: /],
  ])("%j", async (args, message) => {
    await plan([]);
    const { code, stderr } = await inFolder(args);
    expect(code).toBe(2);
    expect(stderr.replace(/^urlmill: |\n$/g, "")).toMatch(message);
  });
});
