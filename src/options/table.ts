// The table of options: the source of the library's checks, the command line, the text of --help and the table in docs/command.md.
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { FLAGS, KINDS, SCHEMELESS } from "../core/names.ts";
import { COUNT_COLUMNS, FIELD_CHOICES, FIELD_NAMES, type HeaderField, type KeyField, toHeaderField } from "./fields.ts";
import { checkDomain, checkHost, checkSender, checkWhere, DATE_START, FIELD_PATTERNS, PATTERNS } from "./filter-values.ts";
import { JSON_MEMBERS, JSON_PRESETS } from "./json-fields.ts";
import { nearestThree } from "./nearest.ts";
import { checkExtraScheme, checkSchemeName, KNOWN_SCHEMES } from "./scheme-checks.ts";
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
const PER: ValueKind<KeyField> = {
  spelling: "text",
  placeholder: "FIELD",
  choices: KEY_FIELDS,
  check: (field, option) => checkKeyField(field, option, "must be"),
};
const templateWith = (...more: string[]): ValueKind<Template> => ({
  spelling: "text",
  placeholder: "TEMPLATE",
  check: (text, option) => parseTemplate(text, option, more),
});
/** Returns the kind of a list that may also be empty. */
const orEmpty = <T>(kind: ValueKind<T[]>): ValueKind<T[], readonly []> => ({
  ...kind,
  usual: [],
  check: (value, option) => (Array.isArray(value) && value.length === 0 ? [] : kind.check(value, option)),
});
const SOME_SCHEMELESS = orEmpty(someOf("www,email", SCHEMELESS));
const BARE = { ...SOME_SCHEMELESS, check: (value: unknown, option: string) => SOME_SCHEMELESS.check([value].flat(), option) };
const POSITIVE = wholeNumber(1, 2 ** 31 - 1);

interface OptionMore {
  /** Name on the command line, if it is not the option's name with hyphens (`flagOf`). */
  readonly flag?: string;
  /** One-letter name on the command line. */
  readonly short?: string;
  /** Text that replaces `help` for a command to which `help` does not apply. */
  readonly helpOf?: { readonly [command in Taker]?: string };
  /** Name of the value in the help of a command that does not use the placeholder of `value`. */
  readonly placeholderOf?: { readonly [command in Taker]?: string };
}

export interface OptionRow<Takers = readonly Taker[], Value = unknown, Usual = unknown> extends OptionMore {
  /** Text of `--help`, and the first words in the table of docs/command.md; empty if only functions take the option. */
  readonly help: string;
  /** Library functions and commands that take the option. */
  readonly takenBy: Takers;
  readonly value: ValueKind<Value, Usual>;
}

function row<const T extends readonly Taker[], V, U = undefined>(
  help: string,
  takenBy: T,
  value: ValueKind<V, U>,
  more: OptionMore = {},
): OptionRow<T, V, U> {
  return { help, takenBy, value, ...more };
}

const LIBRARY = ["extract", "extractFrom", "extractFiles", "ExtractStream", "extractWebStream"] as const;
export const READER_NAMES = ["extract", "count", "report"] as const;
export type ReaderName = (typeof READER_NAMES)[number];
const READERS = ["urlmill extract", "urlmill count", "urlmill report"] as const;
/** Commands that write records, or rows of counts. */
const ROW_WRITERS = ["urlmill extract", "urlmill count"] as const;
const EXTRACT = [...LIBRARY, "summarize", ...READERS] as const;
const COUNT = ["urlmill count"] as const;
const FILES = ["extractFiles", ...READERS] as const;
/** Functions and commands that read folders. */
const FOLDERS = [...FILES, "urlmill page"] as const;
/** Functions and commands that take the limits of compressed data and archives. */
const OPENERS = ["extractFrom", "ExtractStream", "extractWebStream", "summarize", ...FILES] as const;
/** Takers of `userinfo`. */
const NORMALIZE = [...EXTRACT, "normalize", "urlmill normalize"] as const;
/** Takers of the other options about the form of URLs: those of NORMALIZE, and `explain`. */
const FORMS = [...NORMALIZE, "urlmill explain"] as const;
/** Takers of options about finding URLs: those of EXTRACT, and `explain`, which takes no filters. */
const EXPLAIN = [...EXTRACT, "urlmill explain"] as const;
const LINE_COMMANDS = ["urlmill normalize", "urlmill parse", "urlmill resolve"] as const;
/** Commands that divide a run over many processes. */
const CLUSTER = ["urlmill plan", "urlmill run-shard", "urlmill verify", "urlmill merge"] as const;
/** Commands that read a plan. */
const PLANNED = ["urlmill run-shard", "urlmill verify", "urlmill merge"] as const;
export const COMMANDS = [...READERS, "urlmill page", "urlmill explain", ...LINE_COMMANDS, ...CLUSTER] as const;
/** Help of `--color` for commands that answer line by line. */
const COLORED = "color the messages about errors; auto does on a terminal unless NO_COLOR is set";
/** Help of `--quiet` for commands that answer line by line. */
const UNNAMED = "do not name refused lines on standard error; the exit code is 2 all the same";

/** A library function or a command that takes options. */
export type Taker = (typeof NORMALIZE)[number] | (typeof COMMANDS)[number];
/** Name of a command that takes options. */
export type CommandName = (typeof COMMANDS)[number] extends `urlmill ${infer Name}` ? Name : never;

/** Every option, by its name in the library; in the order of help. */
export const OPTIONS = {
  type: row(
    "format of the input; auto detects it from the first bytes",
    EXPLAIN,
    choice(["auto", "text", "html", "mbox", "eml", "maildir", "news", "warc", "json", "xml"], "auto"),
  ),
  mbox: row(
    "dialect of an mbox: mboxrd (auto too), mboxo, or mboxcl, which goes by Content-Length",
    EXPLAIN,
    choice(["auto", "rd", "o", "cl"], "auto"),
  ),
  parts: row("body parts of messages that are read: text, or attachments too", EXPLAIN, choice(["text", "all"], "text")),
  charset: row("charset of text, HTML and body parts that name none: iso-8859-1, koi8-r, gbk, shift_jis, ...", EXPLAIN, CHARSET),
  jsonFields: row("JSON: members that are fields of messages, or a preset", EXTRACT, JSON_MEMBERS),
  jsonPreset: row("the same by the members of a common archive", ROW_WRITERS, choice(JSON_PRESETS), { flag: "json" }),
  include: row("in folders, read only files and folders that match; can be given several times", FOLDERS, GLOBS),
  exclude: row("in folders, leave out files and folders that match; can be given several times", FOLDERS, GLOBS),
  follow: row("follow links in folders", FOLDERS, SWITCH),
  expandMax: row(
    "leave a compressed input or archive when its text comes to more bytes than this: 10G (default: no limit)",
    OPENERS,
    byteCount(1),
  ),
  ratioMax: row("leave one that decodes to N times its size, beyond the first 100 MiB (default: 1000)", OPENERS, POSITIVE),
  // Each level has its own decoder.
  depthMax: row("open at most N containers in each other (default: 8)", OPENERS, wholeNumber(1, 64)),
  membersMax: row("leave an archive with more than N members (default: 1000000)", OPENERS, POSITIVE),
  windowMax: row(
    "leave zstd and xz data that may copy text from more bytes before it: 2G (default: 128M)",
    OPENERS,
    byteCount(1 << 20, 2 ** 31),
  ),
  schemes: row("report only URLs of these schemes: http,https,news", EXTRACT, listOf("http,news", checkSchemeName, KNOWN_SCHEMES), {
    flag: "scheme",
    short: "s",
  }),
  extraSchemes: row(
    "find URLs of these schemes too, before // and a host: steam,qotd",
    EXPLAIN,
    orEmpty(listOf("steam,qotd", checkExtraScheme)),
    { flag: "extra-scheme" },
  ),
  anyScheme: row("find URLs of any scheme before // and a host", EXPLAIN, SWITCH),
  bare: row("find schemeless text too: www,email,domain,ip", EXPLAIN, BARE),
  guess: row("join line-wrapped URLs of plain text; a heuristic, kind guessed", EXPLAIN, SWITCH),
  nested: row("report URLs inside other URLs too, each after the URL that holds it, and percent-encoded ones in text", EXPLAIN, SWITCH),
  refang: row("read defanged text such as hxxp://evil[.]example; kind refanged", FORMS, SWITCH, {
    helpOf: { "urlmill normalize": "read defanged URLs such as hxxp://evil[.]example" },
  }),
  links: row("report relative links of HTML too, resolved; records have tag and attribute", EXPLAIN, SWITCH),
  base: row(
    "URL that the relative links of --links are resolved against, where their page has no address of its own",
    [...EXPLAIN, "urlmill resolve"],
    URL_TEXT,
    { short: "b", helpOf: { "urlmill resolve": "URL that references are resolved against" } },
  ),
  urlBytesMax: row("length of the longest URL in bytes, from 256 to 1048576", EXPLAIN, wholeNumber(256, 1 << 20, 1 << 14)),
  profile: row(
    "how URLs are normalized; none leaves them as written",
    FORMS,
    choice(["rfc3986", "rfc1738", "whatwg", "surt", "cdx", "none"], "rfc3986"),
  ),
  unwrap: row(
    "replace the URL of a redirector (SafeLinks, urldefense, Facebook, ...) by the URL inside it; any: URLs inside any others",
    FORMS,
    switchOr("any"),
    { helpOf: { "urlmill report": "replace the URL of a redirector by the URL inside it, which a report does anyway" } },
  ),
  noUnwrap: row("leave the URLs of redirectors as they are", ["urlmill report"], SWITCH),
  stripTracking: row("remove query parameters that only track", FORMS, SWITCH),
  stripFragment: row("remove the fragment", FORMS, SWITCH),
  stripWww: row("remove www. from the host", FORMS, SWITCH),
  sortQuery: row("sort query parameters by name", FORMS, SWITCH),
  userinfo: row(
    "what becomes of a user and password: redact writes *** for both, strip removes both",
    NORMALIZE,
    choice(["keep", "redact", "strip"], "keep"),
    {
      helpOf: { "urlmill report": "strip removes user and password, redact shows *** for all; else for all but a host before the @" },
    },
  ),
  defang: row("write URLs so that no program makes links of them: hxxp://evil[.]example", FORMS, SWITCH),
  hosts: row(
    "report only URLs with these hosts; *.a.example: the hosts below a.example",
    EXTRACT,
    listOf("a.example,*.b.example", checkHost),
    { flag: "host" },
  ),
  notHosts: row("leave out URLs with these hosts", EXTRACT, listOf("a.example", checkHost), { flag: "not-host" }),
  domains: row("report only URLs whose host is one of these domains, or below one", EXTRACT, listOf("a.example,b.example", checkDomain), {
    flag: "domain",
  }),
  notDomains: row("leave out URLs whose host is one of these domains, or below one", EXTRACT, listOf("a.example,b.example", checkDomain), {
    flag: "not-domain",
  }),
  match: row("report only URLs whose normalized form this regular expression matches; given several times, any of them", EXTRACT, PATTERNS),
  ignoreCase: row("with --match, --has and --subject: letters match in upper and lower case", EXTRACT, SWITCH, { short: "i" }),
  kinds: row("report only matches of these kinds", EXTRACT, someOf("rejoined,guessed", KINDS), { flag: "kind" }),
  flags: row("report only matches with one of these flags", EXTRACT, someOf("password,numeric-host", FLAGS), { flag: "flag" }),
  noNamespaces: row("leave out URLs that name vocabularies: http://www.w3.org/1999/xhtml", EXTRACT, SWITCH),
  unwrapped: row("with --unwrap: report only URLs that a redirector held", EXTRACT, SWITCH),
  where: row(
    "report only matches at these places of a message: body,html,header:Subject,header:*",
    EXTRACT,
    listOf("body,header:*", checkWhere),
  ),
  quoted: row("report only matches in quoted lines (> before them) and quotes of HTML", EXTRACT, SWITCH),
  noQuoted: row("leave out matches in quoted lines (> before them) and quotes of HTML", EXTRACT, SWITCH),
  has: row(
    "report only matches whose field this regular expression matches, such as thread=^1@a; given several times, all of them",
    EXTRACT,
    FIELD_PATTERNS,
  ),
  subject: row(
    "report only matches in messages whose subject this regular expression matches; given several times, any of them",
    EXTRACT,
    PATTERNS,
  ),
  since: row("report only matches in messages sent then or later: 1998, 1998-05-03", EXTRACT, DATE_START),
  until: row("report only matches in messages sent then or earlier; 1998 is all of 1998", EXTRACT, DATE_START),
  from: row(
    "report only matches in messages from these addresses; @a.example: from all in that domain",
    EXTRACT,
    listOf("joe@a.example,@b.example", checkSender),
  ),
  by: row("fields whose values are counted, by themselves or together: url, host, domain, month, ... (default: host)", COUNT, BY),
  per: row("count for each value of this field by itself, in order, as the first column; --top N: N rows of each", COUNT, PER),
  sort: row(
    "sort rows by their values or by count (default: key if the first field is a date, month, year or day, else count)",
    COUNT,
    choice(["key", "count"]),
  ),
  share: row("show percent: of all, of those of the first field; messages: of messages", COUNT, switchOr("messages")),
  top: row("write only the N largest rows", ["summarize", "urlmill count", "urlmill report"], POSITIVE, {
    short: "n",
    helpOf: { "urlmill report": "show only the first N rows of each table (default: 1000)" },
  }),
  min: row("write only rows of N matches and more; with --messages of N messages", COUNT, POSITIVE),
  first: row("show fields of the first message by date too", COUNT, listOf("from", checkField, FIELD_NAMES)),
  onlyQuoted: row("leave out rows with a match outside of quoted lines: --by url", COUNT, SWITCH),
  messages: row("rows are large by messages, not by matches", COUNT, SWITCH),
  messagesAll: row("count messages without a URL too: of_messages", COUNT, SWITCH),
  plot: row("with --by month or --by month,FIELD: write a picture of the months to FILE, as SVG", COUNT, FILE),
  countPrint: row("write a line for each row: '{first} {url}'", COUNT, templateWith(...COUNT_COLUMNS, "flag"), { flag: "print" }),
  countFormat: row(
    "write a table for people, or rows for programs (default: table on a terminal, else tsv)",
    COUNT,
    choice(["table", "tsv", "csv", "ndjson", "parquet"]),
    { flag: "format", short: "f" },
  ),
  explainFormat: row(
    "write for people, or a JSON object a line for each candidate",
    ["urlmill explain"],
    choice(["text", "ndjson"], "text"),
    {
      flag: "format",
      short: "f",
    },
  ),
  format: row(
    "write one URL a line, or records with fields: JSON, one a line, or rows of a table; or objects for STIX 2.1 or MISP",
    ["ExtractStream", "urlmill extract"],
    choice(Object.keys(FORMATS) as (keyof typeof FORMATS)[], "plain"),
    { short: "f" },
  ),
  fields: row(
    "fields of records, in this order; --list-fields shows all",
    [...LIBRARY, "urlmill extract"],
    listOf("url,message_id", checkField, FIELD_NAMES),
  ),
  context: row(
    "show N characters of text on either side of each URL, as the field context",
    [...LIBRARY, ...ROW_WRITERS],
    wholeNumber(1, 1000),
  ),
  print: row(
    "write a line of text for each URL, with fields in braces: '{date}\\t{url}'",
    ["ExtractStream", "urlmill extract"],
    templateWith(),
  ),
  header: row(
    "begin csv and tsv with a line of the names of the fields, or not (default: begin)",
    ["ExtractStream", ...ROW_WRITERS],
    EITHER,
  ),
  csvSafe: row(
    "begin csv with a byte order mark, and write an apostrophe before what a spreadsheet takes for a formula in its cells",
    ["ExtractStream", ...ROW_WRITERS],
    SWITCH,
  ),
  dateFormat: row(
    "how ndjson, csv, tsv and --print write dates: 1999-05-03T10:00:00Z, or 19990503100000 as web archives do",
    ROW_WRITERS,
    choice(["rfc3339", "wayback"], "rfc3339"),
  ),
  null: row("end each URL, or line of --print, with a NUL byte instead of a line feed", ["urlmill extract"], SWITCH, { short: "0" }),
  sample: row(
    "write N of the records at random, in their order, the same ones for the same input and options",
    ["urlmill extract"],
    wholeNumber(1, 1_000_000),
  ),
  unique: row(
    "write each URL once, in the order of first appearance; count: count each URL once in a row, and no messages",
    ["urlmill extract", "urlmill count"],
    SWITCH,
    { short: "u" },
  ),
  uniqueBy: row(
    "write one record for each value of these fields: url (as -u), message, host, domain; any fields",
    ROW_WRITERS,
    listOf("message,url", checkField, FIELD_NAMES),
    { helpOf: { "urlmill count": "count each value of these fields once in a row: message_id,url" } },
  ),
  memory: row(
    "memory for what -u and count must know, in bytes: 512M, 2G; the rest is in temporary files (default: 256M)",
    ["summarize", ...READERS, "urlmill merge"],
    byteCount(1 << 20),
    { helpOf: { "urlmill report": "memory for the tables, in bytes: 512M, 2G; a full one forgets its rarest values (default: 256M)" } },
  ),
  json: row("write the data of the report alone, as one JSON object", ["urlmill report"], SWITCH),
  plan: row("the plan, which urlmill plan wrote", PLANNED, FILE),
  index: row(
    "number of the shard, from 0 on; without it that of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX",
    ["urlmill run-shard"],
    wholeNumber(0, 2 ** 31 - 1),
    { short: "i" },
  ),
  stdin: row(
    "run the shards that lines of standard input name: a number or a line of the plan, alone or after KEY and a tab",
    ["urlmill run-shard"],
    SWITCH,
  ),
  hash: row("read all results, and compare their hashes", ["urlmill verify"], SWITCH),
  shardBytes: row("bytes of a shard, about: 64M, 1G (default: 256M)", ["urlmill plan"], byteCount(1)),
  retries: row(
    "further tries of a request to a server that gave no byte, before urlmill gives up (default: 8)",
    CLUSTER,
    wholeNumber(0, 1000),
  ),
  output: row(
    "write to FILE, which is replaced when the output is complete",
    [...READERS, "urlmill plan", "urlmill run-shard", "urlmill merge"],
    FILE,
    {
      short: "o",
      placeholderOf: { "urlmill run-shard": "FOLDER" },
      helpOf: { "urlmill run-shard": "the folder of the results: all shards of a plan go to one, and those of another plan to another" },
    },
  ),
  rejected: row("write rejected candidates, and what was left out, to FILE as NDJSON with reasons", [...READERS, "urlmill merge"], FILE),
  stats: row("write counts to standard error at the end, as one JSON object", [...READERS, "urlmill merge"], SWITCH),
  threads: row(
    "number of threads, by default one for each core; the output is the same for every N",
    ["extractFiles", "ExtractStream", ...READERS],
    wholeNumber(1, 1024),
    { short: "j" },
  ),
  failFast: row("stop at the first input that cannot be read", READERS, SWITCH),
  progress: row("say every ten seconds how far the run is, where no line on a terminal says it", [...READERS, "urlmill merge"], SWITCH),
  checkpoint: row("keep in FILE how far the run is, so that --resume can go on with it after a crash; needs -o", ["urlmill extract"], FILE),
  resumable: row("the same in a file beside the output: FILE.checkpoint for -o FILE", ["urlmill extract"], SWITCH),
  resume: row("go on with a run that had --checkpoint or --resumable and ended early", ["urlmill extract"], SWITCH),
  listSchemes: row("list the known schemes, and do nothing else", ["urlmill extract"], SWITCH),
  listFields: row("list the fields of records, and do nothing else", ROW_WRITERS, SWITCH),
  color: row(
    "color the messages about errors and the progress line; auto does on a terminal unless NO_COLOR is set",
    COMMANDS,
    choice(["auto", "always", "never"], "auto"),
    {
      helpOf: {
        "urlmill normalize": COLORED,
        "urlmill parse": COLORED,
        "urlmill resolve": COLORED,
        "urlmill explain": "color the output and the messages about errors; auto does on a terminal unless NO_COLOR is set",
      },
    },
  ),
  quiet: row("write nothing but errors to standard error", COMMANDS, SWITCH, {
    short: "q",
    helpOf: { "urlmill normalize": UNNAMED, "urlmill parse": UNNAMED, "urlmill resolve": UNNAMED },
  }),
  verbose: row("name every refused line on standard error, not the first 20 alone", LINE_COMMANDS, SWITCH, { short: "v" }),
  port: row("port to serve on; 0: one that is free", ["urlmill page"], wholeNumber(0, 65535, 0), { short: "p" }),
  help: row("show this help", COMMANDS, SWITCH, { short: "h" }),
  version: row("show the versions of urlmill, its rules and Unicode", COMMANDS, SWITCH, { short: "V" }),
  range: row("", LIBRARY, RANGE),
  onRejected: row("", LIBRARY, CALLBACK),
  signal: row("", ["extractFrom", "summarize", "extractFiles", "ExtractStream", "extractWebStream"], SIGNAL),
  source: row("", ["extractFrom", "ExtractStream", "extractWebStream"], NAME),
  objectMode: row("", ["ExtractStream"], SWITCH),
  highWaterMark: row("", ["ExtractStream"], wholeNumber(1, 1 << 30, 1 << 20)),
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
