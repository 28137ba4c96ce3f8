// Makes the settings of a scan from the options of a command that reads archives. Wrong ones throw OptionError.
import { isMessageField, type KeyField } from "../options/fields.ts";
import { type ScanSettings, settingsOf } from "../options/options.ts";
import type { OptionValues, ReaderName } from "../options/table.ts";
import { type RecordChoice, settingsOfChoice } from "../output/formatted.ts";
import { SUMMARY_FIELDS } from "../summary/summary.ts";

export function commandSettings(command: ReaderName, options: OptionValues): ScanSettings {
  // `csv` takes all options of rows.
  if (command === "count") {
    const settings = settingsOf({ ...options, by: countedFields(options), format: "csv" });
    return { ...settings, format: "groups", messagesBy: messageFields(options) };
  }
  if (command === "report") return { ...settingsOf(reportOptions(options)), format: "summary", rejected: true };
  return settingsOfChoice(settingsOf(options), choiceOf(options));
}

/** Returns the fields by which `urlmill count` counts. */
export function keyFields({ by, per }: OptionValues): readonly KeyField[] {
  return per === undefined ? by : [per, ...by.filter((name) => name !== per)];
}

/** Returns the fields of what is counted once in a row, the Message-ID first, which tells messages apart; undefined: all is counted. */
export function distinctFields(options: OptionValues): readonly KeyField[] | undefined {
  const by = choiceOf(options).by;
  return by?.toSorted((one, other) => Number(other === "message_id") - Number(one === "message_id"));
}

/** Returns the fields of the counted keys. They include those of distinct values, or of first messages, which are found at the end. */
export function countedFields(options: OptionValues): readonly KeyField[] {
  return [...keyFields(options), ...(distinctFields(options) ?? options.first ?? [])];
}

/** Returns whether keys have numbers of messages. These count from the start of a file, so one reader must read the whole file. */
export function hasMessageNumbers(options: OptionValues): boolean {
  return countedFields(options).includes("message") || distinctFields(options)?.[0] === "message_id";
}

/** Returns the first fields of the keys, by which all messages are counted; undefined: they are not. */
export function messageFields(options: OptionValues): readonly KeyField[] | undefined {
  const fields = keyFields(options);
  const other = fields.findIndex((name) => !isMessageField(name));
  return options.messagesAll || options.share === "messages" ? fields.slice(0, other < 0 ? fields.length : other) : undefined;
}

export function choiceOf({ unique, uniqueBy, memory, sample }: OptionValues): RecordChoice {
  return { by: uniqueBy ?? (unique ? ["url"] : undefined), memory, sample };
}

export function reportOptions(options: OptionValues): OptionValues {
  return { ...options, unwrap: options.unwrap || !options.noUnwrap, by: SUMMARY_FIELDS };
}
