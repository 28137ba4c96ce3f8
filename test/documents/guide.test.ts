// Commands of the guide that print nothing which a page can show: they write what the guide says.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "../cli/run.ts";

const root = resolve(import.meta.dirname, "../..");
const GUIDE = readFileSync(join(root, "docs/guide.md"), "utf8");
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** Runs the line of the guide that begins with `start`, with the archive of the examples as its input. */
function runLine(start: string): void {
  const line = GUIDE.split("\n").find((one) => one.startsWith(start)) ?? "";
  const command = line.replace(/\s*#.*/, "").replace(/ \w+\/$/, ` "${root}/examples/list.mbox"`);
  expect(command).toContain("list.mbox");
  execFileSync("bash", ["-c", `urlmill() { "${process.execPath}" "${COMMAND}" "$@"; }; ${command}`], { cwd: folder, stdio: "pipe" });
}

const written = (name: string): string => readFileSync(join(folder, name), "latin1");

it("Excel: the file has a byte order mark", () => {
  runLine("urlmill -f csv --csv-safe");
  expect(written("urls.csv").slice(0, 6)).toBe("\xef\xbb\xbfurl");
});

it("DuckDB: the file is Parquet", () => {
  runLine("urlmill -f parquet -o urls.parquet mail/          #");
  expect(written("urls.parquet").slice(0, 4)).toBe("PAR1");
});

it("STIX: the file is a bundle", () => {
  runLine("urlmill -f stix");
  expect(JSON.parse(written("urls.json")).type).toBe("bundle");
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
it.skipIf(major < 22 || (major === 22 && minor < 13))("SQLite: the file is a database", () => {
  runLine("urlmill -f sqlite");
  expect(written("urls.db").slice(0, 15)).toBe("SQLite format 3");
});

it("a long run leaves its output and no checkpoint, and another one starts anew", () => {
  runLine("urlmill --resumable");
  const first = written("urls.ndjson");
  expect(first.split("\n")).toHaveLength(16);
  expect(existsSync(join(folder, "urls.ndjson.checkpoint"))).toBe(false);
  runLine("urlmill --resume");
  expect(written("urls.ndjson")).toBe(first);
});

it("the files that could not be read are listed", () => {
  mkdirSync(join(folder, "mail"));
  writeFileSync(join(folder, "mail/cut.gz"), Buffer.from("1f8b0800", "hex"));
  writeFileSync(join(folder, "mail/whole.txt"), "http://a.example/");
  const [, commands = ""] = /^## Which files could not be read\?\n\n```sh\n(.*?)```/ms.exec(GUIDE) ?? [];
  const shell = `urlmill() { "${process.execPath}" "${COMMAND}" "$@"; }; ${commands}`;
  expect(execFileSync("bash", ["-c", shell], { cwd: folder, encoding: "utf8", stdio: "pipe" })).toMatch(
    /^mail\/cut\.gz\tends too early; .*\n$/,
  );
  expect(written("urls.txt")).toBe("http://a.example/\n");
});
