// The kinds of values that options take: the spelling on the command line, and the check, which the library applies too.
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { CHARSETS, type Charset, charsetOf } from "../core/charsets.ts";
import { hint } from "./nearest.ts";

/** `Usual` is the type of the value of an absent option. */
export interface ValueKind<T, Usual = undefined> {
  /** Form on the command line: a `switch` has no value, a `list` has commas, the flag of `each` is repeated, `none` has no flag. */
  readonly spelling: "switch" | "text" | "number" | "list" | "each" | "none";
  /** Name of the value in help: `FILE`, or the choices. Empty if the option has no value there. */
  readonly placeholder: string;
  /** All valid values, if they can be listed. A shell completes them. */
  readonly choices?: readonly string[];
  /** Whether a switch also has the form `--no-NAME`, which makes it false. */
  readonly isNegatable?: boolean;
  /** Word that may follow a switch, after `=` or a space. */
  readonly word?: string;
  readonly example?: string;
  /** Value of the option when it is absent. */
  readonly usual?: Usual;
  /** Checks a value, and returns it in the form that the settings have: names in lower case, for example. Throws OptionError. */
  readonly check: (value: unknown, option: string) => T;
}

/** Returns the value, not yet checked, of an option other than a switch from its text on the command line. A list may be empty. */
export function valueOfText({ spelling }: ValueKind<unknown, unknown>, text: string): unknown {
  if (spelling === "number") return /^\d+$/.test(text) ? Number(text) : text;
  if (spelling === "each") return [text];
  if (spelling !== "list") return text;
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** Returns the error for a value of `option`; `expected` completes a sentence that begins with the option's name. */
export function badOption(option: string, expected: string): OptionError {
  return new OptionError("ERR_URLMILL_BAD_OPTION", option, expected);
}

/** Returns the error for a value that is not in `names`. Its message suggests a similar name, then gives `rule`, which lists all names. */
export function badChoice(option: string, value: unknown, names: readonly string[], rule: string): OptionError {
  const near = hint(value, names);
  return badOption(option, near === "" ? `${rule}, not ${shownValue(value)}` : `got ${shownValue(value)}${near} It ${rule}`);
}

/** Returns `a, b or c`. */
function alternatives(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/** Returns `value` if it is one of `choices`. Throws OptionError; `what` comes before the choices in its message. */
export function checkChoice<T extends string>(option: string, value: unknown, choices: readonly T[], what = "must be"): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw badChoice(option, value, choices, `${what} ${alternatives(choices)}`);
  return found;
}

/** Returns a check. `read` returns the value for the settings, or undefined for a wrong one: the check then throws OptionError. */
export function checkOf<T>(expected: string, read: (value: unknown) => T | undefined): (value: unknown, option: string) => T {
  return (value, option) => {
    const found = read(value);
    if (found === undefined) throw badOption(option, `${expected}, not ${shownValue(value)}`);
    return found;
  };
}

/** Returns the check of whole numbers from `least` to `most`, which throws OptionError. */
export function wholeNumberCheck(least: number, most: number, what = "must be"): (value: unknown, option: string) => number {
  const isRight = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return checkOf(`${what} a whole number from ${least} to ${most}`, (value) => (isRight(value) ? value : undefined));
}

const readBoolean = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
/** True or false, or neither if the option is absent: `--name`, `--no-name`. */
export const EITHER: ValueKind<boolean> = {
  spelling: "switch",
  placeholder: "",
  isNegatable: true,
  check: checkOf("must be true or false", readBoolean),
};
export const SWITCH: ValueKind<boolean, false> = { ...EITHER, isNegatable: false, usual: false };
/** Returns the kind of a switch that may have a word: `--name`, `--name=word`, `--name word`. */
export function switchOr<const T extends string>(word: T): ValueKind<boolean | T, false> {
  const check = checkOf<boolean | T>(`must be true, false or "${word}"`, (value) => (value === word ? word : readBoolean(value)));
  return { spelling: "switch", placeholder: `[${word}]`, word, usual: false, check };
}

/** Returns the kind of an option that only the library has. */
function inLibrary<T>(expected: string, read: (value: unknown) => T | undefined): ValueKind<T> {
  return { spelling: "none", placeholder: "", check: checkOf(expected, read) };
}

export const NAME = inLibrary("must be a string", (value) => (typeof value === "string" ? value : undefined));
export const CALLBACK = inLibrary<unknown>("must be a function", (value) => (typeof value === "function" ? value : undefined));
/** An AbortSignal of any realm. */
export const SIGNAL = inLibrary("must be an AbortSignal", (value) =>
  typeof value === "object" && value !== null && "aborted" in value && "throwIfAborted" in value ? (value as AbortSignal) : undefined,
);
/** Byte offsets `[from, to)`; `to` may be Infinity. */
export const RANGE = inLibrary("must be [from, to] with 0 <= from <= to, in bytes", (value) => {
  const [from, to, ...rest]: unknown[] = Array.isArray(value) ? value : [];
  if (!Number.isSafeInteger(from) || !(Number.isSafeInteger(to) || to === Infinity) || rest.length > 0) return undefined;
  const range = { from: from as number, to: Math.min(to as number, Number.MAX_SAFE_INTEGER) };
  return range.from >= 0 && range.to >= range.from ? range : undefined;
});

export const FILE: ValueKind<string> = {
  spelling: "text",
  placeholder: "FILE",
  check(value, option) {
    if (typeof value === "string" && value !== "") return value;
    throw badOption(option, "needs the name of a file");
  },
};

/** Globs. Each has its own flag, because a glob may contain commas. */
export const GLOBS: ValueKind<string[], readonly []> = {
  spelling: "each",
  placeholder: "GLOB",
  usual: [],
  check(value, option) {
    const isGlob = (glob: unknown): boolean => typeof glob === "string" && /[^/]/.test(glob);
    const wrong = Array.isArray(value) ? value.find((glob) => !isGlob(glob)) : value;
    if (Array.isArray(value) && value.every(isGlob)) return [...value];
    throw badOption(option, `must list globs such as *.mbox, not ${shownValue(wrong)}`);
  },
};

/** A URL as text. It is not checked here. */
export const URL_TEXT: ValueKind<string> = { spelling: "text", placeholder: "URL", check: (value) => String(value) };

/** Name of a charset, or another label of it in the Encoding Standard (A18). */
export const CHARSET: ValueKind<Charset, "utf-8"> = {
  spelling: "text",
  placeholder: "NAME",
  choices: CHARSETS,
  usual: "utf-8",
  check(value, option) {
    const found = typeof value === "string" ? charsetOf(value) : undefined;
    return found ?? checkChoice(option, value, CHARSETS);
  },
};

export function choice<const T extends string, const U extends T | undefined = undefined>(
  choices: readonly T[],
  usual?: U,
): ValueKind<T, U> {
  const check = (value: unknown, option: string): T => checkChoice(option, value, choices);
  return { spelling: "text", placeholder: choices.join("|"), choices, check, ...(usual && { usual }) };
}

export function wholeNumber<U extends number | undefined = undefined>(least: number, most: number, usual?: U): ValueKind<number, U> {
  return { spelling: "number", placeholder: "N", check: wholeNumberCheck(least, most), ...(usual !== undefined && { usual }) };
}

/** Letters of the powers of 1024; the index is the exponent. */
const UNITS = ["", "K", "M", "G", "T"];
/** Returns the kind of a number of bytes from `least` to `most`, such as 512M. */
export function byteCount(least: number, most = Number.MAX_SAFE_INTEGER): ValueKind<number> {
  const shown = (bound: number): string => (bound >= 1 << 20 ? `${bound / 2 ** 20}M` : `${bound}`);
  const bound = `at least ${shown(least)}${most < Number.MAX_SAFE_INTEGER ? ` and at most ${shown(most)}` : ""}`;
  const check = checkOf(`must be a number of bytes such as 512M or 2G, ${bound}`, (value) => {
    const text = typeof value === "string" || Number.isInteger(value) ? String(value) : "";
    const [, digits, letter = ""] = /^(\d+(?:\.\d+)?)(?:([KMGT])(?:i?B)?|B)?$/i.exec(text) ?? [];
    const bytes = Math.floor(Number(digits) * 1024 ** UNITS.indexOf(letter.toUpperCase()));
    return bytes >= least && bytes <= most ? bytes : undefined;
  });
  return { spelling: "text", placeholder: "BYTES", check };
}

/** Returns the kind of an array of at least one item. Repeated items are removed, and those for which `checkItem` returns undefined. */
export function listOf<T>(
  example: string,
  checkItem: (item: unknown, option: string) => T | undefined,
  choices?: readonly string[],
): ValueKind<T[]> {
  return {
    spelling: "list",
    placeholder: "LIST",
    ...(choices === undefined ? {} : { choices }),
    example,
    check(value, option) {
      if (!Array.isArray(value) || value.length === 0) {
        const right = JSON.stringify(example.split(","));
        throw badOption(option, `must be an array of at least one name, such as ${right}, not ${shownValue(value)}`);
      }
      return [...new Set(value.flatMap((item) => checkItem(item, option) ?? []))];
    },
  };
}

export function someOf<const T extends string>(example: string, choices: readonly T[]): ValueKind<T[]> {
  return listOf(example, (item, option) => checkChoice(option, item, choices, "may list"), choices);
}
