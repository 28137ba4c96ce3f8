// What shells complete with the scripts of `urlmill completions`. A shell that is not installed is left out, and said to be.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScript, SHELLS } from "../../src/cli/completions.ts";
import { KNOWN_SCHEMES } from "../../src/options/filter-values.ts";
import { flagOf, optionsOf } from "../../src/options/table.ts";
import { newFolder, removeFolder, run } from "./run.ts";

const EXTRACT_FLAGS = optionsOf("urlmill extract").map((option) => `--${flagOf(...option)}`);
let folder: string;

beforeAll(async () => {
  folder = newFolder();
  for (const shell of SHELLS) writeFileSync(join(folder, `urlmill.${shell}`), (await run(["completions", shell])).stdout);
  for (const name of ["list one.mbox", "list.txt", "other"]) writeFileSync(join(folder, name), "");
});
afterAll(() => removeFolder(folder));

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

function runShell(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, args, { cwd: folder, encoding: "utf8", env: { ...process.env, HOME: folder } });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.split("\n").filter((line) => line !== "");
}

/** Returns what bash completes the last word to; `=` is a word of its own there. */
function ofBash(...words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(" ");
  const script = `compopt() { :; }; . ./urlmill.bash; COMP_WORDS=(urlmill ${list}); COMP_CWORD=${words.length}; _urlmill`;
  return runShell("bash", ["--norc", "-c", `${script}; printf '%s\\n' "\${COMPREPLY[@]}"`]).sort();
}

function ofFish(...words: string[]): string[] {
  const line = ["urlmill", ...words].join(" ");
  const lines = runShell("fish", ["--no-config", "-c", `source urlmill.fish; complete -C ${JSON.stringify(line)}`]);
  return lines.map((line) => line.split("\t")[0] as string).sort();
}

/** Returns the line that zsh makes of one that a Tab ends; it is completed as far as it has one way to go on. */
function ofZsh(...words: string[]): string {
  const script = [
    "zmodload zsh/zpty",
    "zpty z zsh -f -i",
    `zpty -w z 'PS1= PS2=; autoload -U compinit; compinit -u -D; unsetopt beep; bindkey -e; . ./urlmill.zsh; print ready'`,
    "zpty -r z out '*ready*ready*'",
    `zpty -w -n z $'${["urlmill", ...words].join(" ")}\\t'`,
    // To the start of the line: what was typed is printed, not run.
    `zpty -w z $'\\x01print -r -- "<\\x05>"'`,
    "zpty -r z out '*\n<*>*'",
    `print -r -- "\${out##*\n<}"`,
    "zpty -d z",
  ];
  writeFileSync(join(folder, "drive.zsh"), script.join("\n"));
  const [line = ""] = runShell("zsh", ["-f", "drive.zsh"]);
  return line.slice("urlmill ".length, line.lastIndexOf(">")).trimEnd();
}

/** What shells that list all completions make of words. */
const COMPLETED: [words: string[], completed: string[]][] = [
  [["--ty"], ["--type"]],
  [["norm"], ["normalize"]],
  [
    ["normalize", "--ve"],
    ["--verbose", "--version"],
  ],
  [["normalize", "--links"], []],
  [
    ["--profile", "rfc"],
    ["rfc1738", "rfc3986"],
  ],
  [["-f", "nd"], ["ndjson"]],
  [["-s", "ftp,go"], ["ftp,gopher"]],
];

describe("the scripts", () => {
  it.each(SHELLS)("of %s know every flag of every command", (shell) => {
    const script = completionScript([shell]);
    for (const command of ["extract", "normalize", "parse", "resolve"] as const)
      for (const option of optionsOf(`urlmill ${command}`)) expect(script).toContain(flagOf(...option));
  });

  it("have a help, which says where they go", async () => {
    const help = await run(["help", "completions"]);
    expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^urlmill completions bash\|zsh\|fish\n/) });
    expect(await run(["completions", "--help"])).toEqual(help);
    for (const shell of SHELLS) expect(help.stdout).toContain(`urlmill completions ${shell} > `);
    expect(help.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("are of known shells alone", async () => {
    const stderr = "urlmill: completions needs the name of a shell: bash, zsh, fish";
    expect(await run(["completions"])).toMatchObject({ code: 2, stdout: "", stderr: `${stderr}\n` });
    expect((await run(["completions", "zhs"])).stderr).toBe(`${stderr}, not zhs; did you mean zsh?\n`);
  });
});

describe.skipIf(!has("bash"))("bash (left out where it is not installed)", () => {
  it.each<[string[], string[]]>([
    ...COMPLETED,
    [["--"], [...EXTRACT_FLAGS, "--no-header"].sort()],
    [["--profile", "=", "su"], ["surt"]],
    [
      ["--scheme", "htt"],
      ["http", "https"],
    ],
    [["--scheme", "="], [...KNOWN_SCHEMES].sort()],
    [
      ["-q", "li"],
      ["list one.mbox", "list.txt"],
    ],
    [
      ["-o", "li"],
      ["list one.mbox", "list.txt"],
    ],
    [["--threads", ""], []],
    [
      ["help", "re"],
      ["report", "resolve"],
    ],
    [["completions", "f"], ["fish"]],
  ])("%j", (words, completed) => expect(ofBash(...words)).toEqual(completed));
});

describe.skipIf(!has("fish"))("fish (left out where it is not installed)", () => {
  it.each<[string[], string[]]>([
    ...COMPLETED,
    [["--profile=su"], ["--profile=surt"]],
    [
      ["-q", "list"],
      ["list one.mbox", "list.txt"],
    ],
    [["--rejected", "oth"], ["other"]],
    [
      ["help", "re"],
      ["report", "resolve"],
    ],
    [["completions", "z"], ["zsh"]],
  ])("%j", (words, completed) => expect(ofFish(...words)).toEqual(completed));
});

describe.skipIf(!has("zsh"))("zsh (left out where it is not installed)", () => {
  it.each<[string[], string]>([
    [["--ty"], "--type"],
    [["norm"], "normalize"],
    [["normalize", "--verb"], "normalize --verbose"],
    [["normalize", "--links"], "normalize --links"],
    [["--profile", "su"], "--profile surt"],
    [["-f", "nd"], "-f ndjson"],
    [["-s", "ftp,go"], "-s ftp,gopher"],
    [["-q", "oth"], "-q other"],
    [["-o", "oth"], "-o other"],
    [["help", "res"], "help resolve"],
    [["completions", "f"], "completions fish"],
  ])("%j", (words, completed) => expect(ofZsh(...words)).toBe(completed));
});
