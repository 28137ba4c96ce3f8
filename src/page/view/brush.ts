// Selects a range of the time line with a mouse, a pen or a finger.
import { element } from "./dom.ts";

/** Callbacks. They get locations along the line, from 0 to 1. */
export interface BrushEvents {
  /** The range has changed; `from` may be after `to`. null: no range is chosen, after Escape. */
  choose(from: number | null, to: number): void;
  /** The pointer went up, or its gesture was cancelled: the range is final. */
  settle(): void;
  /** The pointer is over the line at `at`; null: the pointer has left. */
  point(at: number | null): void;
}

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
    node.ownerDocument.addEventListener("keydown", (event) => {
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
