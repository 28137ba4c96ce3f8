// Texts of --help, --version, --list-schemes and --list-fields.
import { SCHEMES } from "#core/tables/schemes.js";
import { PACKAGE_VERSION, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import { FIELD_CHOICES, type FieldName, fieldOf } from "../options/fields.ts";
import { type CommandName, flagOf, type OptionName, type OptionRow, optionsOf } from "../options/table.ts";

const SCREEN = `urlmill [options] [path ...]     extract URLs, one normalized URL a line
urlmill count [path ...]         count by host, ...; also report, page, plan
urlmill normalize [url ...]      normalize URLs; also parse, resolve, explain
urlmill help COMMAND             all options of a command; also completions
`;

export const EXAMPLES: readonly (readonly [command: string, result: string])[] = [
  ["urlmill -u mail/ > urls.txt", "each URL in a folder once"],
  ["urlmill -f ndjson --fields date,url list.mbox", "records, here with dates"],
  ["urlmill -s ftp,gopher,wais archive.tar.gz", "only these schemes"],
  ["urlmill --bare www,email notes.txt", "www.a.example, joe@a.example"],
  ["urlmill normalize < urls.txt > normal.txt", "a list of URLs, line by line"],
];

/** The help of each command. Its options come before the exit codes. */
const HELP: Record<CommandName, string> = {
  extract: `urlmill [options] [path ...]

Extracts URLs, one normalized URL a line. Without a path, or with -, urlmill
reads standard input. A folder is read with everything in it. Mail, news and web
archives are taken apart; gzip, bzip2, xz, zstd, compress, zip and tar are
opened, also inside each other.

Exit code: 0 a URL was found, 1 none was found, 2 an error (also if one input of several could not be read)`,
  count: `urlmill count [--by FIELD,...] [options] [path ...]

Counts the matches in the inputs, and the messages that hold them, by the values
of fields: url, host, domain, scheme, year, month, day, source, from_address,
list_id, where, kind, flag (each flag of a match), ... A row has the values, the
count, the messages, and the dates of the first and the last of these.

Exit code: 0 a row was written, 1 no URL was found, or --min left no row, 2 an error (also if one input of several could not be read)`,
  explain: `urlmill explain [options] [text ...]

Takes texts from the arguments, or one from standard input, of up to 256 KiB,
and shows each URL and each rejected candidate with the rules that decided about
it (docs/rules.md): X5 took a dot off its end, X7 joined two lines.

Exit code: 0 a URL was found, 1 none was found, 2 an error`,
  report: `urlmill report -o FILE [options] [path ...]

Writes a page about what is in the inputs, as one HTML file that needs no
network; with --json its data alone. It shows matches by month and scheme; the
most frequent hosts, domains, URLs, senders and lists; redirectors and where they
lead; examples of flags and of rejected candidates. Users and passwords
are hidden.

Exit code: 0 a URL was found, 1 none was found, 2 an error (also if one input of several could not be read)`,
  page: `urlmill page [--port N] [options] [path ...]

Serves a web page to browsers of this machine, and writes its address. The page
scans what is dropped on it, and the files and folders that are given here, and
shows what a report shows. Nothing leaves the machine. Ctrl-C ends it.

Exit code: 2 an error`,
  normalize: `urlmill normalize [options] [url ...]

Takes URLs from the arguments, or one a line from standard input, and writes one
normalized URL a line, in order. A URL that is refused becomes an empty line and
is named on standard error.

Exit code: 0 every URL was normalized, 2 one was refused`,
  parse: `urlmill parse [options] [url ...]

Takes URLs from the arguments, or one a line from standard input, and writes one
JSON object a line, in order: the components of the URL and the parts of its
scheme (docs/schemes.md). A URL that is refused becomes
{"input","error":{"code","offset"}} and is named on standard error.

Exit code: 0 every URL was parsed, 2 one was refused`,
  resolve: `urlmill resolve --base URL [options] [reference ...]

Takes references from the arguments, or one a line from standard input, and
writes one resolved URL a line, in order (RFC 3986 section 5.2). A reference
without a target becomes an empty line and is named on standard error.

Exit code: 0 every reference was resolved, 2 one was refused`,
  plan: `urlmill plan [count|report] [options] [-o FILE] path ...

Divides the run of a command over the files into shards, and writes a line for
each. It takes the options of the command: these, and those that urlmill help
extract, count or report lists. Any scheduler may run the shards (urlmill
run-shard), anywhere and in any order; urlmill verify names those that are not
done, and urlmill merge brings their results together (docs/scale.md).

Exit code: 0 the plan is written, 2 an error (the plan is written also if one input of several could not be read)`,
  "run-shard": `urlmill run-shard --plan FILE [--index I] -o FOLDER

Scans one shard of a plan, and leaves its results and a marker in the folder. A
shard that is done is not scanned again; a shard that runs twice at once is done
once.

Exit code: 0 the shard is done, 65 it never will be: the plan is wrong, or an input has changed,
75 something that may pass, 2 wrong options`,
  verify: `urlmill verify --plan FILE [--hash] FOLDER

Writes the numbers of the shards that are not done, one a line, and removes what
killed workers left. Shards whose results are gone or have another length are not
done either; other damage is found with --hash, which reads all results.

Exit code: 0 all that a merge needs is done, 1 some is not, 2 an error`,
  merge: `urlmill merge --plan FILE [options] FOLDER

Brings the results of all shards together, and writes what one run of the
command would have written, byte for byte.

Exit code: those of the command: 0 something was found, 1 nothing was, 2 an error`,
};

/** Columns before the description of an option, of the heading of a group, and most columns of a line. */
const [FLAG_COLUMNS, GROUP_COLUMNS, HELP_COLUMNS] = [30, 6, 80];

/** Returns the flags of an option with the placeholder of its value: `-o, --output FILE`. */
export function flagsOf(name: string, row: OptionRow, command: CommandName): string {
  const { short, value, placeholderOf } = row;
  const placeholder = placeholderOf?.[`urlmill ${command}`] ?? value.placeholder;
  const negated = value.isNegatable === true ? `, --no-${flagOf(name, row)}` : "";
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${flagOf(name, row)}${negated}${placeholder === "" ? "" : ` ${placeholder}`}`;
}

/** Returns the description of an option of `command`, with its default if it has one. */
export function meaningOf({ help: text, helpOf, value: { usual } }: OptionRow, command: CommandName): string {
  const help = helpOf?.[`urlmill ${command}`] ?? text;
  return typeof usual === "string" || typeof usual === "number" ? `${help} (default: ${usual})` : (help as string);
}

export function screenText(): string {
  const flag = (name: string, row: OptionRow): string => `${row.short === undefined ? "" : `-${row.short}/`}--${flagOf(name, row)}`;
  const groups = optionGroups().map(([heading, options]) => {
    return wrapped(heading.padEnd(GROUP_COLUMNS), options.map((option) => flag(...option)).join(" "), " ".repeat(GROUP_COLUMNS));
  });
  const columns = Math.max(...EXAMPLES.map(([command]) => command.length));
  const examples = EXAMPLES.map(([command, result]) => `  ${command.padEnd(columns)}   ${result}\n`);
  return [SCREEN, ...examples, ...groups].join("");
}

/** Returns the text of `urlmill help COMMAND`: the head, all options of the command, and the exit codes. */
export function helpText(command: CommandName): string {
  const linesOf = (options: OptionGroup[1]): string => options.map((option) => optionLines(...option, command)).join("");
  const groups = optionGroups().map(([heading, inGroup]) => `${heading}:\n${linesOf(inGroup)}`);
  const options = command === "extract" ? groups : [linesOf(optionsOf(`urlmill ${command}`))];
  return `${headOf(command)}\n${options.join("\n")}\n${wrapped("Exit code:", exitCodesOf(command), " ".repeat("Exit code:".length))}`;
}

/** Returns the head of a command's help: the command line, and after an empty line the description. */
export function headOf(command: CommandName): string {
  return HELP[command].split("\nExit code: ")[0];
}

export function exitCodesOf(command: CommandName): string {
  return `${HELP[command].split("\nExit code: ")[1].replace("\n", " ")}, 130 interrupted (143 by SIGTERM).`;
}

function optionLines(name: string, row: OptionRow, command: CommandName): string {
  const gap = " ".repeat(FLAG_COLUMNS - 1);
  const flags = `  ${row.short === undefined ? "    " : ""}${flagsOf(name, row, command)}`;
  return wrapped(flags.length < gap.length ? flags.padEnd(gap.length) : `${flags}\n${gap}`, meaningOf(row, command), gap);
}

/** Returns `start`, whose last line is as wide as `gap`, and the words of `text` after it. Each further line begins with `gap`. */
function wrapped(start: string, text: string, gap: string): string {
  let written = start;
  let column = gap.length;
  for (const word of text.split(" ")) {
    if (column + 1 + word.length > HELP_COLUMNS) {
      written += `\n${gap}`;
      column = gap.length;
    }
    written += ` ${word}`;
    column += 1 + word.length;
  }
  return `${written}\n`;
}

export function versionText(): string {
  return `urlmill ${PACKAGE_VERSION} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION})\n`;
}

/** Returns the known schemes with their forms, default ports and documents (X1). */
export function schemeList(): string {
  const rows = SCHEMES.map(({ name, shape, port, source }) => {
    const forms = [...(shape === "opaque" ? [] : [`${name}://host`]), ...(shape === "//" ? [] : [`${name}:...`])];
    return [name, `${forms.join(" or ")}${port === 0 ? "" : `, port ${port}`} (${source})`] as const;
  });
  return listOf(rows.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function fieldList(): string {
  const condition = (name: FieldName): string => ("isAsked" in fieldOf(name) ? "; only if --fields names it" : "");
  return listOf(FIELD_CHOICES.map((name) => [name, `${fieldOf(name).help}${condition(name)}`]));
}

function listOf(rows: readonly (readonly [name: string, meaning: string])[]): string {
  const columns = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `${name.padEnd(columns)}  ${meaning}\n`).join("");
}

// The options of extraction, in groups.

export type OptionGroup = readonly [heading: string, options: readonly (readonly [name: string, row: OptionRow])[]];

/** The first option of each group in the table of options. */
const FIRST: readonly (readonly [heading: string, first: OptionName])[] = [
  ["Input", "type"],
  ["Search", "schemes"],
  ["URLs", "profile"],
  ["Filter", "hosts"],
  ["Output", "format"],
  ["Run", "threads"],
];

export function optionGroups(): OptionGroup[] {
  const options = optionsOf("urlmill extract");
  const starts = FIRST.map(([, first]) => options.findIndex(([name]) => name === first));
  return FIRST.map(([heading], index) => [heading, options.slice(starts[index], starts[index + 1])]);
}
