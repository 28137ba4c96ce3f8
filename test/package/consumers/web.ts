// A strict program for any platform: it is compiled with the types of the language alone, too.

import { type Explanation, explain } from "urlmill/explain";
import { type NamedSource, type SummarizeOptions, type Summary, summarize } from "urlmill/summary";
import { format, percentEncode } from "urlmill/url";
import {
  type ByteSource,
  createExtractor,
  type ExtractFromOptions,
  type Extractor,
  extract,
  extractFrom,
  extractWebStream,
  type Match,
  normalize,
  normalizeLines,
  parse,
  resolve,
  type SchemeName,
  SourceError,
} from "urlmill/web";

const find: Extractor = createExtractor({ bare: ["www"] });
const first: Match | undefined = find("www.a.example")[0] ?? extract("x")[0];
const explained: readonly Explanation[] = explain("http://a.example/.", { bare: ["www"] });
const rules: string[] = explained.flatMap(({ steps }) => steps.map(({ rule }) => rule));
const options: ExtractFromOptions = { type: "mbox", where: ["body"], schemes: ["gopher", "steam"] };
const more: ExtractFromOptions = { match: [/a/i, "b"], subject: /c/, since: new Date(0), until: "1998" };
const completed: Extract<SchemeName, "gopher"> = "gopher";
const bytes = new Uint8Array(1);
const named: NamedSource = { name: "a.mbox", source: bytes };
const summed: SummarizeOptions = { ...options, top: 10, memory: 1 << 20 };
const sources: ByteSource[] = ["a", bytes, new ArrayBuffer(1), [bytes]];
export async function main(): Promise<readonly unknown[]> {
  const urls: string[] = [...rules, completed, ...extract("x", more).map(({ raw }) => raw)];
  for (const source of sources) for await (const { url, start } of extractFrom(source, options)) urls.push(`${url} ${start + 1}`);
  const { tables }: Summary = await summarize([named, "a"], summed);
  for (const [host, first] of tables.host.rows) urls.push(`${host} ${first}`);
  const parsed = parse("http://a.example/");
  if (parsed.ok) urls.push(format(parsed));
  urls.push(normalize("a") ?? resolve("a", "b") ?? percentEncode("a", "rfc3986-segment"));
  // @ts-expect-error a number is no text
  extract(1);
  return [urls, extractWebStream(options), normalizeLines(bytes).length, first?.flags.includes("idn")];
}
export const codeOf = (error: unknown): string => (error instanceof SourceError ? error.code : "");
