// Inputs that cannot be read: when the plan is made that is in it, and said; what a worker alone cannot read is tried again.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ended, newFolder, removeFolder, run } from "../cli/run.ts";

const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534 } : {};
const NO_PERMISSION = "no permission to read it; its owner can give it (chmod)";

let folder: string;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, "in"));
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, "in", name), `http://${name}.example/\n`);
  mkdirSync(join(folder, "out"));
  chmodSync(join(folder, "out"), 0o777);
});
afterEach(() => removeFolder(folder));

const asOther = (...args: string[]): Promise<Ended> => run(args, { cwd: folder, ...OTHER_USER });
const planned = (...inputs: string[]): Promise<Ended> => asOther("plan", "--shard-bytes", "18", "-o", "out/plan", ...inputs);
const shard = (index: number): Promise<Ended> => asOther("run-shard", "--plan", "out/plan", "--index", `${index}`, "-o", "out/results");
const merged = (): Promise<Ended> => asOther("merge", "--plan", "out/plan", "out/results");

describe("an input that cannot be read", () => {
  it("when the plan is made is named then, and in the merge as in one run", async () => {
    chmodSync(join(folder, "in/b"), 0);
    const { code, stderr } = await planned("nope", "in", "ftp://h.example/x");
    expect(code).toBe(2);
    const names = [
      "urlmill: nope: no such file or folder",
      `urlmill: in/b: ${NO_PERMISSION}`,
      "urlmill: ftp://h.example/x: no such file or folder; of URLs plan takes https://, http:// and s3://",
    ];
    expect(stderr.split("\n").slice(0, -1)).toEqual([...names, "urlmill: out/plan: 2 shards, 36 B"]);
    for (const index of [0, 1]) expect(await shard(index)).toMatchObject({ code: 0, stderr: "" });
    expect(await merged()).toEqual(await asOther("nope", "in", "ftp://h.example/x"));
  });

  it("by one worker alone is not left out: the shard is tried again", async () => {
    expect(await planned("in")).toMatchObject({ code: 0 });
    chmodSync(join(folder, "in/b"), 0);
    expect(await shard(1)).toMatchObject({ code: 75, stderr: `urlmill: in/b: ${NO_PERMISSION}\n` });
    expect(readdirSync(join(folder, "out/results"))).toEqual([]);
    chmodSync(join(folder, "in/b"), 0o644);
    for (const index of [0, 1, 2]) expect(await shard(index)).toMatchObject({ code: 0, stderr: "" });
    expect((await merged()).stdout).toBe("http://a.example/\nhttp://b.example/\nhttp://c.example/\n");
  });

  it("is gone also where its folder cannot be listed", async () => {
    expect(await planned("in")).toMatchObject({ code: 0 });
    for (const name of ["a", "b", "c"]) rmSync(join(folder, "in", name));
    chmodSync(join(folder, "in"), 0o711);
    expect(await shard(1)).toMatchObject({ code: 65, stderr: `urlmill: in/b is gone from ${folder} since the plan was made; plan anew\n` });
    chmodSync(join(folder, "in"), 0o755);
  });

  it("and is one of very many is counted", async () => {
    const { stderr } = await planned(...Array.from({ length: 23 }, (_, index) => `no${index}`), "in");
    expect(stderr.split("\n").slice(19, -1)).toEqual([
      "urlmill: no19: no such file or folder",
      "urlmill: 3 more inputs cannot be read",
      "urlmill: out/plan: 3 shards, 54 B",
    ]);
    expect(readFileSync(join(folder, "out/plan"), "utf8").match(/"failed"/g)).toHaveLength(23);
  });
});
