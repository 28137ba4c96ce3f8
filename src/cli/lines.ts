// Commands that answer line by line: to each argument, or to each line of standard input.
import { existsSync, fstatSync, readSync, statSync } from "node:fs";
import { SHOWN_LENGTH } from "../base/shown.ts";
import { readChunks } from "../input/chunks.ts";
import { READ_BYTES } from "../input/file.ts";
import { Pacer } from "../input/pacer.ts";
import { identityOf } from "../input/paths.ts";
import { toAsync } from "../input/steps.ts";
import { isTerminal } from "../output/output.ts";
import { OpenLine, textOf } from "../url/text.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { complaintsOf, EXIT_ERROR, EXIT_FOUND, inSession, note, type Session } from "./session.ts";

const LINE_FEED = 0x0a;

/** Returns the answer to one line, and the code if the line is refused. */
type Answer = (input: string) => readonly [answer: string, refusal?: string];

/** Returns the arguments of a command, without a single operand `-`, which means standard input. Throws UsageError. */
export function lineArguments(args: Arguments): Arguments {
  const { operands, options, typed } = args;
  if (options.quiet && options.verbose) throw new UsageError(`${typed("verbose")} cannot be given with ${typed("quiet")}`);
  if (!operands.includes("-")) return args;
  if (operands.length > 1) throw new UsageError("- is standard input, and cannot be given beside others");
  return { ...args, operands: [] };
}

const URLS_WANTED = "URLs from the terminal, one a line,";

/** Returns the chunks of standard input. Throws if it is a folder or the output. At a terminal a message says that `wanted` is read. */
export function readStdin(name: string, quiet: boolean, signal: AbortSignal, wanted = URLS_WANTED): AsyncIterable<Uint8Array> {
  const [input, output] = [fstatSync(0), fstatSync(1)];
  if (input.isDirectory()) throw new Error("standard input is a folder");
  if (input.isFile() && output.isFile() && identityOf(input) === identityOf(output)) {
    throw new Error("standard input is also the output; give another file");
  }
  if (!quiet && isTerminal(0)) note(`reading ${wanted} until Ctrl-D; urlmill ${name} --help lists the options`);
  return input.isFile() ? readFileChunks(signal) : toAsync(readChunks(process.stdin, signal));
}

/** Yields the rest of standard input that is a file. Reading it as a stream would take longer than normalizing it. */
async function* readFileChunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const pacer = new Pacer(signal);
  for (;;) {
    await pacer.pause();
    const chunk = new Uint8Array(READ_BYTES);
    const count = readSync(0, chunk, 0, chunk.length, null);
    if (count === 0) return;
    yield chunk.subarray(0, count);
  }
}

/** Answers each argument of the command `name`; without arguments each line of standard input. Returns the exit code. */
export async function answerEach(name: string, { operands, options }: Arguments, answer: Answer, hides = false): Promise<number> {
  return await inSession(async (session) => {
    const refusals = refusalsOf(session, options, hides);
    const one = (line: Buffer, number: number): void => {
      const [text, refusal] = answer(textOf(line));
      session.write(`${text}\n`);
      const reading = refusal !== undefined && number < 0 ? readingOf(line.toString(), name) : undefined;
      const advice = reading === undefined ? "" : ` is a file; its lines are read by ${reading}`;
      if (refusal !== undefined) refusals.add(number, refusal, line, advice);
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
export function refusalsOf(session: Session, { quiet, verbose }: Arguments["options"], hides: boolean) {
  const complaints = complaintsOf((count) => `${count} more were refused; --verbose names all`, verbose ? Infinity : undefined);
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

/** Yields batches of the lines of a stream, without line feeds. An overlong line keeps URL_BYTES_LIMIT + 1 bytes, so it is refused. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  const open = new OpenLine();
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = open.take(chunk.subarray(from, end));
      lines.push(Buffer.from(line.buffer, line.byteOffset, line.length));
      from = end + 1;
    }
    open.add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (!open.isEmpty) yield [Buffer.from(open.take(new Uint8Array(0)))];
}

/** Returns the command line that reads the file with the name `operand`; undefined if there is no such file. */
export function readingOf(operand: string, command: string): string | undefined {
  if (!existsSync(operand) || !statSync(operand).isFile()) return undefined;
  return `urlmill ${command} < ${/^[\w./-]+$/.test(operand) ? operand : JSON.stringify(operand)}`;
}
