// `node tools/compile-command.mjs FILE OUT INPUT`: runs the bundled command FILE on INPUT and writes what V8 has compiled of it to OUT.
// A process of its own, as the command ends its process.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

const [node, , file, out, input] = process.argv;
const script = new Script(readFileSync(file, "latin1"), { filename: file });
process.on("exit", () => writeFileSync(out, script.createCachedData()));
process.argv = [node, file, input];
script.runInThisContext()(createRequire(file), dirname(file), file);
