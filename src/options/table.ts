// The table of options: the source of the library's checks, the command line, the text of --help and the table in docs/command.md.
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { FLAGS, KINDS, SCHEMELESS } from "../core/names.ts";
import { COUNT_COLUMNS, FIELD_CHOICES, FIELD_NAMES, type HeaderField, type KeyField, toHeaderField } from "./fields.ts";
import { checkDomain, checkHost, checkSender, checkWhere, DATE_START, FIELD_PATTERNS, PATTERNS } from "./filter-values.ts";
import { JSON_MEMBERS, JSON_PRESETS } from "./json-fields.ts";
import { nearestThree } from "./nearest.ts";
import { checkExtraScheme, checkSchemeName, KNOWN_SCHEMES } from "./scheme-checks.ts";
import { parseTemplate } from "./template.ts";
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
const KEY_FIELDS: readonly KeyField[] = [...FIELD_NAMES, "flag"];
const BY_DEFAULT: readonly KeyField[] = ["host"];
const checkKeyField = checkFieldOf<KeyField>([...FIELD_CHOICES, "flag"]);
/** Returns the kind of a list that may also be empty. */
const orEmpty = <T>(kind: ValueKind<T[]>): ValueKind<T[]> => ({
  ...kind,
  check: (value, option) => (Array.isArray(value) && value.length === 0 ? [] : kind.check(value, option)),
});
const schemeless = orEmpty(someOf("www,email", SCHEMELESS));

export interface OptionRow {
  /** Library functions and commands that take the option. */
  readonly takenBy: readonly Taker[];
  readonly value: ValueKind<unknown>;
  /** Value of the option when it is absent. Without a `default` an option of the kind SWITCH is false, any other is undefined. */
  readonly default?: unknown;
  /** Name on the command line, if it is not the option's name with hyphens (`flagOf`). */
  readonly flag?: string;
  /** One-letter name on the command line. */
  readonly short?: string;
  /** Text of `--help`, and the first words in the table of docs/command.md. */
  readonly help?: string;
  /** Text that replaces `help` for a command to which `help` does not apply. */
  readonly helpOf?: { readonly [command in Taker]?: string };
  /** Name of the value in the help of a command that does not use the placeholder of `value`. */
  readonly placeholderOf?: { readonly [command in Taker]?: string };
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
  type: {
    takenBy: EXPLAIN,
    value: choice(["auto", "text", "html", "mbox", "eml", "maildir", "news", "warc", "json", "xml"]),
    default: "auto",
    help: "format of the input; auto detects it from the first bytes",
  },
  mbox: {
    takenBy: EXPLAIN,
    value: choice(["auto", "rd", "o", "cl"]),
    default: "auto",
    help: "dialect of an mbox: mboxrd (auto too), mboxo, or mboxcl, which goes by Content-Length",
  },
  parts: {
    takenBy: EXPLAIN,
    value: choice(["text", "all"]),
    default: "text",
    help: "body parts of messages that are read: text, or attachments too",
  },
  charset: {
    takenBy: EXPLAIN,
    value: CHARSET,
    default: "utf-8",
    help: "charset of text, HTML and body parts that name none: iso-8859-1, koi8-r, gbk, shift_jis, ...",
  },
  jsonFields: { takenBy: EXTRACT, value: JSON_MEMBERS, default: [], help: "JSON: members that are fields of messages, or a preset" },
  jsonPreset: { takenBy: ROW_WRITERS, value: choice(JSON_PRESETS), flag: "json", help: "the same by the members of a common archive" },
  include: {
    takenBy: FOLDERS,
    value: GLOBS,
    default: [],
    help: "in folders, read only files and folders that match; can be given several times",
  },
  exclude: {
    takenBy: FOLDERS,
    value: GLOBS,
    default: [],
    help: "in folders, leave out files and folders that match; can be given several times",
  },
  follow: { takenBy: FOLDERS, value: SWITCH, help: "follow links in folders" },
  expandMax: {
    takenBy: OPENERS,
    value: byteCount(1),
    help: "leave a compressed input or archive when its text comes to more bytes than this: 10G (default: no limit)",
  },
  ratioMax: {
    takenBy: OPENERS,
    value: wholeNumber(1, 2 ** 31 - 1),
    help: "leave one that decodes to N times its size, beyond the first 100 MiB (default: 1000)",
  },
  // Each level has its own decoder.
  depthMax: { takenBy: OPENERS, value: wholeNumber(1, 64), help: "open at most N containers in each other (default: 8)" },
  membersMax: {
    takenBy: OPENERS,
    value: wholeNumber(1, 2 ** 31 - 1),
    help: "leave an archive with more than N members (default: 1000000)",
  },
  windowMax: {
    takenBy: OPENERS,
    // Programs write no larger windows, and a typed array can hold one of 2 GiB with the bytes after it.
    value: byteCount(1 << 20, 2 ** 31),
    help: "leave zstd and xz data that may copy text from more bytes before it: 2G (default: 128M)",
  },
  schemes: {
    takenBy: EXTRACT,
    value: listOf("http,news", checkSchemeName, KNOWN_SCHEMES),
    flag: "scheme",
    short: "s",
    help: "report only URLs of these schemes: http,https,news",
  },
  extraSchemes: {
    takenBy: EXPLAIN,
    value: orEmpty(listOf("steam,qotd", checkExtraScheme)),
    default: [],
    flag: "extra-scheme",
    help: "find URLs of these schemes too, before // and a host: steam,qotd",
  },
  anyScheme: { takenBy: EXPLAIN, value: SWITCH, help: "find URLs of any scheme before // and a host" },
  bare: {
    takenBy: EXPLAIN,
    value: { ...schemeless, check: (value: unknown, option: string) => schemeless.check([value].flat(), option) },
    default: [],
    help: "find schemeless text too: www,email,domain,ip",
  },
  guess: { takenBy: EXPLAIN, value: SWITCH, help: "join line-wrapped URLs of plain text; a heuristic, kind guessed" },
  nested: {
    takenBy: EXPLAIN,
    value: SWITCH,
    help: "report URLs inside other URLs too, each after the URL that holds it, and percent-encoded ones in text",
  },
  refang: {
    takenBy: FORMS,
    value: SWITCH,
    help: "read defanged text such as hxxp://evil[.]example; kind refanged",
    helpOf: { "urlmill normalize": "read defanged URLs such as hxxp://evil[.]example" },
  },
  links: { takenBy: EXPLAIN, value: SWITCH, help: "report relative links of HTML too, resolved; records have tag and attribute" },
  base: {
    takenBy: [...EXPLAIN, "urlmill resolve"],
    value: URL_TEXT,
    short: "b",
    help: "URL that the relative links of --links are resolved against, where their page has no address of its own",
    helpOf: { "urlmill resolve": "URL that references are resolved against" },
  },
  urlBytesMax: {
    takenBy: EXPLAIN,
    value: wholeNumber(256, 1 << 20), // X12
    default: 1 << 14,
    help: "length of the longest URL in bytes, from 256 to 1048576",
  },
  profile: {
    takenBy: FORMS,
    value: choice(["rfc3986", "rfc1738", "whatwg", "surt", "cdx", "none"]),
    default: "rfc3986",
    help: "how URLs are normalized; none leaves them as written",
  },
  unwrap: {
    takenBy: FORMS,
    value: switchOr("any"),
    default: false,
    help: "replace the URL of a redirector (SafeLinks, urldefense, Facebook, ...) by the URL inside it; any: URLs inside any others",
    helpOf: { "urlmill report": "replace the URL of a redirector by the URL inside it, which a report does anyway" },
  },
  noUnwrap: { takenBy: ["urlmill report"], value: SWITCH, help: "leave the URLs of redirectors as they are" },
  stripTracking: { takenBy: FORMS, value: SWITCH, help: "remove query parameters that only track" },
  stripFragment: { takenBy: FORMS, value: SWITCH, help: "remove the fragment" },
  stripWww: { takenBy: FORMS, value: SWITCH, help: "remove www. from the host" },
  sortQuery: { takenBy: FORMS, value: SWITCH, help: "sort query parameters by name" },
  userinfo: {
    takenBy: NORMALIZE,
    value: choice(["keep", "redact", "strip"]),
    default: "keep",
    help: "what becomes of a user and password: redact writes *** for both, strip removes both",
    helpOf: { "urlmill report": "strip removes user and password, redact shows *** for all; else for all but a host before the @" },
  },
  defang: { takenBy: FORMS, value: SWITCH, help: "write URLs so that no program makes links of them: hxxp://evil[.]example" },
  hosts: {
    takenBy: EXTRACT,
    value: listOf("a.example,*.b.example", checkHost),
    flag: "host",
    help: "report only URLs with these hosts; *.a.example: the hosts below a.example",
  },
  notHosts: { takenBy: EXTRACT, value: listOf("a.example", checkHost), flag: "not-host", help: "leave out URLs with these hosts" },
  domains: {
    takenBy: EXTRACT,
    value: listOf("a.example,b.example", checkDomain),
    flag: "domain",
    help: "report only URLs whose host is one of these domains, or below one",
  },
  notDomains: {
    takenBy: EXTRACT,
    value: listOf("a.example,b.example", checkDomain),
    flag: "not-domain",
    help: "leave out URLs whose host is one of these domains, or below one",
  },
  match: {
    takenBy: EXTRACT,
    value: PATTERNS,
    help: "report only URLs whose normalized form this regular expression matches; given several times, any of them",
  },
  ignoreCase: {
    takenBy: EXTRACT,
    value: SWITCH,
    short: "i",
    help: "with --match, --has and --subject: letters match in upper and lower case",
  },
  kinds: { takenBy: EXTRACT, value: someOf("rejoined,guessed", KINDS), flag: "kind", help: "report only matches of these kinds" },
  flags: {
    takenBy: EXTRACT,
    value: someOf("password,numeric-host", FLAGS),
    flag: "flag",
    help: "report only matches with one of these flags",
  },
  noNamespaces: { takenBy: EXTRACT, value: SWITCH, help: "leave out URLs that name vocabularies: http://www.w3.org/1999/xhtml" },
  unwrapped: { takenBy: EXTRACT, value: SWITCH, help: "with --unwrap: report only URLs that a redirector held" },
  where: {
    takenBy: EXTRACT,
    value: listOf("body,header:*", checkWhere),
    help: "report only matches at these places of a message: body,html,header:Subject,header:*",
  },
  quoted: { takenBy: EXTRACT, value: SWITCH, help: "report only matches in quoted lines (> before them) and quotes of HTML" },
  noQuoted: { takenBy: EXTRACT, value: SWITCH, help: "leave out matches in quoted lines (> before them) and quotes of HTML" },
  has: {
    takenBy: EXTRACT,
    value: FIELD_PATTERNS,
    help: "report only matches whose field this regular expression matches, such as thread=^1@a; given several times, all of them",
  },
  subject: {
    takenBy: EXTRACT,
    value: PATTERNS,
    help: "report only matches in messages whose subject this regular expression matches; given several times, any of them",
  },
  since: { takenBy: EXTRACT, value: DATE_START, help: "report only matches in messages sent then or later: 1998, 1998-05-03" },
  until: { takenBy: EXTRACT, value: DATE_START, help: "report only matches in messages sent then or earlier; 1998 is all of 1998" },
  from: {
    takenBy: EXTRACT,
    value: listOf("joe@a.example,@b.example", checkSender),
    help: "report only matches in messages from these addresses; @a.example: from all in that domain",
  },
  by: {
    takenBy: COUNT,
    value: listOf("month,domain", checkKeyField, KEY_FIELDS),
    default: BY_DEFAULT,
    help: "fields whose values are counted, by themselves or together: url, host, domain, month, ... (default: host)",
  },
  per: {
    takenBy: COUNT,
    value: {
      spelling: "text",
      placeholder: "FIELD",
      choices: KEY_FIELDS,
      check: (field: unknown, option: string) => checkKeyField(field, option, "must be"),
    },
    help: "count for each value of this field by itself, in order, as the first column; --top N: N rows of each",
  },
  sort: {
    takenBy: COUNT,
    value: choice(["key", "count"]),
    help: "sort rows by their values or by count (default: key if the first field is a date, month, year or day, else count)",
  },
  share: { takenBy: COUNT, value: switchOr("messages"), help: "show percent: of all, of those of the first field; messages: of messages" },
  top: {
    takenBy: ["summarize", "urlmill count", "urlmill report"],
    value: wholeNumber(1, 2 ** 31 - 1),
    short: "n",
    help: "write only the N largest rows",
    helpOf: { "urlmill report": "show only the first N rows of each table (default: 1000)" },
  },
  min: { takenBy: COUNT, value: wholeNumber(1, 2 ** 31 - 1), help: "write only rows of N matches and more; with --messages of N messages" },
  first: { takenBy: COUNT, value: listOf("from", checkField, FIELD_NAMES), help: "show fields of the first message by date too" },
  onlyQuoted: { takenBy: COUNT, value: SWITCH, help: "leave out rows with a match outside of quoted lines: --by url" },
  messages: { takenBy: COUNT, value: SWITCH, help: "rows are large by messages, not by matches" },
  messagesAll: { takenBy: COUNT, value: SWITCH, help: "count messages without a URL too: of_messages" },
  plot: { takenBy: COUNT, value: FILE, help: "with --by month or --by month,FIELD: write a picture of the months to FILE, as SVG" },
  countPrint: {
    takenBy: COUNT,
    value: { spelling: "text", placeholder: "TEMPLATE", check: (text, option) => parseTemplate(text, option, [...COUNT_COLUMNS, "flag"]) },
    flag: "print",
    help: "write a line for each row: '{first} {url}'",
  },
  countFormat: {
    takenBy: COUNT,
    value: choice(["table", "tsv", "csv", "ndjson", "parquet"]),
    flag: "format",
    short: "f",
    help: "write a table for people, or rows for programs (default: table on a terminal, else tsv)",
  },
  explainFormat: {
    takenBy: ["urlmill explain"],
    value: choice(["text", "ndjson"]),
    default: "text",
    flag: "format",
    short: "f",
    help: "write for people, or a JSON object a line for each candidate",
  },
  format: {
    takenBy: ["ExtractStream", "urlmill extract"],
    value: choice(Object.keys(FORMATS) as (keyof typeof FORMATS)[]),
    default: "plain",
    short: "f",
    help: "write one URL a line, or records with fields: JSON, one a line, or rows of a table; or objects for STIX 2.1 or MISP",
  },
  fields: {
    takenBy: [...LIBRARY, "urlmill extract"],
    value: listOf("url,message_id", checkField, FIELD_NAMES),
    help: "fields of records, in this order; --list-fields shows all",
  },
  context: {
    takenBy: [...LIBRARY, ...ROW_WRITERS],
    value: wholeNumber(1, 1000),
    help: "show N characters of text on either side of each URL, as the field context",
  },
  print: {
    takenBy: ["ExtractStream", "urlmill extract"],
    value: { spelling: "text", placeholder: "TEMPLATE", check: parseTemplate },
    help: "write a line of text for each URL, with fields in braces: '{date}\\t{url}'",
  },
  header: {
    takenBy: ["ExtractStream", ...ROW_WRITERS],
    value: EITHER,
    help: "begin csv and tsv with a line of the names of the fields, or not (default: begin)",
  },
  csvSafe: {
    takenBy: ["ExtractStream", ...ROW_WRITERS],
    value: SWITCH,
    help: "begin csv with a byte order mark, and write an apostrophe before what a spreadsheet takes for a formula in its cells",
  },
  dateFormat: {
    takenBy: ROW_WRITERS,
    value: choice(["rfc3339", "wayback"]),
    default: "rfc3339",
    help: "how ndjson, csv, tsv and --print write dates: 1999-05-03T10:00:00Z, or 19990503100000 as web archives do",
  },
  null: {
    takenBy: ["urlmill extract"],
    value: SWITCH,
    short: "0",
    help: "end each URL, or line of --print, with a NUL byte instead of a line feed",
  },
  sample: {
    takenBy: ["urlmill extract"],
    // They are kept in memory.
    value: wholeNumber(1, 1_000_000),
    help: "write N of the records at random, in their order, the same ones for the same input and options",
  },
  unique: {
    takenBy: ["urlmill extract", "urlmill count"],
    value: SWITCH,
    short: "u",
    help: "write each URL once, in the order of first appearance; count: count each URL once in a row, and no messages",
  },
  uniqueBy: {
    takenBy: ROW_WRITERS,
    value: listOf("message,url", checkField, FIELD_NAMES),
    help: "write one record for each value of these fields: url (as -u), message, host, domain; any fields",
    helpOf: { "urlmill count": "count each value of these fields once in a row: message_id,url" },
  },
  memory: {
    takenBy: ["summarize", ...READERS, "urlmill merge"],
    value: byteCount(1 << 20),
    help: "memory for what -u and count must know, in bytes: 512M, 2G; the rest is in temporary files (default: 256M)",
    helpOf: { "urlmill report": "memory for the tables, in bytes: 512M, 2G; a full one forgets its rarest values (default: 256M)" },
  },
  json: { takenBy: ["urlmill report"], value: SWITCH, help: "write the data of the report alone, as one JSON object" },
  plan: { takenBy: PLANNED, value: FILE, help: "the plan, which urlmill plan wrote" },
  index: {
    takenBy: ["urlmill run-shard"],
    value: wholeNumber(0, 2 ** 31 - 1),
    short: "i",
    help: "number of the shard, from 0 on; without it that of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX",
  },
  stdin: {
    takenBy: ["urlmill run-shard"],
    value: SWITCH,
    help: "run the shards that lines of standard input name: a number or a line of the plan, alone or after KEY and a tab",
  },
  hash: { takenBy: ["urlmill verify"], value: SWITCH, help: "read all results, and compare their hashes" },
  shardBytes: { takenBy: ["urlmill plan"], value: byteCount(1), help: "bytes of a shard, about: 64M, 1G (default: 256M)" },
  retries: {
    takenBy: CLUSTER,
    value: wholeNumber(0, 1000),
    help: "further tries of a request to a server that gave no byte, before urlmill gives up (default: 8)",
  },
  output: {
    takenBy: [...READERS, "urlmill plan", "urlmill run-shard", "urlmill merge"],
    value: FILE,
    short: "o",
    help: "write to FILE, which is replaced when the output is complete",
    placeholderOf: { "urlmill run-shard": "FOLDER" },
    helpOf: { "urlmill run-shard": "the folder of the results: all shards of a plan go to one, and those of another plan to another" },
  },
  rejected: {
    takenBy: [...READERS, "urlmill merge"],
    value: FILE,
    help: "write rejected candidates, and what was left out, to FILE as NDJSON with reasons",
  },
  stats: { takenBy: [...READERS, "urlmill merge"], value: SWITCH, help: "write counts to standard error at the end, as one JSON object" },
  threads: {
    takenBy: ["extractFiles", "ExtractStream", ...READERS],
    value: wholeNumber(1, 1024),
    short: "j",
    help: "number of threads, by default one for each core; the output is the same for every N",
  },
  failFast: { takenBy: READERS, value: SWITCH, help: "stop at the first input that cannot be read" },
  progress: {
    takenBy: [...READERS, "urlmill merge"],
    value: SWITCH,
    help: "say every ten seconds how far the run is, where no line on a terminal says it",
  },
  checkpoint: {
    takenBy: ["urlmill extract"],
    value: FILE,
    help: "keep in FILE how far the run is, so that --resume can go on with it after a crash; needs -o",
  },
  resumable: { takenBy: ["urlmill extract"], value: SWITCH, help: "the same in a file beside the output: FILE.checkpoint for -o FILE" },
  resume: { takenBy: ["urlmill extract"], value: SWITCH, help: "go on with a run that had --checkpoint or --resumable and ended early" },
  listSchemes: { takenBy: ["urlmill extract"], value: SWITCH, help: "list the known schemes, and do nothing else" },
  listFields: { takenBy: ROW_WRITERS, value: SWITCH, help: "list the fields of records, and do nothing else" },
  color: {
    takenBy: COMMANDS,
    value: choice(["auto", "always", "never"]),
    default: "auto",
    help: "color the messages about errors and the progress line; auto does on a terminal unless NO_COLOR is set",
    helpOf: {
      "urlmill normalize": COLORED,
      "urlmill parse": COLORED,
      "urlmill resolve": COLORED,
      "urlmill explain": "color the output and the messages about errors; auto does on a terminal unless NO_COLOR is set",
    },
  },
  quiet: {
    takenBy: COMMANDS,
    value: SWITCH,
    short: "q",
    help: "write nothing but errors to standard error",
    helpOf: { "urlmill normalize": UNNAMED, "urlmill parse": UNNAMED, "urlmill resolve": UNNAMED },
  },
  verbose: { takenBy: LINE_COMMANDS, value: SWITCH, short: "v", help: "name every refused line on standard error, not the first 20 alone" },
  port: { takenBy: ["urlmill page"], value: wholeNumber(0, 65535), short: "p", default: 0, help: "port to serve on; 0: one that is free" },
  help: { takenBy: COMMANDS, value: SWITCH, short: "h", help: "show this help" },
  version: { takenBy: COMMANDS, value: SWITCH, short: "V", help: "show the versions of urlmill, its rules and Unicode" },
  range: { takenBy: LIBRARY, value: RANGE },
  onRejected: { takenBy: LIBRARY, value: CALLBACK },
  signal: { takenBy: ["extractFrom", "summarize", "extractFiles", "ExtractStream", "extractWebStream"], value: SIGNAL },
  source: { takenBy: ["extractFrom", "ExtractStream", "extractWebStream"], value: NAME },
  objectMode: { takenBy: ["ExtractStream"], value: SWITCH },
  highWaterMark: { takenBy: ["ExtractStream"], value: wholeNumber(1, 1 << 30), default: 1 << 20 },
} as const satisfies Record<string, OptionRow>;

/** Name of an option in the library. Options of commands have one too. */
export type OptionName = keyof typeof OPTIONS;

/** The value of every option: checked, or its default. */
export type OptionValues = {
  readonly [Name in OptionName]: ReturnType<(typeof OPTIONS)[Name]["value"]["check"]> | DefaultOf<(typeof OPTIONS)[Name]>;
};

type DefaultOf<Row> = Row extends { readonly default: infer Value }
  ? Value
  : Row extends { readonly value: typeof SWITCH }
    ? false
    : undefined;

const ROWS: readonly (readonly [string, OptionRow])[] = Object.entries(OPTIONS);
const DEFAULTS = Object.fromEntries(ROWS.map(([name, row]) => [name, row.value === SWITCH ? false : row.default]));

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
