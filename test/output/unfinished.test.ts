// Names of unfinished files: who writes them, and who may remove them.
import { spawn } from "node:child_process";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isUnfinished, removeAbandoned, unfinishedName } from "../../src/base/unfinished.ts";
import { newFolder, removeFolder } from "../cli/run.ts";

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** The name with other numbers of its writer: `.NAME.HOST-SPACE-PID-START-RANDOM.urlmill-partial`. */
function named(change: Partial<Record<"host" | "pid" | "start", string>>): string {
  const [, host, space, pid, start, random] = /\.(\w+)-(\d+)-(\d+)-(\d+)-(\w+)\.urlmill-partial$/.exec(unfinishedName("out")) ?? [];
  const { host: otherHost = host, pid: otherPid = pid, start: otherStart = start } = change;
  return `.out.${otherHost}-${space}-${otherPid}-${otherStart}-${random}.urlmill-partial`;
}

describe("a name", () => {
  it("is another one at each call, short enough for any target, and known", () => {
    const names = Array.from({ length: 1000 }, () => unfinishedName(`/some/folder/${"x".repeat(255)}`));
    expect(new Set(names).size).toBe(1000);
    expect(names.every((name) => isUnfinished(name) && name.length <= 255 && name.startsWith(".xxx"))).toBe(true);
  });

  it.each(["out.txt", ".hidden", ".out.txt.123.partial", "urlmill-partial", ".x.urlmill-partial"])("%s is none", (name) => {
    expect(isUnfinished(name)).toBe(false);
  });
});

describe("removeAbandoned", () => {
  const left = (names: readonly string[]): string[] => {
    for (const name of names) writeFileSync(join(folder, name), "half");
    removeAbandoned(folder);
    return readdirSync(folder);
  };

  it("leaves the files of this process, and those that are none", () => {
    const names = [unfinishedName("out"), ".out.1.partial", "out"].sort();
    expect(left(names).sort()).toEqual(names);
  });

  it("removes those of a process that has ended", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => child.on("exit", resolve));
    expect(left([named({ pid: String(child.pid) })])).toEqual([]);
  });

  it("removes those of an earlier process that had this one's number", () => {
    expect(left([named({ start: "1" })])).toEqual([]);
  });

  it("leaves those whose start is not known: their process may be another user's", () => {
    const name = named({ start: "0" });
    expect(left([name])).toEqual([name]);
  });

  it("of another host: those that nobody has touched for more than an hour", () => {
    const [old, recent] = [named({ host: "00000001" }), named({ host: "00000002" })];
    for (const name of [old, recent]) writeFileSync(join(folder, name), "half");
    const longAgo = Date.now() / 1000 - 2 * 3600;
    utimesSync(join(folder, old), longAgo, longAgo);
    removeAbandoned(folder);
    expect(readdirSync(folder)).toEqual([recent]);
  });

  it("does nothing in a folder that is not there", () => {
    expect(() => removeAbandoned(join(folder, "nowhere"))).not.toThrow();
  });
});
