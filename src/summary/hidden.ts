// What a summary shows has no passwords.
import { flagOf, OPTIONS, type OptionName } from "../option-table.ts";
import { withoutPasswords } from "../url/passwords.ts";

/** A text without any of these has no password: a colon, or what may stand for one in a URL that is encoded. */
const COLON = /[:%*]|urldefense/i;

/** Returns a text without passwords. */
export function hidden(text: string): string {
  return COLON.test(text) ? withoutPasswords(text, "redact") : text;
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
