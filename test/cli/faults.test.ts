// Faults of the system around the command: full devices, closed folders, files that cannot be read, odd environments, signals.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

describe("what cannot be read is named, the others are read", () => {
  const EIO = "/proc/self/mem";
  it.skipIf(!existsSync(EIO))("a file whose reading fails (EIO)", async () => {
    const { stdout, stderr, code } = await run([EIO, join(folder, "in")]);
    expect({ stdout, stderr, code }).toEqual({ stdout: "http://a.example/\n", stderr: `urlmill: ${EIO}: cannot be read (EIO)\n`, code: 2 });
  });
});

describe("environments", () => {
  const shown = ["-f", "ndjson", LETTER];

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
