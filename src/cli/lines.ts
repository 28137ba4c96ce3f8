// The URLs that a command works on one by one: its arguments, or the lines of standard input.
import { fstatSync } from "node:fs";
import { readChunks } from "../input/chunks.ts";
import { identityOf } from "../input/paths.ts";
import { isTerminal } from "../output/terminal.ts";
import { SHOWN_LENGTH } from "../shown.ts";
import { URL_BYTES_LIMIT } from "../url/text.ts";
import { Complaints, complain, EXIT_ERROR, EXIT_FOUND, type Session } from "./session.ts";

const LINE_FEED = 0x0a;

/** Writes the answer to one line; returns why it is refused, or undefined. */
export type Answer = (line: Buffer) => string | undefined;

/** The chunks of standard input; tells a user at a terminal what is waited for. */
export function readStdin(name: string, quiet: boolean, session: Session): AsyncIterable<Uint8Array> {
  const [input, output] = [fstatSync(0), fstatSync(1)];
  if (input.isDirectory()) throw new Error("standard input is a folder");
  if (input.isFile() && output.isFile() && identityOf(input) === identityOf(output)) {
    throw new Error("standard input is also the output; give another file");
  }
  if (!quiet && isTerminal(0))
    complain(`reading URLs from the terminal, one a line, to its end (Ctrl-D); urlmill ${name} --help tells more`);
  return readChunks(process.stdin, session.signal);
}

/** The refused ones of a command: the first are named on standard error, the others counted. */
export class Refusals {
  readonly #session: Session;
  readonly #hides: boolean;
  readonly #complaints = new Complaints((count) => `${count} more were refused`);

  /** `hides`: a refused URL is not shown, since it may hold a password. */
  constructor(session: Session, hides: boolean) {
    this.#session = session;
    this.#hides = hides;
  }

  /** Takes one; `line` counts from 1, arguments from -1 down. */
  add(line: number, code: string, text: Uint8Array): void {
    this.#session.hasFailed = true;
    this.#complaints.add(() => {
      if (this.#hides) return `${line < 0 ? `argument ${-line}` : `line ${line}`}: ${code} (not shown: it may hold a password)`;
      const start = Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8", 0, SHOWN_LENGTH);
      return `${line < 0 ? "" : `line ${line}: `}${code}: ${JSON.stringify(start)}`;
    });
  }

  /** Says how many more there were; returns the exit code. */
  end(): number {
    this.#complaints.end();
    return this.#complaints.isEmpty ? EXIT_FOUND : EXIT_ERROR;
  }
}

/** Has each argument answered, or each line of standard input where there is none; returns the exit code. `hides`: shows no refused one. */
export async function answerEach(
  args: readonly string[],
  answer: Answer,
  stdin: () => AsyncIterable<Uint8Array>,
  session: Session,
  hides = false,
): Promise<number> {
  const refusals = new Refusals(session, hides);
  const one = (line: Buffer, number: number): void => {
    const refusal = answer(line);
    if (refusal !== undefined) refusals.add(number, refusal, line);
  };
  for (const [index, arg] of args.entries()) one(Buffer.from(arg), -1 - index);
  if (args.length > 0) return refusals.end();
  let number = 0;
  for await (const lines of readLines(stdin())) {
    for (const line of lines) one(line, ++number);
    await session.output.wait();
  }
  return refusals.end();
}

/** The lines of a stream without their line feeds, many at a time. One that is longer than any URL is cut behind that length. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      lines.push(joined(rest, chunk.subarray(from, end)));
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    isOpen = from < chunk.length || (isOpen && from === 0);
    rest = joined(rest, chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (isOpen) yield [rest];
}

function joined(rest: Buffer, more: Uint8Array): Buffer {
  const room = URL_BYTES_LIMIT + 1 - rest.length;
  if (room <= 0) return rest;
  const bytes = Buffer.from(more.buffer, more.byteOffset, Math.min(more.length, room));
  return rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
}
