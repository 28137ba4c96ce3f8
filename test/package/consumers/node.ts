// A strict program for Node that uses every type of the package; packed.test.ts and tools/check-package.mjs compile it.
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  type AddedScheme,
  type ByteSource,
  type ExtractFilesOptions,
  ExtractStream,
  extract,
  extractFiles,
  extractFrom,
  extractWebStream,
  type Match,
  type MatchJson,
  normalize,
  normalizeLines,
  parse,
  type Rejected,
  resolve,
  SourceError,
  tryNormalize,
  WorkerError,
} from "urlmill";
import { format, type MailtoUrl, type ParsedUrl, percentDecode, percentEncode, type UrlField, type UrlParts } from "urlmill/url";

const rejected: Rejected[] = [];
const { signal } = new AbortController();
const options: ExtractFilesOptions = { profile: "rfc3986", threads: 2, onRejected: (one) => rejected.push(one), signal };
const first: Match | undefined = extract("see http://example.com/", { bare: ["www"] })[0];
const json: MatchJson | undefined = first?.toJSON();
const qotd: AddedScheme = { name: "qotd", shape: "//", port: 17 };
const messageId = (match: Match | undefined): string | undefined => match?.messageId ?? json?.message_id;
// @ts-expect-error a type, not a value
const made = (): unknown => new Match();
const fieldsOf = (url: MailtoUrl): readonly UrlField[] => url.fields;
const copy: { url: string | null; flags: readonly string[] } = { ...(first as Match) };
export async function main(): Promise<void> {
  for await (const { url, start, where } of extractFiles(["a", new URL("file:///b")], options)) console.log(url, start, where);
  const bytes = new Uint8Array(1);
  const sources: ByteSource[] = [
    "text",
    bytes,
    bytes.buffer as ArrayBuffer,
    new Blob(["a"]),
    new Response("a"),
    createReadStream("a"),
    [bytes],
    new Set([bytes]),
    ["text in ", "pieces"],
  ];
  for (const source of sources) for await (const match of extractFrom(source, { signal })) console.log(match.host);
  const response = await fetch("http://example.com/");
  for await (const { url } of extractFrom(response)) console.log(url);
  if (response.body !== null) for await (const { url } of extractFrom(response.body)) console.log(url);
  await pipeline(createReadStream("a"), new ExtractStream({ format: "ndjson" }), process.stdout);
  for await (const match of new ExtractStream({ objectMode: true, onRejected: ({ code }) => console.log(code) }))
    console.log(match.messageId);
  new ExtractStream({ objectMode: true }).on("data", (match) => console.log(match.messageId)).on("error", console.error);
  new ExtractStream().on("data", (chunk) => console.log(chunk.byteLength));
  for await (const chunk of new ExtractStream({ source: "list" })) console.log(chunk.byteLength);
  await pipeline(createReadStream("a.gz"), new ExtractStream({ objectMode: true }), async (matches: AsyncIterable<Match>) => {
    for await (const { url } of matches) console.log(url);
  });
  // @ts-expect-error matches have no format
  console.log(new ExtractStream({ objectMode: true, format: "ndjson" }));
  const result = tryNormalize("http://");
  console.log(result.ok ? result.url : [result.code, result.offset]);
  extractWebStream({ signal }).writable.getWriter();
  extract("qotd://h/", { schemes: ["qotd"], extraSchemes: [qotd, "irc"] });
  const parsed = parse("http://example.com/");
  if (parsed.ok) console.log(format(parsed satisfies ParsedUrl & UrlParts));
  if (parsed.ok && parsed.scheme === "mailto") console.log(parsed.addresses, fieldsOf(parsed));
  console.log(messageId(first), made);
  console.log(json, copy, normalize("a"), resolve("a", "b"), normalizeLines(bytes).length);
  console.log(percentDecode(percentEncode("a", "rfc3986-segment")));
  try {
    // @ts-expect-error
    extract(1);
  } catch (error) {
    if (error instanceof SourceError || error instanceof WorkerError) console.log(error.code);
  }
}
