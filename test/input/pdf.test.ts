// PDFs: the bytes of a file, and after them the texts of its object streams (C321).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readPdf } from "../../src/input/containers/pdf.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { openBytes } from "./open.ts";

const LINK = "1 0 <</A<</S/URI/URI(http://a.example/x\\(1\\))>>>>";
const ESCAPED = "/URI (http://a.exam\\\r\nple/\\b\\0751\\)) /URI/URI(c\\\n\\\\)";
const folder = newFolder();
afterAll(() => removeFolder(folder));

function pdf(...streams: readonly (readonly [dictionary: string, data: Uint8Array | string])[]): Buffer {
  const objects = streams.flatMap(([dictionary, data]) => [`1 0 obj\n<<${dictionary}>>\nstream\r\n`, data, "\nendstream\nendobj\n"]);
  return Buffer.concat(["%PDF-1.5\n", ...objects, "%%EOF\n"].map((part) => Buffer.from(part as string)));
}

const packed = deflateSync(LINK);
const TYPED = "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 60";

describe("a PDF", () => {
  it.each([
    ["an object stream", pdf([TYPED, packed]), [LINK]],
    ["two of them, and the keys in another order", pdf(["/Filter [ /FlateDecode ] /Type /ObjStm", packed], [TYPED, packed]), [LINK, LINK]],
    ["no stream of a page", pdf(["/Filter/FlateDecode", packed]), []],
    ["none in another coding", pdf(["/Type/ObjStm/Filter/LZWDecode", packed]), []],
    ["an object stream after one without a coding", pdf(["/Type/ObjStm", LINK], [TYPED, packed]), [LINK]],
    ["a link in hexadecimal", Buffer.from("%PDF-1.5 /URI <687474703a\n2F2f612e6578616d706c652f7>"), ["http://a.example/p"]],
    ["links with octal numbers and line breaks", Buffer.from(`%PDF-1.5${ESCAPED}`), ["http://a.example/b=1)\nc\\"]],
    ["links in an object stream", pdf([TYPED, deflateSync(ESCAPED)]), [ESCAPED, "http://a.example/b=1)\nc\\"]],
    ["no links that are read as they are, or have no end", Buffer.from("%PDF-1.5/URI(a\\(\\\\1)/URI(b\\1(/URI<61"), []],
    ["data that is none", pdf([TYPED, "no deflate data"]), [""]],
    ["a type without a stream", Buffer.from("%PDF-1.5\n/ObjStm /ObjStm"), []],
  ])("gives its bytes and the texts of object streams: %s", async (_, bytes, texts) => {
    const text = bytes.toString() + texts.map((one) => `\n${one}`).join("");
    expect(await openBytes("a", bytes)).toEqual([["a", text]]);
    expect(await openBytes("a", bytes, {}, 1)).toEqual([["a", text]]);
    expect(await openBytes("a", gzipSync(bytes))).toEqual([["a", text]]);
  });

  it("that is cut off gives the start of a text", async () => {
    const [[, text = ""] = []] = await openBytes("a", pdf([TYPED, deflateSync(LINK.repeat(1000), { level: 0 })]).subarray(0, 2000));
    expect(text).toContain(`\n${LINK}${LINK}`);
  });

  it.each([
    ["literal", "(http://a.example/"],
    ["with a line break", "(\\\nhttp://a.example/"],
    ["in hexadecimal", "<"],
  ])("has its object streams read after a string without an end, of 20 MB: %s", async (_, start) => {
    const string = Buffer.from(`\n/URI${start}${"61".repeat(1e7)}`);
    const [[, text = ""] = []] = await openBytes("a", Buffer.concat([Buffer.from("%PDF-1.5"), string, pdf([TYPED, packed])]));
    expect(text.endsWith(`\n${LINK}`)).toBe(true);
  });

  it("has strings of at most 16,384 bytes decoded", async () => {
    const added = async (length: number): Promise<boolean> => {
      const [[, text = ""] = []] = await openBytes("a", Buffer.from(`%PDF-1.5 /URI(\\141${"b".repeat(length - 4)})`));
      return text.includes("\nab");
    };
    expect([await added(16_384), await added(16_385)]).toEqual([true, false]);
  });

  it("has its object streams read up to limits: of the file, of their number, of the text of each", () => {
    const added = (bytes: Uint8Array): Uint8Array[] => {
      const [, ...rest] = readPdf([bytes]);
      return rest.filter((step, index) => index % 2 === 1 && !(step instanceof Promise)) as Uint8Array[];
    };
    const many = added(pdf(...Array.from({ length: 2 ** 16 + 3 }, () => [TYPED, packed] as const)));
    expect(many.length).toBe(2 ** 16);
    const [long] = added(pdf([TYPED, deflateSync(Buffer.alloc(2 ** 24 + 100))]));
    expect(long?.length).toBeLessThanOrEqual(2 ** 24);
    const file = (length: number): Buffer => Buffer.concat([pdf([TYPED, packed])], length);
    expect([added(file(2 ** 27)).length, added(file(2 ** 27 + 1)).length]).toEqual([1, 0]);
  });

  it("is read so as a file, from a pipe and with threads, and is named", async () => {
    const file = join(folder, "a.pdf");
    writeFileSync(file, pdf([TYPED, packed]));
    for (const args of [[file], ["-j", "2", file, file]]) {
      const { stdout, stderr } = await run(args);
      expect(new Set(stdout.trim().split("\n"))).toEqual(new Set(["http://a.example/x(1)"]));
      expect(stderr).toMatch(/^urlmill: compressed text not read: [12] PDFs?/);
    }
    expect((await run(["-"], { input: pdf([TYPED, packed]) })).stdout).toBe("http://a.example/x(1)\n");
  });
});
