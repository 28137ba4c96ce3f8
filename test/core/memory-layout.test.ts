// The regions of a core's memory: each begins after the one before it, and has room for its rows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as codes from "#core/layout/codes.js";
import * as mail from "#core/layout/mail.js";
import * as memory from "#core/layout/memory.js";
import { SCHEME_ROW_BYTES } from "#core/layout/scheme-rows.js";
import { REFERENCES } from "#core/tables/references.js";

const { MEMORY_BYTES, WINDOW_BYTES, OUTPUT_BYTES, SOURCE_BYTES, HEAP_BYTES, MAP_ROW_BYTES } = memory;

/** Bytes before and after a region that kernels may read or write. */
const OVER_BYTES = 66;
/** Bytes of the rows of regions. */
const NEEDED: Partial<Record<keyof typeof memory, number>> = {
  CLASS_TABLE: 4 * 256,
  SCHEME_TABLE: 255 * SCHEME_ROW_BYTES,
  NAMED_SLOTS: 2 * memory.NAMED_SLOTS_COUNT,
  REJECTED_REGION: (memory.REJECTED_ROWS_MAX + memory.RECORD_ROWS_MAX) * 4 * codes.REJECTED_WORDS,
  RECORD_REGION: memory.RECORD_ROWS_MAX * 4 * codes.RECORD_WORDS,
  WINDOW_REGION: WINDOW_BYTES + OVER_BYTES,
  OUTPUT_REGION: OUTPUT_BYTES + OVER_BYTES,
  DECODED_REGION: 0x40 + 4 * mail.COUNT_WORDS,
  HEADER_NAMES: memory.HEADER_NAME_ROW_BYTES,
  LABEL_REGION: memory.LABEL_BYTES_MAX,
  TRANSFER_MAP: memory.TRANSFER_MAP_ROWS_MAX * MAP_ROW_BYTES,
  SEGMENT_REGION: memory.SEGMENT_ROWS_MAX * mail.SEGMENT_ROW_BYTES,
  OMISSION_REGION: memory.OMISSION_ROWS_MAX * mail.OMISSION_ROW_BYTES,
  FIELD_REGION: memory.FIELD_ROWS_MAX * mail.FIELD_ROW_BYTES,
  MAP_REGION: Math.max(memory.MAP_ROWS_MAX * MAP_ROW_BYTES, memory.REFANG_ROWS_MAX * memory.REFANG_ROW_BYTES),
  QUOTE_REGION: memory.QUOTE_ROWS_MAX * memory.QUOTE_ROW_BYTES,
  QUOTE_TOKENS: memory.QUOTE_TOKENS_MAX,
  QUOTE_WORD: memory.QUOTE_WORD_MAX,
  REFERENCE_SLOTS: 4 * memory.REFERENCE_SLOTS_COUNT,
  REFERENCE_TABLE: Buffer.byteLength(REFERENCES),
  VALUE_REGION: 4 * memory.VALUE_ROWS_MAX,
  CONVERT_MAP: memory.CONVERT_MAP_ROWS_MAX * MAP_ROW_BYTES,
  HEAP_REGION: HEAP_BYTES,
  SOURCE_INPUT: SOURCE_BYTES + OVER_BYTES,
  ELEMENT_REGION: memory.VALUE_ROWS_MAX * memory.ELEMENT_ROW_BYTES,
  RECORD_ELEMENTS: 4 * memory.RECORD_ROWS_MAX,
  CHARACTER_TABLES: 4 * memory.CHARACTER_TABLE_BYTES,
};

/** The regions in the order of the file. */
const SOURCE = readFileSync(join(import.meta.dirname, "../../assembly/layout/memory.ts"), "utf8");
const REGIONS = [...SOURCE.slice(0, SOURCE.indexOf("MEMORY_BYTES")).matchAll(/^export const (\w+)/gm)].map(
  ([, name]) => name as keyof typeof memory,
);

it("each region begins behind the rows of the one before it", () => {
  expect(REGIONS).toContain("WINDOW_REGION");
  expect(REGIONS).toEqual(expect.arrayContaining(Object.keys(NEEDED)));
  const addresses = new Map<string, number>(Object.entries(memory));
  const starts = REGIONS.map((name) => addresses.get(name));
  for (const [index, name] of REGIONS.entries()) {
    const room = (starts[index + 1] ?? MEMORY_BYTES) - (starts[index] as number);
    const least = name === "RESULT_COUNTERS_END" ? 0 : (NEEDED[name] ?? 1);
    expect(`${name} has room: ${room >= least}`).toBe(`${name} has room: true`);
  }
});
