// Examples of matches and rejected candidates: their text and location.
import type { Example } from "../../summary/summary.ts";
import { addressOf } from "../../url/host-address.ts";
import { type Child, element } from "./dom.ts";
import { copyButton, linkText, plainText } from "./link-text.ts";
import { hostOfUrl } from "./narrow.ts";
import { counted, day, number } from "./words.ts";

/** Examples that are visible at first. */
const SEEN = 3;

/** Lists of examples by name. An opened list stays open when it is shown again. */
export class ExampleLists {
  readonly #opened = new Set<string>();

  /** Returns the list under a name. */
  list(name: string, examples: readonly Example[], isDefanged: boolean): HTMLElement {
    const items = examples.map((example) => item(example, isDefanged));
    const seen = element("ol", { class: "examples" }, ...items.slice(0, SEEN));
    if (items.length <= SEEN) return seen;
    const more = element("ol", { class: "examples", start: SEEN + 1 }, ...items.slice(SEEN));
    const label = counted(items.length - SEEN, "more example");
    const details = element("details", {}, element("summary", {}, label), more);
    details.open = this.#opened.has(name);
    details.addEventListener("toggle", () => (details.open ? this.#opened.add(name) : this.#opened.delete(name)));
    return element("div", {}, seen, details);
  }
}

function item({ url, raw, text, message_id, date, source, start }: Example, isDefanged: boolean): HTMLElement {
  const form = url ?? raw;
  const line: Child[] =
    form === null
      ? ["Not shown: it may hold a password."]
      : [element("span", { class: "name" }, linkText(form, isDefanged)), copyButton(form, isDefanged)];
  const isChanged = url !== null && raw !== null && url !== raw;
  const written: Child[] = isChanged ? [element("p", { class: "written" }, "written ", linkText(raw, isDefanged))] : [];
  const shown: Child[] = text === null ? [] : [element("p", { class: "written" }, "shown as ", linkText(text, isDefanged))];
  const host = url === null ? "" : hostOfUrl(url);
  const address = addressOf(host);
  const isOther = address !== undefined && ![address, `[${address}]`].includes(host);
  const means: Child[] = isOther ? [element("p", { class: "written" }, "the host is ", linkText(address, isDefanged))] : [];
  const facts: Child[] = [
    ...(date === null ? [] : [element("span", { class: "date" }, day(date))]),
    element("span", {}, plainText(source), `, byte ${number(start)}`),
    ...(message_id === null ? [] : [element("span", { class: "id" }, plainText(`<${message_id}>`))]),
  ];
  return element(
    "li",
    {},
    element("p", { class: "line" }, ...line),
    ...written,
    ...means,
    ...shown,
    element("p", { class: "facts" }, ...facts),
  );
}
