// The field for trying a text: URLs and rejected candidates are marked while the user types, with the rules that decided.
import type { Explanation } from "../../api/explain.ts";
import { messageOf } from "../../base/errors.ts";
import { element, setText } from "../view/dom.ts";
import { counted } from "../view/words.ts";
import { PageWorker } from "./page-worker.ts";

const EXAMPLE = `See <URL:HTTP://www.Mill.example:80/%7eben/a-
    b.html> (or gopher://gopher.mill.example).
At http://mill.example/wiki/Rye_(grain)! Not at 12:30.
Log in at http://paypal.example@192.0.2.7/ now.`;

const PAUSE_MS = 120;

export class TryIt {
  readonly node: HTMLElement;
  readonly #input = element("textarea", { id: "try-text", rows: 6, spellcheck: "false" });
  readonly #marked = element("div", { class: "marked", role: "region", "aria-label": "The text with its URLs marked", tabindex: "0" });
  readonly #count = element("p", { role: "status", class: "quiet" });
  readonly #list = element("ol", { class: "tried" });
  #worker: PageWorker | undefined;
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#input.value = EXAMPLE;
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#try(), PAUSE_MS);
    });
    const left = element("div", {}, element("label", { for: "try-text", class: "quiet" }, "A text"), this.#input);
    const right = element("div", {}, element("span", { class: "quiet label" }, "What urlmill finds in it"), this.#marked);
    this.node = element("div", { class: "try" }, element("div", { class: "sides" }, left, right), this.#count, this.#list);
  }

  /** Tries the current text, unless a text has been tried already. */
  start(): void {
    if (this.#worker === undefined) void this.#try();
  }

  async #try(): Promise<void> {
    this.#worker ??= new PageWorker();
    if (this.#isBusy) return;
    this.#isBusy = true;
    const text = this.#input.value;
    try {
      this.#show(text, await this.#worker.ask("try", [text]));
    } catch (error) {
      setText(this.#count, messageOf(error));
    } finally {
      this.#isBusy = false;
    }
    if (this.#input.value !== text) await this.#try();
  }

  #show(text: string, explanations: readonly Explanation[]): void {
    let at = 0;
    const nodes: (Node | string)[] = [];
    const items: HTMLElement[] = [];
    for (const one of explanations) {
      // A match inside another one has no mark of its own.
      if (one.start < at) continue;
      // A node of its own, because `element` would write line breaks as `\u000a`.
      const marked = document.createTextNode(text.slice(one.start, one.end));
      nodes.push(text.slice(at, one.start), element("mark", { class: one.kind === undefined && "rejected" }, marked));
      items.push(itemOf(one));
      at = one.end;
    }
    this.#marked.replaceChildren(...nodes, text.slice(at));
    const rejected = this.#marked.querySelectorAll(".rejected").length;
    setText(this.#count, items.length === rejected ? "No URL" : counted(items.length - rejected, "URL"));
    this.#list.replaceChildren(...items);
  }
}

function itemOf({ url, kind, flags, code, steps }: Explanation): HTMLElement {
  const shown = element("code", {}, url ?? (kind === undefined ? "rejected" : "refused"));
  const words = [kind, ...flags, code].filter((word) => word !== undefined && word !== "plain").join(", ");
  const said = words === "" ? [] : [element("span", { class: "quiet" }, words)];
  const rules = steps.map(({ rule, what }) => element("li", {}, element("code", {}, rule), what));
  return element("li", {}, shown, ...said, element("ul", { class: "quiet" }, ...rules));
}
