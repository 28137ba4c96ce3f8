// Draws docs/terminal.svg: commands and what they print, as a terminal shows them.
//   node tools/terminal-picture.mjs [--print]
// The commands are run in the root of the repository with the built command; test/documents/pages.test.ts runs this again and compares.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const MAIN = join(ROOT, "build/node/command.cjs");
const COMMANDS = [
  "urlmill examples/archive.mbox | head -n 4",
  "urlmill count --by host --top 3 -f table examples/archive.mbox",
  "urlmill --flag obfuscated,password -f tsv --fields url,from_address,date examples/archive.mbox",
  "urlmill --where html --context 25 examples/letter.eml | head -n 2",
];
const COLUMNS = 100;
const [CHARACTER, LINE, EDGE] = [8.4, 19, 16];
const [PAPER, TEXT, PROMPT, COMMAND] = ["#14181f", "#d6dbe4", "#7d8799", "#8fd3a6"];

/** Returns the lines that a terminal shows: the prompt with each command, and what it prints. */
function linesOf() {
  return COMMANDS.flatMap((command) => {
    const script = `urlmill() { "$NODE" "$MAIN" "$@"; }; ${command}`;
    const env = { ...process.env, NODE: process.execPath, MAIN, COLUMNS: String(COLUMNS), NO_COLOR: "1" };
    const output = execFileSync("bash", ["-c", script], { cwd: ROOT, env, encoding: "utf8" });
    const shown = output
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => ({ text: fitted(text.replaceAll("\t", "   ")), isCommand: false }));
    return [{ text: command, isCommand: true }, ...shown, { text: "", isCommand: false }];
  }).slice(0, -1);
}

function fitted(text) {
  return text.length <= COLUMNS ? text : `${text.slice(0, COLUMNS - 1)}…`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const lines = linesOf();
const [width, height] = [Math.round(COLUMNS * CHARACTER + 2 * EDGE), lines.length * LINE + 2 * EDGE];
const rows = lines.map(({ text, isCommand }, index) => {
  const y = EDGE + (index + 0.75) * LINE;
  const words = isCommand ? `<tspan fill="${PROMPT}">$ </tspan><tspan fill="${COMMAND}">${escaped(text)}</tspan>` : escaped(text);
  return `<text x="${EDGE}" y="${y}" xml:space="preserve">${words}</text>`;
});
const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="urlmill in a terminal">
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${TEXT}">
${rows.join("\n")}
</g>
</svg>
`;
if (process.argv.includes("--print")) process.stdout.write(svg);
else writeFileSync(join(ROOT, "docs/terminal.svg"), svg);
