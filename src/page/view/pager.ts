// Turning the pages of a table.
import { button, element, setText } from "./dom.ts";
import { number } from "./words.ts";

const SIZES = [10, 25, 100];

export class Pager {
  readonly node: HTMLElement;
  readonly #where = element("p", { role: "status" });
  readonly #turn: () => void;
  readonly #buttons: HTMLElement;
  readonly #back: readonly HTMLButtonElement[];
  readonly #forth: readonly HTMLButtonElement[];
  readonly #least: number;
  #size: number;
  #count = 0;
  #start = 0;

  /** `many`: plural noun for rows. `size`: rows of a page at first. `turn` is called when the user turns a page or chooses another size. */
  constructor(many: string, size: number, turn: () => void) {
    this.#turn = turn;
    this.#size = size;
    this.#least = size;
    const make = (label: string, text: string, start: () => number): HTMLButtonElement =>
      button({ class: "turn", "aria-label": `${label} page of ${many}` }, () => this.#goTo(start()), text);
    this.#back = [make("First", "«", () => 0), make("Previous", "‹", () => this.#start - this.#size)];
    this.#forth = [make("Next", "›", () => this.#start + this.#size), make("Last", "»", () => this.#count)];
    const sizes = element("select", {}, ...SIZES.map((one) => element("option", { value: one }, `${one} rows`)));
    sizes.setAttribute("aria-label", `Rows of a page of ${many}`);
    sizes.addEventListener("change", () => {
      this.#size = Number(sizes.value);
      this.#goTo(this.#start);
    });
    this.#buttons = element("div", { class: "turns" }, ...this.#back, ...this.#forth, sizes);
    this.node = element("nav", { class: "pager", "aria-label": `Pages of ${many}` }, this.#where, this.#buttons);
  }

  /** Shows the page that has the row with the index `start` of `count` rows. Does not call `turn`. */
  show(count: number, start: number): void {
    this.#count = count;
    this.#moveTo(start);
  }

  /** The rows of the current page, as `[begin, end)`. */
  get range(): [begin: number, end: number] {
    return [this.#start, Math.min(this.#count, this.#start + this.#size)];
  }

  #goTo(start: number): void {
    this.#moveTo(start);
    this.#turn();
  }

  #moveTo(start: number): void {
    const last = Math.max(0, Math.ceil(this.#count / this.#size) - 1);
    this.#start = Math.min(last, Math.max(0, Math.floor(start / this.#size))) * this.#size;
    const [begin, end] = this.range;
    this.node.hidden = this.#count <= this.#least;
    setText(this.#where, `${number(begin + 1)}–${number(end)} of ${number(this.#count)}`);
    // A disabled button would lose the keyboard focus.
    for (const node of this.#back) node.setAttribute("aria-disabled", String(begin === 0));
    for (const node of this.#forth) node.setAttribute("aria-disabled", String(end === this.#count));
  }
}
