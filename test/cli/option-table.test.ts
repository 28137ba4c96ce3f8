// The table of options: the types of the library and docs/command.md have the same options as it has.
import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { flagsOf, meaningOf } from "../../src/cli/usage.ts";
import type * as library from "../../src/options/options.ts";
import { checkValues, flagOf, type OPTIONS, type OptionName, optionsOf, type Taker } from "../../src/options/table.ts";

type TakenBy<Name extends Taker> = { [Option in OptionName]: Name extends (typeof OPTIONS)[Option]["takenBy"][number] ? Option : never };
type NamesFor<Name extends Taker> = TakenBy<Name>[OptionName];

describe("the options of a function", () => {
  it("are those of its type", () => {
    expectTypeOf<NamesFor<"extract">>().toEqualTypeOf<keyof library.ExtractOptions>();
    expectTypeOf<NamesFor<"extractFrom">>().toEqualTypeOf<keyof library.ExtractFromOptions>();
    expectTypeOf<NamesFor<"extractWebStream">>().toEqualTypeOf<keyof library.ExtractWebStreamOptions>();
    expectTypeOf<NamesFor<"extractFiles">>().toEqualTypeOf<keyof library.ExtractFilesOptions>();
    expectTypeOf<NamesFor<"ExtractStream">>().toEqualTypeOf<keyof library.ExtractStreamOptions>();
    expectTypeOf<NamesFor<"normalize">>().toEqualTypeOf<keyof library.NormalizeOptions>();
  });

  it("are no others, not even those that every object has", () => {
    for (const name of ["threads", "toString", "constructor"]) {
      expect(() => checkValues("extract", { [name]: 1 })).toThrow(
        expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION", option: name }),
      );
    }
    expect(() => checkValues("extract", Object.create({ nested: 1 }))).toThrow(/^nested must be true or false, not 1$/);
  });
});

it("no two options of a command have the same flag or letter", () => {
  for (const taker of ["urlmill extract", "urlmill resolve"] as const) {
    const flags = optionsOf(taker).flatMap(([name, row]) => [flagOf(name, row), ...(row.short === undefined ? [] : [row.short])]);
    expect(flags).toEqual([...new Set(flags)]);
  }
});

it("docs/command.md has a row for each option of extraction: its flags, then the text of --help, then maybe more", () => {
  const readme = readFileSync(new URL("../../docs/command.md", import.meta.url), "utf8");
  const [, table = ""] = /^\| option \| meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  const lines = table.trimEnd().split("\n");
  const rows = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("`", "").replaceAll("\\|", "|")));
  const meanings = new Map(rows.map(([, flags = "", meaning = ""]) => [flags, meaning]));
  const expected = optionsOf("urlmill extract").map(([name, row]) => [flagsOf(name, row, "extract"), meaningOf(row, "extract")] as const);
  expect([...meanings.keys()]).toEqual(expected.map(([flags]) => flags));
  for (const [flags, meaning] of expected)
    expect(`${flags}: ${meanings.get(flags)?.slice(0, meaning.length)}`).toBe(`${flags}: ${meaning}`);
});
