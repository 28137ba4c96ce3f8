// The filter of a scan, made from the values of its options.
import { FLAGS, KINDS } from "../core/names.ts";
import { areApart, type FieldPattern, wrongSender } from "./filter-values.ts";
import { jsonItems } from "./json-fields.ts";
import { KNOWN_SCHEMES } from "./scheme-checks.ts";
import type { OptionValues } from "./table.ts";
import { badOption } from "./values.ts";

export type { Pattern } from "./filter-values.ts";

/** The options that are conditions for a match to be reported. */
type Condition =
  | ("hosts" | "notHosts" | "domains" | "notDomains" | "match" | "ignoreCase" | "noNamespaces" | "unwrapped")
  | ("where" | "quoted" | "has" | "subject" | "since" | "until" | "from");

/** Conditions that a match must meet to be reported. An absent member is no condition. Can be sent to a worker. */
export interface Filter extends Partial<Pick<OptionValues, Condition>> {
  /** Bits of FLAG_*: a match must have at least one of them. */
  readonly flags?: number;
  /** Bits `1 << KIND_*` of the allowed kinds. */
  readonly kinds?: number;
  /** true: only matches in quoted lines; false: only matches outside of them. */
  readonly quoted?: boolean;
}

/** Throws OptionError for filters that exclude each other, or lack an option that they need. */
export function checkFilter(values: OptionValues): void {
  const { unwrap, unwrapped, match, has, subject, ignoreCase, quoted, noQuoted, since, until } = values;
  const name = namedSender(values);
  if (name !== undefined) throw badOption("from", wrongSender(name));
  if (unwrapped && !unwrap) throw badOption("unwrapped", "needs unwrap");
  const unmet = unmetName(values);
  if (unmet !== undefined) {
    const value = unmet.value === undefined ? "" : `: "${unmet.value}"`;
    throw badOption(unmet.option, `"${unmet.name}" needs ${unmet.needed}${value}`);
  }
  if (ignoreCase && (match ?? has ?? subject) === undefined) throw badOption("ignoreCase", "needs match, has or subject");
  if (quoted && noQuoted) throw badOption("quoted", "cannot be given with noQuoted");
  if (since !== undefined && until !== undefined && areApart(since, until))
    throw badOption("since", "is later than until: no date is in between");
}

/** The option that a flag or a kind needs. */
interface Need {
  readonly needed: "unwrap" | "bare" | "nested" | "guess" | "refang" | "links";
  /** The value that the option must have; undefined: any but false or an empty list. */
  readonly value?: string;
}

const NEEDS: Readonly<Record<"flags" | "kinds", Partial<Record<string, Need>>>> = {
  flags: { "open-redirect": { needed: "unwrap", value: "any" } },
  kinds: {
    www: { needed: "bare" },
    email: { needed: "bare" },
    domain: { needed: "bare" },
    ip: { needed: "bare" },
    nested: { needed: "nested" },
    guessed: { needed: "guess" },
    refanged: { needed: "refang" },
    link: { needed: "links" },
  },
};

/** A flag or a kind in a filter that no match can have, because another option is missing. */
interface Unmet extends Need {
  readonly option: "flags" | "kinds";
  readonly name: string;
}

/** Returns the first of `flags` if no match can have any of `flags`, else the first of `kinds` if no match can have any of `kinds`. */
export function unmetName(values: OptionValues): Unmet | undefined {
  for (const option of ["flags", "kinds"] as const) {
    const unmet = values[option]?.map((name): Unmet | undefined => {
      const need = NEEDS[option][name];
      return need === undefined || isMet(need, values) ? undefined : { option, name, ...need };
    });
    if (unmet?.every((one) => one !== undefined) === true) return unmet[0];
  }
  return undefined;
}

function isMet({ needed, value }: Need, values: OptionValues): boolean {
  const given = values[needed];
  return value === undefined ? given !== false && (!Array.isArray(given) || given.length > 0) : given === value;
}

/** Returns a sender of `from` that is not an address. Returns undefined if there is none, or if JSON may have names as senders (A19). */
export function namedSender(values: OptionValues): string | undefined {
  return jsonItems(values).length > 0 ? undefined : values.from?.find((sender) => !/^[^\s@]*@\S+$/.test(sender));
}

/** Returns the names in `schemes` that are neither known nor extra schemes, unless another option may find URLs with them. */
export function unknownSchemes({ schemes = [], extraSchemes, anyScheme, links, unwrap }: OptionValues): string[] {
  // With `links`, the base of a page may have any scheme. With `unwrap` the names are not checked.
  if (anyScheme || links || unwrap !== false) return [];
  return schemes.filter((name) => !KNOWN_SCHEMES.includes(name) && !extraSchemes.some((extra) => extra.name === name));
}

/** Links, targets of forms, and URLs in texts: readers can click these, unlike pictures. */
const CLICKABLE: readonly FieldPattern[] = [
  { name: "tag", pattern: "^(a|area|form|button|input)?$" },
  { name: "attribute", pattern: "^(?!src$)" },
];

/** Returns the filter of a scan; undefined: it reports all matches. For stix and misp it has CLICKABLE, unless `has` names a tag. */
export function filterOf(values: OptionValues): Filter | undefined {
  const { hosts, notHosts, domains, notDomains, match, where, has = [], subject, since, until, from, format } = values;
  const isClickable = (format === "stix" || format === "misp") && !has.some(({ name }) => name === "tag");
  const given = {
    ...{ hosts, notHosts, domains, notDomains, match, where, subject, since, until },
    from: from?.map((sender) => sender.toLowerCase()),
    has: isClickable ? [...has, ...CLICKABLE] : values.has,
    ignoreCase: values.ignoreCase || undefined,
    unwrapped: values.unwrapped || undefined,
    noNamespaces: values.noNamespaces || isClickable || undefined,
    quoted: values.quoted || (values.noQuoted ? false : undefined),
    flags: values.flags?.reduce((bits, flag) => bits | (1 << FLAGS.indexOf(flag)), 0),
    kinds: values.kinds?.reduce((bits, kind) => bits | (1 << KINDS.indexOf(kind)), 0),
  };
  const conditions = Object.entries(given).filter(([, value]) => value !== undefined);
  return conditions.length === 0 ? undefined : Object.fromEntries(conditions);
}
