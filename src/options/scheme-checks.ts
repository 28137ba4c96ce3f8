// Checks of the schemes that options name.
import { SCHEMES } from "#core/tables/schemes.js";
import { shownValue } from "../base/shown.ts";
import type { AddedScheme } from "../core/tables.ts";
import { hint } from "./nearest.ts";
import { badOption, checkChoice, checkWholeNumber } from "./values.ts";

/** Schemes that are never extracted (X1). */
const NEVER_EXTRACTED = ["data", "javascript"];

/** Checks the name of a scheme, and returns it in lower case. Throws OptionError. */
export function checkSchemeName(name: unknown, option: string): string {
  if (typeof name === "string" && /^[A-Za-z][A-Za-z0-9+.-]{1,31}$/.test(name)) return name.toLowerCase();
  const expected = 'must list scheme names such as http (2 to 32 characters: a letter, then letters, digits, "+", "-" or ".")';
  throw badOption(option, `${expected}, not ${shownValue(name)}`);
}

/** Names of the built-in schemes (X1). */
export const KNOWN_SCHEMES: readonly string[] = SCHEMES.map(({ name }) => name);

const ROW_KEYS = ["name", "shape", "port"];

/** Checks and returns an extra scheme. Returns undefined for just the name of a known scheme, which stays unchanged. Throws OptionError. */
export function checkExtraScheme(scheme: unknown, option: string): AddedScheme | undefined {
  const isObject = typeof scheme === "object" && scheme !== null;
  const { name, shape, port, ...others }: Partial<AddedScheme> = isObject ? scheme : { name: scheme as string, shape: "//" };
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const near = hint(other, ROW_KEYS);
    throw badOption(option, `has a row with ${shownValue(other)}${near === "" ? "; a" : `${near} A`} row has ${ROW_KEYS.join(", ")}`);
  }
  const checked = checkSchemeName(name, option);
  if (NEVER_EXTRACTED.includes(checked)) throw badOption(option, `must not list ${checked}, which is never extracted`);
  if (!isObject && KNOWN_SCHEMES.includes(checked)) return undefined;
  return {
    name: checked,
    shape: checkChoice(option, shape, ["//", "opaque"], `must give ${checked} the shape`),
    port: port === undefined ? undefined : checkWholeNumber(option, port, 1, 65535, `must give ${checked} a port that is`),
  };
}
