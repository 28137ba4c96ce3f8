// The table of options: the source of the library's checks, the command line, the text of --help and the table in docs/command.md.
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { FLAGS, KINDS, SCHEMELESS } from "../core/names.ts";
import { COUNT_COLUMNS, FIELD_CHOICES, FIELD_NAMES, type HeaderField, type KeyField, toHeaderField } from "./fields.ts";
import {
  checkDomain,
  checkExtraScheme,
  checkHost,
  checkSchemeName,
  checkSender,
  checkWhere,
  DATE_START,
  FIELD_PATTERNS,
  KNOWN_SCHEMES,
  PATTERNS,
} from "./filter-values.ts";
import { JSON_MEMBERS, JSON_PRESETS } from "./json-fields.ts";
import { nearestThree } from "./nearest.ts";
import { parseTemplate, type Template } from "./template.ts";
import {
  badOption,
  byteCount,
  CALLBACK,
  CHARSET,
  checkChoice,
  choice,
  EITHER,
  FILE,
  GLOBS,
  listOf,
  NAME,
  RANGE,
  SIGNAL,
  SWITCH,
  someOf,
  switchOr,
  URL_TEXT,
  type ValueKind,
  wholeNumber,
} from "./values.ts";

/** The output formats, and what each writes: lines, which the core may write itself; records as rows; or objects. */
export const FORMATS = {
  plain: "lines",
  ndjson: "rows",
  csv: "rows",
  tsv: "rows",
  parquet: "rows",
  sqlite: "rows",
  stix: "objects",
  misp: "objects",
} as const;
const checkFieldOf =
  <T extends KeyField>(choices: readonly T[]) =>
  (field: unknown, option: string, rule = "may list"): T | HeaderField =>
    toHeaderField(field) ?? checkChoice(option, field, choices, rule);
const checkField = checkFieldOf(FIELD_CHOICES);
const checkKeyField = checkFieldOf<KeyField>([...FIELD_CHOICES, "flag"]);
const KEY_FIELDS: readonly KeyField[] = [...FIELD_NAMES, "flag"];
const BY: ValueKind<KeyField[], readonly KeyField[]> = { ...listOf("month,domain", checkKeyField, KEY_FIELDS), usual: ["host"] };
const checkPer: ValueKind<KeyField>["check"] = (field, option) => checkKeyField(field, option, "must be");
const PER: ValueKind<KeyField> = { spelling: "text", placeholder: "FIELD", choices: KEY_FIELDS, check: checkPer };
const templateWith = (...more: string[]): ValueKind<Template> => {
  return { spelling: "text", placeholder: "TEMPLATE", check: (text, option) => parseTemplate(text, option, more) };
};
/** Returns the kind of a list that may also be empty. */
const orEmpty = <T>(kind: ValueKind<T[]>): ValueKind<T[], readonly []> => ({
  ...kind,
  usual: [],
  check: (value, option) => (Array.isArray(value) && value.length === 0 ? [] : kind.check(value, option)),
});
const SOME_SCHEMELESS = orEmpty(someOf("www,email", SCHEMELESS));
const BARE = { ...SOME_SCHEMELESS, check: (value: unknown, option: string) => SOME_SCHEMELESS.check([value].flat(), option) };
const POSITIVE = wholeNumber(1, 2 ** 31 - 1);

interface RowTexts {
  /** Text of `--help`, and the first words in the table of docs/command.md. */
  readonly help?: string;
  /** Text that replaces `help` for a command to which `help` does not apply. */
  readonly helpOf?: { readonly [command in Taker]?: string };
  /** Name on the command line, if it is not the option's name with hyphens (`flagOf`). */
  readonly flag?: string;
  /** One-letter name on the command line. */
  readonly short?: string;
  /** Name of the value in the help of a command that does not use the placeholder of `value`. */
  readonly placeholderOf?: { readonly [command in Taker]?: string };
}

export interface OptionRow<Takers = readonly Taker[], Value = unknown, Usual = unknown> extends RowTexts {
  /** Library functions and commands that take the option. */
  readonly takenBy: Takers;
  readonly value: ValueKind<Value, Usual>;
}

function row<const T extends readonly Taker[], V, U>(takenBy: T, value: ValueKind<V, U>, texts: RowTexts = {}): OptionRow<T, V, U> {
  return { takenBy, value, ...texts };
}

const LIBRARY = ["extract", "extractFrom", "extractFiles", "ExtractStream", "extractWebStream"] as const;
export const READER_NAMES = ["extract", "count", "report"] as const;
export type ReaderName = (typeof READER_NAMES)[number];
const READERS = ["urlmill extract", "urlmill count", "urlmill report"] as const;
const ROW_WRITERS = ["urlmill extract", "urlmill count"] as const;
const EXTRACT = [...LIBRARY, "summarize", ...READERS] as const;
const COUNT = ["urlmill count"] as const;
const FILES = ["extractFiles", ...READERS] as const;
const FOLDERS = [...FILES, "urlmill page"] as const;
/** Functions and commands that take the limits of compressed data and archives. */
const OPENERS = ["extractFrom", "ExtractStream", "extractWebStream", "summarize", ...FILES] as const;
const NORMALIZE = [...EXTRACT, "normalize", "urlmill normalize"] as const;
/** Takers of the other options about the form of URLs: those of NORMALIZE, and `explain`. */
const FORMS = [...NORMALIZE, "urlmill explain"] as const;
/** Takers of options about finding URLs: those of EXTRACT, and `explain`, which takes no filters. */
const EXPLAIN = [...EXTRACT, "urlmill explain"] as const;
const LINE_COMMANDS = ["urlmill normalize", "urlmill parse", "urlmill resolve"] as const;
const PLANNED = ["urlmill run-shard", "urlmill verify", "urlmill merge"] as const;
/** Commands that divide a run over many processes; PLANNED read a plan. */
const CLUSTER = ["urlmill plan", ...PLANNED] as const;
export const COMMANDS = [...READERS, "urlmill page", "urlmill explain", ...LINE_COMMANDS, ...CLUSTER] as const;
// Help of `--color` and `--quiet` for commands that answer line by line.
const COLORED = "color the messages about errors; auto does on a terminal unless NO_COLOR is set";
const UNNAMED = "do not name refused lines on standard error; the exit code is 2 all the same";

/** A library function or a command that takes options. */
export type Taker = (typeof NORMALIZE)[number] | (typeof COMMANDS)[number];
/** Name of a command that takes options. */
export type CommandName = (typeof COMMANDS)[number] extends `urlmill ${infer Name}` ? Name : never;

/** Every option, by its name in the library; in the order of help. */
export const OPTIONS = {
  type: row(EXPLAIN, choice(["auto", "text", "html", "mbox", "eml", "maildir", "news", "warc", "json", "xml"], "auto"), {
    help: "format of the input; auto detects it from the first bytes",
  }),
  mbox: row(EXPLAIN, choice(["auto", "rd", "o", "cl"], "auto"), {
    help: "dialect of an mbox: mboxrd (auto too), mboxo, or mboxcl, which goes by Content-Length",
  }),
  parts: row(EXPLAIN, choice(["text", "all"], "text"), { help: "body parts of messages that are read: text, or attachments too" }),
  charset: row(EXPLAIN, CHARSET, { help: "charset of text, HTML and body parts that name none: iso-8859-1, koi8-r, gbk, shift_jis, ..." }),
  jsonFields: row(EXTRACT, JSON_MEMBERS, { help: "JSON: members that are fields of messages, or a preset" }),
  jsonPreset: row(ROW_WRITERS, choice(JSON_PRESETS), { help: "the same by the members of a common archive", flag: "json" }),
  include: row(FOLDERS, GLOBS, { help: "in folders, read only files and folders that match; can be given several times" }),
  exclude: row(FOLDERS, GLOBS, { help: "in folders, leave out files and folders that match; can be given several times" }),
  follow: row(FOLDERS, SWITCH, { help: "follow links in folders" }),
  expandMax: row(OPENERS, byteCount(1), {
    help: "leave a compressed input or archive when its text comes to more bytes than this: 10G (default: no limit)",
  }),
  ratioMax: row(OPENERS, POSITIVE, { help: "leave one that decodes to N times its size, beyond the first 100 MiB (default: 1000)" }),
  // Each level has its own decoder.
  depthMax: row(OPENERS, wholeNumber(1, 64), { help: "open at most N containers in each other (default: 8)" }),
  membersMax: row(OPENERS, POSITIVE, { help: "leave an archive with more than N members (default: 1000000)" }),
  // Programs write no larger windows, and a typed array can hold one of 2 GiB with the bytes after it.
  windowMax: row(OPENERS, byteCount(1 << 20, 2 ** 31), {
    help: "leave zstd and xz data that may copy text from more bytes before it: 2G (default: 128M)",
  }),
  schemes: row(EXTRACT, listOf("http,news", checkSchemeName, KNOWN_SCHEMES), {
    help: "report only URLs of these schemes: http,https,news",
    flag: "scheme",
    short: "s",
  }),
  extraSchemes: row(EXPLAIN, orEmpty(listOf("steam,qotd", checkExtraScheme)), {
    help: "find URLs of these schemes too, before // and a host: steam,qotd",
    flag: "extra-scheme",
  }),
  anyScheme: row(EXPLAIN, SWITCH, { help: "find URLs of any scheme before // and a host" }),
  bare: row(EXPLAIN, BARE, { help: "find schemeless text too: www,email,domain,ip" }),
  guess: row(EXPLAIN, SWITCH, { help: "join line-wrapped URLs of plain text; a heuristic, kind guessed" }),
  nested: row(EXPLAIN, SWITCH, {
    help: "report URLs inside other URLs too, each after the URL that holds it, and percent-encoded ones in text",
  }),
  refang: row(FORMS, SWITCH, {
    help: "read defanged text such as hxxp://evil[.]example; kind refanged",
    helpOf: { "urlmill normalize": "read defanged URLs such as hxxp://evil[.]example" },
  }),
  links: row(EXPLAIN, SWITCH, { help: "report relative links of HTML too, resolved; records have tag and attribute" }),
  base: row([...EXPLAIN, "urlmill resolve"], URL_TEXT, {
    help: "URL that the relative links of --links are resolved against, where their page has no address of its own",
    short: "b",
    helpOf: { "urlmill resolve": "URL that references are resolved against" },
  }),
  urlBytesMax: row(EXPLAIN, wholeNumber(256, 1 << 20, 1 << 14), { help: "length of the longest URL in bytes, from 256 to 1048576" }),
  profile: row(FORMS, choice(["rfc3986", "rfc1738", "whatwg", "surt", "cdx", "none"], "rfc3986"), {
    help: "how URLs are normalized; none leaves them as written",
  }),
  unwrap: row(FORMS, switchOr("any"), {
    help: "replace the URL of a redirector (SafeLinks, urldefense, Facebook, ...) by the URL inside it; any: URLs inside any others",
    helpOf: { "urlmill report": "replace the URL of a redirector by the URL inside it, which a report does anyway" },
  }),
  noUnwrap: row(["urlmill report"], SWITCH, { help: "leave the URLs of redirectors as they are" }),
  stripTracking: row(FORMS, SWITCH, { help: "remove query parameters that only track" }),
  stripFragment: row(FORMS, SWITCH, { help: "remove the fragment" }),
  stripWww: row(FORMS, SWITCH, { help: "remove www. from the host" }),
  sortQuery: row(FORMS, SWITCH, { help: "sort query parameters by name" }),
  userinfo: row(NORMALIZE, choice(["keep", "redact", "strip"], "keep"), {
    help: "what becomes of a user and password: redact writes *** for both, strip removes both",
    helpOf: { "urlmill report": "strip removes user and password, redact shows *** for all; else for all but a host before the @" },
  }),
  defang: row(FORMS, SWITCH, { help: "write URLs so that no program makes links of them: hxxp://evil[.]example" }),
  hosts: row(EXTRACT, listOf("a.example,*.b.example", checkHost), {
    help: "report only URLs with these hosts; *.a.example: the hosts below a.example",
    flag: "host",
  }),
  notHosts: row(EXTRACT, listOf("a.example", checkHost), { help: "leave out URLs with these hosts", flag: "not-host" }),
  domains: row(EXTRACT, listOf("a.example,b.example", checkDomain), {
    help: "report only URLs whose host is one of these domains, or below one",
    flag: "domain",
  }),
  notDomains: row(EXTRACT, listOf("a.example,b.example", checkDomain), {
    help: "leave out URLs whose host is one of these domains, or below one",
    flag: "not-domain",
  }),
  match: row(EXTRACT, PATTERNS, {
    help: "report only URLs whose normalized form this regular expression matches; given several times, any of them",
  }),
  ignoreCase: row(EXTRACT, SWITCH, { help: "with --match, --has and --subject: letters match in upper and lower case", short: "i" }),
  kinds: row(EXTRACT, someOf("rejoined,guessed", KINDS), { help: "report only matches of these kinds", flag: "kind" }),
  flags: row(EXTRACT, someOf("password,numeric-host", FLAGS), { help: "report only matches with one of these flags", flag: "flag" }),
  noNamespaces: row(EXTRACT, SWITCH, { help: "leave out URLs that name vocabularies: http://www.w3.org/1999/xhtml" }),
  unwrapped: row(EXTRACT, SWITCH, { help: "with --unwrap: report only URLs that a redirector held" }),
  where: row(EXTRACT, listOf("body,header:*", checkWhere), {
    help: "report only matches at these places of a message: body,html,header:Subject,header:*",
  }),
  quoted: row(EXTRACT, SWITCH, { help: "report only matches in quoted lines (> before them) and quotes of HTML" }),
  noQuoted: row(EXTRACT, SWITCH, { help: "leave out matches in quoted lines (> before them) and quotes of HTML" }),
  has: row(EXTRACT, FIELD_PATTERNS, {
    help: "report only matches whose field this regular expression matches, such as thread=^1@a; given several times, all of them",
  }),
  subject: row(EXTRACT, PATTERNS, {
    help: "report only matches in messages whose subject this regular expression matches; given several times, any of them",
  }),
  since: row(EXTRACT, DATE_START, { help: "report only matches in messages sent then or later: 1998, 1998-05-03" }),
  until: row(EXTRACT, DATE_START, { help: "report only matches in messages sent then or earlier; 1998 is all of 1998" }),
  from: row(EXTRACT, listOf("joe@a.example,@b.example", checkSender), {
    help: "report only matches in messages from these addresses; @a.example: from all in that domain",
  }),
  by: row(COUNT, BY, { help: "fields whose values are counted, by themselves or together: url, host, domain, month, ... (default: host)" }),
  per: row(COUNT, PER, { help: "count for each value of this field by itself, in order, as the first column; --top N: N rows of each" }),
  sort: row(COUNT, choice(["key", "count"]), {
    help: "sort rows by their values or by count (default: key if the first field is a date, month, year or day, else count)",
  }),
  share: row(COUNT, switchOr("messages"), { help: "show percent: of all, of those of the first field; messages: of messages" }),
  top: row(["summarize", "urlmill count", "urlmill report"], POSITIVE, {
    help: "write only the N largest rows",
    short: "n",
    helpOf: { "urlmill report": "show only the first N rows of each table (default: 1000)" },
  }),
  min: row(COUNT, POSITIVE, { help: "write only rows of N matches and more; with --messages of N messages" }),
  first: row(COUNT, listOf("from", checkField, FIELD_NAMES), { help: "show fields of the first message by date too" }),
  onlyQuoted: row(COUNT, SWITCH, { help: "leave out rows with a match outside of quoted lines: --by url" }),
  messages: row(COUNT, SWITCH, { help: "rows are large by messages, not by matches" }),
  messagesAll: row(COUNT, SWITCH, { help: "count messages without a URL too: of_messages" }),
  plot: row(COUNT, FILE, { help: "with --by month or --by month,FIELD: write a picture of the months to FILE, as SVG" }),
  countPrint: row(COUNT, templateWith(...COUNT_COLUMNS, "flag"), { help: "write a line for each row: '{first} {url}'", flag: "print" }),
  countFormat: row(COUNT, choice(["table", "tsv", "csv", "ndjson", "parquet"]), {
    help: "write a table for people, or rows for programs (default: table on a terminal, else tsv)",
    flag: "format",
    short: "f",
  }),
  explainFormat: row(["urlmill explain"], choice(["text", "ndjson"], "text"), {
    help: "write for people, or a JSON object a line for each candidate",
    flag: "format",
    short: "f",
  }),
  format: row(["ExtractStream", "urlmill extract"], choice(Object.keys(FORMATS) as (keyof typeof FORMATS)[], "plain"), {
    help: "write one URL a line, or records with fields: JSON, one a line, or rows of a table; or objects for STIX 2.1 or MISP",
    short: "f",
  }),
  fields: row([...LIBRARY, "urlmill extract"], listOf("url,message_id", checkField, FIELD_NAMES), {
    help: "fields of records, in this order; --list-fields shows all",
  }),
  context: row([...LIBRARY, ...ROW_WRITERS], wholeNumber(1, 1000), {
    help: "show N characters of text on either side of each URL, as the field context",
  }),
  print: row(["ExtractStream", "urlmill extract"], templateWith(), {
    help: "write a line of text for each URL, with fields in braces: '{date}\\t{url}'",
  }),
  header: row(["ExtractStream", ...ROW_WRITERS], EITHER, {
    help: "begin csv and tsv with a line of the names of the fields, or not (default: begin)",
  }),
  csvSafe: row(["ExtractStream", ...ROW_WRITERS], SWITCH, {
    help: "begin csv with a byte order mark, and write an apostrophe before what a spreadsheet takes for a formula in its cells",
  }),
  dateFormat: row(ROW_WRITERS, choice(["rfc3339", "wayback"], "rfc3339"), {
    help: "how ndjson, csv, tsv and --print write dates: 1999-05-03T10:00:00Z, or 19990503100000 as web archives do",
  }),
  null: row(["urlmill extract"], SWITCH, { help: "end each URL, or line of --print, with a NUL byte instead of a line feed", short: "0" }),
  // They are kept in memory.
  sample: row(["urlmill extract"], wholeNumber(1, 1_000_000), {
    help: "write N of the records at random, in their order, the same ones for the same input and options",
  }),
  unique: row(["urlmill extract", "urlmill count"], SWITCH, {
    help: "write each URL once, in the order of first appearance; count: count each URL once in a row, and no messages",
    short: "u",
  }),
  uniqueBy: row(ROW_WRITERS, listOf("message,url", checkField, FIELD_NAMES), {
    help: "write one record for each value of these fields: url (as -u), message, host, domain; any fields",
    helpOf: { "urlmill count": "count each value of these fields once in a row: message_id,url" },
  }),
  memory: row(["summarize", ...READERS, "urlmill merge"], byteCount(1 << 20), {
    help: "memory for what -u and count must know, in bytes: 512M, 2G; the rest is in temporary files (default: 256M)",
    helpOf: { "urlmill report": "memory for the tables, in bytes: 512M, 2G; a full one forgets its rarest values (default: 256M)" },
  }),
  json: row(["urlmill report"], SWITCH, { help: "write the data of the report alone, as one JSON object" }),
  plan: row(PLANNED, FILE, { help: "the plan, which urlmill plan wrote" }),
  index: row(["urlmill run-shard"], wholeNumber(0, 2 ** 31 - 1), {
    help: "number of the shard, from 0 on; without it that of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX",
    short: "i",
  }),
  stdin: row(["urlmill run-shard"], SWITCH, {
    help: "run the shards that lines of standard input name: a number or a line of the plan, alone or after KEY and a tab",
  }),
  hash: row(["urlmill verify"], SWITCH, { help: "read all results, and compare their hashes" }),
  shardBytes: row(["urlmill plan"], byteCount(1), { help: "bytes of a shard, about: 64M, 1G (default: 256M)" }),
  retries: row(CLUSTER, wholeNumber(0, 1000), {
    help: "further tries of a request to a server that gave no byte, before urlmill gives up (default: 8)",
  }),
  output: row([...READERS, "urlmill plan", "urlmill run-shard", "urlmill merge"], FILE, {
    help: "write to FILE, which is replaced when the output is complete",
    short: "o",
    placeholderOf: { "urlmill run-shard": "FOLDER" },
    helpOf: { "urlmill run-shard": "the folder of the results: all shards of a plan go to one, and those of another plan to another" },
  }),
  rejected: row([...READERS, "urlmill merge"], FILE, {
    help: "write rejected candidates, and what was left out, to FILE as NDJSON with reasons",
  }),
  stats: row([...READERS, "urlmill merge"], SWITCH, { help: "write counts to standard error at the end, as one JSON object" }),
  threads: row(["extractFiles", "ExtractStream", ...READERS], wholeNumber(1, 1024), {
    help: "number of threads, by default one for each core; the output is the same for every N",
    short: "j",
  }),
  failFast: row(READERS, SWITCH, { help: "stop at the first input that cannot be read" }),
  progress: row([...READERS, "urlmill merge"], SWITCH, {
    help: "say every ten seconds how far the run is, where no line on a terminal says it",
  }),
  checkpoint: row(["urlmill extract"], FILE, {
    help: "keep in FILE how far the run is, so that --resume can go on with it after a crash; needs -o",
  }),
  resumable: row(["urlmill extract"], SWITCH, { help: "the same in a file beside the output: FILE.checkpoint for -o FILE" }),
  resume: row(["urlmill extract"], SWITCH, { help: "go on with a run that had --checkpoint or --resumable and ended early" }),
  listSchemes: row(["urlmill extract"], SWITCH, { help: "list the known schemes, and do nothing else" }),
  listFields: row(ROW_WRITERS, SWITCH, { help: "list the fields of records, and do nothing else" }),
  color: row(COMMANDS, choice(["auto", "always", "never"], "auto"), {
    help: "color the messages about errors and the progress line; auto does on a terminal unless NO_COLOR is set",
    helpOf: {
      "urlmill normalize": COLORED,
      "urlmill parse": COLORED,
      "urlmill resolve": COLORED,
      "urlmill explain": "color the output and the messages about errors; auto does on a terminal unless NO_COLOR is set",
    },
  }),
  quiet: row(COMMANDS, SWITCH, {
    help: "write nothing but errors to standard error",
    short: "q",
    helpOf: { "urlmill normalize": UNNAMED, "urlmill parse": UNNAMED, "urlmill resolve": UNNAMED },
  }),
  verbose: row(LINE_COMMANDS, SWITCH, { help: "name every refused line on standard error, not the first 20 alone", short: "v" }),
  port: row(["urlmill page"], wholeNumber(0, 65535, 0), { help: "port to serve on; 0: one that is free", short: "p" }),
  help: row(COMMANDS, SWITCH, { help: "show this help", short: "h" }),
  version: row(COMMANDS, SWITCH, { help: "show the versions of urlmill, its rules and Unicode", short: "V" }),
  range: row(LIBRARY, RANGE),
  onRejected: row(LIBRARY, CALLBACK),
  signal: row(["extractFrom", "summarize", "extractFiles", "ExtractStream", "extractWebStream"], SIGNAL),
  source: row(["extractFrom", "ExtractStream", "extractWebStream"], NAME),
  objectMode: row(["ExtractStream"], SWITCH),
  highWaterMark: row(["ExtractStream"], wholeNumber(1, 1 << 30, 1 << 20)),
};

/** Name of an option in the library. Options of commands have one too. */
export type OptionName = keyof typeof OPTIONS;

/** The value of every option: checked, or its default. */
export type OptionValues = {
  readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends OptionRow<unknown, infer Value, infer Usual> ? Value | Usual : never;
};

const ROWS: readonly (readonly [string, OptionRow])[] = Object.entries(OPTIONS);
const DEFAULTS = Object.fromEntries(ROWS.map(([name, { value }]) => [name, value.usual]));

/** Returns the name of an option on the command line, without `--`: `sort-query` for `sortQuery`. */
export function flagOf(name: string, { flag }: OptionRow): string {
  return flag ?? name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

export function longFlag(name: string): string {
  return `--${flagOf(name, OPTIONS[name as OptionName])}`;
}

/** Returns the options that `taker` or `other` takes, with their names. */
export function optionsOf(taker: Taker, other: Taker = taker): (readonly [name: string, row: OptionRow])[] {
  return ROWS.filter(([, { takenBy }]) => takenBy.includes(taker) || takenBy.includes(other));
}

/** Checks options of `taker` or `other`. Returns the given values, and the defaults of all other options. Throws OptionError. */
export function checkValues(taker: Taker, given: object, other: Taker = taker): OptionValues {
  if (typeof given !== "object" || given === null) throw badOption("options", `must be an object, not ${shownValue(given)}`);
  const values: Record<string, unknown> = { ...DEFAULTS };
  for (const name in given) {
    const value = given[name as keyof typeof given];
    const row = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
    const takenBy: readonly Taker[] = row?.takenBy ?? [];
    if (row === undefined || !(takenBy.includes(taker) || takenBy.includes(other))) {
      const names = optionsOf(taker).map(([known]) => known);
      const near = nearestThree(name, names).join(", ");
      throw new OptionError("ERR_URLMILL_UNKNOWN_OPTION", name, `is not an option of ${taker}; the nearest are ${near}`);
    }
    if (value !== undefined) values[name] = row.value.check(value, name);
  }
  return values as OptionValues;
}
