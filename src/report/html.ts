// Makes the report: one HTML file with a summary inside.
import type { Summary } from "../summary/summary.ts";

/** The summary replaces this text of the template. */
const SUMMARY_MARK = "{{summary}}";
/** Characters that could end the script element with the JSON, or a line of a script. In JSON they occur only in strings. */
const UNSAFE = /[<\u2028\u2029]/g;

/** Returns a value as JSON that is safe inside a script element. */
export function embedded(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the report of a summary as HTML, made from `template`. */
export function reportHtml(template: string, summary: Summary): string {
  const [before = "", after = ""] = template.split(SUMMARY_MARK);
  return before + embedded(summary) + after;
}
