#!/usr/bin/env node
// Starts the command with the code that V8 compiled at the build, which saves a third of the time before the first byte is read. Another
// version of V8 refuses that code, and compiles the source.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script } from "node:vm";
import { withoutControls } from "../base/shown.ts";

const file = `${import.meta.dirname}/command.cjs`;

function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(`${import.meta.dirname}/command.cache`);
  } catch {
    return undefined;
  }
}

try {
  // The file is one function, in ASCII.
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData: readCompiled() });
  script.runInThisContext()(createRequire(file), import.meta.dirname, file);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`urlmill: cannot start: ${withoutControls(reason)}; install urlmill again if this stays`);
  process.exitCode = 2;
}
