// Other versions of Node, and other platforms, from npm packages of their names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PEERS = resolve(import.meta.dirname, "../.peers");
/** Milliseconds after which an installation that has not ended hangs. */
const HANGS = 300_000;

/**
 * Returns the program of a package (node, bun, deno) in a version, which it installs to .peers/ if it is not there; undefined if it cannot
 * be installed.
 */
export function programOf(name, version) {
  const folder = join(PEERS, `${name}-${version}`);
  const program = join(folder, "node_modules/.bin", name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // Without it npm would install into the project above.
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${version}`];
  spawnSync("npm", install, { cwd: folder, stdio: "inherit", timeout: HANGS });
  if (existsSync(program)) return program;
  rmSync(folder, { recursive: true });
  return undefined;
}
