// The manual page: it has every option, and what formats manual pages finds nothing wrong. A formatter that is missing is said to be.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/arguments.ts";
import { EXAMPLES, meaningOf } from "../../src/cli/usage.ts";
import { flagOf, optionsOf } from "../../src/options/table.ts";

const page = resolve(import.meta.dirname, "../../build/urlmill.1");
const text = readFileSync(page, "utf8").replaceAll("\\-", "-").replaceAll("\\e", "\\").replaceAll("\\&", "");

describe("urlmill.1", () => {
  it("has every option of every command, with its meaning, and the examples of --help", () => {
    const ofExtract = new Set(optionsOf("urlmill extract").map(([name]) => name));
    for (const command of COMMAND_NAMES) {
      if (command !== "extract") expect(text).toContain(`\n.SS ${command}\n`);
      for (const [name, row] of optionsOf(`urlmill ${command}`)) {
        expect(text).toContain(`\\fB--${flagOf(name, row)}\\fR`);
        const isAbove = ["count", "report", "page", "explain"].includes(command) && ofExtract.has(name);
        expect(text).toContain(`\n${meaningOf(row, isAbove ? "extract" : command)}\n`);
      }
    }
    for (const [command, result] of EXAMPLES) expect(text).toContain(`\\fB${command}\\fR\n${result}\n`);
  });

  it("says nothing of where it was built", () => {
    expect(text).not.toContain(join(import.meta.dirname, "../.."));
  });

  const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

  it.skipIf(!has("man", "--version"))("has nothing that man warns of (left out where there is no man)", () => {
    const { stderr, status, stdout } = spawnSync("man", ["--warnings", "-E", "UTF-8", "-l", page], { encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toContain("--extra-scheme LIST");
  });

  it.skipIf(!has("sh", "-c", "command -v mandoc"))(
    "has nothing that mandoc warns of but the date (left out where there is no mandoc)",
    () => {
      const { stdout } = spawnSync("mandoc", ["-Tlint", "-Wwarning", page], { encoding: "utf8" });
      const warnings = stdout.split("\n").filter((line) => line !== "" && !line.endsWith('WARNING: missing date, using "": TH'));
      expect(warnings).toEqual([]);
    },
  );
});
