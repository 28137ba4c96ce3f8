// What a summary shows has no passwords.
import { flagOf, OPTIONS, type OptionName } from "../options/table.ts";
import { withoutPasswords } from "../url/passwords.ts";

/** A text without a colon, or what may stand for one in a URL that is encoded, beyond the colon of its scheme has no password, */
const WITHOUT_COLON = /^(?:[a-z][a-z\d+.-]*:)?[^:%*]*$/i;
/** unless it is in the notation of URL Defense. */
const DEFENSE = /urldefense/i;

/** Returns a text without passwords. */
export function hidden(text: string): string {
  return WITHOUT_COLON.test(text) && !DEFENSE.test(text) ? text : withoutPasswords(text, "redact");
}

/** The same of a text that may be absent: then null. */
export function hiddenOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hidden(text);
}

/** Returns options that were given as JSON holds them, by their names on the command line and without passwords. */
export function shownOptions(options: Readonly<Partial<Record<OptionName, unknown>>>): Record<string, unknown> {
  const named = Object.entries(options).map(([name, value]) => [flagOf(name, OPTIONS[name as OptionName]), value]);
  return JSON.parse(JSON.stringify(Object.fromEntries(named), (_, value) => (typeof value === "string" ? hidden(value) : value)));
}
