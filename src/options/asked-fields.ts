// Collects the fields that the options of a scan ask for.
import type { Flag } from "../core/names.ts";
import type { FieldName } from "./fields.ts";
import type { OptionValues } from "./table.ts";

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
