// The arguments of a command: its options, by the table of options, and its operands.
import { existsSync, readFileSync, statSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { OptionError, SourceError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { nearest } from "../options/nearest.ts";
import {
  COMMANDS,
  type CommandName,
  checkValues,
  flagOf,
  longFlag,
  type OptionRow,
  type OptionValues,
  optionsOf,
  type ReaderName,
} from "../options/table.ts";
import { type ValueKind, valueOfText } from "../options/values.ts";

export const COMMAND_NAMES = COMMANDS.map((command) => command.slice("urlmill ".length) as CommandName);

/** A command line that is wrong; the message is one line without the prefix `urlmill:`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Arguments {
  readonly options: OptionValues;
  /** The options that were given, as a program would give them to the library. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Returns the flag of an option as it was typed: `-s`, not `--scheme`. An option that only a plan gave has its long flag. */
  readonly typed: (option: string) => string;
  /** The arguments that are not options: paths, URLs or references. */
  readonly operands: readonly string[];
  /** The operands; one that is not UTF-8 as bytes, if the system gives them. */
  readonly paths: readonly (string | Buffer)[];
  /** For `urlmill plan`: the command whose run is planned. */
  readonly planned?: ReaderName | undefined;
}

/** Reads the arguments after the name of a command. With `planned`, also allows the options of that command. Throws UsageError. */
export function readArguments(command: CommandName, args: string[], planned?: ReaderName): Arguments {
  const known = new Map<string, readonly [name: string, row: OptionRow]>();
  const parsed: NonNullable<ParseArgsConfig["options"]> = {};
  for (const option of optionsOf(`urlmill ${command}`, planned && `urlmill ${planned}`)) {
    const flag = flagOf(...option);
    const { short, value } = option[1];
    for (const name of value.isNegatable === true ? [flag, `no-${flag}`] : [flag]) {
      known.set(name, option);
      parsed[name] = { type: value.spelling === "switch" ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
    }
  }
  const { tokens } = parseArgs({ args, options: parsed, strict: false, tokens: true });
  const given: Record<string, unknown> = {};
  const flags: Record<string, string> = {};
  const operands: { readonly index: number; readonly value: string }[] = [];
  let wordAt = -1;
  for (const [number, token] of tokens.entries()) {
    if (token.kind === "positional" && number !== wordAt) operands.push(token);
    if (token.kind !== "option") continue;
    const option = known.get(token.name);
    if (option === undefined) {
      const words = tokens.flatMap((one) => (one.kind === "positional" ? [one.value] : []));
      const advice = suggestion(token.name, words, [...known.keys()], command);
      throw new UsageError(`${nameOf(command)} has no option ${shown(token.rawName)}${advice}`);
    }
    const [name, row] = option;
    const next = tokens[number + 1];
    const word = next?.kind === "positional" && next.value === row.value.word ? next.value : undefined;
    if (token.value === undefined && next?.kind === "positional") {
      if (word !== undefined) wordAt = number + 1;
      else refuseMisspelled(token.rawName, row.value.word, next.value);
    }
    const value = token.name === flagOf(name, row) ? givenValue(row, token.rawName, token.value ?? word, command) : false;
    flags[name] = token.rawName;
    given[name] = Array.isArray(value) ? [...((given[name] as unknown[]) ?? []), ...value] : value;
  }
  const typed = (option: string): string => flags[option] ?? longFlag(option);
  return {
    options: checked(typed, () => checkValues(`urlmill ${command}`, given, planned && `urlmill ${planned}`)),
    given,
    typed,
    operands: operands.map(({ value }) => value),
    get paths() {
      const raw = operands.some(({ value }) => value.includes(REPLACEMENT)) ? rawArguments(args.length) : [];
      return operands.map(({ index, value }) => (value.includes(REPLACEMENT) && raw[index] ? Buffer.from(raw[index], "latin1") : value));
    },
    planned,
  };
}

/** Throws UsageError for an operand that is no file, and nearly the word that the option before it may have. */
function refuseMisspelled(flag: string, word: string | undefined, operand: string): void {
  if (word !== undefined && nearest(operand, [word]) !== undefined && !existsSync(operand))
    throw new UsageError(`${flag} takes no value but ${word}, and ${shown(operand)} is no file; did you mean ${flag} ${word}?`);
}

/** Returns the value of an option as a program would give it to the library. */
function givenValue({ value }: OptionRow, flag: string, text: string | undefined, command: CommandName): unknown {
  if (value.spelling === "switch") {
    if (text === undefined || text === value.word) return text ?? true;
    throw new UsageError(`${flag} takes no value${value.word === undefined ? "" : ` but ${value.word}`}`);
  }
  if (text === undefined) throw new UsageError(`${flag} needs a value; see ${nameOf(command)} --help`);
  const read = valueOfText(value, text);
  const given = value.spelling === "list" && Array.isArray(read) ? read.flatMap((item) => listedBy(item, value, flag)) : read;
  if (Array.isArray(given) && given.length === 0) throw new UsageError(`${flag} needs at least one name, such as ${value.example}`);
  return given;
}

/** Most bytes of a file given as `@FILE`. */
const LIST_BYTES_MOST = 64 << 20;

/** Returns the items in the file for an item `@FILE`, else only the item itself. For `--from`, `@NAME` without a slash is a domain. */
function listedBy(item: string, value: ValueKind<unknown, unknown>, flag: string): readonly string[] {
  if (!/^@./.test(item) || (flag === "--from" && !item.includes("/"))) return [item];
  const path = item.slice(1);
  const lines = linesOf(path, flag);
  for (const [index, line] of lines.entries())
    if (line !== "") checked(String, () => value.check([line], flag), `; see line ${index + 1} of ${shown(path)}`);
  const items = lines.filter((line) => line !== "");
  if (items.length === 0) throw new UsageError(`${flag} has no name in ${shown(path)}, one a line`);
  return items;
}

/** Returns the lines of a file, trimmed and without comments, which begin with `#` at the start or after white space. */
function linesOf(path: string, flag: string): string[] {
  try {
    const stats = statSync(path);
    if (stats.size > LIST_BYTES_MOST || stats.isCharacterDevice())
      throw new UsageError(`${flag} takes the lines of files of at most ${LIST_BYTES_MOST / 2 ** 20} MiB, not of ${shown(path)}`);
    const lines = new TextDecoder().decode(readFileSync(path)).split(/\r\n|[\r\n]/);
    return lines.map((line) => line.replace(/(?:^|\s)#.*/, "").trim());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag} cannot read ${SourceError.from(path, error).message}`);
  }
}

/** Returns the result of `check`. The UsageError for its OptionError has the flag instead of the option's name, and `end` after it. */
function checked<T>(flagOf: (option: string) => string, check: () => T, end = ""): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`${flagOf(error.option)} ${error.expected}${end}`) : error;
  }
}

function nameOf(command: CommandName): string {
  return command === "extract" ? "urlmill" : `urlmill ${command}`;
}

function suggestion(name: string, words: readonly string[], flags: readonly string[], command: CommandName): string {
  const others = COMMAND_NAMES.filter((other) => optionsOf(`urlmill ${other}`).some((option) => flagOf(...option) === name));
  const late = others.find((other) => words.includes(other));
  const order = late === undefined ? "" : `; ${late} must be the first word, before all options`;
  if (others.length > 0) return `, which is one of ${others.map((other) => `urlmill ${other}`).join(", ")}${order}`;
  const near = nearest(name, flags);
  return near === undefined ? `; ${nameOf(command)} --help lists them` : `; did you mean --${near}?`;
}

/** The character to which Node decodes bytes of an argument that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** Returns the last arguments of this process, in Latin-1; none if the system has no /proc. */
function rawArguments(count: number): string[] {
  try {
    // Each argument ends with NUL.
    return readFileSync("/proc/self/cmdline", "latin1").split("\0").slice(0, -1).slice(-count);
  } catch {
    return [];
  }
}
