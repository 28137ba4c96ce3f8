// The output formats by name.
import type { OutputFormat } from "./format.ts";
import { ndjson } from "./ndjson.ts";
import { plain } from "./plain.ts";

/** The output formats; the first is the default. */
export const FORMATS = { plain, ndjson } satisfies Record<string, OutputFormat>;
/** Names of the output formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
