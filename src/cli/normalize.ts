// The command `urlmill normalize [options] [url ...]`.
import { isUtf8 } from "node:buffer";
import { isatty } from "node:tty";
import { getCore } from "../core/core.ts";
import type { UrlForm } from "../options.ts";
import { readChunks } from "../sources/chunks.ts";
import { makeNormalizer, type Normalizer, needsRewrite } from "../url/normalize.ts";
import { URL_BYTES_LIMIT } from "../url/text.ts";
import type { NormalizeCommand } from "./arguments.ts";
import { complain, EXIT_ERROR, EXIT_FOUND, Session } from "./session.ts";

/** Characters of a refused URL that are shown. */
const SHOWN_LENGTH = 200;

/** Normalizes; returns the exit code. */
export async function runNormalize(command: NormalizeCommand): Promise<number> {
  const session = new Session(1);
  return await session.run(
    () => (command.urls.length > 0 ? normalizeArguments(command, session) : normalizeStdin(command, session)),
    () => undefined,
  );
}

async function normalizeArguments({ urls, form }: NormalizeCommand, session: Session): Promise<number> {
  const normalizer = normalizerOf(form);
  let exitCode = EXIT_FOUND;
  for (const url of urls) {
    if (!normalizeLine(Buffer.from(url), normalizer, session, "")) exitCode = EXIT_ERROR;
  }
  return exitCode;
}

async function normalizeStdin({ form, quiet }: NormalizeCommand, session: Session): Promise<number> {
  if (!quiet && isatty(0)) complain("reading URLs from the terminal, one a line, to its end (Ctrl-D); urlmill normalize --help tells more");
  const normalizer = normalizerOf(form);
  let exitCode = EXIT_FOUND;
  let number = 0;
  for await (const lines of readLines(readChunks(process.stdin, session.signal))) {
    for (const line of lines) {
      number++;
      if (!normalizeLine(line, normalizer, session, `line ${number}: `)) exitCode = EXIT_ERROR;
    }
    await session.output.room();
  }
  return exitCode;
}

/** What normalizes a line; undefined where lines stay as they are. */
function normalizerOf(form: UrlForm): Normalizer | undefined {
  return form.profile === "none" && !needsRewrite(form) ? undefined : makeNormalizer(getCore(), form);
}

/** Writes the normal form of a line, or an empty line; false if it was refused. */
function normalizeLine(line: Buffer, normalizer: Normalizer | undefined, session: Session, place: string): boolean {
  if (normalizer === undefined) {
    session.output.write(line);
    session.output.write(LINE_FEED);
    return true;
  }
  const result = normalizer(textOf(line));
  session.output.write(Buffer.from(result.ok ? `${result.url}\n` : "\n"));
  if (!result.ok) complain(`${place}${result.code}: ${JSON.stringify(line.toString("utf8", 0, SHOWN_LENGTH))}`);
  return result.ok;
}

const LINE_FEED = Buffer.from("\n");

// A byte of ill-formed UTF-8 is encoded as itself (C18), which a string could not hold.
function textOf(line: Buffer): string {
  if (isUtf8(line)) return line.toString("utf8");
  let text = "";
  for (let at = 0; at < line.length; ) {
    const length = characterLength(line, at);
    text += length === 0 ? `%${line.toString("hex", at, at + 1).toUpperCase()}` : line.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return text;
}

/** Bytes of the well-formed UTF-8 sequence at `at`; 0 if there is none. */
function characterLength(line: Buffer, at: number): number {
  const lead = line[at];
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= line.length && isUtf8(line.subarray(at, at + length)) ? length : 0;
}

/** The lines of a stream without their line feeds, many at a time. One that is longer than any URL is cut behind that length. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
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
