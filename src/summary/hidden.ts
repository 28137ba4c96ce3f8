// Hides userinfo in a summary, but for what looks like a host: it is why somebody looks at the URL.
import { classOf } from "../base/shown.ts";
import { isPublicSuffix } from "../core/public-suffix.ts";
import { flagOf, OPTIONS, type OptionName } from "../options/table.ts";
import { hideSecrets, hideUserinfo } from "../url/userinfo.ts";

const SHOWN_LENGTH = 253; // Longest userinfo that is shown: the length of a name in the DNS

/** Returns a text with `***` for each userinfo that has a password, or that shows no host or address. */
export function shownText(text: string): string {
  return hideSecrets(text, showsHost);
}

/**
 * Returns whether a userinfo has no password, and a label that begins with a top-level domain after another one: `www.bank.com-login`. Most
 * tokens with dots have none.
 */
function showsHost(userinfo: string): boolean {
  const text = userinfo.replaceAll("%40", "@");
  if (text.length > SHOWN_LENGTH || /[:%]/.test(text)) return false;
  const labels = text.split("@").flatMap((piece) => piece.split(".").slice(1));
  return labels.some((label) => isPublicSuffix(/^[a-z]*/i.exec(label)?.[0].toLowerCase() ?? ""));
}

/** Returns a text with its userinfo hidden, null if it is absent. */
export function hiddenOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hideUserinfo(text);
}

/** Returns given options in the form of JSON, by their names on the command line, with userinfo hidden. */
export function shownOptions(options: Readonly<Partial<Record<OptionName, unknown>>>): Record<string, unknown> {
  const named = Object.entries(options).map(([name, value]) => [flagOf(name, OPTIONS[name as OptionName]), value]);
  const patterns: unknown[] = [options.match, options.subject].flat().filter((value) => value !== undefined);
  const isPattern = (value: unknown): value is RegExp => classOf(value) === "RegExp";
  // The command has no flags but `i`, for all of them.
  const isLoose = patterns.length > 0 && patterns.every((value) => isPattern(value) && value.flags === "i");
  const inForm = (_: string, value: unknown): unknown =>
    typeof value === "string" ? hideUserinfo(value) : isPattern(value) ? hideUserinfo(value.source) : value;
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(named), ...(isLoose && { "ignore-case": true }) }, inForm));
}
