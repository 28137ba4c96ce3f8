// The engines of examples/batch: each runs the line that its README shows, on shards of which one fails once and one is killed once.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "../cli/run.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples/batch");
const README = readFileSync(join(EXAMPLES, "README.md"), "utf8");
const MAIL = readFileSync(join(EXAMPLES, "../archive.mbox"));

/** Returns the first commands under a heading of the README. */
function linesOf(heading: string): string {
  const section = README.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? `echo no commands for ${heading}; exit 1`;
}

/** Returns whether programs are installed; says which are not. */
function has(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => spawnSync("sh", ["-c", `PATH=$PATH:/usr/sbin; command -v ${program}`]).status !== 0);
  if (missing.length > 0) console.warn(`not tested here: ${missing.join(", ")} not installed`);
  return missing.length === 0;
}

let folder: string;
let env: NodeJS.ProcessEnv;

/** Runs a line of shell in the folder; returns how it ended. */
function shell(line: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: folder, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

beforeEach(() => {
  folder = newFolder();
  env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, URLMILL_TEST_FAULTS: folder };
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "mail"));
  const faults = join(import.meta.dirname, "faults.mjs");
  writeFileSync(join(folder, "bin/urlmill"), `#!/bin/sh\nexec '${process.execPath}' --import '${faults}' '${COMMAND}' "$@"\n`);
  chmodSync(join(folder, "bin/urlmill"), 0o755);
  for (const name of ["slurm/shards.sbatch", "spark/drive-lines.mjs"]) cpSync(join(EXAMPLES, name), join(folder, name.split("/")[1] ?? ""));
  writeFileSync(join(folder, "mail/a.mbox"), Buffer.concat([MAIL, MAIL]));
  writeFileSync(join(folder, "mail/b.mbox.gz"), gzipSync(MAIL));
  writeFileSync(join(folder, "mail/c.txt"), "http://c.example/");
  expect(shell(linesOf("# Batch engines").replace("256M", "3000"))).toMatchObject({ status: 0 });
});
afterEach(() => removeFolder(folder));

/** Expects that all shards are done, though two of them failed, and that the merged output is that of one run. */
function expectSame(): void {
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["faulty-1", "faulty-2"]));
  const end = /```sh\n(urlmill verify .*?)```/s.exec(README)?.[1] as string;
  expect(shell(end)).toMatchObject({ status: 0 });
  const one = execFileSync(process.execPath, [COMMAND, "-f", "ndjson", "mail/"], { cwd: folder });
  expect(one.length).toBeGreaterThan(1000);
  expect(readFileSync(join(folder, "urls.ndjson")).equals(one)).toBe(true);
}

/** Expects that no try runs a shard whose input has changed, and that the others are done. */
function expectRefused(lines: string): void {
  appendFileSync(join(folder, "mail/c.txt"), " http://more.example/");
  const { output } = shell(lines);
  expect(output).toContain("mail/c.txt has changed since the plan was made; plan anew");
  const verified = shell("urlmill verify --plan plan.jsonl results");
  expect(verified.status).toBe(1);
  expect(verified.output).toMatch(/done; 0 shards to be run, 1 whose inputs have changed\n$/);
  expect(shell("urlmill merge --plan plan.jsonl results -o urls.ndjson").status).toBe(2);
  expect(existsSync(join(folder, "urls.ndjson"))).toBe(false);
}

describe.skipIf(!has("xargs"))("xargs", () => {
  it("runs again what failed and what was killed", () => {
    expect(shell(linesOf("xargs"))).toMatchObject({ status: 0 });
    expectSame();
  });
});

describe.skipIf(!has("parallel"))("GNU parallel", () => {
  it("runs again what failed and what was killed", () => {
    expect(shell(linesOf("GNU parallel"))).toMatchObject({ status: 0 });
    expectSame();
  });

  it("does not run what has changed", () => expectRefused(linesOf("GNU parallel")));
});

describe.skipIf(!has("slurmctld", "slurmd", "sbatch", "munged"))("Slurm", () => {
  const cluster = join(EXAMPLES, "slurm/one-node-cluster.sh");

  beforeEach(() => {
    const started = shell(`sh '${cluster}' start '${join(folder, "slurm")}'`);
    expect(started).toMatchObject({ status: 0 });
    env.SLURM_CONF = join(folder, "slurm/slurm.conf");
  });
  afterEach(() => expect(shell(`sh '${cluster}' stop '${join(folder, "slurm")}'`)).toMatchObject({ status: 0 }));

  it("requeues what failed and what was killed", { timeout: 300_000 }, () => {
    expect(shell(linesOf("Slurm"))).toMatchObject({ status: 0 });
    const logs = [1, 2].map((index) => readFileSync(join(folder, `shards.${index}.log`), "utf8"));
    expect(logs[0]).toContain("shard 1: exit code 75 in run 1");
    expect(logs[1]).toContain("shard 2: exit code 137 in run 1");
    expectSame();
  });

  it("does not requeue what has changed", () => {
    appendFileSync(join(folder, "mail/c.txt"), " http://more.example/");
    const index = shell("grep -c inputs plan.jsonl").output.trim();
    expect(shell(`sbatch --wait --array=${Number(index) - 1} shards.sbatch plan.jsonl results`)).toMatchObject({ status: 65 });
    const log = readFileSync(join(folder, `shards.${Number(index) - 1}.log`), "utf8");
    expect(log).toBe("urlmill: mail/c.txt has changed since the plan was made; plan anew\n");
  });
});

describe("lines on standard input", () => {
  it("are run again by the stand-in for Spark and Hadoop", () => {
    const { status, output } = shell(linesOf("Spark"));
    expect(output).toMatch(/^task 1, run 1: exit code 75$/m);
    expect(output).toMatch(/^task 2, run 1: SIGKILL$/m);
    expect(output).toMatch(/(\d+) of \1 shards done$/m);
    expect(status).toBe(0);
    expectSame();
  });

  it("are not run if an input has changed", () => expectRefused(linesOf("Spark")));
});
