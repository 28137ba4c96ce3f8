// The options of the command line: their names, their values, and what is said of a wrong one.
import { parseArgs } from "node:util";
import { SCHEMES } from "#core/tables/schemes.js";
import type { Schemeless } from "../core/names.ts";
import { OptionError } from "../errors.ts";
import { type Input, STDIN } from "../input/paths.ts";
import {
  checkArchive,
  checkBare,
  checkNormalizeOptions,
  checkSchemes,
  checkType,
  type NormalizeOptions,
  oneOf,
  type ScanSettings,
  THREADS_MOST,
  URL_BYTES_DEFAULT,
  URL_BYTES_LEAST,
  URL_BYTES_MOST,
  type UrlForm,
  wholeNumber,
} from "../options.ts";
import { FORMAT_NAMES, FORMATS } from "../output/formats.ts";
import { shown } from "../shown.ts";

/** A command line that cannot be followed; the message is one line without the command's name. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What all commands have in common. */
export interface Common {
  help: boolean;
  version: boolean;
  quiet: boolean;
}

/** `urlmill [options] [path ...]`. */
export interface ExtractCommand extends Common {
  inputs: Input[];
  /** Names of the scheme filter that are none of the known or added schemes, and that nothing finds. */
  unknownSchemes: string[];
  /** No path was given: the standard input is read. */
  isStdinImplied: boolean;
  settings: ScanSettings;
  /** Undefined: as many as the machine has. */
  threads: number | undefined;
  output: string | undefined;
  rejected: string | undefined;
  stats: boolean;
  failFast: boolean;
}

/** `urlmill normalize [options] [url ...]`. */
export interface NormalizeCommand extends Common {
  urls: string[];
  form: UrlForm;
}

/** `urlmill parse [url ...]`. */
export interface ParseCommand extends Common {
  urls: string[];
}

/** `urlmill resolve --base URL [reference ...]`. */
export interface ResolveCommand extends Common {
  references: string[];
  base: string;
}

type OptionTable = Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }>;

const MANNERS = {
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} satisfies OptionTable;

const COMMON = {
  ...MANNERS,
  profile: { type: "string" },
  "strip-fragment": { type: "boolean" },
  "sort-query": { type: "boolean" },
  "strip-tracking": { type: "boolean" },
  "strip-www": { type: "boolean" },
  userinfo: { type: "string" },
  unwrap: { type: "boolean" },
} satisfies OptionTable;

/** Options that may be given several times. */
const LISTS = ["scheme", "bare", "fields"];

const EXTRACT = {
  ...COMMON,
  nested: { type: "boolean" },
  format: { type: "string", short: "f" },
  scheme: { type: "string", short: "s" },
  "any-scheme": { type: "boolean" },
  bare: { type: "string" },
  guess: { type: "boolean" },
  "url-bytes-max": { type: "string" },
  type: { type: "string" },
  mbox: { type: "string" },
  parts: { type: "string" },
  fields: { type: "string" },
  threads: { type: "string", short: "j" },
  output: { type: "string", short: "o" },
  rejected: { type: "string" },
  stats: { type: "boolean" },
  null: { type: "boolean", short: "0" },
  "fail-fast": { type: "boolean" },
} satisfies OptionTable;

/** Reads the arguments of `urlmill`; `rawOf` gives the bytes of one that is not UTF-8. Throws UsageError. */
export function parseExtract(args: string[], rawOf: (index: number) => Buffer | undefined = () => undefined): ExtractCommand {
  const { values, positionals, indexes } = readTokens(args, EXTRACT);
  const number = (name: string, least: number, most: number): number | undefined => {
    const text = values.get(name);
    return text === undefined ? undefined : wholeNumber(name, /^\d+$/.test(text) ? Number(text) : text, least, most);
  };
  return spelledForUser(() => {
    const output = values.get("output");
    const format = oneOf("format", values.get("format") ?? "plain", FORMAT_NAMES);
    const isOfRecords = FORMATS[format].takes === "matches";
    if (values.has("fields") && !isOfRecords) throw new UsageError("--fields are of records: give -f ndjson too");
    if (values.has("null") && isOfRecords) throw new UsageError("--null is for -f plain: records stand on lines");
    for (const name of ["output", "rejected"]) if (values.get(name) === "") throw new UsageError(`--${name} needs the name of a file`);
    if (values.get("rejected") === "-") throw new UsageError("--rejected needs a file: standard output is for URLs");
    const schemes = values.has("scheme") ? schemesOf(values.get("scheme") ?? "") : { schemes: undefined, addedSchemes: [] };
    return {
      ...common(values),
      unknownSchemes: values.has("any-scheme") ? [] : unknownOf(schemes),
      inputs: positionals.length === 0 ? [STDIN] : positionals.map((path, at) => inputOf(path, () => rawOf(indexes[at] as number))),
      isStdinImplied: positionals.length === 0,
      settings: {
        type: checkType(values.get("type")),
        ...checkArchive({ mbox: values.get("mbox"), parts: values.get("parts"), fields: fieldsOf(values.get("fields")) }),
        form: formOf(values),
        nested: values.has("nested"),
        ...schemes,
        anyScheme: values.has("any-scheme"),
        bare: schemelessOf(values.get("bare")),
        guess: values.has("guess"),
        urlBytesMax: number("url-bytes-max", URL_BYTES_LEAST, URL_BYTES_MOST) ?? URL_BYTES_DEFAULT,
        format,
        separator: values.has("null") ? 0 : 0x0a,
        rejected: values.has("rejected"),
      },
      threads: number("threads", 1, THREADS_MOST),
      output: output === "-" ? undefined : output,
      rejected: values.get("rejected"),
      stats: values.has("stats"),
      failFast: values.has("fail-fast"),
    };
  });
}

/** Reads the arguments behind `urlmill normalize`. Throws UsageError. */
export function parseNormalize(args: string[]): NormalizeCommand {
  const { values, positionals } = readTokens(args, COMMON, "normalize");
  return spelledForUser(() => ({ ...common(values), urls: positionals, form: formOf(values) }));
}

/** Reads the arguments behind `urlmill parse`. Throws UsageError. */
export function parseParse(args: string[]): ParseCommand {
  const { values, positionals } = readTokens(args, MANNERS, "parse");
  return { ...common(values), urls: positionals };
}

/** Reads the arguments behind `urlmill resolve`. Throws UsageError. */
export function parseResolve(args: string[]): ResolveCommand {
  const { values, positionals } = readTokens(args, { ...MANNERS, base: { type: "string", short: "b" } }, "resolve");
  const base = values.get("base");
  const isAsked = values.has("help") || values.has("version");
  if (base === undefined && !isAsked) throw new UsageError("resolve needs --base URL, what references are resolved against");
  return { ...common(values), references: positionals, base: base ?? "" };
}

function common(values: Map<string, string>): Common {
  return { help: values.has("help"), version: values.has("version"), quiet: values.has("quiet") };
}

function formOf(values: Map<string, string>): UrlForm {
  // What the library's check does not take is named by it.
  const options: { [name in keyof NormalizeOptions]: unknown } = {
    profile: values.get("profile"),
    stripFragment: values.has("strip-fragment"),
    sortQuery: values.has("sort-query"),
    stripTracking: values.has("strip-tracking"),
    stripWww: values.has("strip-www"),
    userinfo: values.get("userinfo"),
    unwrap: values.has("unwrap"),
  };
  return checkNormalizeOptions(options as NormalizeOptions);
}

function schemesOf(list: string): Pick<ScanSettings, "schemes" | "addedSchemes"> {
  const names = listOf(list);
  if (names.length === 0) throw new UsageError("--scheme needs at least one name, such as http,news");
  const filter = names.filter((name) => !name.startsWith("+"));
  // A known scheme stays what it is, and is reported as an added one is.
  const added = names.filter((name) => name.startsWith("+")).map((name) => name.slice(1));
  const rows = added.map((name) => (isKnown(name) ? name : { name, shape: "//" }));
  const checked = checkSchemes([...filter, ...rows]);
  return filter.length === 0 ? { ...checked, schemes: undefined } : checked;
}

/** What Node's decoding of an argument leaves in the place of bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

function inputOf(path: string, raw: () => Buffer | undefined): Input {
  if (path === "-") return STDIN;
  return path.includes(REPLACEMENT) ? (raw() ?? path) : path;
}

function isKnown(name: string): boolean {
  return SCHEMES.some((scheme) => scheme.name === name.toLowerCase());
}

function unknownOf({ schemes = [], addedSchemes }: Pick<ScanSettings, "schemes" | "addedSchemes">): string[] {
  return schemes.filter((name) => !isKnown(name) && !addedSchemes.some((added) => added.name === name));
}

function schemelessOf(list: string | undefined): Schemeless[] {
  if (list === undefined) return [];
  const kinds = checkBare(listOf(list));
  if (kinds.length === 0) throw new UsageError("--bare needs at least one of www, email, domain");
  return kinds;
}

function fieldsOf(list: string | undefined): string[] | undefined {
  const names = list === undefined ? undefined : listOf(list);
  if (names?.length === 0) throw new UsageError("--fields needs at least one name, such as url,message_id");
  return names;
}

/** The parts of a list with commas. */
function listOf(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

// The library's checks name its options; here they get the spelling of the command line.
function spelledForUser<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new UsageError(`--${error.option === "schemes" ? "scheme" : error.option} ${error.expected}`);
  }
}

interface Arguments {
  values: Map<string, string>;
  positionals: string[];
  /** Where in the arguments each of `positionals` is. */
  indexes: number[];
}

function readTokens(args: string[], table: OptionTable, command = ""): Arguments {
  const { tokens, positionals } = parseArgs({ args, options: table, strict: false, tokens: true });
  const values = new Map<string, string>();
  const indexes: number[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") indexes.push(token.index);
    if (token.kind !== "option") continue;
    const option = table[token.name];
    if (option === undefined) throw new UsageError(`there is no option ${shown(token.rawName)}${suggestion(token.name, table, command)}`);
    if (option.type === "string" && token.value === undefined)
      throw new UsageError(`${token.rawName} needs a value; see ${helpOf(command)}`);
    if (option.type === "boolean" && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
    const before = LISTS.includes(token.name) ? values.get(token.name) : undefined;
    values.set(token.name, before === undefined ? (token.value ?? "") : `${before},${token.value}`);
  }
  return { values, positionals, indexes };
}

function helpOf(command: string): string {
  return `urlmill ${command === "" ? "" : `${command} `}--help`;
}

function suggestion(name: string, table: OptionTable, command: string): string {
  const near = nearest(name, Object.keys(table));
  return near === undefined ? `; ${helpOf(command)} lists them` : `; did you mean --${near}?`;
}

/** Returns the one of `known` that a user may have meant by `name`. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return name.length < 2 ? undefined : known.find((one) => one.startsWith(name) || editDistance(one, name) <= 2);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
