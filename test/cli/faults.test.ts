// Faults of the system around the command: full devices, closed folders, files that cannot be read, odd environments, signals.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { duckdb, readTable } from "../output/duckdb.ts";
import { COMMAND, type Ended, ended, newFolder, removeFolder, run, start } from "./run.ts";

const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534 } : {};
const LETTER = join(COMMAND, "../../../examples/letter.eml");
let folder: string;

beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, "in"), "http://a.example/\n");
});
afterEach(() => removeFolder(folder));

describe("what cannot be written", () => {
  it.each([
    ["standard output", ['"$0" "$1" "$2" >/dev/full']],
    ["-o", ['"$0" "$1" -o /dev/full "$2"']],
    ["-o of Parquet", ['"$0" "$1" -f parquet -o /dev/full "$2"']],
    ["--rejected", ['"$0" "$1" --rejected /dev/full "$2" >/dev/null']],
  ])("a full device: %s", async (_, [script = ""]) => {
    writeFileSync(join(folder, "both"), "http://a.example/ http://:1/ and more\n");
    const shell = spawn("sh", ["-c", script, process.execPath, COMMAND, join(folder, "both")], { stdio: ["ignore", "pipe", "pipe"] });
    const { stderr, code } = await ended(shell);
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining("ENOSPC"), code: 2 });
    expect(stderr.split("\n")).toHaveLength(2);
  });

  it("a folder that is closed: the older file stays", async () => {
    const place = join(folder, "closed");
    mkdirSync(place);
    writeFileSync(join(place, "out"), "older\n");
    chmodSync(place, 0o555);
    const { stderr, code } = await run(["-o", join(place, "out"), join(folder, "in")], OTHER_USER);
    chmodSync(place, 0o755);
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining("cannot be written (EACCES)"), code: 2 });
    expect([readdirSync(place), readFileSync(join(place, "out"), "utf8")]).toEqual([["out"], "older\n"]);
  });
});

/** Mounts a file system of `kib` KiB on a new folder; returns whether that is allowed here. */
function mountSmall(place: string, kib: number): boolean {
  mkdirSync(place, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "none", place]).status === 0;
}

/** Whether this user may mount: else a full file system is not tried. */
const CAN_MOUNT = process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;

describe.runIf(CAN_MOUNT)("a file system that becomes full", () => {
  const URLS = Array.from({ length: 100_000 }, (_, index) => `http://h${index}.example/`);
  let small: string;
  beforeEach(() => {
    small = join(folder, "small");
    if (!mountSmall(small, 1024)) throw new Error("mount failed, which unshare promised");
    writeFileSync(join(folder, "many"), `${URLS.join("\n")}\n`);
  });
  afterEach(() => {
    spawnSync("umount", [small]);
  });

  it.each([[["-f", "ndjson"]], [["-f", "parquet"]], [["-f", "csv", "--rejected", "small/refused"]]])(
    "under %j -o: the older file stays, and no other",
    async (options) => {
      writeFileSync(join(small, "out"), "older\n");
      const text = options.includes("parquet") ? URLS.map((url, index) => `${url}${index * 7919}/${"x".repeat(index % 99)}`) : URLS;
      writeFileSync(join(folder, "many"), text.join("\n"));
      const { stderr, code } = await run([...options, "-o", "small/out", "many"], { cwd: folder });
      expect({ stderr, code }).toEqual({ stderr: "urlmill: small/out: cannot be written (ENOSPC)\n", code: 2 });
      expect([readdirSync(small), readFileSync(join(small, "out"), "utf8")]).toEqual([["out"], "older\n"]);
    },
  );

  it.each([[["-u"]], [["count", "--by", "url"]]])("for temporary files (TMPDIR), with %j", async (options) => {
    const { stderr, code } = await run([...options, "--memory", "1M", "-o", "out", "many"], { cwd: folder, env: { TMPDIR: small } });
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(`${small}: a temporary file cannot be written (ENOSPC)`), code: 2 });
    expect([readdirSync(small), readdirSync(folder).includes("out")]).toEqual([[], false]);
  });

  it("under a run with a checkpoint: it goes on when there is room", async () => {
    const options = ["-f", "ndjson", "-o", "small/out", "--checkpoint", "checkpoint"];
    expect(await run([...options, "many"], { cwd: folder })).toMatchObject({ code: 2, stderr: expect.stringContaining("(ENOSPC)") });
    expect(spawnSync("mount", ["-o", "remount,size=64m", small]).status).toBe(0);
    expect(await run([...options, "--resume", "many"], { cwd: folder })).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(small)).toEqual(["out"]);
    expect(readFileSync(join(small, "out"), "utf8")).toBe((await run(["-f", "ndjson", "many"], { cwd: folder })).stdout);
  });
});

it("two runs with the same -o: the file is that of one of them, whole, and nothing else is left", async () => {
  const children = ["one", "two"].map((name) => ({ child: start(["-o", "out"], { cwd: folder }), line: `http://${name}.example/\n` }));
  const ends = children.map(({ child }) => ended(child));
  for (const { child, line } of children) child.stdin?.write(line.repeat(100_000));
  const open = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".urlmill-partial"));
  while (open().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const wholes = children.map(({ line }) => line.repeat(100_000));
  for (const [index, { child }] of children.entries()) {
    child.stdin?.end();
    expect(await ends[index]).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(folder, "out"), "utf8") === wholes[index]).toBe(true);
  }
  expect(readdirSync(folder).sort()).toEqual(["in", "out"]);
});

describe("no folder for temporary files", () => {
  const env = { TMPDIR: "/nowhere/at/all" };
  it("is no matter to a run that needs none", async () => {
    expect(await run([join(folder, "in")], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["-u", join(folder, "in")], { env })).toMatchObject({ code: 0, stderr: "" });
  });

  it("is named by one that does", async () => {
    writeFileSync(join(folder, "in"), Array.from({ length: 100_000 }, (_, index) => `http://h${index}.example/\n`).join(""));
    const { stderr, code } = await run(["-u", "--memory", "1M", "-o", "out", "in"], { env, cwd: folder });
    expect({ stderr, code }).toEqual({
      stderr: expect.stringMatching(/^urlmill: \/nowhere\/at\/all: a temporary file cannot be written \(ENOENT\); set TMPDIR .*\n$/),
      code: 2,
    });
    expect(readdirSync(folder)).toEqual(["in"]);
  });
});

// Linux alone says how much memory a process had at most.
it.runIf(existsSync("/proc/self/status"))(
  "a reader of standard output that is slow: the run waits for it, and needs no more memory",
  async () => {
    const lines = 2_000_000;
    const line = "http://a.example/some/path/of/a/page\n";
    writeFileSync(join(folder, "many"), line.repeat(lines));
    const child = start(["-j", "1", join(folder, "many")]);
    let bytes = 0;
    let most = 0;
    for await (const chunk of child.stdout ?? []) {
      bytes += (chunk as Buffer).length;
      // The pause lets the writer fill whatever it has for what is not read.
      await new Promise(setImmediate);
      if (child.exitCode !== null) continue;
      const [, kib = 0] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "latin1")) ?? [];
      most = Math.max(most, Number(kib));
    }
    expect(bytes).toBe(line.length * lines);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(150 << 10);
  },
);

describe("what cannot be read is named, the others are read", () => {
  const EIO = "/proc/self/mem";
  it.skipIf(!existsSync(EIO))("a file whose reading fails (EIO)", async () => {
    const { stdout, stderr, code } = await run([EIO, join(folder, "in")]);
    expect({ stdout, stderr, code }).toEqual({ stdout: "http://a.example/\n", stderr: `urlmill: ${EIO}: cannot be read (EIO)\n`, code: 2 });
  });
});

describe("environments", () => {
  const shown = ["-q", "-f", "ndjson", LETTER];

  it.each([
    ["none at all", {}],
    ["a zone of time far away", { TZ: "Pacific/Kiritimati" }],
    ["a zone of time that is none", { TZ: ":/nowhere" }],
    ["a language without Unicode", { LANG: "C", LC_ALL: "POSIX" }],
    ["a language whose letters differ", { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" }],
  ])("%s: the output is the same", async (_, env) => {
    const expected = await run(shown);
    expect(expected).toMatchObject({ code: 0, stderr: "" });
    expect(await run(shown, { env })).toEqual(expected);
  });

  it("V8 without compilers and WebAssembly: the JavaScript build gives the same", async () => {
    const jitless = spawn(process.execPath, ["--jitless", COMMAND, ...shown], { stdio: ["ignore", "pipe", "pipe"] });
    const { stdout, code } = await ended(jitless);
    expect({ stdout, code }).toEqual({ stdout: (await run(shown)).stdout, code: 0 });
  });

  it.skipIf(duckdb === undefined)("V8 without WebAssembly: Parquet has the same rows (needs DuckDB)", async () => {
    const rowsOf = async (flags: string[]): Promise<Record<string, unknown>[]> => {
      const out = join(folder, "out.parquet");
      const child = spawn(process.execPath, [...flags, COMMAND, "-q", "-f", "parquet", "-o", out, LETTER], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(await ended(child)).toMatchObject({ code: 0, stderr: "" });
      return (await readTable(readFileSync(out), "read_parquet('FILE')")).rows;
    };
    const rows = await rowsOf(["--no-expose-wasm"]);
    expect(rows).toEqual(await rowsOf([]));
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe("signals while -o is written", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)("%s: the older file stays as it is", async (signal) => {
    const out = join(folder, "out");
    writeFileSync(out, "older\n");
    const child = start(["-o", out]);
    const end: Promise<Ended> = ended(child);
    child.stdin?.write("http://a.example/ and more\n".repeat(100_000));
    const isOpen = (): boolean => readdirSync(folder).some((name) => name.endsWith(".urlmill-partial"));
    while (!isOpen()) await new Promise((resolve) => setTimeout(resolve, 5));
    child.stdin?.on("error", () => undefined);
    child.kill(signal);
    const { code, signal: by } = await end;
    expect([code, by]).not.toEqual([0, null]);
    expect(readFileSync(out, "utf8")).toBe("older\n");
    expect(isOpen()).toBe(signal === "SIGKILL");
  });
});
