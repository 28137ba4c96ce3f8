// A drawing with numbers along its left side and times below it.
import type { Tick } from "./axis.ts";
import { element, graphic, setAttribute } from "./dom.ts";
import { DRAWING_HEIGHT } from "./series.ts";

export class Plot {
  readonly #drawing = graphic("svg", { preserveAspectRatio: "none", role: "img" });
  readonly #numbers = element("div", { class: "numbers", "aria-hidden": "true" });
  readonly #times = element("div", { class: "times", "aria-hidden": "true" });
  readonly node: HTMLElement;

  constructor(...over: HTMLElement[]) {
    this.node = element("div", { class: "plot" }, this.#numbers, this.#drawing, this.#times, ...over);
  }

  /** Draws `paths`, and labels both axes. `width`: units of the drawing from left to right. `words` describe the drawing. */
  show(width: number, paths: readonly SVGPathElement[], words: string, numbers: readonly Tick[], times: readonly Tick[]): void {
    setAttribute(this.#drawing, "viewBox", `0 0 ${width} ${DRAWING_HEIGHT}`);
    setAttribute(this.#drawing, "aria-label", words);
    this.#drawing.replaceChildren(...paths);
    this.#numbers.replaceChildren(...numbers.map(({ at, label }) => labelAt("bottom", at, label)));
    this.#times.replaceChildren(...timeLabels(times, this.#times.clientWidth));
  }
}

const LABEL_END = 0.9;

function labelAt(side: "left" | "bottom", fraction: number, label: string): HTMLElement {
  // A label near the end ends at its mark, so that it does not stick out.
  const node = element("span", { class: side === "left" && fraction > LABEL_END && "end" }, label);
  node.style[side] = `${fraction * 100}%`;
  return node;
}

/** Assumed pixels of a character of a label, with its share of the gap after the label. */
const CHARACTER_PIXELS = 9;
/** Assumed pixels of an axis that is not shown yet: those of a narrow screen. */
const NARROW_PIXELS = 280;

/** Returns the labels of a time axis of `width` pixels, without labels that would overlap the one before them. */
function timeLabels(ticks: readonly Tick[], width: number): HTMLElement[] {
  let free = 0;
  const kept = ticks.filter(({ at, label }) => {
    const length = (CHARACTER_PIXELS * label.length) / (width || NARROW_PIXELS);
    const start = at > LABEL_END ? at - length : at;
    const isKept = start >= free;
    if (isKept) free = start + length;
    return isKept;
  });
  return kept.map(({ at, label }) => labelAt("left", at, label));
}
