// The fields that the options of a scan ask for.
import type { FieldName } from "./fields.ts";
import type { OptionValues } from "./table.ts";

/** Returns the fields that options name, or need. */
export function askedOf({ fields = [], print, from, has = [], subject, context, uniqueBy = [], by, per }: OptionValues): FieldName[] {
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

/** Returns a field that is asked for although `redact` does not write it, if there is one. (C75) */
export function unredactedField(values: OptionValues): FieldName | undefined {
  return values.userinfo === "redact" ? askedOf(values).find((name) => name === "raw" || name === "context") : undefined;
}

/** Whether texts around URLs are asked for, but not among the fields that are shown. */
export function isContextHidden({ context, fields, print, uniqueBy = [] }: OptionValues): boolean {
  const shown = fields ?? print?.fields.map(({ name }) => name);
  return context !== undefined && shown !== undefined && ![...shown, ...uniqueBy].includes("context");
}
