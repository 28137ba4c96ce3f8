// Files of build/ are written beside their place and renamed, and only when they differ: a run of something else never reads half of one.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes `content` (text or bytes) to `file` unless it holds just that already. */
export function writeIfChanged(file, content) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.tmp`;
  writeFileSync(beside, bytes);
  renameSync(beside, file);
}
