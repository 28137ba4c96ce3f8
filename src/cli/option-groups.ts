// The options of extraction in groups, for those who look for one.
import { type OptionName, type OptionRow, optionsOf } from "../options/table.ts";

/** A group: its heading, and its options with their names. */
export type OptionGroup = readonly [heading: string, options: readonly (readonly [name: string, row: OptionRow])[]];

/** Where each group begins in the table of options. */
const FIRST: readonly (readonly [heading: string, first: OptionName])[] = [
  ["Input", "type"],
  ["Search", "schemes"],
  ["URLs", "profile"],
  ["Filter", "hosts"],
  ["Output", "format"],
  ["Run", "threads"],
];

/** Returns all options of extraction, in their order. */
export function optionGroups(): OptionGroup[] {
  const options = optionsOf("urlmill extract");
  const starts = FIRST.map(([, first]) => options.findIndex(([name]) => name === first));
  return FIRST.map(([heading], index) => [heading, options.slice(starts[index], starts[index + 1])]);
}
