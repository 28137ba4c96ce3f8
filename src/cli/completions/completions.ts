// The command `urlmill completions SHELL`.

import { shown } from "../../base/shown.ts";
import { hint } from "../../options/nearest.ts";
import { UsageError } from "../arguments.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { SHELLS } from "./model.ts";
import { zshScript } from "./zsh.ts";

/** Text of `urlmill help completions`. */
export const COMPLETIONS_HELP = `urlmill completions bash|zsh|fish

Writes a script that has a shell complete commands, options, their values and
files. Where shells look for such scripts:

  urlmill completions bash > ~/.local/share/bash-completion/completions/urlmill
  urlmill completions zsh > "\${fpath[1]}/_urlmill"
  urlmill completions fish > ~/.config/fish/completions/urlmill.fish
`;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the script with the completions of a shell, or the help. Throws UsageError. */
export function completionScript([name = "", ...rest]: readonly string[]): string {
  if (name === "--help" || name === "-h") return COMPLETIONS_HELP;
  const shell = SHELLS.find((known) => known === name);
  if (shell !== undefined && rest.length === 0) return SCRIPTS[shell]();
  const given = name === "" ? "" : `, not ${shown([name, ...rest].join(" "))}`;
  throw new UsageError(`completions needs the name of a shell: ${SHELLS.join(", ")}${given}${hint(name, SHELLS)}`);
}
