// The tables of charsets (A18), on any platform those of the Encoding Standard.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as layout from "#core/layout/memory.js";
import { characterTable } from "../../src/core/character-tables.ts";
import { CHARSETS, charactersOf, charsetOf } from "../../src/core/charsets.ts";

const SEVERAL = ["gbk", "gb18030", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312"];
const ONE_BYTE = CHARSETS.filter((charset) => !charset.startsWith("utf-") && !SEVERAL.includes(charset));
const characterAt = (label: string, byte: number): string => charactersOf(charsetOf(label) ?? "utf-8").charAt(byte - 0x80);

describe("charsets of one byte", () => {
  it.each(ONE_BYTE)("%s has 128 characters, none of ASCII", (name) => {
    const characters = charactersOf(charsetOf(name) ?? "utf-8");
    expect(characters).toMatch(/^[\x80-\uffff]{128}$/);
    expect(new Set(characters.replaceAll("\ufffd", "")).size).toBe(characters.replaceAll("\ufffd", "").length);
  });

  it.each([
    ["iso-8859-1", 0x93, "\u201c"],
    ["windows-1252", 0x81, "\u0081"],
    ["iso-8859-2", 0xb1, "ą"],
    ["iso-8859-15", 0xa4, "€"],
    ["iso-8859-16", 0xfe, "ț"],
    ["iso-8859-16", 0x85, "\u0085"],
    ["windows-1251", 0xfc, "ь"],
    ["windows-1253", 0xaa, "\ufffd"],
    ["windows-1255", 0xca, "\u05ba"],
    ["windows-874", 0xdb, "\ufffd"],
    ["windows-874", 0xfb, "๛"],
    ["windows-874", 0xfc, "\ufffd"],
    ["koi8-r", 0xd0, "п"],
    ["koi8-u", 0xae, "ў"],
    ["koi8-u", 0xbe, "Ў"],
    ["ibm866", 0x80, "А"],
    ["macintosh", 0x9f, "ü"],
    ["x-mac-cyrillic", 0xff, "€"],
  ])("%s: the character of %i is %s", (label, byte, character) => {
    expect(characterAt(label, byte)).toBe(character);
  });
});

describe("a label", () => {
  it.each([
    ["latin1", "windows-1252"],
    ["ISO_8859-1:1987", "windows-1252"],
    [" Latin2 ", "iso-8859-2"],
    ["iso-8859-9", "windows-1254"],
    ["koi", "koi8-r"],
    ["mac", "macintosh"],
    ["utf8", "utf-8"],
    ["UTF-16", "utf-16le"],
    ["utf-16be", "utf-16be"],
    ["gb2312", "gbk"],
    ["ks_c_5601-1987", "euc-kr"],
    ["windows-31j", "shift_jis"],
  ])("%s is %s", (label, charset) => {
    expect(charsetOf(label)).toBe(charset);
  });

  it.each([...SEVERAL, "utf-7"])("%s is itself", (name) => {
    expect(charsetOf(name)).toBe(name);
  });

  it.each(["x-user-defined", "replacement", "latin-42", ""])("%s is none that can be read", (label) => {
    expect(charsetOf(label)).toBeUndefined();
  });
});

describe("the tables of two-byte characters are those of any platform (C171)", () => {
  it.each([
    ["gbk", layout.TABLE_CHINESE, 21_306, "d7111fc8c40ca4e4"],
    ["big5", layout.TABLE_TAIWANESE, 13_219, "71d642468f0a66ca"],
    ["euc-kr", layout.TABLE_KOREAN, 16_187, "1fa163d67672e79f"],
    ["shift_jis", layout.TABLE_JAPANESE, 7411, "223b03181115e4df"],
  ])("%s", (_, table, count, digest) => {
    const characters = characterTable(table);
    const text = [...characters].join();
    expect(characters.filter((character) => character > 0).length).toBe(count);
    expect(createHash("sha256").update(text).digest("hex").slice(0, 16)).toBe(digest);
  });
});
