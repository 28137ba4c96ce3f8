// Text of header fields (A10): encoded words, raw bytes, white space and controls.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeaderText } from "../../src/mail/words.ts";
import { RUNS, seeded } from "../core/check.ts";

const numRuns = 3000 * RUNS;
const settings = { numRuns, ...seeded };

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (binary: string): Uint8Array => Buffer.from(binary, "latin1");
const binary = (text: string): string => Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join("");

/** Fields as bytes, one character each, and their text. */
const CASES: [field: string, text: string][] = [
  ["", ""],
  [" \r\n\t", ""],
  [" Hello world", "Hello world"],
  [" Hello\r\n\tworld \r\n", "Hello world"],
  ["a  b\t\tc", "a b c"],
  ["a\0b\x07c\x7fd", "abcd"],
  ["a \0 b", "a b"],
  ["a\x1cb", "a b"],
  ["a\x0cb\x0bc", "a b c"],
  ["\xc2\x85a\xe2\x80\xa8b\xc2\x9bc", "a bc"],
  // Raw bytes
  ["caf\xc3\xa9", "café"],
  ["caf\xe9", "café"],
  ["caf\xe9 \x80\x93x\x94", "café €“x”"],
  ["\xc3\xa9 \xe9", "Ã© é"],
  // Both encodings
  ["=?iso-8859-1?Q?caf=E9?=", "café"],
  ["=?ISO-8859-1?q?caf=e9_au_lait?=", "café au lait"],
  ["=?UTF-8?B?Y2Fmw6k=?=", "café"],
  ["=?utf-8?b?Y2Fmw6k?=", "café"],
  ["=?utf-8?b?Y2 Fm\r\n w6k=?=", "café"],
  ["=?utf-8?b?Y2E=ZsOp?=", "café"],
  ["=?utf-8?b?Y2Fmw6kx4?=", "café1"],
  ["=?utf-8?q??=x", "x"],
  ["=?us-ascii?Q?a=?=", "a="],
  ["=?us-ascii?Q?a=zz=4?=", "a=zz=4"],
  ["=?us-ascii?Q?what?_no?=", "what? no"],
  ["=?us-ascii?Q?two words?=", "two words"],
  ["=?us-ascii?Q?tab=09,_nul=00,_line=0D=0Aend?=", "tab , nul, line end"],
  ["=?utf-8*en?Q?colour?=", "colour"],
  ["=?iso-8859-1*de-AT?Q?J=E4nner?=", "Jänner"],
  // Neighbours
  ["=?us-ascii?Q?a?= =?us-ascii?Q?b?=", "ab"],
  ["=?us-ascii?Q?a?=\r\n =?us-ascii?Q?b?=", "ab"],
  ["=?us-ascii?Q?a?==?us-ascii?Q?b?=", "ab"],
  ["=?us-ascii?Q?a?= b", "a b"],
  ["a =?us-ascii?Q?b?=", "a b"],
  ["a=?us-ascii?Q?b?=c", "abc"],
  ["=?us-ascii?Q?a?= b =?us-ascii?Q?c?=", "a b c"],
  ["=?us-ascii?Q?a_?= =?us-ascii?Q?b?=", "a b"],
  ["=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?=", "café"],
  ["=?utf-8?Q?caf=C3?=\r\n\t=?UTF-8*fr?B?qQ==?=", "café"],
  ["=?utf-8?Q?caf=C3?= x =?utf-8?Q?=A9?=", "caf� x �"],
  ["=?utf-8?Q?caf=C3?= =?iso-8859-1?Q?=A9?=", "caf�©"],
  ["=?big5?Q?=A7A=B7?= =?big5?Q?=C7=B3=C6?=", "你準備"],
  // Charsets
  ["=?koi8-r?B?8NLJ18XU?=", "Привет"],
  ["=?windows-1252?Q?=93x=94=80?=", "“x”€"],
  ["=?iso-8859-1?Q?=93x=94?=", "“x”"],
  ["=?iso-8859-15?Q?=A4?=", "€"],
  ["=?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?iso-2022-jp?B?GyRCOGwbKEI=?=", "日本語"],
  ["=?gb2312?Q?=C4=E3=BA=C3?=", "你好"],
  ["=?x-unknown?Q?caf=E9?=", "café"],
  ["=?iso-2022-kr?Q?caf=E9?=", "café"],
  ["=?utf-8?Q?=E9?=", "�"],
  // No encoded words
  ["=?utf-8?X?abc?=", "=?utf-8?X?abc?="],
  ["=?utf-8?Q?abc", "=?utf-8?Q?abc"],
  ["=??Q?abc?=", "=??Q?abc?="],
  ["=? ?Q?abc?=", "=? ?Q?abc?="],
  ["=?utf-8?Q?a =?utf-8?Q?b?=", "=?utf-8?Q?a b"],
  ["a=?b?=c", "a=?b?=c"],
  ["=?", "=?"],
  // Both at once
  ['"=?iso-8859-1?Q?J=F8rgen?=" <j@a.org>', '"Jørgen" <j@a.org>'],
  ["\xc3\xa9 =?iso-8859-1?Q?=E9?= \xc3\xa9", "é é é"],
  ["\xe9 =?iso-8859-1?Q?=E9?= \xe9", "é é é"],
  ["=?iso-8859-1?Q?\xe9?=", "é"],
];

describe("a header field", () => {
  it.each(CASES)("%j reads %j", (field, text) => {
    expect(decodeHeaderText(bytes(field))).toBe(text);
  });

  it("reads as it was written, in words cut anywhere", () => {
    const cut = (content: string, size: number, asBase64: boolean): string => {
      const words: string[] = [];
      const all = binary(content);
      for (let at = 0; at < all.length; at += size) {
        const part = all.slice(at, at + size);
        const hex = (character: string): string => `=${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
        words.push(asBase64 ? `=?utf-8?B?${btoa(part)}?=` : `=?UTF-8?Q?${part.replace(/[^a-z]/g, hex)}?=`);
      }
      return words.join("\r\n ");
    };
    const content = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.replace(/[\s\p{C}]/gu, "") || "x");
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 12 }), fc.boolean(), (text, size, asBase64) => {
        expect(decodeHeaderText(bytes(cut(text, size, asBase64)))).toBe(text);
      }),
      settings,
    );
  });

  const pieces = fc.constantFrom(
    "=?utf-8?q?",
    "=?big5?B?",
    "=?iso-2022-jp?b?",
    "=?x?Q?",
    "?=",
    "=C3",
    "=",
    "?",
    " ",
    "\r\n\t",
    "\0",
    "YWJj",
    "\xe9",
    "\x1b$B",
    "a",
  );
  const fields = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(pieces, { maxLength: 16 }).map((parts) => bytes(parts.join(""))),
  );

  it("has no controls and no runs of white space, whatever its bytes", () => {
    fc.assert(
      fc.property(fields, (field) => {
        const text = decodeHeaderText(field);
        expect(text).not.toMatch(/\p{Cc}| {2}|^ | $|[\u2028\u2029]/u);
        expect(text).not.toMatch(/\p{Cs}/u);
      }),
      settings,
    );
  });
});
