// The functions of the core for single URLs.

import { normalizeLines } from "./url/normalize-lines.ts";
import { indexScheme } from "./url/scheme.ts";
import { flagsOf, normalize, split } from "./url/split.ts";
import { writeAsWritten } from "./url/written.ts";

// asc does not know `export ... from` with the endings of files.
export { flagsOf, indexScheme, normalize, normalizeLines, split, writeAsWritten };
