// Checks that the subjects of new commits have at most 72 characters. New are those after the last tag, else after the commit from which
// on the rule holds. A clone without that history is not checked, and the output says so.
import { spawnSync } from "node:child_process";

const CHARACTERS_MAX = 72;
const SINCE = "ec8f289";

/** Returns what git prints, or null if it fails. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

const start = git("describe", "--tags", "--abbrev=0") ?? (git("merge-base", "--is-ancestor", SINCE, "HEAD") === null ? null : SINCE);
const subjects = start === null ? null : git("log", "--no-merges", "--format=%h %s", `${start}..HEAD`);
if (subjects === null) {
  console.log("subjects of commits: not checked, the history is not here");
} else {
  const long = subjects.split("\n").filter((line) => [...line.slice(line.indexOf(" ") + 1)].length > CHARACTERS_MAX);
  for (const line of long) console.error(`subject of more than ${CHARACTERS_MAX} characters: ${line}`);
  process.exitCode = long.length > 0 ? 1 : 0;
}
