// Builds the sources of this clone in two folders of different names and lengths, and compares the files: node
// tools/compare-builds-of-folders.mjs. Exits with 1 if any differs. It takes two whole builds.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const base = mkdtempSync(join(tmpdir(), "urlmill-builds-"));
const NOT_COPIED = ["node_modules", "build", ".git"];
/** Says what the build has read; not packed. */
const STAMPS = "inputs.json";

/** Builds in a folder below `base`; returns the files of build/ by their names. */
function buildIn(name) {
  const folder = join(base, name);
  for (const entry of readdirSync(root))
    if (!NOT_COPIED.includes(entry)) cpSync(join(root, entry), join(folder, entry), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, ["tools/build.mjs"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const files = readdirSync(join(folder, "build"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "build/").length))
    .filter((path) => path !== STAMPS);
  return new Map(paths.map((path) => [path, readFileSync(join(folder, "build", path))]));
}

try {
  const [one, other] = [buildIn("a"), buildIn("another folder/with a longer name")];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const differing = names.filter((name) => one.get(name)?.equals(other.get(name) ?? Buffer.alloc(0)) !== true);
  console.log(differing.length === 0 ? `${names.length} files, all the same` : `differ: ${differing.join(", ")}`);
  if (differing.length > 0) process.exitCode = 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}
