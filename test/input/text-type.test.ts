// The type of a source by its first bytes (A1) is what the oracle says, and the same from as many bytes as are asked for.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ByteReader } from "../../src/input/containers/byte-reader.ts";
import { StreamStart } from "../../src/input/input-format.ts";
import { detectTextType, fileTypeOf, TYPE_BYTES, textTypeOf } from "../../src/input/text-type.ts";
import { check, RUNS } from "../core/check.ts";
import { nativeWork } from "../counted/native.ts";
import { mutatedMail } from "../mail/mutations.ts";
import { mailSources } from "../mail/pieces.ts";
import { warcs } from "../mail/warc-pieces.ts";
import { fromMarkedUtf16 } from "../oracle/mail/charsets.ts";
import { fileTypeOf as oracleFileType, typeOf } from "../oracle/mail/split.ts";
import { sourceOf } from "../oracle/source.ts";
import { openBytes } from "./open.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** Pieces of the first lines: what tells a type, and what stands before it. */
const PIECES = ["\n", "\r\n", "\r", "\xef\xbb\xbf", " ", "\t", "\v", "\f", "\xa0", "x", ":", " :", "://", "\0", "WARC/", "#! rnews "]
  .concat([
    "<html",
    "<!DOCTYPE html>",
    "<?xml version='1.0'?>",
    "<HTML>",
    "From a 10:11 1996\n",
    "From -12\r\n",
    "From ",
    ">From x",
    "Subject: x\n",
    "From: y\n",
    "To : z\r\n",
    "X-A: b\n c\n",
    "Content-Type: x\n",
    "MIME-Version: 1.0\n",
    "ARC-Seal: x\n",
    "x-ms-exchange-y: x\n",
    "http://a.example/\n",
    "Date: ",
    "path:x\n",
    "12\n",
    "0123456789  \r\n",
    "\x01\x01\x01\x01\n",
    "\x01\x01\x01\x01\r\n",
    "30\nSubject: x\nFrom: y\n\n",
    "text\n\nFrom a 10:11 1996\nTo: x\n",
    " \t\n",
    "BEGIN:VCARD\n",
    "begin:vcalendar \r\n",
    "# x\n",
    "version: 1\n",
    "dn: ",
    "<a xmlns='x'>",
    "<opml>",
    "<div",
    "<TITLE>",
    "<p ",
    "<a href=x>",
    "<?php x ?>",
    "<%%>",
    "](",
    "\n## x",
    "\n```",
  ])
  .concat(["\xff", "{", "[", "]", "}", '"', '"a"', '"b\\"c"', '{"a":', "{}", "[]", ",", ", ", "1", "-2.5e3", "true", "null", "\\"]);
/** JSON, cut and with mistakes. */
const jsonStarts = fc
  .tuple(fc.constantFrom("", "\n", " \n\t"), fc.json(), fc.nat(40), fc.constantFrom("", "", ",", "]", "\n", '"', " x"))
  .map(([before, json, cut, after]) => latin1(before + (cut % 2 === 0 ? json : json.slice(0, cut)) + after));
/** Runs that bring what comes after them to where fewer bytes are looked at. */
const RUN_FORMS = fc.tuple(
  fc.constantFrom("\n", " ", "x", "A: b\n", "X-A: b\n "),
  fc.constantFrom(1000, 1020, 1024, 8160, 8185, 8190, 8192, 57344, 65520),
);
const run = RUN_FORMS.map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
const starts = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...PIECES) }, { weight: 1, arbitrary: run }), { maxLength: 8 })
  .map((pieces) => latin1(pieces.join("")));
/** Texts in UTF-16 with a byte order mark, of either order, perhaps cut. */
const pages = fc
  .tuple(fc.constantFrom("<html>", "<?xml version='1.0'?>"), starts)
  .map(([first, bytes]) => latin1(`${first}${bytes.toString("latin1")}`));
const utf16s = fc.tuple(fc.oneof(starts, jsonStarts, pages), fc.boolean(), fc.nat(9)).map(([bytes, isLittle, cut]) => {
  const text = Buffer.from(`\ufeff${bytes.toString("latin1")}`, "utf16le");
  return (isLittle ? text : text.swap16()).subarray(0, cut < 5 ? text.length - cut : text.length);
});
const sources = fc.oneof({ weight: 5, arbitrary: starts }, { weight: 2, arbitrary: jsonStarts }, mailSources, mutatedMail, warcs, utf16s);

const nameOf = (type: string): string => (type === "rnews" ? "news" : type);

describe("the type of a source", () => {
  it("is the same after an empty line, where no word alone can tell it", () => {
    const seen = new Set<string>();
    check(3000, sources, (bytes) => {
      const start = bytes.subarray(0, TYPE_BYTES - 1);
      // What makes HTML must be in the first 1024 bytes, and a byte order mark or zeros must be first.
      if (start.length > 1000 || start[0] === 0 || start[0] === 0xef || start[0] === 0xfe || start[0] === 0xff) return;
      const type = textTypeOf("auto", start);
      seen.add(type);
      expect(textTypeOf("auto", Buffer.concat([latin1("\n"), start]))).toBe(type);
    });
    // Few values do not have all types.
    if (RUNS >= 1)
      expect([...seen].sort()).toEqual([
        "arc",
        "eml",
        "emlx",
        "folded",
        "html",
        "json",
        "ldif",
        "mbox",
        "mmdf",
        "rnews",
        "text",
        "warc",
        "xml",
      ]);
  });

  it("is told by the first byte too, whatever it is", () => {
    for (let byte = 0x21; byte < 0x100; byte++) expect(textTypeOf("auto", Buffer.of(byte, ...latin1("#! rnews ")))).toBe("text");
  });

  it("of UTF-16 that ends in half a character is that of a text with U+FFFD there", () => {
    const json = Buffer.from(`\ufeff[""]`, "utf16le");
    const half = Buffer.concat([json, Buffer.of(0x20)]);
    expect([textTypeOf("auto", json), textTypeOf("auto", half)]).toEqual(["utf16-json", "utf16"]);
    const text = Buffer.from("\ufeffx\ny\n", "utf16le");
    const types = [text, Buffer.concat([text, Buffer.of(0x20)])].map((start) => detectTextType("auto", start));
    expect(types).toEqual(["utf16", undefined]);
  });

  it("is what the oracle says", () => {
    const seen = new Set<string>();
    check(3000, sources, (bytes) => {
      const type = textTypeOf("auto", bytes.subarray(0, TYPE_BYTES));
      seen.add(type);
      const text = bytes.toString("latin1");
      if (type.startsWith("utf16")) {
        const inside = typeOf(fromMarkedUtf16(sourceOf(text)).bytes);
        expect(type, JSON.stringify(text)).toBe(["html", "xml", "json"].includes(inside) ? `utf16-${inside}` : "utf16");
        return;
      }
      expect(nameOf(type), JSON.stringify(text)).toBe(typeOf(text));
      expect(nameOf(fileTypeOf("auto", bytes.subarray(0, TYPE_BYTES))), JSON.stringify(text)).toBe(oracleFileType(text));
      if (type === "text" && oracleFileType(text) === "mbox") seen.add("half of an mbox");
    });
    expect([...seen].sort()).toEqual([
      "arc",
      "eml",
      "emlx",
      "folded",
      "half of an mbox",
      "html",
      "json",
      "ldif",
      "mbox",
      "mmdf",
      "rnews",
      "text",
      "utf16",
      "utf16-html",
      "utf16-json",
      "utf16-xml",
      "warc",
      "xml",
    ]);
  });

  it("is known from the bytes that are asked for (X13)", () => {
    check(400, sources, (bytes) => {
      const whole = textTypeOf("auto", bytes.subarray(0, TYPE_BYTES));
      const lengths = Array.from({ length: Math.min(bytes.length, TYPE_BYTES) }, (_, index) => index + 1);
      for (const length of lengths.filter((one) => one < 300 || one % 97 === 0 || Math.abs(one - 8192) < 10 || one > TYPE_BYTES - 10)) {
        const start = bytes.subarray(0, length);
        if (detectTextType("auto", start) === undefined) continue;
        expect(textTypeOf("auto", start), JSON.stringify([length, bytes.toString("latin1").slice(0, 400)])).toBe(whole);
        return;
      }
    });
  });

  it("is that of a message where the bytes that are looked at end in a line, also behind empty lines", () => {
    const header = latin1(`Subject: x\nFrom: y\n${"X-A: b\n".repeat(10_000)}`);
    for (let empty = 0; empty < 8; empty++) {
      const bytes = Buffer.concat([latin1("\n".repeat(empty)), header]);
      expect(textTypeOf("auto", bytes.subarray(0, TYPE_BYTES)), `${empty} empty lines`).toBe("eml");
    }
  });

  it("is that of a message whose second field of mail is behind the first 8192 bytes, up to 65,536 (C160)", () => {
    const typeAfter = (length: number): string => {
      const lines = Math.ceil(length / 8);
      const bytes = latin1(`To: x,\n${" a@b.c,\n".repeat(lines)} d@e.f\nSubject: y\n\nz\n`);
      const type = textTypeOf("auto", bytes.subarray(0, TYPE_BYTES));
      expect(typeOf(bytes.toString("latin1"))).toBe(type);
      return type;
    };
    expect([100, 8192, 60_000, 70_000].map(typeAfter)).toEqual(["eml", "eml", "eml", "text"]);
  });
});

describe("a start that comes byte by byte", () => {
  const header = (length: number): Buffer => latin1(`To: x,\n${" a@b.c,\n".repeat(length / 8)}`);

  it("costs what its bytes cost, in a stream", () => {
    const work = (length: number): number => {
      const bytes = header(length);
      return nativeWork(() => {
        const start = new StreamStart("auto");
        for (let at = 0; at < bytes.length; at++) start.take(bytes.subarray(at, at + 1));
      });
    };
    expect(work(1 << 16)).toBeLessThan(100 * (1 << 16));
  });

  it("is looked at seldom, in a container of a stream", async () => {
    const looked = vi.spyOn(ByteReader.prototype, "peek");
    const [[, text = ""] = []] = await openBytes("a", header(1 << 15), {}, 1);
    const looks = looked.mock.calls.length;
    looked.mockRestore();
    expect(text).toHaveLength(header(1 << 15).length);
    expect(looks).toBeLessThan(600);
  });

  it("has the same type as at once", () => {
    for (const tail of ["Subject: y\n\nz\n", "\nz\n", "z\n"]) {
      const bytes = Buffer.concat([header(9000), latin1(tail)]);
      const start = new StreamStart("auto");
      let type: string | undefined;
      for (let at = 0; at < bytes.length && type === undefined; at++) type = start.take(bytes.subarray(at, at + 1));
      expect(type ?? start.end()).toBe(textTypeOf("auto", bytes));
    }
  });
});
