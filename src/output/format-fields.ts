// The fields of matches that each format writes, and that scans read for it.
import { SIGNATURE } from "../matches/batch.ts";
import { isNamed } from "../matches/filter.ts";
import { type FieldName, TABLE_FIELDS, USUAL_FIELDS } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { parseTemplate, type Template } from "../options/template.ts";
import type { ReadField } from "../scan/scan.ts";

const WITH_CONTEXT = parseTemplate("{url}\\t{context}", "context"); // Lines of plain output for matches with context

/** Returns whether scanners write matches to the sink: for the caller, for counts, or for a file format that needs all matches. */
export function leavesMatches(format: ScanSettings["format"]): boolean {
  return format === "matches" || isOfFile(format) || isCounted(format);
}

/** Returns whether a format makes a file that depends on all matches. */
export function isOfFile(format: ScanSettings["format"]): boolean {
  return format === "parquet" || format === "sqlite" || format === "stix" || format === "misp";
}

/** Returns whether a format only counts matches, in any order. */
export function isCounted(format: ScanSettings["format"]): boolean {
  return format === "groups" || format === "summary";
}

/** Returns the fields of matches that the format, a filter, or the resolution of links reads. */
export function fieldsRead(settings: ScanSettings): ReadonlySet<ReadField> {
  const { filter = {}, links, format, asked } = settings;
  const fields = new Set<ReadField>(fieldsWritten(settings));
  if (filter.where !== undefined) fields.add("where");
  if (filter.quoted !== undefined) fields.add("quote");
  if (filter.since !== undefined || filter.until !== undefined) fields.add("date");
  for (const { name } of filter.has ?? []) fields.add(name);
  if (filter.subject !== undefined) fields.add("subject");
  if (filter.from !== undefined) fields.add("from_address");
  if (links) fields.add("target_uri");
  if (settings.messagesBy !== undefined) fields.add("messages");
  if (fields.has("list")) fields.add("subject").add("list_id");
  // A filter that takes all bodies takes signatures too, without knowing them.
  const namesSigned = filter.where?.some((name) => isNamed(SIGNATURE, [name]) && !isNamed("body", [name])) === true;
  if (format !== "summary" && (asked.includes("where") || namesSigned)) fields.add("signature").add("quote");
  return fields;
}

/** The fields that the formats stix and misp are written from. */
export const INDICATOR_FIELDS = "url host source start date message_id tag attribute flags".split(" ") as FieldName[];

function fieldsWritten(settings: ScanSettings): readonly ReadField[] {
  const { format, by, asked, onlyQuoted } = settings;
  if (isCounted(format)) {
    const fields: ReadField[] = [...by.filter((name) => name !== "flag"), ...(onlyQuoted ? (["quote"] as const) : [])];
    return format === "summary" ? ["time", "message_id_field", ...fields] : ["time", ...fields];
  }
  if (format === "matches") return [...USUAL_FIELDS, ...asked];
  const lines = templateOf(settings);
  if (lines !== undefined) return lines.fields.map(({ name }) => name);
  if (format === "plain") return [];
  // Parquet has dates as numbers.
  return fieldsOf(settings).map((name) => (name === "date" && format === "parquet" ? "time" : name));
}

/** Returns the template of lines that have more than a URL. */
export function templateOf({ format, print, context }: ScanSettings): Template | undefined {
  return print ?? (format === "plain" && context > 0 ? WITH_CONTEXT : undefined);
}

/** Returns the fields of records. The usual ones are without `raw` if userinfo is hidden, and with `context` if it is wanted. */
export function fieldsOf({ fields, form, context, format }: ScanSettings): readonly FieldName[] {
  if (fields !== undefined) return fields;
  if (format === "stix" || format === "misp") return INDICATOR_FIELDS;
  const usual = format === "csv" || format === "tsv" ? TABLE_FIELDS : USUAL_FIELDS;
  const shown = form.userinfo === "redact" ? usual.filter((name) => name !== "raw") : usual;
  return context > 0 ? [...shown, "context"] : shown;
}
