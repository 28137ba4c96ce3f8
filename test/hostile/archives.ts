// Hostile archives (X14): a head, and a unit that is repeated to any size. Reading each must take linear time.
import { crc32 } from "node:zlib";
import type { MboxDialect, TextType } from "../../src/options/options.ts";

/** An archive of any size. */
export interface HostileArchive {
  readonly name: string;
  readonly unit: string;
  /** Stands once before all units. */
  readonly head?: string;
  /** A message by itself if not given. */
  readonly type?: TextType;
  readonly mbox?: MboxDialect;
  readonly charset?: string;
  readonly parts?: "text" | "all";
}

const FROM = "From a@b.example Fri Jan  5 10:11:12 1996\n";
const SEPARATOR = "\x01\x01\x01\x01\n";
const MULTIPART = "Content-Type: multipart/x; boundary=b\n\n";
const CHUNKED = "WARC/1.0\nWARC-Type: response\nContent-Length: 2000000000\n\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n";
const encoded = (encoding: string): string => `Content-Transfer-Encoding: ${encoding}\n\n`;
const nested = (boundary: string): string => {
  return Array.from(
    { length: 100 },
    (_, level) => `Content-Type: multipart/x; boundary=${boundary}${level}\n\n--${boundary}${level}\n`,
  ).join("");
};

/** Each byte is a row of the source map; in UTF-8 too no byte is ASCII. */
const LATIN_1 = "\u00e9";
const pagesOf = (text: string): string => `--b\nContent-Type: text/html\n\n${text.repeat(50)}\n`.repeat(50);

/** The header before a file of `name` in a zip archive, and the file, stored; with `flags` 8 its sizes follow, and do not. */
function zipped(name: string, text: string, flags = 0): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(flags === 8 ? 0 : crc32(text), 14);
  for (const at of [18, 22]) header.writeUInt32LE(flags === 8 ? 0 : text.length, at);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + text)]);
}
const ZIP_END = `PK\x05\x06${"\0".repeat(18)}`;
const ATTACHMENT = `Content-Type: application/zip\n${encoded("base64")}`;
const attached = (...bytes: readonly Buffer[]): string => `--b\n${ATTACHMENT}${Buffer.concat(bytes).toString("base64")}\n`;

const MESSAGE = `Content-Type: message/rfc822\n${encoded("base64")}`;

/** What makes readers of mail slow. */
export const ARCHIVES: readonly HostileArchive[] = [
  { name: "a header of one field", head: "Subject: ", unit: "x " },
  { name: "a header of one field in lines", head: "Subject: ", unit: "x\n " },
  { name: "a header of short fields", unit: "A: b\n" },
  { name: "one line", head: "\n", unit: "a" },
  { name: "a name without a colon", unit: "a" },
  { name: "a part without end", head: `${MULTIPART}--b\n\n`, unit: "x\n" },
  { name: "hyphens", head: `${MULTIPART}--b\n\n`, unit: "--" },
  { name: "lines of hyphens", head: `${MULTIPART}--b\n\n`, unit: "\n--" },
  { name: "delimiter lines that go on", head: `${MULTIPART}--b\n\n`, unit: "\n--bx" },
  { name: "delimiter lines", head: MULTIPART, unit: "--b\n" },
  { name: "boundaries that begin like others", head: nested("b".repeat(200)), unit: `--${"b".repeat(200)}\n` },
  { name: "100 multiparts in each other", unit: `${FROM}${nested("b")}\n\n`, type: "mbox" },
  { name: "multiparts in each other", unit: "Content-Type: multipart/x; boundary=a\n\n--a\n" },
  { name: "messages in each other", unit: "Content-Type: message/rfc822\n\n" },
  { name: "From_ lines that are quoted", head: FROM, unit: ">From ", type: "mbox" },
  { name: "lines that are quoted", head: `${FROM}A: b\n\n`, unit: ">From x\n", type: "mbox" },
  { name: "marks before From", head: `${FROM}A: b\n\n`, unit: ">", type: "mbox" },
  { name: "From_ lines that do not split", head: `${FROM}A: b\n\n`, unit: "From x 10:10 1999\n", type: "mbox" },
  { name: "From_ lines without a field", head: `${FROM}A: b\n\n`, unit: "\nFrom x 10:10 1999\n\n", type: "mbox" },
  { name: "From_ lines of digits", unit: "From 1\nA: b\n\n", type: "mbox" },
  { name: "From_ lines and long words", unit: `From 1\n${"a".repeat(70_000)}\n\n`, type: "mbox" },
  { name: "separator lines", head: SEPARATOR, unit: SEPARATOR, type: "mmdf" },
  { name: "separator lines and headers", unit: `${SEPARATOR}A: b\n`, type: "mmdf" },
  { name: "lines that are almost separators", head: `${SEPARATOR}\n`, unit: "\x01\x01\x01\x01\x01\n", type: "mmdf" },
  { name: "delimiter lines in MMDF", head: SEPARATOR + MULTIPART, unit: "--b\n", type: "mmdf" },
  { name: "delimiter lines in news", head: MULTIPART, unit: "--b\n", type: "news" },
  { name: "stuffed dots", head: "\n", unit: "..\n", type: "news" },
  { name: "bytes 01", head: SEPARATOR, unit: "\x01", type: "mmdf" },
  { name: "lengths of messages", unit: `${FROM}Content-Length: 390000\n\n`, type: "mbox", mbox: "cl" },
  { name: "encoded words that never end", head: "Subject: ", unit: "=?" },
  { name: "encoded words that almost end", head: "Subject: ", unit: "=?a?q?" },
  { name: "encoded words", unit: "Subject: =?a?q?=?= =?a?b?YQ=?=\n" },
  { name: "a field of groups in words", unit: `Subject: =?a?b?${"YQ=".repeat(1300)}?=${` =?a?b?${"YQ=".repeat(1300)}?=`.repeat(15)}\n` },
  { name: "begin lines", head: "\n", unit: "begin 644 x\n" },
  { name: "files without end", head: "\n", unit: "begin 644 x\n#86)C\n" },
  { name: "yEnc without end", head: "\n=ybegin x\n", unit: "=ybegin x\n" },
  { name: "borders of digests", head: "\n\n", unit: `\n${"-".repeat(30)}\n\n` },
  { name: "digests", head: "\n\n", unit: `\n${"-".repeat(30)}\n\nA: b\n\n` },
  { name: "base64 without line breaks", head: encoded("base64"), unit: "YWJj" },
  { name: "base64 of padding", head: encoded("base64"), unit: "YQ=" },
  { name: "base64 between lines of text", head: encoded("base64"), unit: `AAAA AAAA<\n${"A".repeat(20)}\n` },
  { name: "base64 with white space", head: encoded("base64"), unit: "Y \n" },
  { name: "quoted-printable without line breaks", head: encoded("quoted-printable"), unit: "=3D" },
  { name: "equals signs", head: encoded("quoted-printable"), unit: "=" },
  { name: "equals signs and white space", head: encoded("quoted-printable"), unit: `=${" ".repeat(70)}` },
  { name: "parameters", unit: `Content-Type: multipart/x${'; boundary*1="'.repeat(4000)}\n` },
  { name: "sections of a boundary", unit: `Content-Type: multipart/x; boundary*0=b${"; boundary*9=b".repeat(4000)}\n\n` },
  { name: "comments", unit: `Content-Type: ${"(".repeat(60_000)}\n` },
  { name: "comments that nothing closes", unit: `Content-Type: multipart/x${"; a=b (".repeat(8000)}\n` },
  { name: "comments in each other", unit: `Content-Type: ${"(".repeat(30_000)}${")".repeat(30_000)}${"(a)".repeat(1000)}\n` },
  { name: "UTF-16 that is none", head: "Content-Type: text/plain; charset=utf-16\n\n", unit: "a" },
  { name: "UTF-16 by turns", head: "Content-Type: text/plain; charset=utf-16\n\n", unit: `${"a".repeat(1024)}${"\0a".repeat(512)}` },
  { name: "text in Latin-1", unit: LATIN_1, type: "text", charset: "latin1" },
  {
    name: "flowed lines in Latin-1",
    head: "Content-Type: text/plain; format=flowed; delsp=yes\n\n",
    unit: `${LATIN_1} \n`,
    charset: "latin1",
  },
  { name: "a list of URLs in Latin-1", head: "<img srcset='", unit: "\u00e9 ", type: "html", charset: "latin1" },
  { name: "references in Latin-1", unit: "\u00e9&lt", type: "html", charset: "latin1" },
  { name: "pages that almost name a charset", head: MULTIPART, unit: pagesOf("<meta charset <?xml "), charset: "latin1" },
  { name: "URLs in Latin-1", unit: "http://a/\u00e9 ", type: "text", charset: "latin1" },
  { name: "flowed lines", head: "Content-Type: text/plain; format=flowed; delsp=yes\n\n", unit: "a \n" },
  { name: "marks of flowed lines", head: "Content-Type: text/plain; format=flowed; delsp=yes\n\n", unit: ">" },
  { name: "html in quoted-printable", head: `Content-Type: text/html\n${encoded("quoted-printable")}`, unit: "&=61;<a b=3D'" },
  { name: "articles without bytes", unit: "#! rnews 0\n", type: "rnews" },
  { name: "no articles", head: "#! rnews 0\n", unit: "x\n#! rnews x\n", type: "rnews" },
  { name: "records without bytes", unit: "WARC/1.0\n\n", type: "warc" },
  { name: "a record without end", head: "WARC/1.0\n", unit: "A: b\n", type: "warc" },
  { name: "a record of one field", head: "WARC/1.0\n", unit: "A: b\n ", type: "warc" },
  { name: "a record of one line", head: "WARC/1.0\n", unit: "A", type: "warc" },
  { name: "lines that no record holds, in UTF-16", unit: "2\n", type: "warc", charset: "utf-16be" },
  { name: "no records", head: "WARC/1.0\n\n", unit: "WARC\n/", type: "warc" },
  { name: "one line between records", head: "WARC/1.0\n\n", unit: "WARC/", type: "warc" },
  { name: "chunks of a byte", head: CHUNKED, unit: "1\na\n", type: "warc" },
  { name: "chunks in empty lines", head: CHUNKED, unit: "\n\r\n", type: "warc" },
  { name: "a length that never ends", head: CHUNKED, unit: "0", type: "warc" },
  { name: "a list of encodings", unit: `${CHUNKED}Content-Encoding: ${"identity, ".repeat(6000)}\n`, type: "warc" },
  { name: "dots", head: "A: b\n\n", unit: "\n..", type: "news" },
  { name: "escapes of JSON", unit: "\\/", type: "json" },
  { name: "escapes of JSON that are none", unit: "\\u000", type: "json" },
  { name: "halves of pairs in JSON", unit: "\\ud800", type: "json" },
  { name: "empty strings of JSON", unit: '"":"",', type: "json" },
  { name: "JSON in JSON", unit: '{"a":[', type: "json" },
  { name: "names of JSON", unit: `"${"n".repeat(127)}:":":",`, type: "json" },
  {
    name: "arrays in a long name of JSON",
    head: `{"${"n".repeat(128)}":`,
    unit: `${"[".repeat(64)}":"${'],":"'.repeat(64)}`,
    type: "json",
  },
  { name: "one long string of JSON", head: '"', unit: "a: ", type: "json" },
  // With URLs: TypeScript finds the location of each match.
  { name: "URLs in a header field", head: "Subject: ", unit: "http://a/ " },
  { name: "URLs in lines of a header field", head: "Subject: ", unit: "http://a/\n " },
  { name: "URLs in header fields", unit: "A: http://a/\n" },
  { name: "URLs in parts", head: MULTIPART, unit: "--b\n\nhttp://a/\n" },
  { name: "URLs in messages", unit: `${FROM}Subject: x\n\nhttp://a/\n\n`, type: "mbox" },
  { name: "URLs in a message of long fields", head: `From: ${"x ".repeat(20_000)}\n\n`, unit: "http://a/\n" },
  { name: "URLs after quote marks", head: "A: b\n\n", unit: `${">".repeat(900)}http://a/\n` },
  { name: "URLs in a line that is quoted", head: "A: b\n\n>", unit: "http://a/ " },
  { name: "URLs in base64", head: encoded("base64"), unit: Buffer.from("http://a/\n ").toString("base64") },
  { name: "URLs in a message in base64", head: MESSAGE, unit: Buffer.from("http://a/\n ").toString("base64") },
  { name: "URLs in zip archives", head: MULTIPART, unit: attached(zipped("x", "http://a/"), Buffer.from(ZIP_END)), parts: "all" },
  { name: "URLs in files of an archive", head: ATTACHMENT, unit: zipped("ab", "http://a/\n").toString("base64"), parts: "all" },
  { name: "archives without end", head: MULTIPART, unit: attached(zipped("x", " ", 8)), parts: "all" },
  { name: "archives in each other", head: ATTACHMENT, unit: zipped("abc", "", 8).toString("base64"), parts: "all" },
  { name: "URLs in quoted-printable", head: encoded("quoted-printable"), unit: "=68ttp://a/=\n?=20" },
  { name: "URLs in attributes", head: "Content-Type: text/html\n\n", unit: "<a href=http://a/?&amp;>" },
  { name: "URLs in members of JSON", unit: '"a":"http:\\/\\/a/","b":"http://b/",', type: "json" },
  { name: "URLs in encoded words", unit: "Subject: =?a?q?http://a/?=\n" },
];
