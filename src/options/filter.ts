// The filter of a scan, and the fields that a scan reads, made from the values of its options.
import { FLAGS, type Flag, KINDS } from "../core/names.ts";
import type { FieldName } from "./fields.ts";
import type { FieldPattern } from "./filter-values.ts";
import type { OptionValues } from "./table.ts";

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

/** Flags of links (C179, C219, C250, C275). To set them the scan must read the field `text`, so it does only if an option needs them. */
const LINK_FLAGS: readonly Flag[] = ["other-host", "hidden", "form", "pixel"];

/** Returns the fields that the options name or need, perhaps repeated. */
export function askedOf(values: OptionValues): FieldName[] {
  const named = namedFields(values);
  const { flags = [], by, per, format } = values;
  // These formats give the role of each URL.
  if (format === "stix" || format === "misp") return [...named, "tag", "attribute", "text"];
  const asksFlags = named.includes("flags") || by.includes("flag") || per === "flag" || flags.some((flag) => LINK_FLAGS.includes(flag));
  return asksFlags ? [...named, "text"] : named;
}

/** Returns the fields that the options name, perhaps repeated. */
export function namedFields({ fields = [], print, from, has = [], subject, context, uniqueBy = [], by, per }: OptionValues): FieldName[] {
  return [
    ...fields,
    ...(print?.fields.map(({ name }) => name) ?? []),
    ...uniqueBy,
    ...[...by, per].flatMap((name) => (name === undefined || name === "flag" ? [] : [name])),
    ...(from === undefined ? [] : (["from_address"] as const)),
    ...has.map(({ name }) => name),
    ...(subject === undefined ? [] : (["subject"] as const)),
    ...(context === undefined ? [] : (["context"] as const)),
  ];
}
