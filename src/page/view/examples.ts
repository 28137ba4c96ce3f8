// Examples of matches and rejected candidates: their text and location.
// The slash selects the package `punycode`, not the module of Node.
import { toUnicode } from "punycode/";
import type { Example } from "../../summary/summary.ts";
import { addressOf } from "../../url/host-address.ts";
import { type Child, element, fold } from "./dom.ts";
import { copyButton, linkText, plainText } from "./link-text.ts";
import { hostOfUrl } from "./narrow.ts";
import { counted, day, number } from "./words.ts";

const SEEN = 3;

/** Makes lists of examples. A list that the user has opened is open when it is made again. */
export class ExampleLists {
  readonly #opened = new Set<string>();

  /** Returns a list of `items`, each an example or what else `noun` says; nothing without items. `name` identifies the list. */
  list(name: string, items: readonly HTMLElement[], noun = "example"): HTMLElement[] {
    if (items.length === 0) return [];
    const seen = element("ol", { class: "examples" }, ...items.slice(0, SEEN));
    if (items.length <= SEEN) return [seen];
    const more = element("ol", { class: "examples", start: SEEN + 1 }, ...items.slice(SEEN));
    const details = fold({}, counted(items.length - SEEN, `more ${noun}`), more);
    details.open = this.#opened.has(name);
    details.addEventListener("toggle", () => (details.open ? this.#opened.add(name) : this.#opened.delete(name)));
    return [element("div", {}, seen, details)];
  }
}

export function exampleItem({ url, raw, text, message_id, date, source, start }: Example, isDefanged: boolean): HTMLElement {
  const form = url ?? raw;
  const line: Child[] =
    form === null
      ? ["Not shown: it may hold a password."]
      : [element("span", { class: "name" }, linkText(form, isDefanged)), copyButton(form, isDefanged)];
  const also = (words: string, link: string | null): Child[] =>
    link === null ? [] : [element("p", { class: "written" }, words, linkText(link, isDefanged))];
  return element(
    "li",
    {},
    element("p", { class: "line" }, ...line),
    ...also("written ", url === null || url === raw ? null : raw),
    ...also("the host is ", url === null ? null : hostMeaning(url)),
    ...also("shown as ", text),
    element("p", { class: "facts" }, ...placeOf({ message_id, date, source, start })),
  );
}

export function placeOf({ date, source, start, message_id }: Pick<Example, "date" | "source" | "start" | "message_id">): HTMLElement[] {
  return [
    ...(date === null ? [] : [element("span", { class: "date" }, day(date))]),
    element("span", {}, plainText(source), `, byte ${number(start)}`),
    ...(message_id === null ? [] : [element("span", { class: "id" }, plainText(`<${message_id}>`))]),
  ];
}

/** Returns the IP address or Unicode name that the host of a URL means; null if the host is written like this, or means neither. */
function hostMeaning(url: string): string | null {
  const host = hostOfUrl(url);
  const meaning = addressOf(host) ?? unicodeName(host);
  return meaning === undefined || [meaning, `[${meaning}]`].includes(host) ? null : meaning;
}

/** Returns a host with its A-labels decoded (RFC 3492), or undefined if the result does not mean the same host. */
function unicodeName(host: string): string | undefined {
  try {
    const name = toUnicode(host);
    return new URL(`http://${name}/`).hostname === host ? name : undefined;
  } catch {
    return undefined;
  }
}
