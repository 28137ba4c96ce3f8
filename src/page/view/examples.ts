// Examples of matches and rejected candidates: what was written, and where.
import type { Example } from "../../summary/summary.ts";
import { type Child, element } from "./dom.ts";
import { copyButton, linkText, plainText } from "./link-text.ts";
import { day, number } from "./words.ts";

/** Returns a list of examples. */
export function exampleList(examples: readonly Example[], isDefanged: boolean): HTMLElement {
  return element("ol", { class: "examples" }, ...examples.map((example) => item(example, isDefanged)));
}

function item({ url, raw, message_id, date, source, start }: Example, isDefanged: boolean): HTMLElement {
  const form = url ?? raw;
  const line: Child[] =
    form === null
      ? ["Not shown: it may hold a password."]
      : [element("span", { class: "name" }, linkText(form, isDefanged)), copyButton(form, isDefanged)];
  const isChanged = url !== null && raw !== null && url !== raw;
  const written: Child[] = isChanged ? [element("p", { class: "written" }, "written ", linkText(raw, isDefanged))] : [];
  const facts: Child[] = [
    ...(date === null ? [] : [element("span", { class: "date" }, day(date))]),
    element("span", {}, plainText(source), `, byte ${number(start)}`),
    ...(message_id === null ? [] : [element("span", { class: "id" }, plainText(`<${message_id}>`))]),
  ];
  return element("li", {}, element("p", { class: "line" }, ...line), ...written, element("p", { class: "facts" }, ...facts));
}
