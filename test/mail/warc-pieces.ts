// Web archives for the property tests (A12): records of every type, right and broken, and what is made of them by mistakes of bytes.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { mutatedFrom } from "./mutations.ts";
import type { MailSearch } from "./oracle-rows.ts";
import { messages } from "./pieces.ts";

const pick = (list: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...list);
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

const TEXTS = [
  "http://a.example/x ",
  "<a href='http://b.example/?q=1&amp;r=2'>c</a>\r\n",
  '{"u":"http:\\/\\/c.example/","v":"https://d.example/y"}',
  "<!-- http://e.example/ -->",
  "<script>var u='http://f.example/&amp;'</script>",
  "\r\n",
  "\n",
  "\r",
  "a\0b",
  "0\r\n",
  "12\r\n",
  "WARC/1.0\r\n",
  "\r\nWARC/1.1\r\nContent-Length: 9\r\n\r\n",
  "--b\r\n\r\n",
  "\r\n--b--\r\n",
  "begin 644 f\n#86)C\n`\nend\n",
  "\u00e9",
  "<URL:http://g.exam\r\nple/>",
];
const TYPES = [
  "text/html",
  "text/html; charset=utf-16",
  "text/plain",
  "text",
  "application/json",
  "application/ld+json; charset=utf-8",
  "image/svg+xml",
  "application/x-javascript",
  "application/xhtml+xml",
  "application/x-xml; charset=utf-16",
  "image/png",
  "application/octet-stream",
  "multipart/mixed; boundary=b",
  "message/rfc822",
  "application/http; msgtype=response",
  "",
];
const RECORD_TYPES = ["resource", "conversion", "Resource", "request", "warcinfo", "metadata", "revisit", "", "response"];
const RECORD_FIELDS = [
  "WARC-Target-URI: http://t.example/page",
  "WARC-Target-URI: <http://t.example/page>",
  "WARC-Target-URI:\r\n http://t.example/folded",
  "WARC-Date: 2004-01-02T03:04:05Z",
  "WARC-Date: never",
  "WARC-Record-ID: <urn:uuid:1>",
  "Content-Type: text/plain",
  "X: y",
  "no field",
  " folded",
  "WARC-Type: resource",
  "X\0: y",
];
const STATUS_LINES = ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.0 301", "HTTP/1.1 200 http://s.example/"].concat([
  "",
  "GARBAGE",
  " x",
  "HTTP/1.1: 200",
]);
const HTTP_FIELDS = [
  "Location: http://l.example/",
  'Link: <http://m.example/>; rel="next",\r\n <http://n.example/>',
  "Set-Cookie: a=b",
  "X-Powered-By: http://p.example/",
  "Content-Encoding: gzip",
  "Content-Encoding: identity",
  "Content-Encoding: , identity, br",
  "Content-Encoding: compress",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity,\r\n chunked",
  "Transfer-Encoding: Chunked",
  "Transfer-Encoding:\rchunked",
  "Content-Transfer-Encoding: base64",
  "Content-Length: 2",
  "Content-Type: image/png",
  "no field",
  "X: =?us-ascii?Q?http=3A//q.example/?=",
];
const VERSIONS = ["WARC/1.0", "WARC/1.1", "WARC/0.18", "WARC/1.0 x"];
const NO_VERSIONS = ["warc/1.0", "WARC", ""];

const body = fc.array(pick(TEXTS), { maxLength: 8 }).map((texts) => texts.join(""));

/** A body in chunks of any lengths, with extensions, trailers and mistakes. */
function toChunks(text: string, size: number, form: number): string {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    const chunk = text.slice(at, at + size);
    const length = (chunk.length + (form === 7 && at > 0 ? 1 : 0)).toString(16);
    const written = form === 1 ? `${length.toUpperCase()};a=b` : form === 2 ? `000${length}  ` : form === 6 ? `${length} x` : length;
    chunks.push(`${written}${form === 3 ? "\n" : "\r\n"}${chunk}${form === 3 ? "\n" : form === 4 ? "" : "\r\n"}`);
  }
  return `${chunks.join("")}${form === 5 ? "" : `0\r\n${form === 1 ? "X: http://u.example/\r\n" : ""}\r\n`}`;
}

/** Codings of HTTP, and what undoes them. */
const CODINGS: readonly { readonly fields: readonly string[]; readonly encode: (text: Buffer) => Buffer }[] = [
  { fields: ["Content-Encoding: gzip"], encode: gzipSync },
  { fields: ["Content-Encoding: X-GZIP"], encode: (text) => Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(text.subarray(9))]) },
  { fields: ["Content-Encoding: deflate"], encode: deflateSync },
  { fields: ["Content-Encoding: deflate"], encode: (text) => deflateRawSync(text, { level: 0 }) },
  { fields: ["Content-Encoding: br"], encode: brotliCompressSync },
  { fields: ["Content-Encoding: gzip", "Transfer-Encoding: deflate"], encode: (text) => deflateSync(gzipSync(text)) },
];

/** A body in a coding: whole, cut, with an error in it, or with bytes after it. */
const coded = fc
  .record({
    coding: fc.constantFrom(...CODINGS),
    text: body,
    form: fc.integer({ min: 0, max: 5 }),
    at: fc.nat(400),
  })
  .map(({ coding: { fields, encode }, text, form, at }) => {
    const bytes = encode(latin1(text));
    if (form === 1) return { fields, text: bytes.subarray(0, at).toString("latin1") };
    if (form === 2) bytes.fill(at, at % bytes.length, (at % bytes.length) + 1);
    return { fields, text: `${bytes.toString("latin1")}${form === 3 ? "\r\nhttp://v.example/" : ""}` };
  });

const http = fc
  .record({
    status: pick(STATUS_LINES),
    type: fc.option(pick(TYPES), { nil: null }),
    fields: fc.array(pick(HTTP_FIELDS), { maxLength: 3 }),
    body: fc.oneof(
      { weight: 4, arbitrary: body.map((text) => ({ fields: [], text })) },
      { weight: 1, arbitrary: messages.map((bytes) => ({ fields: [], text: bytes.toString("latin1").slice(0, 800) })) },
      { weight: 3, arbitrary: coded },
    ),
    size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1000)),
    form: fc.integer({ min: 0, max: 12 }),
    isChunked: fc.boolean(),
    gap: pick(["\r\n", "\r\n", "\r\n", "\n", "", "\r"]),
  })
  .map(({ status, type, fields, body: { fields: codings, text }, size, form, isChunked, gap }) => {
    const head = [
      ...fields,
      ...codings,
      ...(type === null ? [] : [`Content-Type: ${type}`]),
      ...(isChunked ? ["Transfer-Encoding: chunked"] : []),
    ];
    const first = status === "" ? "" : `${status}\r\n`;
    return `${first}${head.map((line) => `${line}\r\n`).join("")}${gap}${isChunked && form < 12 ? toChunks(text, size, form) : text}`;
  });

const record = fc
  .record({
    version: fc.oneof({ weight: 9, arbitrary: pick(VERSIONS) }, { weight: 1, arbitrary: pick(NO_VERSIONS) }),
    before: fc.array(pick(RECORD_FIELDS), { maxLength: 3 }),
    contentType: fc.option(pick(TYPES), { nil: null }),
    extra: fc.option(fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(1, -1, -7, 40, 100_000)), { nil: null, freq: 20 }),
    typed: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant("response"), http) },
      { weight: 3, arbitrary: fc.tuple(pick(RECORD_TYPES), body) },
      { weight: 1, arbitrary: fc.tuple(pick(RECORD_TYPES), http) },
    ),
    lineBreak: pick(["\r\n", "\r\n", "\r\n", "\n"]),
    gap: pick(["\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\n\n", "\r\n\r\n", "", "\r\n", "garbage http://x.example/\r\n\r\n"]),
  })
  .map(({ version, before, contentType, extra, typed: [type, block], lineBreak, gap }) => {
    const named = [
      ...(type === "" ? [] : [`WARC-Type: ${type}`]),
      ...before,
      ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
      ...(extra === null ? [] : [`Content-Length: ${Math.max(0, block.length + extra)}`]),
    ];
    const lines = [version, ...named, ""].map((line) => `${line}${lineBreak}`);
    return `${version === "" ? lines.slice(1).join("") : lines.join("")}${block}${gap}`;
  });

/** A record of an ARC file; the words of its line may be too few, too many or wrong. */
const arcRecord = fc
  .record({
    url: pick(["http://t.example/", "HTTPS://t.example/a b 192.0.2.1 c", "dns:t.example", "ftp://t.example/", "t.example", "x:"]),
    date: fc.oneof({ weight: 9, arbitrary: fc.constant("19961104142103") }, pick(["1996110414210", "19961104142103x", ""])),
    type: pick(["text/html", "text/plain", "image/png", "no-type", "application/json"]),
    more: fc.oneof({ weight: 9, arbitrary: pick(["", "200 - - 300 x.arc "]) }, pick(["200 - - 300 ", "1 2 3 4 5 6 "])),
    extra: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constantFrom(1, -1, -7, 100_000)),
    block: fc.oneof(http, body),
    lineBreak: pick(["\n", "\n", "\r\n", ""]),
    gap: pick(["\n", "\n", "\r\n", "", "garbage http://x.example/\n"]),
  })
  .map(({ url, date, type, more, extra, block, lineBreak, gap }) => {
    const length = Math.max(0, block.length + extra);
    return `${url} 192.0.2.1 ${date} ${type} ${more}${length}${lineBreak}${block}${gap}`;
  });

const arcs = fc
  .tuple(pick(["filedesc://x.arc 0.0.0.0 19960923142103 text/plain 6\n1 0 x\n\n", ""]), fc.array(arcRecord, { minLength: 1, maxLength: 4 }))
  .map(([description, records]) => `${description}${records.join("")}`);

/** Web archives of up to four records; some have wrong lengths, types and versions. */
export const warcs: fc.Arbitrary<Buffer> = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(record, { minLength: 1, maxLength: 4 }).map((records) => records.join("")) },
    { weight: 1, arbitrary: arcs },
  )
  .map(latin1);

/** Web archives with one to eight mistakes of bytes in them. */
export const mutatedWarcs: fc.Arbitrary<Buffer> = mutatedFrom(warcs);

/** How web archives are read. */
export const warcReadings: fc.Arbitrary<MailSearch> = fc.record<MailSearch>({
  type: fc.constantFrom("auto", "warc", "warc", "warc"),
  parts: fc.constantFrom("text", "text", "all"),
  charset: fc.constantFrom("utf-8", "windows-1252", "iso-8859-7", "utf-16be"),
});
