// The completions of zsh.
import { COMMAND_NAMES, type CommandName } from "../arguments.ts";
import { ARGUMENTS, type CompletedOption, completedOptions, FIRST_WORDS, TAKES_FILES, type ValueCompletion } from "./model.ts";

/** Returns the script for zsh. */
export function zshScript(): string {
  const first = Object.entries(FIRST_WORDS).map(([name, help]) => `      ${quoted(`${name}:${help}`)}`);
  const commands = COMMAND_NAMES.map((command) => `    (${command}) _arguments -s -S : \\\n${specsOf(command)} ;;\n`);
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

function specsOf(command: CommandName): string {
  const operands =
    command === "extract"
      ? ["'1::path:_urlmill_first'", "'*:path:_files'"]
      : TAKES_FILES.includes(command)
        ? ["'*:path:_files'"]
        : ["'*:URL:()'"];
  return [...completedOptions(command).flatMap(optionSpecs), ...operands].map((spec) => `      ${spec}`).join(" \\\n");
}

/** Returns a spec of _arguments for each name of an option. */
function optionSpecs({ short, flags, help, isRepeated, value }: CompletedOption): string[] {
  const takes = value.kind !== "none";
  const names = [...(short === undefined ? [] : [`-${short}${takes ? "+" : ""}`]), ...flags.map((flag) => `--${flag}${takes ? "=" : ""}`)];
  const others = isRepeated ? "*" : `(${names.map((name) => name.replace(/[+=]$/, "")).join(" ")})`;
  const text = help.replace(/[[\]\\:]/g, "\\$&");
  return names.map((name) => quoted(`${others}${name}[${text}]${actionOf(value)}`));
}

function actionOf(value: ValueCompletion): string {
  if (value.kind === "none") return "";
  if (value.kind === "file") return ":FILE:_files";
  if (value.kind === "text") return `:${value.placeholder}: `;
  const { choices, isList, placeholder } = value;
  return isList ? `:${placeholder}:_values -s , ${placeholder} ${choices.join(" ")}` : `:${placeholder}:(${choices.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
