// The command `urlmill completions SHELL`.
import { hint } from "../../nearest.ts";
import { shown } from "../../shown.ts";
import { UsageError } from "../arguments.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { SHELLS } from "./model.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Returns the script with the completions of a shell. Throws UsageError. */
export function completionScript([name = "", ...rest]: readonly string[]): string {
  const shell = SHELLS.find((known) => known === name);
  if (shell !== undefined && rest.length === 0) return SCRIPTS[shell]();
  const given = name === "" ? "" : `, not ${shown([name, ...rest].join(" "))}`;
  throw new UsageError(`completions needs the name of a shell: ${SHELLS.join(", ")}${given}${hint(name, SHELLS)}`);
}
