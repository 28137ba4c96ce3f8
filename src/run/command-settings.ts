// From the options of a command that reads archives to the settings of its scan.
import type { FieldName } from "../options/fields.ts";
import { type ScanSettings, settingsOf } from "../options/options.ts";
import type { OptionValues, ReaderName } from "../options/table.ts";
import { settingsOfUnique } from "../output/formatted.ts";
import { SUMMARY_FIELDS } from "../summary/summary.ts";

/** Returns the settings of the scan of a command. Throws OptionError. */
export function commandSettings(command: ReaderName, options: OptionValues): ScanSettings {
  // `csv` takes all options of rows.
  if (command === "count") return { ...settingsOf({ ...options, format: "csv" }), format: "groups" };
  if (command === "report") return { ...settingsOf(reportOptions(options)), format: "summary", rejected: true };
  const by = uniqueFields(options);
  return by === undefined ? settingsOf(options) : settingsOfUnique(settingsOf(options), by);
}

/** Returns the fields whose values are written once each; undefined: all records are written. */
export function uniqueFields({ unique, uniqueBy }: OptionValues): readonly FieldName[] | undefined {
  return uniqueBy ?? (unique ? ["url"] : undefined);
}

/** Returns options with the defaults of reports. */
export function reportOptions(options: OptionValues): OptionValues {
  return { ...options, unwrap: !options.noUnwrap, by: SUMMARY_FIELDS };
}
