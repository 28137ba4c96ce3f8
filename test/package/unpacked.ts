// The package as npm packs it, unpacked where programs of a folder find it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the package. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Packs the package and puts it into `node_modules` of an empty folder, with its dependencies and @types; returns where it is. */
export function unpackTo(folder: string): string {
  // The build is there: vitest runs after it.
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT, stdio: "ignore" });
  const [archive] = readdirSync(folder);
  execFileSync("tar", ["-xzf", join(folder, archive as string), "-C", folder]);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  const unpacked = join(modules, "urlmill");
  cpSync(join(folder, "package"), unpacked, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types"]) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  return unpacked;
}
