// The commands `urlmill normalize`, `parse` and `resolve`, which answer line by line: to each argument, or to each line of standard input.
import { isUtf8 } from "node:buffer";
import { jsonText, SHOWN_LENGTH } from "../base/shown.ts";
import { getUrlCore } from "../core/url-core.ts";
import { formOf } from "../options/options.ts";
import { coreProfileNumber, makeNormalizer, type NormalForm } from "../url/normalize.ts";
import { LineNormalizer } from "../url/normalize-lines.ts";
import { parseWith } from "../url/parse.ts";
import { resolveWith } from "../url/resolve.ts";
import type { ParsedUrl } from "../url/schemes/all.ts";
import { textOf } from "../url/text.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { lineArguments, readingOf, readLines, readStdin } from "./lines.ts";
import { complaintsOf, EXIT_ERROR, EXIT_FOUND, inSession, type Session } from "./session.ts";

/** Returns the answer to one line, and the code if the line is refused. */
type Answer = (input: string) => readonly [answer: string, refusal?: string];

export async function runNormalize(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const { operands, options } = args;
  const form = formOf(options);
  const profile = coreProfileNumber(form);
  if (profile !== undefined && operands.length === 0) return await inSession((session) => normalizeBatches(profile, options, session));
  const normalize = makeNormalizer(getUrlCore(), form);
  return await answerEach("normalize", args, (input) => urlOf(normalize(input)), form.userinfo === "redact");
}

/** Normalizes standard input in batches of lines that the core reads and writes, without a string for each. */
async function normalizeBatches(profile: number, options: Arguments["options"], session: Session): Promise<number> {
  const refusals = refusalsOf(session, options, false);
  const normalizer = new LineNormalizer(getUrlCore(), profile, {
    lines: (bytes) => session.output.write(Buffer.from(bytes)),
    refused: (line, reason, text) => refusals.add(line, reason, text),
  });
  for await (const chunk of readStdin("normalize", options.quiet, session.signal)) {
    normalizer.write(chunk);
    await session.output.wait();
  }
  normalizer.end();
  return refusals.end();
}

export async function runParse(given: Arguments): Promise<number> {
  const core = getUrlCore();
  return await answerEach("parse", lineArguments(given), (input) => {
    const parsed = parseWith(core, input);
    const start = `{"input":${jsonText(input)},`;
    if (parsed.ok) return [start + partsOf(parsed)];
    const { code, offset } = parsed;
    return [`${start}"error":${JSON.stringify({ code, offset })}}`, code];
  });
}

export async function runResolve(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const { base } = args.options;
  if (base === undefined) throw new UsageError("resolve needs --base URL, which references are resolved against");
  const core = getUrlCore();
  // Reports an invalid base once, not for every reference.
  const own = resolveWith(core, base, "");
  if (!own.ok) throw new UsageError(`${args.typed("base")} must be a URL, not ${JSON.stringify(base)}: ${own.code}`);
  return await answerEach("resolve", args, (input) => urlOf(resolveWith(core, base, input)));
}

function urlOf(result: NormalForm | ReturnType<typeof resolveWith>): ReturnType<Answer> {
  return result.ok ? [result.url] : ["", result.code];
}

/** Returns the members of a parsed URL as JSON, with the closing `}`, but without `{` and the first member `ok`. */
function partsOf(parsed: ParsedUrl): string {
  const plain = parsed.scheme === "gopher" ? Object.fromEntries(Object.entries(parsed).flatMap(memberOf)) : parsed;
  return jsonText(plain).slice('{"ok":true,'.length);
}

/** Returns a member for JSON: bytes in UTF-8 as text, others in hexadecimal as `NAME_hex`. `selectorBytes` in UTF-8 is `selector`. */
function memberOf([name, value]: [string, unknown]): [string, unknown][] {
  if (!(value instanceof Uint8Array)) return [[name, value]];
  const stem = name.replace(/Bytes$/, "");
  if (!isUtf8(value)) return [[`${stem}_hex`, Buffer.from(value).toString("hex")]];
  return stem === name ? [[name, Buffer.from(value).toString()]] : [];
}

/** Answers each argument of the command `name`; without arguments each line of standard input. Returns the exit code. */
async function answerEach(name: string, { operands, options }: Arguments, answer: Answer, hides = false): Promise<number> {
  return await inSession(async (session) => {
    const refusals = refusalsOf(session, options, hides);
    const one = (line: Buffer, number: number): void => {
      const [text, refusal] = answer(textOf(line));
      session.write(`${text}\n`);
      if (refusal !== undefined) refusals.add(number, refusal, line, number < 0 ? adviceFor(line.toString(), name) : "");
    };
    for (const [index, operand] of operands.entries()) one(Buffer.from(operand), -1 - index);
    if (operands.length > 0) return refusals.end();
    let number = 0;
    for await (const lines of readLines(readStdin(name, options.quiet, session.signal))) {
      for (const line of lines) one(line, ++number);
      await session.output.wait();
    }
    return refusals.end();
  });
}

/** Names the first refused lines and counts the others. `hides`: shows no refused URL, which may hold a password. */
function refusalsOf(session: Session, { quiet, verbose }: Arguments["options"], hides: boolean) {
  const rest = (count: number): string => `${count} more were refused; --verbose names all`;
  const complaints = complaintsOf(rest, verbose ? Number.POSITIVE_INFINITY : undefined);
  return {
    /** Adds a refused line. `line`: its number from 1 on, or -1, -2, ... for arguments. A message that shows the URL ends with `advice`. */
    add(line: number, code: string, text: Uint8Array, advice = ""): void {
      session.hasFailed = true;
      if (quiet) return;
      complaints.add(() => {
        if (hides) return `${line < 0 ? `argument ${-line}` : `line ${line}`}: ${code} (not shown: it may hold a password)`;
        const start = Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8", 0, SHOWN_LENGTH);
        return `${line < 0 ? "" : `line ${line}: `}${code}: ${JSON.stringify(start)}${advice}`;
      });
    },
    end(): number {
      complaints.end();
      return session.hasFailed ? EXIT_ERROR : EXIT_FOUND;
    },
  };
}

/** Returns the end of a message about a refused argument: if it is a file, the command that reads its lines, else an empty text. */
function adviceFor(operand: string, command: string): string {
  const reading = readingOf(operand, command);
  return reading === undefined ? "" : ` is a file; its lines are read by ${reading}`;
}
