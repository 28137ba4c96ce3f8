// Web archives that are long enough to be cut, and such in which the plan cuts wrongly.
import { gzipSync } from "node:zlib";

/** Bytes of an archive whose records share a limit of what is decoded (A12): it is cut at the first that begins in them. */
export const MIB = 2 ** 20;

/** Returns a record; `fields` come before its length. */
export function recordOf(type: string, fields: readonly string[], block: Uint8Array | string): Buffer {
  const bytes = Buffer.from(block);
  const header = ["WARC/1.0", `WARC-Type: ${type}`, ...fields, `Content-Length: ${bytes.length}`, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(header), bytes, Buffer.from("\r\n\r\n")]);
}

/** Returns a response with a body of HTML. */
export function response(index: number, body: Uint8Array, ...fields: readonly string[]): Buffer {
  const header = ["HTTP/1.1 200 OK", "Content-Type: text/html", ...fields, "", ""].join("\r\n");
  return recordOf("response", [`WARC-Target-URI: http://t.example/${index}`], Buffer.concat([Buffer.from(header), body]));
}

/** Text without URLs of its own, which does not compress well. */
export function filler(index: number, bytes: number): string {
  const words = Array.from({ length: bytes / 8 }, (_, word) => ((index + 7) * (word + 11) * 2654435761).toString(36).slice(-7));
  return words.join(" ");
}

function page(index: number): Buffer {
  return Buffer.from(`<a href="http://a.example/${index}?x=1&amp;y=2">a</a> http://b.example/${index % 7} ${filler(index, 20_000)}`);
}

/** Records of three MiB: pages, some of them in gzip, which a compressor leaves as they are, and others that are not read. */
export const RECORDS = [
  recordOf("warcinfo", [], "software: a\r\n"),
  ...Array.from({ length: 180 }, (_, index) => [
    recordOf("request", [], `GET /${index} HTTP/1.1\r\n\r\n`),
    index % 4 === 1 ? response(index, gzipSync(page(index)), "Content-Encoding: gzip") : response(index, page(index)),
  ]).flat(),
];
/** The records, one after the other. */
export const WHOLE = Buffer.concat(RECORDS);

/** Returns records, and one more that ends at an offset. */
export function paddedTo(records: readonly Buffer[], offset: number): Buffer[] {
  const before = records.reduce((sum, { length }) => sum + length, 0);
  const size = offset - before - recordOf("metadata", [], "").length;
  return [...records, recordOf("metadata", [], filler(5, 2 * size).slice(0, size - String(size).length + 1))];
}

/** Returns records as members of gzip. */
export const inMembers = (records: readonly Buffer[]): Buffer => Buffer.concat(records.map((one) => gzipSync(one)));

/** Returns an archive in which the plan takes what is in a record for one, and where: a carriage return is no end of a line. */
export function misleading(): { readonly bytes: Buffer; readonly at: number } {
  const record = recordOf("resource", ["X: y\rContent-Length: 2"], `ab\r\n\r\n${recordOf("resource", [], "http://fake.example/")}`);
  const before = paddedTo(RECORDS.slice(0, 3), MIB - 60);
  return { bytes: Buffer.concat([...before, record, ...RECORDS]), at: MIB - 60 + record.indexOf("ab\r\n") + 6 };
}
