// The command that lists what a report counts.
import type { Summary } from "../../summary/summary.ts";
import type { Span } from "./cells.ts";

/** Inputs that are written out. */
const INPUTS_MOST = 5;
/** A word that no shell changes. */
const PLAIN = /^[\w./@%+=:,][\w./@%+=:,-]*$/;

/** Returns the command that lists the matches with a flag in the months of a span. */
export function commandOf(flag: string, { months, run: { inputs } }: Summary, span: Span | null): string {
  const dates = span === null ? [] : ["--since", months[span.from] as string, "--until", months[span.to] as string];
  const paths = inputs.length > INPUTS_MOST ? ["PATH"] : inputs.map(quoted);
  return ["urlmill", "--flag", flag, ...dates, ...paths].join(" ");
}

function quoted(word: string): string {
  return PLAIN.test(word) || word === "-" ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
