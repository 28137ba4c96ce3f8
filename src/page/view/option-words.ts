// The options of a run as words of the command.

/** Options that are repeated for each value, because a value may contain a comma. */
const REPEATED = ["match", "has", "subject", "include", "exclude"];

/** Returns the words of an option; none for a switch that is off, but `--no-unwrap` for `unwrap`. */
export function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return name === "unwrap" ? ["--no-unwrap"] : [];
  const values = [value].flat().map(textOf);
  return REPEATED.includes(name) ? values.flatMap((one) => [`--${name}`, one]) : [`--${name}`, values.join(",")];
}

/** Returns the text of a value. Programs may give a scheme as an object with a name; a field and its pattern are an object too. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("name" in value)) return String(value);
  return "pattern" in value ? `${value.name}=${value.pattern}` : String(value.name);
}
