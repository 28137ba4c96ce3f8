// Options that exclude or need each other: each pair is found once, with a sentence for the library and one for the command.
import { shownValue } from "../base/shown.ts";
import type { FieldName } from "./fields.ts";
import { namedFields } from "./filter.ts";
import { KNOWN_SCHEMES, WANTED_SENDERS } from "./filter-values.ts";
import { jsonItems } from "./json-fields.ts";
import { FORMATS, longFlag, type OptionName, type OptionValues } from "./table.ts";

/** The option at fault, and the rest of a sentence that begins with its name. The command's sentence begins with its flag. */
export type Contradiction = readonly [option: OptionName, inLibrary: string, inCommand: string];

/** Returns the first contradiction between options that say what is found. */
export function searchContradiction(values: OptionValues): Contradiction | undefined {
  const { base, links, refang, unwrap, unwrapped, match, has, subject, ignoreCase, quoted, noQuoted, since, until } = values;
  if (base !== undefined && !links) return ["base", "needs links", "needs --links"];
  if (links && refang) {
    const why = "text that no program links";
    return ["links", `cannot be given with refang, which reads ${why}`, `cannot be given with --refang: it reads ${why}`];
  }
  if (unwrapped && !unwrap) return ["unwrapped", "needs unwrap", "needs --unwrap"];
  if (ignoreCase && (match ?? has ?? subject) === undefined)
    return ["ignoreCase", "needs match, has or subject", "needs --match, --has or --subject"];
  if (quoted && noQuoted) return ["quoted", "cannot be given with noQuoted", "cannot be given with --no-quoted"];
  if (since !== undefined && until !== undefined && areApart(since, until)) {
    const why = "no date is in between";
    return ["since", `is later than until: ${why}`, `${since} is later than --until ${until}: ${why}`];
  }
  return namedSender(values) ?? unmetNeed(values) ?? unredactedField(values);
}

/** Returns the first contradiction between options that say how matches are written. */
export function formatContradiction({ format, fields, print, header, csvSafe, defang }: OptionValues): Contradiction | undefined {
  if (print !== undefined && (format !== "plain" || fields !== undefined)) {
    const inCommand = "cannot be given with -f or --fields: it names its fields in braces";
    return ["print", "cannot be given with format or fields: a template names its fields in braces", inCommand];
  }
  if (header !== undefined && format !== "csv" && format !== "tsv")
    return ["header", 'needs format: "csv" or "tsv"', "needs -f csv or tsv"];
  if (csvSafe && format !== "csv") return ["csvSafe", 'needs format: "csv"', "needs -f csv"];
  if (defang && (format === "stix" || format === "misp")) {
    const why = "who reads it needs the URL itself";
    return ["defang", `cannot be given with format: "${format}", because ${why}`, `cannot be given with -f ${format}: ${why}`];
  }
  return undefined;
}

/** Returns the first contradiction between options that say which fields are written. */
export function fieldContradiction({ format, fields, print, context, uniqueBy = [] }: OptionValues): Contradiction | undefined {
  if (fields !== undefined && FORMATS[format] !== "rows")
    return ["fields", 'needs format: "ndjson", "csv", "tsv", "parquet" or "sqlite"', "needs -f ndjson, csv, tsv, parquet or sqlite"];
  const shown = fields ?? print?.fields.map(({ name }) => name);
  if (context === undefined || shown === undefined || [...shown, ...uniqueBy].includes("context")) return undefined;
  const inCommand = print === undefined ? "context among --fields" : "{context} in --print";
  return ["context", "needs the field context in fields or print", `needs ${inCommand}`];
}

/** Returns whether `since` is later than `until`, so that no date is between them. */
function areApart(since: string, until: string): boolean {
  const length = Math.min(since.length, until.length);
  return since.slice(0, length) > until.slice(0, length);
}

/** Returns the contradiction for a sender of `from` that is not an address. JSON may have names as senders (A19). */
function namedSender(values: OptionValues): Contradiction | undefined {
  const name = jsonItems(values).length > 0 ? undefined : values.from?.find((sender) => !/^[^\s@]*@\S+$/.test(sender));
  const wrong = `${WANTED_SENDERS}, not ${shownValue(name)}`;
  return name === undefined ? undefined : ["from", wrong, wrong];
}

/** An option, and the value that it must have; without one any but false or an empty list. */
type Need = readonly [option: "unwrap" | "bare" | "nested" | "guess" | "refang" | "links", value?: string];

/** The options without which no match has a flag or a kind. */
const NEEDS: Partial<Record<string, Need>> = {
  "open-redirect": ["unwrap", "any"],
  nested: ["nested"],
  guessed: ["guess"],
  refanged: ["refang"],
  link: ["links"],
  www: ["bare"],
  email: ["bare"],
  domain: ["bare"],
  ip: ["bare"],
};

/** Returns the contradiction for `flags` or `kinds` if no match can have any of them, because another option is missing. */
function unmetNeed(values: OptionValues): Contradiction | undefined {
  for (const option of ["flags", "kinds"] as const) {
    const needs = values[option]?.map((name) => [name, NEEDS[name]] as const) ?? [];
    const [[name, need] = []] = needs;
    if (need === undefined || needs.some(([, one]) => one === undefined || isMet(one, values))) continue;
    const [needed, value] = need;
    const flag = `${longFlag(needed)}${value === undefined ? "" : ` ${value}`}`;
    const inLibrary = `"${name}" needs ${needed}${value === undefined ? "" : `: "${value}"`}`;
    return [option, inLibrary, `${name} needs ${flag}: no match has it otherwise`];
  }
  return undefined;
}

function isMet([option, value]: Need, values: OptionValues): boolean {
  const given = values[option];
  return value === undefined ? given !== false && (!Array.isArray(given) || given.length > 0) : given === value;
}

/** Fields with text as it is written, which may have a userinfo. */
const WRITTEN: readonly FieldName[] = ["raw", "text", "context"];

/** Returns the contradiction for a field that options name although `userinfo` is `redact`, which never writes it. (C75) */
function unredactedField(values: OptionValues): Contradiction | undefined {
  const name = values.userinfo === "redact" ? namedFields(values).find((field) => WRITTEN.includes(field)) : undefined;
  const why = `cannot be given with ${name}, which is text as written`;
  return name === undefined ? undefined : ["userinfo", `"redact" ${why}`, `redact ${why}`];
}

/** Returns the names in `schemes` that are neither known nor extra schemes, unless another option may find URLs with them. */
export function unknownSchemes({ schemes = [], extraSchemes, anyScheme, links, unwrap }: OptionValues): string[] {
  // With `links`, the base of a page may have any scheme. With `unwrap` the names are not checked.
  if (anyScheme || links || unwrap !== false) return [];
  return schemes.filter((name) => !KNOWN_SCHEMES.includes(name) && !extraSchemes.some((extra) => extra.name === name));
}
