// Choosing months: in two lists, or by dragging over the time line.
import type { Summary } from "../../summary/summary.ts";
import type { MonthTotal } from "./axis.ts";
import type { Span } from "./cells.ts";
import { button, element, select } from "./dom.ts";
import { monthName } from "./words.ts";

/** Two lists of months. */
export class MonthChoice {
  readonly #from: HTMLSelectElement;
  readonly #to: HTMLSelectElement;
  readonly #all: HTMLButtonElement;
  readonly node: HTMLElement;
  #summary: Summary | undefined;

  constructor(narrow: (span: Span | null) => void) {
    const choose = (): void => {
      const [from, to] = [Number(this.#from.value), Number(this.#to.value)];
      narrow({ from: Math.min(from, to), to: Math.max(from, to) });
    };
    this.#from = select({ "aria-label": "From month" }, [], choose);
    this.#to = select({ "aria-label": "to month" }, [], choose);
    const showAll = (): void => {
      // The button disappears with the choice, so the focus is moved away from it.
      this.#from.focus();
      narrow(null);
    };
    this.#all = button({ class: "plain" }, showAll, "All months");
    const labels = [element("label", {}, "From ", this.#from), element("label", {}, "to ", this.#to)];
    this.node = element("div", { class: "months", role: "group", "aria-label": "Months that are counted" }, ...labels, this.#all);
  }

  /** Lists `months`, which are months of a summary, and shows which are chosen. */
  show(summary: Summary, months: readonly MonthTotal[], span: Span | null): void {
    if (this.#summary !== summary) {
      this.#summary = summary;
      const optionOf = ({ index }: MonthTotal): HTMLElement =>
        element("option", { value: index }, monthName(summary.months[index] as string));
      for (const list of [this.#from, this.#to]) list.replaceChildren(...months.map(optionOf));
    }
    this.#from.value = String(span?.from ?? months[0]?.index);
    this.#to.value = String(span?.to ?? months.at(-1)?.index);
    this.#all.hidden = span === null;
  }
}

/** Callbacks of a brush. They get locations along the line, from 0 to 1. */
interface BrushEvents {
  /** The range has changed; `from` may be after `to`. null: no range is chosen, after Escape. */
  choose(from: number | null, to: number): void;
  /** The pointer went up, or its gesture was cancelled: the range is final. */
  settle(): void;
  /** The pointer is over the line at `at`; null: the pointer has left. */
  point(at: number | null): void;
}

/** A layer over the line that selects a range with a mouse, a pen or a finger. */
export class Brush {
  readonly #chosen = element("div", { class: "chosen" });
  readonly node = element("div", { class: "brush", "aria-hidden": "true" }, this.#chosen);
  /** Where the pointer went down, from 0 to 1; null if no range is being chosen. */
  #start: number | null = null;

  constructor({ choose, settle, point }: BrushEvents) {
    const { node } = this;
    this.show(null);
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      node.setPointerCapture(event.pointerId);
      this.#start = this.#fractionAt(event);
      choose(this.#start, this.#start);
    });
    node.addEventListener("pointermove", (event) => {
      const at = this.#fractionAt(event);
      point(at);
      if (this.#start !== null) choose(this.#start, at);
    });
    const end = (event: PointerEvent): void => {
      if (this.#start !== null && event.type === "pointerup") choose(this.#start, this.#fractionAt(event));
      this.#start = null;
      settle();
    };
    node.addEventListener("pointerup", end);
    node.addEventListener("pointercancel", end);
    node.addEventListener("pointerleave", () => point(null));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.#chosen.hidden || event.target instanceof HTMLInputElement) return;
      this.#start = null;
      choose(null, 0);
    });
  }

  get isHeld(): boolean {
    return this.#start !== null;
  }

  show(range: readonly [from: number, to: number] | null): void {
    this.#chosen.hidden = range === null;
    if (range === null) return;
    this.#chosen.style.left = `${range[0] * 100}%`;
    this.#chosen.style.width = `${(range[1] - range[0]) * 100}%`;
  }

  #fractionAt({ clientX }: PointerEvent): number {
    const { left, width } = this.node.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
  }
}
