// The template of reports: src/page/ as tools/bundle-report.mjs bundles it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the template. */
export function reportTemplate(): string {
  return readFileSync(join(import.meta.dirname, "../report/template.html"), "utf8");
}
