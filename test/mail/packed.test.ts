// Attachments that are unpacked (C178): their limits, where there is no zlib, and what takes more than one step of the reader.
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflate } from "../../src/input/containers/codings-pako.ts";
import { bodyUnpacker } from "../../src/input/containers/packed-body.ts";
import { BUILDS } from "../core/builds.ts";
import { scanArchive, scanArchiveRanges } from "./builds.ts";
import { type FileForm, pdfOf, zipOf } from "./packed-pieces.ts";

const MIB = 2 ** 20;
const EML = { type: "eml", parts: "all" } as const;
const STORED: FileForm = { isDeflated: false, sizes: "before", mistake: "none" };
const DEFLATED: FileForm = { ...STORED, isDeflated: true };
/** Compressed by zstd, with a checksum: `http://a.example/ http://b.example/ http://b.example/ http://c.example/`. */
const ZSTD = Buffer.from("KLUv/QRo9QAAoGh0dHA6Ly9hLmV4YW1wbGUvIGJjAwCgEIBc5c4wFJBVbw==", "base64");

const file = (text: string | Buffer, form = DEFLATED) => ({ name: "a.txt", text: Buffer.from(text), form });
const attached = (bytes: Buffer): string =>
  `Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n${bytes.toString("base64").replace(/.{76}/g, "$&\n")}`;
const multipart = (...parts: string[]): Buffer =>
  Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join("")}--b--\n`);
const unpacked = (bytes: Uint8Array): { texts: Buffer[]; isWhole: boolean } => {
  const texts: Buffer[] = [];
  const members = bodyUnpacker(bytes.length)(bytes);
  for (let next = members.next(); ; next = members.next()) {
    if (next.done === true) return { texts, isWhole: next.value };
    texts.push(Buffer.from(next.value.text));
  }
};

describe.each(BUILDS)("%s: an attachment that is unpacked", (build) => {
  const urlsOf = (bytes: Buffer, cuts: number[] = []): [(string | null)[], number | undefined] => {
    const { matches, counts } = scanArchive(build, bytes, EML, cuts);
    return [matches.map(({ url }) => url), counts.limits["encoded-body"]];
  };

  it("that is a PDF has the links of its object streams; one in a zip is counted", () => {
    const pdf = Buffer.concat([pdfOf(Buffer.from("<</URI(http://a.example/)>>")), Buffer.from("<</URI(http://b.example/)>>")]);
    const { matches, counts } = scanArchive(build, multipart(attached(pdf), attached(zipOf([file(pdf)]))), EML);
    expect(matches.map(({ url, part }) => [url, part])).toEqual([
      ["http://b.example/", "1"],
      ["http://a.example/", "1"],
      ["http://b.example/", "2"],
      ["http://a.example/", "2"],
    ]);
    expect(counts.limits).toEqual({ "encoded-body": 1 });
  });

  it("that is a bomb is read up to the limit, and counted; the file after it and the next part are read", () => {
    const bomb = Buffer.alloc(100 * MIB, " ");
    bomb.write("http://first.example/");
    const bytes = multipart(attached(zipOf([file(bomb), file("http://after.example/")])), "\nhttp://next.example/");
    expect(urlsOf(bytes)).toEqual([["http://first.example/", "http://after.example/", "http://next.example/"], 1]);
  });

  it("in messages in attachments shares the limits of the outermost", () => {
    // Each level multiplies the one inside it by 200; 1000 times the outermost body is all that is read.
    const inside = (level: number): Buffer => {
      if (level === 0) return Buffer.from("http://deep.example/ ");
      const part = attached(gzipSync(inside(level - 1)));
      return Buffer.from(
        `From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b${level}\n\n${`--b${level}\n${part}\n`.repeat(200)}`,
      );
    };
    const bytes = multipart(attached(gzipSync(inside(3))), "\nhttp://next.example/");
    const { matches, counts } = scanArchive(build, bytes, EML);
    expect(counts.limits["encoded-body"]).toBeGreaterThan(0);
    expect(matches.length).toBeLessThan(50_000);
  });

  it("cut in the last bytes of its archive, before other text, is counted, and the text is read", () => {
    const zip = zipOf([file("http://a.example/")]);
    const bytes = multipart(attached(Buffer.concat([zip.subarray(0, -10), Buffer.from("\n list http://footer.example/ ".repeat(2))])));
    expect(urlsOf(bytes)).toEqual([["http://a.example/", "http://footer.example/", "http://footer.example/"], 1]);
  });

  it("has texts of any size, whatever the cuts", () => {
    const long = Buffer.alloc(3 * MIB, "x ");
    long.write("http://a.example/");
    long.write(" http://b.example/", long.length - 18);
    const bytes = multipart(
      attached(zipOf([file("http://1.example/"), file(long), file("http://2.example/", STORED)])),
      "\nhttp://c.example/",
    );
    const found = ["http://1.example/", "http://a.example/", "http://b.example/", "http://2.example/", "http://c.example/"];
    expect(urlsOf(bytes)).toEqual([found, undefined]);
    expect(urlsOf(bytes, [100, 1000, 5000])).toEqual([found, undefined]);
  });

  it("may be one of thousands of small texts", () => {
    const files = Array.from({ length: 5000 }, (_, index) => file(`http://${index}.example/`, STORED));
    const bytes = multipart(attached(zipOf(files)), "\nhttp://next.example/");
    expect(urlsOf(bytes)).toEqual([[...files.map((_, index) => `http://${index}.example/`), "http://next.example/"], undefined]);
  });

  it("is read by the range of an mbox in which its message begins", () => {
    const message = (text: string): string => `From a Fri Jan  5 10:11:12 1996\n${text}\n\n`;
    const zip = zipOf([file("http://a.example/"), file("Subject: x\nFrom: http://b.example/\n\nhttp://c.example/ ", STORED)]);
    const bytes = Buffer.from(
      message(attached(zip)) + message(attached(gzipSync("http://d.example/"))) + message("Subject: y\n\nhttp://e.example/"),
    );
    const given = { type: "mbox", parts: "all" } as const;
    const whole = scanArchive(build, bytes, given);
    expect(whole.matches.map(({ url, message: number, part }) => [url, number, part])).toEqual([
      ["http://a.example/", 1, "1"],
      ["http://b.example/", 1, "1"],
      ["http://c.example/", 1, "1.1"],
      ["http://d.example/", 2, "1"],
      ["http://e.example/", 3, "1"],
    ]);
    for (let border = 1; border < bytes.length; border += 23)
      expect(scanArchiveRanges(build, bytes, given, [border], [border + 20])).toMatchObject({ matches: whole.matches });
  });
});

describe("bodyUnpacker", () => {
  it("searches many descriptors of which each fits a file in bounded work", () => {
    let searches = 0;
    class Counted extends Uint8Array {
      override indexOf(value: number, from?: number): number {
        searches++;
        return super.indexOf(value, from);
      }
    }
    // Headers of stored files whose sizes are after them; the descriptor of the last header is the farthest.
    const header = Buffer.from("504b0304140008000000000000000000000000000000000000000100000061", "hex");
    const searchesFor = (count: number): number => {
      const descriptors = Array.from({ length: count }, (_, index) => {
        const descriptor = Buffer.alloc(16);
        descriptor.write("PK\x07\x08", "latin1");
        const size = (count - index - 1) * header.length + index * descriptor.length;
        descriptor.writeUInt32LE(size, 8);
        descriptor.writeUInt32LE(size, 12);
        return descriptor;
      });
      const zip = Counted.from(Buffer.concat([...Array.from({ length: count }, () => header), ...descriptors, Buffer.from("PK")]));
      searches = 0;
      expect(unpacked(zip).isWhole).toBe(false);
      return searches;
    };
    expect(searchesFor(3000)).toBeLessThan(2 * searchesFor(1500));
  });

  it("compares the checksum of zstd", () => {
    expect(unpacked(ZSTD)).toMatchObject({ isWhole: true });
    const wrong = Buffer.from(ZSTD);
    wrong[wrong.length - 1] = 0;
    const { texts, isWhole } = unpacked(wrong);
    expect([texts.join("").split(" ").length, isWhole]).toEqual([4, false]);
    expect(unpacked(ZSTD.subarray(0, -2)).isWhole).toBe(false);
  });

  it("opens eight archives in each other; the bytes of a ninth are a text", () => {
    const nested = (depth: number): Buffer => (depth === 0 ? Buffer.from("text") : zipOf([file(nested(depth - 1), STORED)]));
    expect(unpacked(nested(8))).toEqual({ texts: [Buffer.from("text")], isWhole: true });
    expect(unpacked(nested(9))).toEqual({ texts: [nested(1)], isWhole: false });
  });

  it("reads no file again and again that seems to hold all others", () => {
    const files = Array.from({ length: 500 }, () => file("x ", { ...STORED, sizes: "after" }));
    const open = zipOf(files);
    for (let at = open.indexOf("PK\x07\x08", 0, "latin1"); at >= 0; at = open.indexOf("PK\x07\x08", at, "latin1")) open.write("xxxx", at);
    const { texts, isWhole } = unpacked(open);
    expect([Buffer.concat(texts).length < open.length, isWhole]).toEqual([true, false]);
  });

  it("makes small pieces of text where there is no zlib, and takes what the data has", () => {
    const deflated = deflateRawSync("x".repeat(MIB));
    const { text, isWhole, taken } = inflate(Buffer.concat([deflated, Buffer.alloc(MIB)]), 2 * MIB);
    expect([text.length, isWhole, taken]).toEqual([MIB, true, deflated.length]);
  });
});
