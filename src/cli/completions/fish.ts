// The completions of fish.
import { COMMAND_NAMES } from "../arguments.ts";
import { ARGUMENTS, completedOptions, FIRST_WORDS, TAKES_FILES, type ValueCompletion } from "./model.ts";

/** Returns the script for fish. */
export function fishScript(): string {
  const others = Object.keys(FIRST_WORDS).filter((word) => word !== "extract");
  const first = Object.entries(FIRST_WORDS).map(
    ([name, help]) => `complete -c urlmill -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
  );
  const isOther = `__fish_seen_subcommand_from ${others.join(" ")}`;
  const options = COMMAND_NAMES.flatMap((command) => {
    const condition = command === "extract" ? `not ${isOther}` : `__fish_seen_subcommand_from ${command}`;
    return completedOptions(command).flatMap(({ short, flags, help, value }) =>
      flags.map((flag, index) => {
        const letter = short === undefined || index > 0 ? "" : ` -s ${short}`;
        return `complete -c urlmill -n ${quoted(condition)}${letter} -l ${flag}${valueWords(value)} -d ${quoted(help)}`;
      }),
    );
  });
  const words = Object.entries(ARGUMENTS).map(
    ([command, choices]) => `complete -c urlmill -n ${quoted(`__fish_seen_subcommand_from ${command}`)} -a ${quoted(choices.join(" "))}`,
  );
  const withoutFiles = others.filter((word) => !TAKES_FILES.includes(word));
  const lines = [
    ...first,
    `complete -c urlmill -n ${quoted(`__fish_seen_subcommand_from ${withoutFiles.join(" ")}`)} -f`,
    ...words,
    ...options,
  ];
  return `# Completions of urlmill for fish: urlmill completions fish > ~/.config/fish/completions/urlmill.fish
${lines.join("\n")}\n`;
}

function valueWords(value: ValueCompletion): string {
  if (value.kind === "none") return "";
  if (value.kind === "file") return " -r -F";
  if (value.kind === "text") return " -x";
  const words = value.choices.join(" ");
  return ` -x -a ${quoted(value.isList ? `(__fish_complete_list , "string split ' ' '${words}'")` : words)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
