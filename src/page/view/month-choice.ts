// Choosing months: in two lists, or by dragging over the time line.
import type { Summary } from "../../summary/summary.ts";
import type { MonthTotal } from "./axis.ts";
import type { Span } from "./cells.ts";
import { button, element, select } from "./dom.ts";
import { monthName } from "./words.ts";

/** Returns two lists of months. `narrow` is called with the chosen ones; null for all. */
export function monthLists(narrow: (span: Span | null) => void) {
  const choose = (): void => {
    const [one, other] = [Number(from.value), Number(to.value)];
    narrow({ from: Math.min(one, other), to: Math.max(one, other) });
  };
  const from = select({ "aria-label": "From month" }, [], choose);
  const to = select({ "aria-label": "to month" }, [], choose);
  const showAll = (): void => {
    // The button disappears with the choice, so the focus is moved away from it.
    from.focus();
    narrow(null);
  };
  const all = button({ class: "plain" }, showAll, "All months");
  const labels = [element("label", {}, "From ", from), element("label", {}, "to ", to)];
  const node = element("div", { class: "months", role: "group", "aria-label": "Months that are counted" }, ...labels, all);
  let listed: Summary | undefined;

  const show = (summary: Summary, months: readonly MonthTotal[], span: Span | null): void => {
    if (listed !== summary) {
      listed = summary;
      const optionOf = ({ index }: MonthTotal): HTMLElement =>
        element("option", { value: index }, monthName(summary.months[index] as string));
      for (const list of [from, to]) list.replaceChildren(...months.map(optionOf));
    }
    from.value = String(span?.from ?? months[0]?.index);
    to.value = String(span?.to ?? months.at(-1)?.index);
    all.hidden = span === null;
  };
  return { node, show };
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

/** Returns a layer over the line that selects a range with a mouse, a pen or a finger. */
export function brushOf({ choose, settle, point }: BrushEvents) {
  const chosen = element("div", { class: "chosen", hidden: true });
  const node = element("div", { class: "brush", "aria-hidden": "true" }, chosen);
  /** Where the pointer went down, from 0 to 1; null if no range is being chosen. */
  let start: number | null = null;
  const fractionAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = node.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    node.setPointerCapture(event.pointerId);
    start = fractionAt(event);
    choose(start, start);
  });
  node.addEventListener("pointermove", (event) => {
    const at = fractionAt(event);
    point(at);
    if (start !== null) choose(start, at);
  });
  const end = (event: PointerEvent): void => {
    if (start !== null && event.type === "pointerup") choose(start, fractionAt(event));
    start = null;
    settle();
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
  node.addEventListener("pointerleave", () => point(null));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || chosen.hidden || event.target instanceof HTMLInputElement) return;
    start = null;
    choose(null, 0);
  });
  const show = (range: readonly [from: number, to: number] | null): void => {
    chosen.hidden = range === null;
    if (range === null) return;
    const [from, to] = range;
    chosen.style.left = `${from * 100}%`;
    chosen.style.width = `${(to - from) * 100}%`;
  };
  return { node, show, isHeld: () => start !== null };
}
