// The completions of bash.
import { COMMAND_NAMES } from "../arguments.ts";
import { ARGUMENTS, type CompletedOption, completedOptions, FIRST_WORDS, TAKES_FILES } from "./model.ts";

const HEAD = `# Completions of urlmill for bash: urlmill completions bash > ~/.local/share/bash-completion/completions/urlmill
_urlmill() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=extract flags= choices= list=
  # bash takes --type=html for three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
`;

const TAIL = `  if [[ -n $list ]]; then
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

/** Returns the script for bash. */
export function bashScript(): string {
  const words = Object.keys(FIRST_WORDS);
  const flags = COMMAND_NAMES.map((command) => `    ${command}) flags="${completedOptions(command).flatMap(flagWords).join(" ")}" ;;\n`);
  const values = COMMAND_NAMES.flatMap((command) => completedOptions(command).flatMap((option) => valueCase(command, option)));
  const others = Object.entries(ARGUMENTS).map(([command, choices]) => `    ${command}) choices="${choices.join(" ")}" ;;\n`);
  return `${HEAD}  local commands="${words.join(" ")}"
  (( COMP_CWORD > 1 )) && case \${COMP_WORDS[1]} in ${words.join("|")}) command=\${COMP_WORDS[1]} ;; esac
  case $command in
${[...flags, ...others].join("")}  esac
  case "$command $before" in
${values.join("")}  esac
${TAIL}`;
}

function flagWords({ short, flags }: CompletedOption): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), ...flags.map((flag) => `--${flag}`)];
}

/** Returns the `case` branch for the value of an option. It names the command, because options of two commands may share a name. */
function valueCase(command: string, option: CompletedOption): string[] {
  const { value } = option;
  if (value.kind === "none") return [];
  const pattern = `    ${flagWords(option)
    .map((flag) => `"${command} ${flag}"`)
    .join("|")})`;
  if (value.kind === "file") return [`${pattern} _urlmill_files; return ;;\n`];
  if (value.kind === "text") return [`${pattern} return ;;\n`];
  return [`${pattern} ${value.isList ? "list" : "choices"}="${value.choices.join(" ")}" ;;\n`];
}
