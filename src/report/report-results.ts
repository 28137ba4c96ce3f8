// The output of `urlmill report`: a page, or its numbers as JSON.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Results } from "../api/results.ts";
import { Pacer } from "../input/pacer.ts";
import type { OptionName, OptionValues } from "../options/table.ts";
import { summarySink } from "../output/summarized.ts";
import { commandSettings } from "../run/command-settings.ts";
import { shownOptions } from "../summary/hidden.ts";
import { makeSummary } from "../summary/make-summary.ts";
import { Summarizer } from "../summary/summarizer.ts";
import type { SummaryRun } from "../summary/summary.ts";
import { reportHtml } from "./html.ts";

/** Returns the output of a report, which shows the options with the names `given`. `atOnce` runs steps that block for long. */
export function reportResults(
  options: OptionValues,
  given: readonly string[],
  paths: readonly string[],
  atOnce?: (step: () => void) => void,
): Results & Required<Pick<Results, "finish">> {
  const started = new Date().toISOString();
  const settings = commandSettings("report", options);
  const summarizer = new Summarizer(options.memory, undefined, atOnce);
  return {
    settings,
    open: (sink) => summarySink(summarizer, sink, settings.listsRejected),
    async finish(totals, seconds, signal) {
      const run: SummaryRun = {
        started,
        seconds,
        threads: options.threads ?? availableParallelism(),
        options: shownOptions(Object.fromEntries(given.map((name) => [name, options[name as OptionName]]))),
        inputs: paths.length === 0 ? ["-"] : [...paths],
      };
      const summary = await new Pacer(signal).finish(makeSummary(summarizer.counted(), totals, run, options.top));
      return Buffer.from(options.json ? `${JSON.stringify(summary)}\n` : reportHtml(template(), summary));
    },
  };
}

/** Returns the template of reports: src/page/report.ts as tools/bundle-html.mjs bundles it. */
function template(): string {
  return readFileSync(join(import.meta.dirname, "../report/template.html"), "utf8");
}
