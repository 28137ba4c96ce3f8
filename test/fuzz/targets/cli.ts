// The command, as a user runs it: any options over any input end with one of its exit codes, name what is wrong in clean lines, and give
// the same from a file, a pipe and a compressed file; lines are the URLs of the records.
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { fileTypeOf, textTypeOf } from "../../../src/input/text-type.ts";
import { type Ended, ended, start } from "../../cli/run.ts";
import { mutatedMail } from "../../mail/mutations.ts";
import { warcs } from "../../mail/warc-pieces.ts";
import { pages, texts } from "../../scan/pieces.ts";
import { scratchPath } from "../scratch.ts";
import { mutatedOf, realPages, realTexts } from "../seeds.ts";
import type { Target, Trial } from "../target.ts";

/** A run that takes longer hangs: urlmill needs a tenth of a second for such inputs. */
const RUN_MILLISECONDS = 20_000;

/** What a terminal or a log must not get. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/;

const words = (...list: string[]): fc.Arbitrary<string[]> => fc.constantFrom([], ...list.map((text) => text.split(" ")));
const options: fc.Arbitrary<string[]> = fc
  .tuple(
    words("--type text", "--type html", "--type mbox", "--type eml", "--type news", "--type warc", "--type json"),
    words("--profile rfc1738", "--profile whatwg", "--profile surt", "--profile cdx", "--profile none"),
    words("--nested", "--links", "--refang", "--guess", "--any-scheme", "--unwrap", "--nested --guess", "--unwrap --guess --any-scheme"),
    words("--bare www,email,domain,ip", "--bare email", "--extra-scheme qotd"),
    words("--strip-tracking --sort-query", "--userinfo redact", "--userinfo strip", "--defang", "--strip-fragment --strip-www"),
    words("--where body", "--host *.example", "--kind plain,wrapped", "--flag userinfo", "--since 1990", "--match example", "--no-quoted"),
    words("--url-bytes-max 256", "--charset iso-8859-7", "--mbox cl", "--parts all"),
    words("--scheme http,mailto", "-u"),
  )
  .map((chosen) => chosen.flat());

/** Other outputs, of which only the end and the messages are looked at. */
const outputs = fc.constantFrom(
  ["-f", "csv"],
  ["-f", "tsv", "--csv-safe"],
  ["--context", "20", "-f", "ndjson"],
  ["--print", "{url}\\t{from}{date}{subject}"],
  ["--stats"],
  ["-u", "--memory", "1M"],
  ["-0"],
  ["--fields", "from,subject,newsgroups,list_id,from_address,year,domain,port,path,query,chain,context", "-f", "ndjson"],
);

async function run(args: readonly string[], input?: Buffer): Promise<Ended> {
  const child = start(args);
  const timer = setTimeout(() => child.kill("SIGKILL"), RUN_MILLISECONDS);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input ?? "");
  const end = await ended(child);
  clearTimeout(timer);
  return end;
}

/** What is wrong with how a run ended, or null. */
function wrongEnd({ code, signal, stderr }: Ended, args: readonly string[]): string | null {
  const shown = `${args.join(" ")} ${JSON.stringify([code, signal, stderr.slice(0, 500)])}`;
  if (signal !== null) return `ended by ${signal}: ${shown}`;
  if (code !== 0 && code !== 1 && code !== 2) return `exit code: ${shown}`;
  if (/^ {4}at |internal error/m.test(stderr)) return `error of its own: ${shown}`;
  return CONTROLS.test(stderr) ? `controls in messages: ${shown}` : null;
}

async function check({ bytes, given }: Trial): Promise<string | null> {
  const { args, more } = given as { args: string[]; more: string[] };
  const [plain, packed] = [scratchPath("input"), scratchPath("input.gz")];
  writeFileSync(plain, bytes);
  writeFileSync(packed, gzipSync(bytes));
  const lines = await run([...args, plain]);
  // What the command refuses is a matter of its options alone.
  const wrong = wrongEnd(lines, args);
  if (wrong !== null || lines.code === 2) return wrong;
  const shown = JSON.stringify([args, bytes.toString("latin1")]);
  const [piped, unpacked, records, others] = await Promise.all([
    run([...args, "-"], bytes),
    run([...args, "-j", "2", packed]),
    run([...args, "-f", "ndjson", plain]),
    run([...args, ...more, plain, packed]),
  ]);
  // Half of an mbox is recognized in a file alone (A1).
  const isHalf = !args.includes("--type") && fileTypeOf("auto", bytes) !== textTypeOf("auto", bytes);
  if (!isHalf && (piped.stdout !== lines.stdout || piped.code !== lines.code)) return `from a pipe: ${shown}`;
  if (unpacked.stdout !== lines.stdout || unpacked.code !== lines.code) return `from gzip, by two threads: ${shown}`;
  const rows = records.stdout.split("\n").slice(0, -1);
  const urls = rows.flatMap((row) => (JSON.parse(row).url === null ? [] : [JSON.parse(row).url]));
  if (urls.map((url) => `${url}\n`).join("") !== lines.stdout) return `lines and records: ${shown}`;
  if (rows.some((row) => CONTROLS.test(row))) return `controls in records: ${shown}`;
  return wrongEnd(others, [...args, ...more]);
}

/** `urlmill extract` with any options. */
export const cli: Target = {
  trials: fc
    .tuple(fc.oneof(mutatedOf(realTexts, texts(3)), mutatedMail, mutatedOf(realPages, pages(3)), warcs), options, outputs)
    .map(([bytes, args, more]) => ({ bytes, given: { args, more } })),
  check,
};
