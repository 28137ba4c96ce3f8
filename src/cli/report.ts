// The command `urlmill report [options] [path ...]`.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { COUNT_MESSAGES } from "#core/layout/mail.js";
import { settingsOf } from "../options.ts";
import { summarizing } from "../output/summarized.ts";
import { isTerminal } from "../output/terminal.ts";
import { reportHtml } from "../report/html.ts";
import { reportTemplate } from "../report/template.ts";
import type { Totals } from "../run/totals.ts";
import { shown } from "../shown.ts";
import { shownOptions } from "../summary/hidden.ts";
import { makeSummary } from "../summary/make-summary.ts";
import { SUMMARY_FIELDS, Summarizer } from "../summary/summarizer.ts";
import type { SummaryRun } from "../summary/summary.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, type Results, readArchives, refuseOptionsTogether } from "./extract.ts";
import { countText } from "./progress-text.ts";
import { EXIT_FOUND, EXIT_NOTHING, note } from "./session.ts";

/** Runs `urlmill report [options] [path ...]`; returns the exit code. Throws UsageError. */
export async function runReport(given: Arguments): Promise<number> {
  const args = withDefaults(given);
  const { options } = args;
  refuseOptionsTogether(args);
  refuseForgottenOutput(args);
  if (!options.json && isOutputTerminal(options)) throw new UsageError("urlmill report needs -o FILE, or --json: a terminal shows no page");
  const started = new Date().toISOString();
  const settings = { ...settingsOf(options), format: "summary" as const, rejected: true };
  const summarizer = new Summarizer(options.memory);
  const open: Results["open"] = (sink) => summarizing(summarizer, sink, settings.listsRejected);
  let summed: Totals | undefined;
  const conclude = (totals: Totals, seconds: number): Uint8Array => {
    summed = totals;
    const run = runOf(args, started, seconds);
    const summary = makeSummary(summarizer.counted(), totals, run, options.top);
    return Buffer.from(options.json ? `${JSON.stringify(summary)}\n` : reportHtml(reportTemplate(), summary));
  };
  const exitCode = await readArchives(args, { settings, open, conclude });
  const { output = "-", quiet } = options;
  const isSaid = exitCode === EXIT_NOTHING || (exitCode === EXIT_FOUND && isTerminal(2));
  if (summed !== undefined && isSaid && !quiet && output !== "-") note(`${output}: ${contentText(summed)}`);
  return exitCode;
}

/** Throws UsageError if a page that does not exist is named as an input, and no output is. */
function refuseForgottenOutput({ options, operands }: Arguments): void {
  const page = options.output === undefined ? operands.find((path) => /\.html?$/i.test(path) && !existsSync(path)) : undefined;
  if (page !== undefined) throw new UsageError(`there is no file ${shown(page)}; did you mean -o ${shown(page)}?`);
}

/** Returns what a report is about: `53,413 URLs in 12,345 messages of 9 sources`. */
function contentText({ matches, sources, archive }: Totals): string {
  const messages = archive[COUNT_MESSAGES] ?? 0;
  const read = countText(sources, "source");
  return `${countText(matches, "URL")} in ${messages === 0 ? read : `${countText(messages, "message")} of ${read}`}`;
}

/** Returns the arguments with what holds for reports. */
function withDefaults(args: Arguments): Arguments {
  return { ...args, options: { ...args.options, unwrap: !args.options.noUnwrap, by: SUMMARY_FIELDS } };
}

function runOf({ options, given, operands }: Arguments, started: string, seconds: number): SummaryRun {
  return {
    started,
    seconds,
    threads: options.threads ?? availableParallelism(),
    options: shownOptions(Object.fromEntries(given.map((name) => [name, options[name]]))),
    inputs: operands.length === 0 ? ["-"] : [...operands],
  };
}
