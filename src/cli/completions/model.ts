// What a shell completes: the commands, their options and the values of the options, from the table of options.
import { flagOf, type OptionRow, optionsOf } from "../../options/table.ts";
import { COMMAND_NAMES, type CommandName } from "../arguments.ts";
import { meaningOf } from "../usage.ts";

/** The value after an option. */
export type ValueCompletion =
  | { readonly kind: "none" }
  | { readonly kind: "file" }
  /** A free text, which has no list of completions. */
  | { readonly kind: "text"; readonly placeholder: string }
  /** One of `choices`; with `isList` several, separated by commas. */
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly isList: boolean; readonly placeholder: string };

/** One option, as a shell sees it. */
export interface CompletedOption {
  /** The letter, without `-`. */
  readonly short: string | undefined;
  /** Names without `--`. A negatable option has two: `NAME` and `no-NAME`. */
  readonly flags: readonly string[];
  readonly help: string;
  /** Whether the option may be given more than once. */
  readonly isRepeated: boolean;
  readonly value: ValueCompletion;
}

/** The shells for which there is a script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
/** First words of a command line, with descriptions. */
export const FIRST_WORDS: Readonly<Record<CommandName | "help" | "completions", string>> = {
  extract: "extract URLs",
  count: "count URLs by host, domain, month, ...",
  page: "serve a page that scans archives in a browser",
  report: "say what is in an archive, on a page or as JSON",
  explain: "show which rules decided about each URL",
  normalize: "normalize URLs",
  parse: "split URLs into their parts",
  resolve: "resolve references",
  plan: "divide a run over many machines",
  "run-shard": "scan one shard of a plan",
  verify: "list the shards of a plan that are not done",
  merge: "bring the results of a plan together",
  help: "show the options of a command",
  completions: "write a script for a shell",
};
/** Arguments of the commands that have no options. */
export const ARGUMENTS = { help: [...COMMAND_NAMES, "completions"], completions: SHELLS } as const;

/** Commands whose operands are files or folders. */
export const TAKES_FILES: readonly string[] = ["extract", "count", "report", "page", "plan", "verify", "merge"];

/** Returns the options of a command; `plan` also takes the options of extraction. */
export function completedOptions(command: CommandName): CompletedOption[] {
  return optionsOf(`urlmill ${command}`, command === "plan" ? "urlmill extract" : undefined).map(([name, row]) => {
    const flag = flagOf(name, row);
    return {
      short: row.short,
      flags: row.value.isNegatable === true ? [flag, `no-${flag}`] : [flag],
      help: meaningOf(row, command),
      isRepeated: row.value.spelling === "list" || row.value.spelling === "each",
      value: completedValue(row),
    };
  });
}

function completedValue({ value: { spelling, placeholder, choices } }: OptionRow): ValueCompletion {
  if (spelling === "switch") return { kind: "none" };
  if (placeholder === "FILE") return { kind: "file" };
  if (choices === undefined) return { kind: "text", placeholder };
  return { kind: "choice", choices, isList: spelling === "list", placeholder: spelling === "list" ? placeholder : "VALUE" };
}
