// The command `urlmill completions SHELL`: what a shell completes, from the table of options, and the script for each shell.
import { shown } from "../base/shown.ts";
import { hint } from "../options/nearest.ts";
import { type CommandName, flagOf, optionsOf } from "../options/table.ts";
import { COMMAND_NAMES, UsageError } from "./arguments.ts";
import { meaningOf } from "./usage.ts";

/** Completion of the value of an option: `none` has no value, `text` no completions, a `list` several words with commas. */
type Completion = "none" | "file" | "text" | "choice" | "list";

export const SHELLS = ["bash", "zsh", "fish"] as const;
const FIRST_WORDS: Readonly<Record<CommandName | "help" | "completions", string>> = {
  extract: "extract URLs",
  count: "count URLs by host, domain, month, ...",
  page: "serve a page that scans archives in a browser",
  report: "say what is in an archive, on a page or as JSON",
  explain: "show which rules decided about each URL",
  normalize: "normalize URLs",
  parse: "split URLs into their parts",
  resolve: "resolve references",
  plan: "divide a run over many machines",
  "run-shard": "scan one shard of a plan",
  verify: "list the shards of a plan that are not done",
  merge: "bring the results of a plan together",
  help: "show the options of a command",
  completions: "write a script for a shell",
};
/** Arguments of the commands that have no options. */
const ARGUMENTS = { help: [...COMMAND_NAMES, "completions"], completions: SHELLS } as const;

/** Commands whose operands are files or folders. */
const TAKES_FILES: readonly string[] = ["extract", "count", "report", "page", "plan", "verify", "merge"];

type CompletedOption = ReturnType<typeof completedOptions>[number];

/** Returns the options of a command; `plan` also takes the options of extraction. `completion`: how the value is completed. */
function completedOptions(command: CommandName) {
  return optionsOf(`urlmill ${command}`, command === "plan" ? "urlmill extract" : undefined).map(([name, row]) => {
    const { short, value } = row;
    const { spelling, placeholder, choices } = value;
    const flags = [flagOf(name, row), ...(value.isNegatable === true ? [`no-${flagOf(name, row)}`] : [])];
    const valued: Completion = choices === undefined ? "text" : spelling === "list" ? "list" : "choice";
    const completion: Completion = spelling === "switch" ? "none" : placeholder === "FILE" ? "file" : valued;
    return { short, flags, help: meaningOf(row, command), spelling, completion, words: choices?.join(" ") ?? "", placeholder };
  });
}

function bashScript(): string {
  const words = Object.keys(FIRST_WORDS);
  const flags = COMMAND_NAMES.map((command) => `    ${command}) flags="${completedOptions(command).flatMap(flagWords).join(" ")}" ;;\n`);
  const values = COMMAND_NAMES.flatMap((command) => completedOptions(command).map((option) => valueCase(command, option)));
  const others = Object.entries(ARGUMENTS).map(([command, choices]) => `    ${command}) choices="${choices.join(" ")}" ;;\n`);
  return `# Completions of urlmill for bash: urlmill completions bash > ~/.local/share/bash-completion/completions/urlmill
_urlmill() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=extract flags= choices= list=
  # bash takes --type=html for three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  local commands="${words.join(" ")}"
  (( COMP_CWORD > 1 )) && case \${COMP_WORDS[1]} in ${words.join("|")}) command=\${COMP_WORDS[1]} ;; esac
  case $command in
${[...flags, ...others].join("")}  esac
  case "$command $before" in
${values.join("")}  esac
  if [[ -n $list ]]; then
    local first=
    [[ $word == *,* ]] && first=\${word%,*},
    COMPREPLY=($(compgen -P "$first" -W "$list" -- "\${word##*,}"))
    compopt -o nospace
  elif [[ -n $choices ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ " ${TAKES_FILES.join(" ")} " == *" $command "* ]]; then
    (( COMP_CWORD == 1 )) && COMPREPLY=($(compgen -W "$commands" -- "$word"))
    _urlmill_files
  fi
}
_urlmill_files() {
  local IFS=$'\\n'
  compopt -o filenames
  COMPREPLY+=($(compgen -f -- "$word"))
}
complete -F _urlmill urlmill
`;
}

function flagWords({ short, flags }: CompletedOption): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), ...flags.map((flag) => `--${flag}`)];
}

/** Returns the `case` branch for the value of an option; empty for a switch. The pattern names the command: two may share a flag. */
function valueCase(command: string, option: CompletedOption): string {
  const { completion, words } = option;
  const patterns = flagWords(option).map((flag) => `"${command} ${flag}"`);
  const actions = { none: "", file: "_urlmill_files; return", text: "return", choice: `choices="${words}"`, list: `list="${words}"` };
  return completion === "none" ? "" : `    ${patterns.join("|")}) ${actions[completion]} ;;\n`;
}

function zshScript(): string {
  const first = Object.entries(FIRST_WORDS).map(([name, help]) => `      ${quotedForZsh(`${name}:${help}`)}`);
  const commands = COMMAND_NAMES.map((command) => `    (${command}) _arguments -s -S : \\\n${zshSpecs(command)} ;;\n`);
  const others = Object.entries(ARGUMENTS).map(([command, choices]) => `    (${command}) _values ${command} ${choices.join(" ")} ;;\n`);
  return `#compdef urlmill
# Completions of urlmill for zsh: urlmill completions zsh > "\${fpath[1]}/_urlmill"
_urlmill_first() {
  local -a commands=(
${first.join("\n")}
  )
  _describe -t commands command commands
  _files
}
_urlmill() {
  local command=extract
  if (( CURRENT > 2 )) && [[ $words[2] == (${Object.keys(FIRST_WORDS).join("|")}) ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${[...commands, ...others].join("")}  esac
}
if [[ $funcstack[1] == _urlmill ]]; then _urlmill "$@"; else compdef _urlmill urlmill; fi
`;
}

function zshSpecs(command: CommandName): string {
  const first = command === "extract" ? ["'1::path:_urlmill_first'"] : [];
  const others = TAKES_FILES.includes(command) ? "'*:path:_files'" : "'*:URL:()'";
  return [...completedOptions(command).flatMap(zshOptions), ...first, others].map((spec) => `      ${spec}`).join(" \\\n");
}

function zshOptions(option: CompletedOption): string[] {
  const { help, spelling, completion, words, placeholder } = option;
  const list = `:${placeholder}:_values -s , ${placeholder} ${words}`;
  const action = { none: "", file: ":FILE:_files", text: `:${placeholder}: `, choice: `:VALUE:(${words})`, list }[completion];
  const flags = flagWords(option);
  const others = spelling === "list" || spelling === "each" ? "*" : `(${flags.join(" ")})`;
  const text = help.replace(/[[\]\\:]/g, "\\$&");
  const taking = (flag: string): string => (completion === "none" ? "" : flag.startsWith("--") ? "=" : "+");
  return flags.map((flag) => quotedForZsh(`${others}${flag}${taking(flag)}[${text}]${action}`));
}

function quotedForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishScript(): string {
  const others = Object.keys(FIRST_WORDS).filter((word) => word !== "extract");
  const lineIf = (condition: string, rest: string): string => `complete -c urlmill -n ${quotedForFish(condition)} ${rest}\n`;
  const isOneOf = (words: readonly string[]): string => `__fish_seen_subcommand_from ${words.join(" ")}`;
  const first = Object.entries(FIRST_WORDS).map(
    ([name, help]) => `complete -c urlmill -n __fish_use_subcommand -a ${name} -d ${quotedForFish(help)}\n`,
  );
  const choices = Object.entries(ARGUMENTS).map(([command, words]) => lineIf(isOneOf([command]), `-a ${quotedForFish(words.join(" "))}`));
  const options = COMMAND_NAMES.flatMap((command) => {
    const condition = command === "extract" ? `not ${isOneOf(others)}` : isOneOf([command]);
    return completedOptions(command)
      .flatMap(fishOptions)
      .map((option) => lineIf(condition, option));
  });
  return `# Completions of urlmill for fish: urlmill completions fish > ~/.config/fish/completions/urlmill.fish
${first.join("")}${lineIf(isOneOf(others.filter((word) => !TAKES_FILES.includes(word))), "-f")}${[...choices, ...options].join("")}`;
}

function fishOptions({ short, flags, help, completion, words }: CompletedOption): string[] {
  const list = ` -x -a ${quotedForFish(`(__fish_complete_list , "string split ' ' '${words}'")`)}`;
  const value = { none: "", file: " -r -F", text: " -x", choice: ` -x -a ${quotedForFish(words)}`, list }[completion];
  const letter = (index: number): string => (short === undefined || index > 0 ? "" : `-s ${short} `);
  return flags.map((flag, index) => `${letter(index)}-l ${flag}${value} -d ${quotedForFish(help)}`);
}

function quotedForFish(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

export const COMPLETIONS_HELP = `urlmill completions bash|zsh|fish

Writes a script that has a shell complete commands, options, their values and
files. Where shells look for such scripts:

  urlmill completions bash > ~/.local/share/bash-completion/completions/urlmill
  urlmill completions zsh > "\${fpath[1]}/_urlmill"
  urlmill completions fish > ~/.config/fish/completions/urlmill.fish
`;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript([name = "", ...rest]: readonly string[]): string {
  if (name === "--help" || name === "-h") return COMPLETIONS_HELP;
  const shell = SHELLS.find((known) => known === name);
  if (shell !== undefined && rest.length === 0) return SCRIPTS[shell]();
  const given = name === "" ? "" : `, not ${shown([name, ...rest].join(" "))}`;
  throw new UsageError(`completions needs the name of a shell: ${SHELLS.join(", ")}${given}${hint(name, SHELLS)}`);
}
