// Attachments for the property tests: zip, gzip, zstd and PDF of any texts, also in each other, some cut or damaged (C178).
import { crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const TYPES = [
  "application/zip",
  "application/octet-stream",
  "application/gzip",
  "x/y; name=z",
  "text/plain",
  "application/octet-stream; name=x.eml",
];

/** How a file of an archive is written. */
export interface FileForm {
  isDeflated: boolean;
  /** Its sizes follow it, with a mark or without one. */
  sizes: "before" | "after" | "after without mark";
  mistake: "none" | "checksum" | "encrypted" | "method";
}

/** Numbers of so many bytes, the lowest byte first. */
function numbers(...pairs: readonly (readonly [number, 2 | 4])[]): Buffer {
  const bytes = Buffer.alloc(pairs.reduce((sum, [, count]) => sum + count, 0));
  let at = 0;
  for (const [value, count] of pairs) at = bytes.writeUIntLE(value, at, count);
  return bytes;
}

/** A zip archive of these texts; a name that ends in a slash is a folder's. */
export function zipOf(files: readonly { name: string; text: Buffer; form: FileForm }[]): Buffer {
  const [parts, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, text, form } of files) {
    const { isDeflated, sizes, mistake } = form;
    const packed = isDeflated ? deflateRawSync(text) : text;
    const sum = (crc32(text) ^ (mistake === "checksum" ? 1 : 0)) >>> 0;
    const flags = (mistake === "encrypted" ? 1 : 0) + (sizes === "before" ? 0 : 8);
    const method = mistake === "method" ? 12 : isDeflated ? 8 : 0;
    const known = numbers([sum, 4], [packed.length, 4], [text.length, 4]);
    const start = numbers([20, 2], [flags, 2], [method, 2], [0, 4]);
    const header = Buffer.concat([
      latin1("PK\x03\x04"),
      start,
      sizes === "before" ? known : Buffer.alloc(12),
      numbers([name.length, 2], [0, 2]),
    ]);
    const descriptor = sizes === "before" ? "" : `${sizes === "after" ? "PK\x07\x08" : ""}${known.toString("latin1")}`;
    parts.push(header, latin1(name), packed, latin1(descriptor));
    entries.push(
      latin1("PK\x01\x02"),
      numbers([20, 2]),
      start,
      known,
      numbers([name.length, 2], [0, 4], [0, 4], [0, 4], [offset, 4]),
      latin1(name),
    );
    offset += header.length + name.length + packed.length + descriptor.length;
  }
  const directory = Buffer.concat(entries);
  const end = numbers([0, 4], [files.length, 2], [files.length, 2], [directory.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...parts, directory, latin1("PK\x05\x06"), end]);
}

/** A frame of zstd with a block for the text, which is not compressed. */
function zstdOf(text: Buffer): Buffer {
  return Buffer.concat([latin1("\x28\xb5\x2f\xfd\0\0"), numbers([text.length * 8 + 1, 4]).subarray(0, 3), text]);
}

/** Links of a PDF that are not written as they are. */
const LINKS = "6 0 obj\n<</URI<687474703a2f2f6865782e6578616d706c652f787>/URI (http://octal.\\\nexample/\\141\\))>>\nendobj\n";

/** A PDF with the text in an object stream, and a stream of a page that is not read. */
export function pdfOf(text: Buffer): Buffer {
  const stream = (dictionary: string, bytes: Buffer): Buffer =>
    Buffer.concat([
      latin1(`5 0 obj\n<<${dictionary}/Filter/FlateDecode>>\nstream\r\n`),
      deflateSync(bytes),
      latin1("\nendstream\nendobj\n"),
    ]);
  return Buffer.concat([latin1("%PDF-1.5\n"), stream("", latin1("http://page.example/")), stream("/Type/ObjStm", text)]);
}

const forms: fc.Arbitrary<FileForm> = fc.record({
  isDeflated: fc.boolean(),
  sizes: fc.constantFrom("before" as const, "before" as const, "after" as const, "after without mark" as const),
  mistake: fc.constantFrom("none" as const, ...Array<"none">(6).fill("none"), "checksum" as const, "encrypted" as const, "method" as const),
});

/** Head and body of a part whose body is such data of `texts`. */
export function packedParts(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const written = fc.record({
    files: fc.array(fc.record({ text: texts, form: forms, name: fc.constantFrom("a", "b.html", "d/") }), { maxLength: 3 }),
    around: fc.array(fc.constantFrom("zip" as const, "gzip" as const, "zstd" as const), { maxLength: 2 }),
    innermost: fc.constantFrom("zip" as const, "zip" as const, "gzip" as const, "zstd" as const, "pdf" as const, "text" as const),
    after: fc.constantFrom("", "", "", "\0\0", " http://after.example/ ", "PK\x03\x04"),
    type: fc.constantFrom(...TYPES),
    before: fc.constantFrom("", "", "\n", " \r\n\t", "\n".repeat(61)),
    cut: fc.option(fc.integer({ min: 1, max: 60 }), { nil: 0, freq: 4 }),
  });
  return written.map(({ files, around, innermost, after, type, before, cut }) => {
    const all = latin1(files.map(({ text }) => text).join(""));
    const form: FileForm = { isDeflated: true, sizes: "before", mistake: "none" };
    const pack = {
      zip: (text: Buffer) => zipOf([{ name: "x", text, form }]),
      gzip: (text: Buffer) => gzipSync(text),
      zstd: zstdOf,
      pdf: (text: Buffer) => Buffer.concat([pdfOf(text), latin1(LINKS)]),
    };
    const named = files.map((file) => ({ ...file, text: latin1(file.name === "d/" ? "" : file.text) }));
    const inner = innermost === "zip" ? zipOf(named) : innermost === "text" ? all : pack[innermost](all);
    const packed = Buffer.concat([around.reduce((bytes, name) => pack[name](bytes), inner), latin1(after)]);
    const lines = packed
      .subarray(0, packed.length - cut)
      .toString("base64")
      .replace(/.{60}/g, "$&\n");
    return `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${before}${lines}`;
  });
}
