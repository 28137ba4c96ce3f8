// Archives of mail in git (A20), in repositories that git itself makes here. Without git these tests are left out.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { extractFiles } from "../../src/index.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";

const folder = newFolder();
afterAll(() => removeFolder(folder));

const who = { NAME: "a", EMAIL: "a@a.example" };
const env = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value])),
);
const hasGit = spawnSync("git", ["--version"]).status === 0;
const NEEDED = hasGit ? "" : " (left out: git is not installed)";

function git(repository: string, args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync("git", ["-C", join(folder, repository), ...args], {
    input,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Files of a commit: all that it has, or with `added` those that it adds. */
interface Commit {
  readonly files: Readonly<Record<string, string>>;
  readonly added?: true;
}

/** Makes a bare repository; returns its commits in their order. */
function repositoryOf(name: string, commits: readonly Commit[]): string[] {
  mkdirSync(join(folder, name));
  git(name, ["init", "-q", "--bare"]);
  const counted = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const stream = commits.map(({ files, added }, index) => {
    const changed = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${counted(text)}`);
    const head = `commit refs/heads/master\ncommitter a <a@a.example> ${1e9 + index} +0000\n${counted("x")}`;
    return head + (added === true ? "" : "deleteall\n") + changed.join("");
  });
  git(name, ["config", "fastimport.unpackLimit", "10000"]);
  git(name, ["config", "core.fsync", "none"]);
  git(name, ["fast-import", "--quiet"], stream.join(""));
  git(name, ["symbolic-ref", "HEAD", "refs/heads/master"]);
  return git(name, ["rev-list", "--reverse", "HEAD"]).split("\n").slice(0, -1);
}

const message = (number: number, more = ""): string => {
  const header = `From: a@a.example\nDate: Thu, 1 Jan 2004 00:00:0${number} +0000\nMessage-ID: <${number}@a.example>`;
  return `${header}\n\nhttp://a.example/${number}\n${more}`;
};
const hashed = (number: number): string => createHash("sha1").update(`${number}`).digest("hex").replace(/^../, "$&/");

async function recordsOf(name: string, ...options: string[]): Promise<{ rows: unknown[]; stderr: string; code: number | null }> {
  const { stdout, stderr, code } = await run(["-f", "ndjson", "--fields", "url,source,message_id,date", ...options, name], { cwd: folder });
  return {
    rows: stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
    stderr,
    code,
  };
}

const rowOf = (name: string, commit: string | undefined, number: number): unknown => ({
  url: `http://a.example/${number}`,
  source: `${name}!${commit}`,
  message_id: `${number}@a.example`,
  date: `2004-01-01T00:00:0${number}Z`,
});

describe.skipIf(!hasGit)(`an archive of mail in git (A20)${NEEDED}`, () => {
  it("of the second version: the file m of each commit, by any number of threads", async () => {
    const files = [{ m: message(0) }, { m: message(1, "x".repeat(300_000)) }, { d: message(0) }, { m: message(2) }];
    const commits = repositoryOf(
      "v2.git",
      files.map((each) => ({ files: each })),
    );
    for (const threads of ["1", "2"]) {
      const found = await recordsOf("v2.git", "-j", threads);
      expect(found).toEqual({
        rows: [rowOf("v2.git", commits[0], 0), rowOf("v2.git", commits[1], 1), rowOf("v2.git", commits[3], 2)],
        stderr: "",
        code: 0,
      });
    }
    const { stderr } = await run(["--stats", "v2.git"], { cwd: folder });
    expect(JSON.parse(stderr)).toMatchObject({ messages: 3, sources: 3 });
  });

  it("of the first version: a file for each message", async () => {
    const commits = repositoryOf(
      "v1.git",
      [3, 1, 2].map((number) => ({ files: { [hashed(number)]: message(number) }, added: true as const })),
    );
    const { rows } = await recordsOf("v1.git");
    expect(rows).toEqual([3, 1, 2].map((number, index) => rowOf("v1.git", commits[index], number)));
  });

  it("is named in a folder, and read only if it is an input itself", async () => {
    mkdirSync(join(folder, "in"));
    repositoryOf("in/list.git", [{ files: { m: message(0) } }]);
    const { rows, stderr } = await recordsOf("in");
    expect(rows).toEqual([]);
    expect(stderr).toContain("urlmill: not read: 1 git repository (an archive of mail in it is read if you name it;");
    expect((await recordsOf("in/list.git")).rows).toHaveLength(1);
  });

  it("is none if the newest commit has other files", async () => {
    repositoryOf("code.git", [{ files: { m: message(0) } }, { files: { m: message(0), "README.md": "http://b.example/" } }]);
    const { rows, stderr, code } = await recordsOf("code.git");
    expect({ rows, code }).toEqual({ rows: [], code: 2 });
    expect(stderr).toContain("code.git: is a git repository without an archive of mail; git cat-file");
    const matches = extractFiles(join(folder, "code.git"));
    await expect(matches.next()).rejects.toMatchObject({ code: "ERR_URLMILL_METHOD" });
  });

  it("reads no other repository of the machine", async () => {
    repositoryOf("other.git", [{ files: { m: message(0) } }]);
    const other = join(folder, "other.git");
    const made = (name: string, make: (path: string) => void): string => {
      cpSync(other, join(folder, name), { recursive: true });
      make(join(folder, name));
      return name;
    };
    const emptied = (path: string): void => {
      rmSync(join(path, "objects"), { recursive: true });
      mkdirSync(join(path, "objects/info"), { recursive: true });
    };
    const names = [
      made("alternates.git", (path) => {
        emptied(path);
        writeFileSync(join(path, "objects/info/alternates"), `${join(other, "objects")}\n`);
      }),
      made("common.git", (path) => {
        emptied(path);
        writeFileSync(join(path, "commondir"), `${other}\n`);
      }),
      made("linked.git", (path) => {
        emptied(path);
        for (const below of readdirSync(join(other, "objects")).filter((one) => one.length === 2))
          symlinkSync(join(other, "objects", below), join(path, "objects", below));
      }),
      // Git looks for `.git` before it takes the folder itself for a repository.
      made("file.git", (path) => writeFileSync(join(path, ".git"), `gitdir: ${other}\n`)),
      made("folder.git", (path) => cpSync(other, join(path, ".git"), { recursive: true })),
      // Git quotes a line of what is no list of references in its message.
      made("packed.git", (path) => {
        writeFileSync(join(folder, "secret"), "secret words\n");
        symlinkSync(join(folder, "secret"), join(path, "packed-refs"));
      }),
      made("pipe.git", (path) => {
        rmSync(join(path, "config"));
        spawnSync("mkfifo", [join(path, "config")]);
      }),
    ];
    for (const name of names) {
      const { rows, stderr, code } = await recordsOf(name);
      expect({ rows, code }).toEqual({ rows: [], code: 2 });
      expect(stderr).toMatch(/is a git repository that leads elsewhere by (?:objects\/|commondir|\.git,|packed-refs|config)/);
      expect(stderr).not.toContain("secret");
    }
  });

  it("that is broken gets a message, after all that can be read", async () => {
    const commits = repositoryOf(
      "broken.git",
      [0, 1, 2].map((number) => ({ files: { m: message(number) } })),
    );
    const objects = join(folder, "broken.git/objects");
    const blob = git("broken.git", ["rev-parse", `${commits[1]}:m`]).trim();
    rmSync(join(objects, blob.slice(0, 2), blob.slice(2)));
    const { rows, stderr, code } = await recordsOf("broken.git");
    expect({ rows, code }).toEqual({ rows: [0, 2].map((number) => rowOf("broken.git", commits[number], number)), code: 2 });
    expect(stderr).toBe(`urlmill: broken.git: is corrupt: git lacks 1 message (the first: ${blob}); everything else was read\n`);
    const oldest = commits[0] ?? "";
    rmSync(join(objects, oldest.slice(0, 2), oldest.slice(2)));
    expect((await recordsOf("broken.git")).stderr).toMatch(/^urlmill: broken\.git: is corrupt: git says (?:error|fatal): /);
  });

  it("that is large and broken gets a message too, because git's programs end each other", async () => {
    const commits = repositoryOf(
      "large.git",
      Array.from({ length: 8000 }, (_, number) => ({ files: { m: message(0, `${Math.min(number, 101)}`) } })),
    );
    const objects = join(folder, "large.git/objects");
    const tree = git("large.git", ["rev-parse", `${commits[100]}^{tree}`]).trim();
    rmSync(join(objects, tree.slice(0, 2), tree.slice(2)));
    const { rows, stderr, code } = await recordsOf("large.git");
    expect([rows.length, code]).toEqual([100, 2]);
    expect(stderr).toMatch(/^urlmill: large\.git: is corrupt: git says fatal: .*tree.*; everything before that point was read\n$/);
  });

  it("that is empty, or no repository, or meets no git, gets a message", async () => {
    mkdirSync(join(folder, "empty.git"));
    git("empty.git", ["init", "-q", "--bare"]);
    const reason = "is a git repository, but git says fatal: Not a valid object name HEAD";
    expect(await recordsOf("empty.git")).toEqual({ rows: [], stderr: `urlmill: empty.git: ${reason}\n`, code: 2 });
    for (const below of ["objects", "refs"]) mkdirSync(join(folder, "false.git", below), { recursive: true });
    writeFileSync(join(folder, "false.git/HEAD"), "http://a.example/");
    expect((await recordsOf("false.git")).stderr).toContain("false.git: is a git repository, but git says fatal: not a git repository");
    const without = await run(["empty.git"], { cwd: folder, env: { PATH: "/nowhere" } });
    expect(without).toMatchObject({
      code: 2,
      stderr: "urlmill: empty.git: is a git repository; to read an archive of mail in it, install git\n",
    });
  });

  it("says how git ended if git says nothing", async () => {
    repositoryOf("ended.git", [{ files: { m: message(0) } }]);
    const programs = join(folder, "programs");
    mkdirSync(programs);
    const answerOf = async (script: string): Promise<string> => {
      writeFileSync(join(programs, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const { stderr } = await run(["ended.git"], { cwd: folder, env: { PATH: `${programs}:${process.env.PATH}` } });
      return stderr;
    };
    expect(await answerOf("kill -9 $$")).toBe("urlmill: ended.git: is a git repository, but git ended with SIGKILL\n");
    expect(await answerOf("case $* in *ls-tree*) echo m;; *) exit 3;; esac")).toBe(
      "urlmill: ended.git: is corrupt: git ended with exit code 3; everything before that point was read\n",
    );
  });

  it("runs nothing that its configuration names", async () => {
    repositoryOf("hostile.git", [{ files: { m: message(0) } }]);
    const touch = `touch ${join(folder, "ran")}`;
    for (const key of ["core.fsmonitor", "core.pager", "diff.external", "gpg.program", "core.sshCommand", "alias.cat-file"])
      git("hostile.git", ["config", key, touch]);
    git("hostile.git", ["config", "log.showSignature", "true"]);
    git("hostile.git", ["config", "remote.o.url", `ext::${touch}`]);
    git("hostile.git", ["config", "remote.o.promisor", "true"]);
    git("hostile.git", ["config", "protocol.ext.allow", "always"]);
    git("hostile.git", ["config", "extensions.partialClone", "o"]);
    const blob = git("hostile.git", ["rev-parse", "HEAD:m"]).trim();
    rmSync(join(folder, "hostile.git/objects", blob.slice(0, 2), blob.slice(2)));
    const { rows, code } = await recordsOf("hostile.git");
    expect({ rows, code, files: readdirSync(folder).includes("ran") }).toEqual({ rows: [], code: 2, files: false });
  });
});
