// The command that lists the matches with a flag that a report counts.
import type { Summary, TableName } from "../../summary/summary.ts";
import type { Span } from "./cells.ts";
import type { Choice } from "./narrow.ts";
import { optionWords } from "./option-words.ts";

/** Most inputs in the command. */
const INPUTS_MOST = 5;
/** A word that needs no quotes in a shell. */
const PLAIN = /^[\w./@%+=:,-]+$/;
/** Options of a report that do not affect its matches. */
const WITHOUT_EFFECT = "json output top memory rejected stats threads fail-fast progress color quiet".split(" ");
/** By table: the option that filters by a value. */
const OPTION_OF: Readonly<Partial<Record<TableName, string>>> = {
  scheme: "scheme",
  kind: "kind",
  where: "where",
  host: "host",
  domain: "domain",
  from_address: "from",
};
/** Options that are written by code of their own. */
const OWN_FORM = ["unwrap", "no-unwrap", "flag", "since", "until"];

/**
 * Returns the command that lists the matches with a flag in the months of a span, and with chosen values. Returns undefined if no command
 * lists them: a value has no option, the run has that option already, or the run was filtered by other flags (its matches have both).
 */
export function commandOf(
  flag: string,
  { months, run: { inputs, options } }: Summary,
  span: Span | null,
  choices: readonly Choice[] = [],
): string | undefined {
  const chosen = choices.filter(({ name, value }) => name !== "flag" || value !== flag);
  const names = chosen.map(({ name }) => OPTION_OF[name]);
  if (names.some((name) => name === undefined || options[name] !== undefined)) return undefined;
  const { flag: flags, since, until, unwrap, "no-unwrap": isKept } = options;
  if (Array.isArray(flags) && !flags.includes(flag)) return undefined;
  const others = Object.entries(options).filter(([name]) => ![...WITHOUT_EFFECT, ...OWN_FORM].includes(name));
  const [first, last] = span === null ? [] : [months[span.from], months[span.to]];
  const dates = { since: narrower(since, first, 1), until: narrower(until, last, -1) };
  const paths = inputs.length > INPUTS_MOST ? ["PATH"] : inputs;
  const words = [
    "urlmill",
    ...(isKept === true || unwrap === false ? [] : [unwrap === "any" ? "--unwrap=any" : "--unwrap"]),
    ...others.flatMap(([name, value]) => optionWords(name, value)),
    ...optionWords("flag", flag),
    ...chosen.flatMap(({ value }, at) => optionWords(names[at] as string, value)),
    ...Object.entries(dates).flatMap(([name, date]) => (date === undefined ? [] : optionWords(name, date))),
    // After `--` a path that begins with a hyphen is no option.
    ...(paths.some((path) => /^-./.test(path)) ? ["--"] : []),
    ...paths,
  ];
  return words.map(quoted).join(" ");
}

/**
 * Returns the stricter of a given date and a month: the later one for first dates (`sign` 1), the earlier one for last dates (-1). If one
 * begins with the other, the longer one is stricter. Returns undefined if both are absent.
 */
function narrower(given: unknown, month: string | null | undefined, sign: 1 | -1): string | undefined {
  if (typeof given !== "string" || month == null) return typeof given === "string" ? given : (month ?? undefined);
  if (given.startsWith(month) || month.startsWith(given)) return given.length > month.length ? given : month;
  return given > month === (sign === 1) ? given : month;
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
