// compress (`.Z`): what an encoder of the tests writes, which gzip reads too, whole, in pieces and corrupt.
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../core/check.ts";
import { openBytes } from "./open.ts";

const CLEAR = 256;
const GROUP_CODES = 8;

/** Writes codes, lowest bit first; when their width changes, a group of eight codes is filled up. */
class Codes {
  readonly #bits: number[] = [];
  readonly #most: number;
  #width = 9;
  #inGroup = 0;
  #isFirst = true;
  #next: number;

  constructor(most: number, hasClear: boolean) {
    this.#most = most;
    this.#next = hasClear ? 257 : 256;
  }

  put(code: number): void {
    if (this.#width < this.#most && this.#next >= 2 ** this.#width) this.#begin(this.#width + 1);
    for (let bit = 0; bit < this.#width; bit++) this.#bits.push((code >> bit) & 1);
    this.#inGroup = (this.#inGroup + 1) % GROUP_CODES;
    if (!this.#isFirst && this.#next < 2 ** this.#most) this.#next++;
    this.#isFirst = false;
  }

  clear(): void {
    this.put(CLEAR);
    this.#begin(9);
    this.#next = CLEAR;
  }

  #begin(width: number): void {
    for (; this.#inGroup > 0; this.#inGroup = (this.#inGroup + 1) % GROUP_CODES)
      for (let bit = 0; bit < this.#width; bit++) this.#bits.push(0);
    this.#width = width;
  }

  get bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [at, bit] of this.#bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
    return bytes;
  }
}

/** Compresses a text with codes of `most` bits at most; `clearEvery` codes, if it is not 0, the table is emptied. */
function compress(text: string, most = 16, clearEvery = 0): Buffer {
  const hasClear = clearEvery > 0;
  const codes = new Codes(most, hasClear);
  let table = new Map<string, number>();
  let next = hasClear ? 257 : 256;
  let written = 0;
  let word = "";
  const codeOf = (some: string): number => table.get(some) ?? some.charCodeAt(0);
  for (const byte of text) {
    if (word === "" || table.has(word + byte)) {
      word += byte;
      continue;
    }
    codes.put(codeOf(word));
    if (next < 2 ** most) table.set(word + byte, next++);
    word = byte;
    if (hasClear && ++written % clearEvery === 0) {
      codes.clear();
      table = new Map();
      next = 257;
    }
  }
  if (word !== "") codes.put(codeOf(word));
  return Buffer.concat([Buffer.from([0x1f, 0x9d, most | (hasClear ? 0x80 : 0)]), codes.bytes]);
}

const LINES = Array.from({ length: 9000 }, (_, index) => `http://${(index * 7919) % 4093}.example/${index % 97}\n`).join("");
const FORMS = fc.record({ most: fc.integer({ min: 10, max: 16 }), clearEvery: fc.constantFrom(0, 1, 7, 8, 250, 256, 300, 5000) });

describe("compress", () => {
  it.each([
    [16, 0],
    [16, 20_000],
    [12, 0],
    [12, 4000],
    [10, 700],
  ])("is opened: codes of %i bits, the table emptied after %i", async (most, clearEvery) => {
    const bytes = compress(LINES, most, clearEvery);
    expect(await openBytes("a.Z", bytes)).toEqual([["a.Z", LINES]]);
    expect(await openBytes("a.Z", compress(LINES.slice(0, 5000), most, clearEvery), {}, 1)).toEqual([["a.Z", LINES.slice(0, 5000)]]);
    const { stdout } = spawnSync("gzip", ["-dc"], { input: bytes, maxBuffer: 2 ** 26 });
    expect(stdout.toString()).toBe(LINES);
  });

  it("is opened whatever the text", async () => {
    const texts = fc
      .array(fc.constantFrom("a", "ab", "aaaa", "xyz", "\xff", "\0", "http://a.example/ "), { maxLength: 300 })
      .map((some) => some.join(""));
    const given: [Buffer, string][] = [];
    check(100, fc.tuple(texts, FORMS), ([text, { most, clearEvery }]) => void given.push([compress(text, most, clearEvery), text]));
    for (const [bytes, text] of given) expect((await openBytes("a", bytes, {}, undefined, "latin1"))[0]).toEqual(["a", text]);
  });

  it("gives what is before an invalid code, and says what it cannot read", async () => {
    const bytes = compress(LINES, 16, 0);
    bytes.fill(255, 3000, 3100);
    const [found] = await openBytes("a", bytes);
    expect(found?.[2]).toBe("ERR_URLMILL_CORRUPT");
    expect(LINES.startsWith(found?.[1] ?? "none")).toBe(true);
    expect(found?.[1].length).toBeGreaterThan(3000);
    for (const flags of [0x88, 0x91, 0xf0]) {
      const [refused] = await openBytes("a", Buffer.from([0x1f, 0x9d, flags, 1, 2, 3]));
      expect(refused?.slice(1)).toEqual(["", "ERR_URLMILL_METHOD"]);
    }
  });

  it("that is cut gives the text up to there", async () => {
    const bytes = compress(LINES, 16, 0);
    const [found] = await openBytes("a", bytes.subarray(0, 2001));
    expect(LINES.startsWith(found?.[1] ?? "none")).toBe(true);
    expect(found?.[1].length).toBeGreaterThan(2000);
    expect((await openBytes("a", bytes.subarray(0, 2)))[0]?.[2]).toBe("ERR_URLMILL_TRUNCATED");
  });
});

describe("a compressed news batch", () => {
  const text = "#! rnews 31\nSubject: x\n\nhttp://a.example/\n\n";
  const batch = (line: string, packed: Uint8Array): Buffer => Buffer.concat([Buffer.from(line), packed]);

  it("is opened by what follows its line, in pieces of any size and in other containers", async () => {
    for (const [line, packed] of [
      ["#! cunbatch\n", compress(text)],
      ["#! gunbatch\n", gzipSync(text)],
      ["#! zunbatch\r\n", gzipSync(text)],
      ["#! cunbatch\n", gzipSync(text)],
    ] as const) {
      for (const size of [1, 7, 1000]) expect(await openBytes("x", batch(line, packed), {}, size)).toEqual([["x", text]]);
      expect(await openBytes("x", gzipSync(batch(line, packed)))).toEqual([["x", text]]);
    }
  });

  it("is named if that is not compressed data", async () => {
    expect(await openBytes("x", Buffer.from("#! c7unbatch\nabc"))).toEqual([["x", "", "ERR_URLMILL_METHOD"]]);
    expect(await openBytes("x", Buffer.from("#! cunbatch\n"))).toEqual([["x", "", "ERR_URLMILL_METHOD"]]);
    for (const other of ["#! cunbatch", "#! cunbatch x\n", " #! cunbatch\n", "#! Cunbatch\n", "#! unbatch\n"])
      expect(await openBytes("x", Buffer.from(other))).toEqual([["x", other]]);
  });
});
