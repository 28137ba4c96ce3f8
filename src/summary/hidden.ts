// Hides userinfo in a summary.
import { flagOf, OPTIONS, type OptionName } from "../options/table.ts";
import { hideUserinfo } from "../url/userinfo.ts";

/** Returns a text with its userinfo hidden, null if it is absent. */
export function hiddenOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hideUserinfo(text);
}

/** Returns given options in the form of JSON, by their names on the command line, with userinfo hidden. */
export function shownOptions(options: Readonly<Partial<Record<OptionName, unknown>>>): Record<string, unknown> {
  const named = Object.entries(options).map(([name, value]) => [flagOf(name, OPTIONS[name as OptionName]), value]);
  return JSON.parse(JSON.stringify(Object.fromEntries(named), (_, value) => (typeof value === "string" ? hideUserinfo(value) : value)));
}
