// The command that lists the matches with a flag that a report counts, and the options of a run as its words.
import type { Summary, TableName } from "../../summary/summary.ts";
import { copyButton, plainText } from "./archive-text.ts";
import type { Span } from "./cells.ts";
import { element } from "./dom.ts";
import { type Choice, OTHER_SCHEMES } from "./narrow.ts";

const INPUTS_MOST = 5;
/** A word that needs no quotes in a shell. */
const PLAIN = /^[\w./@%+=:,-]+$/;
/** Options of a report that do not affect its matches. */
const WITHOUT_EFFECT = "json output top memory rejected stats threads fail-fast progress color quiet".split(" ");
/** Tables whose values an option of the same name chooses. */
const WITH_OPTION: readonly string[] = ["scheme", "kind", "where", "host", "domain"] satisfies TableName[];
/** Options that are written by code of their own. */
const OWN_FORM = ["unwrap", "no-unwrap", "flag", "since", "until"];
const LISTED = "-f csv --fields url,text,date,from_address,subject,source".split(" ");

/** A hidden userinfo (C46). */
const HIDDEN = "***";
const ONLY_LINKS = ["--no-namespaces", "--has", `scheme=^(?!(${OTHER_SCHEMES.join("|")})$)`];

type ListedBy = Choice | { readonly name: "message_id"; readonly value: string };

/**
 * Returns the command that lists the matches with one of `wanted` flags (none: with any) in the months of a span, and with chosen values.
 * `isOfLinks`: only links to pages. Returns undefined if no command lists them: a redirector or a hidden userinfo is chosen, or the
 * run was filtered by other flags, and its matches have both.
 */
export function commandOf(
  wanted: readonly string[],
  { months, run: { inputs, options } }: Summary,
  span: Span | null,
  choices: readonly ListedBy[] = [],
  isOfLinks = false,
): string | undefined {
  const chosen = choices.filter(({ name, value }) => name !== "flag" || !wanted.includes(value));
  if (chosen.some(({ name, value }) => name === "redirect" || value.includes(HIDDEN))) return undefined;
  const { flag: flags, since, until, unwrap, "no-unwrap": isKept } = options;
  if (Array.isArray(flags) && !wanted.every((flag) => flags.includes(flag))) return undefined;
  const others = Object.entries(options).filter(([name]) => ![...WITHOUT_EFFECT, ...OWN_FORM].includes(name));
  const [first, last] = span === null ? [] : [months[span.from], months[span.to]];
  const dates = { since: narrower(since, first, 1), until: narrower(until, last, -1) };
  const paths = inputs.length > INPUTS_MOST ? ["PATH"] : inputs;
  const words = [
    "urlmill",
    ...LISTED,
    ...(isKept === true || unwrap === false ? [] : [unwrap === "any" ? "--unwrap=any" : "--unwrap"]),
    ...others.flatMap(([name, value]) => optionWords(name, value)),
    ...(wanted.length === 0 ? [] : optionWords("flag", wanted)),
    ...chosen.flatMap((choice) => choiceWords(choice, options)),
    ...(isOfLinks ? ONLY_LINKS.filter((word) => word !== "--no-namespaces" || options["no-namespaces"] !== true) : []),
    ...Object.entries(dates).flatMap(([name, date]) => (date === undefined ? [] : optionWords(name, date))),
    // After `--` a path that begins with a hyphen is no option.
    ...(paths.some((path) => /^-./.test(path)) ? ["--"] : []),
    ...paths,
  ];
  return words.map(quoted).join(" ");
}

/** Returns the words that filter by a chosen value: an option of its own that the run does not have, or the field. */
function choiceWords({ name, value }: ListedBy, options: Summary["run"]["options"]): string[] {
  const option = name === "from_address" ? "from" : name;
  const hasOption = option === "from" || WITH_OPTION.includes(option);
  if (hasOption && options[option] === undefined) return optionWords(option, value);
  return optionWords("has", `${name === "flag" ? "flags" : name}=^${value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}

export function listing(command: string): HTMLElement {
  const shown = element("code", {}, plainText(command));
  return element("p", { class: "facts listing" }, "All are listed by ", shown, copyButton(command, false));
}

/** Returns the stricter of a given date and a month: the later one for first dates (`sign` 1), the earlier one for last dates (-1). */
function narrower(given: unknown, month: string | null | undefined, sign: 1 | -1): string | undefined {
  if (typeof given !== "string" || month == null) return typeof given === "string" ? given : (month ?? undefined);
  // If one begins with the other, the longer one is stricter.
  if (given.startsWith(month) || month.startsWith(given)) return given.length > month.length ? given : month;
  return given > month === (sign === 1) ? given : month;
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Options that are repeated for each value, because a value may contain a comma. */
const REPEATED = ["match", "has", "subject", "include", "exclude"];

/** Returns the words of an option; none for a switch that is off, but `--no-unwrap` for `unwrap`. */
export function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return name === "unwrap" ? ["--no-unwrap"] : [];
  const values = [value].flat().map(textOf);
  return REPEATED.includes(name) ? values.flatMap((one) => [`--${name}`, one]) : [`--${name}`, values.join(",")];
}

/** Returns the text of a value. Programs may give a scheme as an object with a name; a field and its pattern are an object too. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("name" in value)) return String(value);
  return "pattern" in value ? `${value.name}=${value.pattern}` : String(value.name);
}
