// The command `urlmill report [options] [path ...]`.
import { existsSync } from "node:fs";
import { COUNT_MESSAGES } from "#core/layout/mail.js";
import type { Results } from "../api/results.ts";
import { shown } from "../base/shown.ts";
import { isTerminal } from "../output/output.ts";
import { reportResults } from "../report/report-results.ts";
import { reportOptions } from "../run/command-settings.ts";
import type { Totals } from "../run/totals.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, refuseOptionsTogether } from "./contradictions.ts";
import { type Producer, readArchives } from "./extract.ts";
import { countText, EXIT_FOUND, EXIT_NOTHING, note, withoutListeners } from "./session.ts";

export async function runReport(given: Arguments, producer?: Producer): Promise<number> {
  const options = reportOptions(given.options);
  const args = { ...given, options };
  refuseOptionsTogether(args);
  refuseForgottenOutput(args);
  if (given.given.userinfo === "keep") throw new UsageError("--userinfo keep cannot be given with report, which never shows a password");
  if (!options.json && isOutputTerminal(options)) throw new UsageError("urlmill report needs -o FILE, or --json: a terminal shows no page");
  let summed: Totals | undefined;
  const results = reportResults(options, Object.keys(given.given), given.operands, withoutListeners);
  const finish: Results["finish"] = (totals, ...rest) => {
    summed = totals;
    return results.finish(totals, ...rest);
  };
  const exitCode = await readArchives({ args, results: { ...results, finish }, producer });
  const { output = "-", quiet } = options;
  const isSaid = exitCode === EXIT_NOTHING || (exitCode === EXIT_FOUND && isTerminal(2));
  if (summed !== undefined && isSaid && !quiet && output !== "-") note(`${output}: ${contentText(summed)}`);
  return exitCode;
}

/** Throws UsageError if an input is a page that does not exist, and there is no output: `-o` was probably forgotten. */
function refuseForgottenOutput({ options, operands }: Arguments): void {
  const page = options.output === undefined ? operands.find((path) => /\.html?$/i.test(path) && !existsSync(path)) : undefined;
  if (page !== undefined) throw new UsageError(`there is no file ${shown(page)}; did you mean -o ${shown(page)}?`);
}

/** Returns the contents of a report in numbers: `53,413 URLs in 12,345 messages of 9 sources`. */
function contentText({ matches, sources, archive }: Totals): string {
  const messages = archive[COUNT_MESSAGES] ?? 0;
  const read = countText(sources, "source");
  return `${countText(matches, "URL")} in ${messages === 0 ? read : `${countText(messages, "message")} of ${read}`}`;
}
