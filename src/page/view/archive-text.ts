// Texts of an archive: URLs and hosts without links, a button that copies them, and lists of examples.
// The slash selects the package `punycode`, not the module of Node.
import { toUnicode } from "punycode/";
import { withoutControls } from "../../base/shown.ts";
import type { Example, TableName } from "../../summary/summary.ts";
import { defanged } from "../../url/defang.ts";
import { addressOf } from "../../url/host-address.ts";
import { button, type Child, element, fold, graphic } from "./dom.ts";
import { hostOfUrl } from "./narrow.ts";
import { counted, day, number } from "./words.ts";

/** A mark of defanged text, which is shown in a quieter color. */
const MARK = /^\[[.@:]\]$/;
/** Splits a text where a line may break. The marks of defanged text become pieces of their own. */
const BREAKS = /(\[[.@:]\])|(?<=[/.?&])(?![/.?&\]])/;
/** A text with more characters than this may break anywhere. */
const BREAKABLE_LENGTH = 400;
const COPIED_MS = 1500;

/** Returns the form in which a URL or host is shown and copied: without controls, perhaps defanged. */
export function linkForm(text: string, isDefanged: boolean): string {
  const visible = withoutControls(text);
  return isDefanged ? defanged(visible) : visible;
}

export function linkText(text: string, isDefanged: boolean): HTMLElement {
  const node = element("bdi", { class: "link" });
  const form = linkForm(text, isDefanged);
  if (form.length > BREAKABLE_LENGTH) node.append(form);
  else
    for (const piece of form.split(BREAKS).filter(Boolean)) node.append(MARK.test(piece) ? element("i", {}, piece) : piece, element("wbr"));
  return node;
}

/** Returns an element with a text of the archive: a name, a subject, a path. */
export function plainText(text: string): HTMLElement {
  return element("bdi", {}, text);
}

const LINK_TABLES: ReadonlySet<TableName> = new Set(["host", "domain", "url", "redirect"]);

export function areLinks(name: TableName): boolean {
  return LINK_TABLES.has(name);
}

export function valueText(name: TableName, value: string, isDefanged: boolean): HTMLElement {
  return areLinks(name) ? linkText(value, isDefanged) : plainText(value);
}

/** Returns a button that copies a URL, a host or a command in the form in which it is shown. */
export function copyButton(text: string, isDefanged: boolean): HTMLButtonElement {
  const form = linkForm(text, isDefanged);
  const squares = graphic("path", { d: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" });
  const icon = graphic("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, squares);
  const said = element("span", { class: "said", role: "status" });
  const node = button({ class: "copy", "aria-label": `Copy ${form}`, title: "Copy" }, () => void press(), icon, said);
  const press = async (): Promise<void> => {
    said.textContent = (await copyText(form)) ? "Copied" : "Not copied";
    setTimeout(() => said.replaceChildren(), COPIED_MS);
  };
  return node;
}

/** Copies a text; returns whether that was possible. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

// Copies a selection, if the browser lacks the Clipboard API or refuses it to a local page.
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = element("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

// Examples of matches and rejected candidates.

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
