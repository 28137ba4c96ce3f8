// The report: one HTML file with a summary inside.
import type { Summary } from "../summary/summary.ts";

/** Where the summary comes in the template. */
const PLACE = "{{summary}}";
/** Characters that could end the element that holds the summary, or a line of a script. In JSON they stand in strings alone. */
const UNSAFE = /[<\u2028\u2029]/g;

/** Returns a value as JSON that the text of a script element may hold. */
export function embedded(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the report of a summary as HTML, made from the template in build/. */
export function reportHtml(template: string, summary: Summary): string {
  const [before = "", after = ""] = template.split(PLACE);
  return before + embedded(summary) + after;
}
