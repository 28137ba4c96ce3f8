// What was read, with which options and versions, and how long it took.
import type { Summary } from "../../summary/summary.ts";
import { type Child, element } from "./dom.ts";
import { plainText } from "./link-text.ts";
import { OMISSION_NAMES } from "./meanings-table.ts";
import { optionWords } from "./option-words.ts";
import type { Part, State } from "./state.ts";
import { counted, duration, number, size } from "./words.ts";

/** Inputs that are named; the table of sources has the files. */
const INPUTS_NAMED = 20;

/** The facts of a run. */
export class RunFacts implements Part {
  readonly node = element("dl", { class: "facts-list" });

  /** Shows a state. */
  show({ summary }: State): void {
    this.node.replaceChildren(...factsOf(summary).flatMap(([name, ...values]) => (values.length === 0 ? [] : [fact(name, values)])));
  }
}

function fact(name: string, values: readonly Child[]): HTMLElement {
  return element("div", {}, element("dt", {}, name), ...values.map((value) => element("dd", {}, value)));
}

function factsOf({ run, totals, left_out, urlmill, rules, unicode }: Summary): (readonly [name: string, ...values: Child[]])[] {
  const inputs = run.inputs.slice(0, INPUTS_NAMED).map(plainText);
  if (run.inputs.length > INPUTS_NAMED) inputs.push(plainText(`and ${number(run.inputs.length - INPUTS_NAMED)} more`));
  const options = Object.entries(run.options).flatMap(([name, value]) => optionWords(name, value).join(" ") || []);
  const skipped = totals.skipped === 0 ? [] : [counted(totals.skipped, "input could not be read", "inputs could not be read")];
  const speed = Math.round(totals.bytes / Math.max(run.seconds, 1e-6));
  const filtered = totals.filtered === 0 ? [] : [`${counted(totals.filtered, "URL")} by the filters of the options`];
  return [
    ["Inputs", ...inputs],
    ["Read", `${size(totals.bytes)} in ${counted(totals.sources, "source")}, ${counted(totals.messages, "message")}`],
    ["Options", ...(options.length === 0 ? ["none"] : options.map((option) => element("code", {}, plainText(option))))],
    ["Left out", ...skipped, ...filtered, ...left_out.map(omissionText)],
    ["When", timeText(run.started)],
    ["How long", `${duration(run.seconds)} with ${counted(run.threads, "thread")}, ${size(speed)} a second`],
    ["By", `urlmill ${urlmill}, rules ${rules}, Unicode ${unicode}`],
  ];
}

function omissionText({ reason, count, source, start, message_id }: Summary["left_out"][number]): HTMLElement {
  const place = `, the first in ${source}${start === null ? "" : `, byte ${number(start)}`}`;
  const message = message_id === null ? "" : `, message <${message_id}>`;
  return plainText(`${OMISSION_NAMES.get(reason) ?? reason}: ${number(count)}${place}${message}`);
}

function timeText(started: string): string {
  return started.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
}
