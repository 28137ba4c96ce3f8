// The command `urlmill report [options] [path ...]`.
import { availableParallelism } from "node:os";
import { flagOf, OPTIONS } from "../option-table.ts";
import { settingsOf } from "../options.ts";
import { summarizing } from "../output/summarized.ts";
import { reportHtml } from "../report/html.ts";
import { reportTemplate } from "../report/template.ts";
import type { Totals } from "../run/totals.ts";
import { makeSummary } from "../summary/make-summary.ts";
import { SUMMARY_FIELDS, Summarizer } from "../summary/summarizer.ts";
import type { SummaryRun } from "../summary/summary.ts";
import { withoutPasswords } from "../url/passwords.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, type Results, readArchives, refuseOptionsTogether } from "./extract.ts";

/** Runs `urlmill report [options] [path ...]`; returns the exit code. Throws UsageError. */
export async function runReport(given: Arguments): Promise<number> {
  const args = withDefaults(given);
  const { options } = args;
  refuseOptionsTogether(args);
  if (!options.json && isOutputTerminal(options)) throw new UsageError("urlmill report needs -o FILE, or --json: a terminal shows no page");
  const started = new Date().toISOString();
  const settings = { ...settingsOf(options), format: "summary" as const, rejected: true };
  const summarizer = new Summarizer(options.memory);
  const open: Results["open"] = (sink) => summarizing(summarizer, sink, settings.listsRejected);
  const conclude = (totals: Totals, seconds: number): Uint8Array => {
    const run = runOf(args, started, seconds);
    const summary = makeSummary(summarizer.counted(), totals, run, options.top);
    return Buffer.from(options.json ? `${JSON.stringify(summary)}\n` : reportHtml(reportTemplate(), summary));
  };
  return await readArchives(args, { settings, open, conclude });
}

/** Returns the arguments with what holds for reports. */
function withDefaults(args: Arguments): Arguments {
  return { ...args, options: { ...args.options, unwrap: !args.options.noUnwrap, by: SUMMARY_FIELDS } };
}

function runOf({ options, given, operands }: Arguments, started: string, seconds: number): SummaryRun {
  const entries = given.map((name) => [flagOf(name, OPTIONS[name]), options[name]]);
  return {
    started,
    seconds,
    threads: options.threads ?? availableParallelism(),
    options: JSON.parse(JSON.stringify(Object.fromEntries(entries), (_, value) => (typeof value === "string" ? hidden(value) : value))),
    inputs: operands.length === 0 ? ["-"] : [...operands],
  };
}

function hidden(text: string): string {
  return withoutPasswords(text, "redact");
}
