// The options of a run as words of the command.

/** Options that are given once for each of their values: a comma is part of one. */
const REPEATED = ["match", "include", "exclude"];

/** Returns the words of an option; none if it is a switch that is off. */
export function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return name === "unwrap" ? ["--no-unwrap"] : [];
  const values = [value].flat().map(textOf);
  return REPEATED.includes(name) ? values.flatMap((one) => [`--${name}`, one]) : [`--${name}`, values.join(",")];
}

/** A scheme that was added has more than a name in programs alone. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null && "name" in value ? String(value.name) : String(value);
}
