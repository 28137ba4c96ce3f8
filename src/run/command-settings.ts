// Makes the settings of a scan from the options of a command that reads archives.
import type { KeyField } from "../options/fields.ts";
import { type ScanSettings, settingsOf } from "../options/options.ts";
import type { OptionValues, ReaderName } from "../options/table.ts";
import { type Choice, settingsOfChoice } from "../output/formatted.ts";
import { SUMMARY_FIELDS } from "../summary/summary.ts";

/** Returns the settings of the scan of a command. Throws OptionError. */
export function commandSettings(command: ReaderName, options: OptionValues): ScanSettings {
  // `csv` takes all options of rows.
  if (command === "count") return { ...settingsOf({ ...options, by: countedFields(options), format: "csv" }), format: "groups" };
  if (command === "report") return { ...settingsOf(reportOptions(options)), format: "summary", rejected: true };
  return settingsOfChoice(settingsOf(options), choiceOf(options));
}

/** Returns the fields by which `urlmill count` counts. */
export function keyFields({ by, per }: OptionValues): readonly KeyField[] {
  return per === undefined ? by : [per, ...by.filter((name) => name !== per)];
}

/** Returns the fields of the counted keys. With `unique` they include the URL, because distinct URLs are counted at the end. */
export function countedFields(options: OptionValues): readonly KeyField[] {
  return options.unique ? [...keyFields(options), "url"] : keyFields(options);
}

/** Returns which records `urlmill extract` writes. */
export function choiceOf({ unique, uniqueBy, memory, sample }: OptionValues): Choice {
  return { by: uniqueBy ?? (unique ? ["url"] : undefined), memory, sample };
}

/** Returns options with the defaults of reports. */
export function reportOptions(options: OptionValues): OptionValues {
  return { ...options, unwrap: options.unwrap || !options.noUnwrap, by: SUMMARY_FIELDS };
}
