// The tables that every core fills: sets of bytes as nibble tables, hosts that have flags, references of HTML.
import { describe, expect, it } from "vitest";
import * as classes from "#core/bytes/classes.js";
import * as layout from "#core/layout/memory.js";
import { CLASS_TABLE, NIBBLE_TABLES } from "#core/layout/memory.js";
import { NAMESPACES } from "#core/tables/namespaces.js";
import { REFERENCES } from "#core/tables/references.js";
import { SHORT_LINK_HOSTS } from "#core/tables/short-links.js";
import { takeCore } from "../../src/core/core.ts";
import { extract } from "../../src/index.ts";

const SETS = Object.entries(classes).filter(([name]) => name.startsWith("SET_"));

describe("nibble tables", () => {
  const { bytes, words } = takeCore();

  it.each(SETS)("of %s have its bytes, and no others", (_name, set) => {
    const tables = bytes.subarray(NIBBLE_TABLES + set * 32, NIBBLE_TABLES + set * 32 + 32);
    const found = Array.from({ length: 256 }, (_, byte) => (tables[byte & 15] & tables[16 + (byte >> 4)]) !== 0);
    const wanted = Array.from({ length: 256 }, (_, byte) => (words[(CLASS_TABLE >> 2) + byte] & (1 << set)) !== 0);
    expect(wanted).toContain(true);
    expect(found).toEqual(wanted);
  });
});

it("hosts that have flags have a row each, in their room", () => {
  const { bytes } = takeCore();
  const slots = bytes.subarray(layout.NAMED_SLOTS, layout.NAMED_SLOTS + 2 * layout.NAMED_SLOTS_COUNT);
  const numbers = Array.from({ length: layout.NAMED_SLOTS_COUNT }, (_, slot) => slots[2 * slot] | (slots[2 * slot + 1] << 8));
  const rows = numbers.filter((number) => number > 0).map((number) => layout.NAMED_ROWS + ((number - 1) << 3));
  expect(new Set(rows).size).toBe(SHORT_LINK_HOSTS.length + NAMESPACES.length);
  const ends = rows.map(
    (row) => row + layout.NAMED_HOST + bytes[row] + bytes[row + layout.NAMED_PATH_LENGTH] + bytes[row + layout.NAMED_SUFFIX_LENGTH],
  );
  expect(Math.max(...ends)).toBeLessThanOrEqual(layout.NAMED_ROWS_END);
});

it("each named reference of HTML is read as its characters", () => {
  const named = REFERENCES.split(" ").map((reference) => /^(\w+)[:=](.+)$/su.exec(reference));
  const read = named.filter((reference) => reference !== null && !/[\s\p{C}]/u.test(reference[2]));
  expect(read.length).toBeGreaterThan(2000);
  const page = read.map((reference) => `<a href="http://a.example/">x&${reference?.[1]};y</a>`).join("\n");
  const texts = extract(page, { type: "html", fields: ["text"] }).map(({ text }) => text);
  expect(texts).toEqual(read.map((reference) => `x${reference?.[2]}y`));
});
