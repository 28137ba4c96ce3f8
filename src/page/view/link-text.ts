// URLs and hosts as text without links, and a button that copies a text.
import { withoutControls } from "../../base/shown.ts";
import type { TableName } from "../../summary/summary.ts";
import { defanged } from "../../url/defang.ts";
import { button, element, graphic } from "./dom.ts";

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
