// The percent codec (P11): the sets against docs/percent.md and the platform, strict decoding, there and back, what it throws.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError, OptionError, StrayPercentError } from "../../src/base/errors.ts";
import { ENCODE_SETS, type PercentEncodeSet, percentDecode, percentEncode } from "../../src/url/percent.ts";

const SETS = ENCODE_SETS;
const PRINTED = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 0x20));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const triplet = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** The rows of the table: set, then the characters of each of the last two columns; SP stands for the space. */
function rowsOfPage(): [name: string, encoded: string[], left: string[]][] {
  const page = readFileSync(new URL("../../docs/percent.md", import.meta.url), "utf8");
  const charactersOf = (cell: string): string[] => [
    ...cell
      .replace(/^`` | ``$/g, "")
      .replaceAll("\\|", "|")
      .replace("SP ", " "),
  ];
  return [...page.matchAll(/^\| `([a-z0-9-]+)` \| [^|]+ \| (.*?) ?(?<!\\)\| (.*?) ?(?<!\\)\|$/gm)].map(
    ([, name = "", encoded = "", left = ""]) => [name, charactersOf(encoded), charactersOf(left)],
  );
}

describe("sets", () => {
  it("are those of docs/percent.md", () => {
    const rows = rowsOfPage();
    expect(rows.map(([name]) => name)).toEqual(SETS);
    for (const [name, encoded, left] of rows) {
      expect([...encoded, ...left].sort(), name).toEqual(PRINTED.filter((character) => !/[A-Za-z0-9]/.test(character)).sort());
      for (const character of encoded)
        expect(percentEncode(character, name as PercentEncodeSet), name).toBe(triplet(character.charCodeAt(0)));
      for (const character of left) expect(percentEncode(character, name as PercentEncodeSet), name).toBe(character);
    }
  });

  it("all hold controls and what is no ASCII, and none holds a letter or a digit", () => {
    for (const set of SETS) {
      for (const byte of [0, 9, 0x1f, 0x7f, 0x80, 0xff]) expect(percentEncode(Uint8Array.of(byte), set)).toBe(triplet(byte));
      expect(percentEncode("AZaz09\u00e9\ud800", set)).toBe("AZaz09%C3%A9%EF%BF%BD");
    }
  });

  it("whatwg-* are the sets of the platform's URL", () => {
    const text = PRINTED.join("").replace("%", "");
    const special = text.replace(/[#\\?/]/g, "");
    const url = new URL("http://h/");
    url.username = text;
    url.hash = text;
    expect(percentEncode(text, "whatwg-userinfo").replace("%5E", "^")).toBe(url.username.replace("%5E", "^"));
    expect(`#${percentEncode(text, "whatwg-fragment")}`).toBe(url.hash);
    url.search = special;
    expect(`?${percentEncode(special, "whatwg-special-query")}`).toBe(url.search);
    url.pathname = special;
    // Older platforms leave `^` in a path.
    expect(`/${percentEncode(special, "whatwg-path")}`.replace("%5E", "^")).toBe(url.pathname.replace("%5E", "^"));
    const form = text.replace(" ", "");
    expect(percentEncode(form, "whatwg-form")).toBe(new URLSearchParams([["", form]]).toString().slice(1));
  });
});

describe("decoding", () => {
  it("strictly tells where a stray % stands: in a string the code unit, in bytes the byte", () => {
    const strict = { strict: true };
    expect(textOf(percentDecode("%41%e2%82%ac", strict))).toBe("A\u20ac");
    for (const [input, unit, byte] of [
      ["%", 0, 0],
      ["a%4", 1, 1],
      ["\u20ac%zz", 1, 3],
      ["\u{1f600}%e2%82%ac%", 11, 13],
      ["%25%", 3, 3],
      ["%%41", 0, 0],
      ["%4\u00e9", 0, 0],
    ] as const) {
      for (const [form, offset] of [
        [input, unit],
        [Buffer.from(input), byte],
      ] as const) {
        const decode = (): unknown => percentDecode(form, strict);
        expect(decode, input).toThrow(StrayPercentError);
        expect(decode, input).toThrow(expect.objectContaining({ code: "ERR_URLMILL_STRAY_PERCENT", offset }));
      }
      expect(textOf(percentDecode(input)), input).toBe(input.replace("%25", "%").replace("%41", "A").replace("%e2%82%ac", "\u20ac"));
    }
  });

  it("never changes the bytes it was given", () => {
    const bytes = Buffer.from("a%41");
    expect(textOf(percentDecode(bytes))).toBe("aA");
    expect(bytes.toString()).toBe("a%41");
    const plain = Buffer.from("a");
    percentDecode(plain)[0] = 0x62;
    expect(plain.toString()).toBe("a");
  });
});

describe("there and back", () => {
  const holdsPercent = SETS.filter((set) => percentEncode("%", set) !== "%");

  it("any bytes, with a set that holds %", () => {
    expect(holdsPercent.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...holdsPercent), (bytes, set) => {
        const encoded = percentEncode(bytes, set);
        expect(encoded).toMatch(/^(?:[\x20-\x24\x26-\x7e]|%[0-9A-F]{2})*$/);
        expect([...percentDecode(encoded, { strict: true })]).toEqual([...bytes]);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it("any text; with a set that leaves % encoding twice is encoding once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), fc.constantFrom(...SETS), (text, set) => {
        const encoded = percentEncode(text, set);
        if (holdsPercent.includes(set)) expect(textOf(percentDecode(encoded))).toBe(Buffer.from(text).toString());
        else expect(percentEncode(encoded, set)).toBe(encoded);
        expect(percentEncode(Buffer.from(text), set)).toBe(encoded);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

it("what is no input, no set or no option throws", () => {
  for (const wrong of [1, null, undefined, ["a"], new ArrayBuffer(1)]) {
    expect(() => percentDecode(wrong as unknown as string)).toThrow(InputError);
    expect(() => percentEncode(wrong as unknown as string, "whatwg-path")).toThrow(InputError);
  }
  expect(() => percentEncode("", "path" as PercentEncodeSet)).toThrow(OptionError);
  expect(() => percentDecode("", { strikt: true } as object)).toThrow(
    expect.objectContaining({ code: "ERR_URLMILL_UNKNOWN_OPTION", option: "strikt" }),
  );
  expect(() => percentDecode("", { strict: 1 } as object)).toThrow(
    expect.objectContaining({ code: "ERR_URLMILL_BAD_OPTION", option: "strict" }),
  );
  expect(() => percentDecode("", 1 as unknown as object)).toThrow(OptionError);
});
