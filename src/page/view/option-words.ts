// The options of a run as words of the command.

/** Options that are repeated for each value, because a value may contain a comma. */
const REPEATED = ["match", "include", "exclude"];

/** Returns the words of an option; none for a switch that is off, but `--no-unwrap` for `unwrap`. */
export function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return name === "unwrap" ? ["--no-unwrap"] : [];
  const values = [value].flat().map(textOf);
  return REPEATED.includes(name) ? values.flatMap((one) => [`--${name}`, one]) : [`--${name}`, values.join(",")];
}

/** Returns the text of a value. Programs may give a scheme as an object with a name. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null && "name" in value ? String(value.name) : String(value);
}
