// `node tools/compile-command.mjs FILE OUT INPUT`: runs the bundled command FILE on INPUT, for its URLs and for a report, and writes what
// V8 has compiled of it to OUT.
// A process of its own, as the command ends its process; with `--hash-seed=1`, so that every build gives the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

const [node, , file, out, input] = process.argv;
// Without its folder: what is built must not depend on where. V8 puts the name that start.ts gives in the place of this one.
const script = new Script(readFileSync(file, "latin1"), { filename: "command.cjs" });
process.on("exit", () => {
  // The seed has done its work: tables of names are in the same order in every build.
  setFlagsFromString("--hash-seed=0");
  writeFileSync(out, script.createCachedData());
});
const runs = [
  [node, file, "-q", input],
  [node, file, "report", "-q", "--json", input],
];
/** Does the next run: the command ends by `process.exit`. */
const { exit } = process;
process.exit = (exitCode) => {
  const next = runs.shift();
  if (exitCode || next === undefined) exit(exitCode);
  process.argv = next;
  script.runInThisContext()(createRequire(file), dirname(file), file);
};
process.exit();
