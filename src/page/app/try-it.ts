// The field for trying a text: URLs and rejected candidates are marked while the user types, with the rules that decided.
import { messageOf } from "../../base/errors.ts";
import { element, setText } from "../view/dom.ts";
import { counted } from "../view/words.ts";
import type { TriedCandidate, TriedPiece } from "./page-worker.ts";
import { PageWorker } from "./page-worker.ts";

const EXAMPLE = `See <URL:HTTP://www.Mill.example:80/%7eben/a-
    b.html> (or gopher://gopher.mill.example).
At http://mill.example/wiki/Rye_(grain)! Not at 12:30.
Log in at http://paypal.example@192.0.2.7/ now.`;

const PAUSE_MS = 120;

/** The field, the text with its candidates marked, and the list of the candidates. */
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
    this.#worker ??= new PageWorker((reply) => {
      if (reply.kind === "tried") this.#show(reply.pieces);
    });
    if (this.#isBusy) return;
    this.#isBusy = true;
    const text = this.#input.value;
    try {
      await this.#worker.ask({ kind: "try", text });
    } catch (error) {
      setText(this.#count, messageOf(error));
    } finally {
      this.#isBusy = false;
    }
    if (this.#input.value !== text) await this.#try();
  }

  #show(pieces: readonly TriedPiece[]): void {
    const candidates = pieces.flatMap(({ candidate }) => candidate ?? []);
    // A node of its own, because `element` would write line breaks as `\u000a`.
    const nodes = pieces.map(({ text, candidate }) => {
      const node = document.createTextNode(text);
      return candidate === undefined ? node : element("mark", { class: !candidate.isMatch && "rejected" }, node);
    });
    this.#marked.replaceChildren(...nodes);
    const found = candidates.filter(({ isMatch }) => isMatch).length;
    setText(this.#count, found === 0 ? "No URL" : counted(found, "URL"));
    this.#list.replaceChildren(...candidates.map(candidateNode));
  }
}

function candidateNode({ url, isMatch, words, rules }: TriedCandidate): HTMLElement {
  const steps = rules.map(({ rule, what }) => element("li", {}, element("code", {}, rule), what));
  const shown = element("code", {}, url ?? (isMatch ? "refused" : "rejected"));
  const said = words.length === 0 ? [] : [element("span", { class: "quiet" }, words.join(", "))];
  return element("li", {}, shown, ...said, element("ul", { class: "quiet" }, ...steps));
}
