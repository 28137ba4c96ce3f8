// The manual page, from the table of options and the texts of help, which the build has compiled before.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

/** Returns text as roff shows it. */
function roff(text) {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}

const bold = (text) => `\\fB${roff(text)}\\fR`;
const italic = (text) => `\\fI${roff(text)}\\fR`;

/** Writes the page to build/urlmill.1; returns the file. */
export async function generateManual(root) {
  const { COMMAND_NAMES } = await import(join(root, "build/cli/arguments.js"));
  const { EXAMPLES, exitCodesOf, headOf, meaningOf } = await import(join(root, "build/cli/usage.js"));
  const { optionGroups } = await import(join(root, "build/cli/usage.js"));
  const { flagOf, optionsOf } = await import(join(root, "build/options/table.js"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  const optionLines = (command, [name, row]) => {
    const { short, value } = row;
    const flags = [...(short === undefined ? [] : [`-${short}`]), `--${flagOf(name, row)}`];
    if (value.isNegatable === true) flags.push(`--no-${flagOf(name, row)}`);
    const placeholder = value.placeholder === "" ? "" : ` ${italic(value.placeholder)}`;
    return `.TP\n${flags.map(bold).join(", ")}${placeholder}\n${roff(meaningOf(row, command))}\n`;
  };
  const about = (command) => roff(headOf(command).split("\n").slice(2).join("\n"));
  const others = COMMAND_NAMES.filter((name) => name !== "extract");
  const synopsis = ["extract", ...others].map((command) => headOf(command).split("\n")[0]);
  const page = [
    `.TH URLMILL 1 "" "urlmill ${version}" "User Commands"\n`,
    ".SH NAME\nurlmill \\- extract and normalize URLs\n",
    `.SH SYNOPSIS\n.nf\n${synopsis.map((line) => `${roff(line)}\n`).join("")}.fi\n`,
    `.SH DESCRIPTION\n${about("extract")}`,
    ".SH OPTIONS\n",
    ...optionGroups().map(([heading, options]) => `.SS ${heading}\n${options.map((option) => optionLines("extract", option)).join("")}`),
    ".SH COMMANDS\n",
    ...others.map((command) => {
      // Some have most options of extraction, which are above.
      const isAbove = ([name]) =>
        ["count", "report", "page", "explain", "plan", "merge"].includes(command) &&
        optionsOf("urlmill extract").some(([other]) => other === name);
      const options = optionsOf(`urlmill ${command}`)
        .filter((option) => !isAbove(option))
        .map((option) => optionLines(command, option));
      return `.SS ${command}\n${about(command)}${options.join("")}`;
    }),
    `.SH EXIT STATUS\n${roff(exitCodesOf("extract"))}\n`,
    `.SH SIGNALS\n${roff("SIGUSR2, and SIGINFO where there is one, has urlmill write one line about how far it is.")}\n`,
    ".SH EXAMPLES\n",
    ...EXAMPLES.map(([command, result]) => `.TP\n${bold(command)}\n${roff(result)}\n`),
    `.SH SEE ALSO\n${roff("README.md and docs/ of the package: the record, the rules, archives.")}\n`,
  ].join("");
  const file = join(root, "build/urlmill.1");
  writeIfChanged(file, page);
  return file;
}
