// Makes elements. Text becomes text nodes without controls. No attribute sets a style or runs a script.
import { withoutControls } from "../../base/shown.ts";

export type Child = Node | string;
/** Attributes of an element. The value false leaves an attribute out, true makes it empty. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

type Html = HTMLElementTagNameMap;
type Svg = SVGElementTagNameMap;

function fill<E extends Element>(node: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...children.map((child) => (typeof child === "string" ? withoutControls(child) : child)));
  return node;
}

export function setAttribute(node: Element, name: string, value: string | number | boolean): void {
  if (value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : withoutControls(String(value)));
}

export function element<K extends keyof Html>(tag: K, attributes: Attributes = {}, ...children: Child[]): Html[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function graphic<K extends keyof Svg>(tag: K, attributes: Attributes = {}, ...children: Child[]): Svg[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function button(attributes: Attributes, press: () => void, ...children: Child[]): HTMLButtonElement {
  const node = element("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}

/** Returns a list of options: each a text, or a value and its text. `choose` is called with the list when the user chooses another one. */
export function select(
  attributes: Attributes,
  options: readonly (string | readonly [value: string | number, text: string])[],
  choose: (list: HTMLSelectElement) => void,
): HTMLSelectElement {
  const made = options.map((option) => {
    return typeof option === "string" ? element("option", {}, option) : element("option", { value: option[0] }, option[1]);
  });
  const list = element("select", attributes, ...made);
  list.addEventListener("change", () => choose(list));
  return list;
}

export function fold(attributes: Attributes, title: Child, ...children: Child[]): HTMLDetailsElement {
  return element("details", attributes, element("summary", {}, title), ...children);
}

/** Sets the text of an element if it differs, so that a screen reader reads only changes. */
export function setText(node: Element, text: string): void {
  const shown = withoutControls(text);
  if (node.textContent !== shown) node.textContent = shown;
}

/** Milliseconds for which the URL of a download stays valid, so that the browser can read the file. */
const READ_MS = 60_000;

export function download(name: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}

/** Returns a table of names and their numbers. `heads`: heads of the columns; only the first column has no numbers. */
export function numberTable(caption: string, heads: readonly string[], rows: readonly HTMLElement[]): HTMLTableElement {
  const cells = heads.map((head, index) => element("th", { scope: "col", class: index > 0 && "number" }, head));
  const thead = element("thead", {}, element("tr", {}, ...cells));
  return element("table", {}, element("caption", {}, caption), thead, element("tbody", {}, ...rows));
}

export function numberRow(head: readonly Child[], numbers: readonly string[], title: string | false = false): HTMLElement {
  const cells = numbers.map((text) => element("td", { class: "number" }, text));
  return element("tr", {}, element("th", { scope: "row", title }, ...head), ...cells);
}

export function bar(part: number, whole: number): HTMLElement {
  const filled = element("span");
  filled.style.width = `${whole === 0 ? 0 : (100 * part) / whole}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, filled);
}
