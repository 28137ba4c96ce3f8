// How far a run has come: bytes, share, speed, time left, and a button that stops it.
import { button, element, setAttribute, setText } from "../view/dom.ts";
import { counted, duration, share, size } from "../view/words.ts";
import type { RunProgress } from "./run.ts";

/** Milliseconds between two texts: a screen reader may read each. */
const TEXT_EVERY = 500;
/** Seconds before the time left is guessed. */
const GUESS_AFTER = 3;

/** The bar, and what it says. */
export class ProgressBar {
  readonly node: HTMLElement;
  /** Called when the run is to be stopped. */
  stopPressed: () => void = () => undefined;
  readonly #bar = element("progress", { "aria-label": "Share that has been read", max: 1 });
  readonly #text = element("p", { role: "status" });
  readonly #stop = button({ class: "stop" }, () => this.stopPressed(), "Stop");
  readonly #failures = element("ul", { class: "failures" });
  #next = 0;

  constructor() {
    const line = element("div", { class: "line" }, this.#text, this.#stop);
    this.node = element("section", { class: "progress", "aria-label": "Progress", hidden: true }, this.#bar, line, this.#failures);
  }

  /** Shows a bar at its beginning. */
  begin(): void {
    this.node.hidden = false;
    this.#bar.hidden = false;
    this.#stop.hidden = false;
    this.#failures.replaceChildren();
    this.#next = 0;
  }

  /** Shows how far a run has come; `what` it does. */
  show(what: string, { bytes, bytesAll, seconds, failures, failureCount }: RunProgress): void {
    setAttribute(this.#bar, "value", bytesAll === 0 ? 1 : bytes / bytesAll);
    const more = failureCount > failures.length ? [`and ${counted(failureCount - failures.length, "more")}`] : [];
    if (this.#failures.childElementCount !== failures.length + more.length || more.length > 0) {
      this.#failures.replaceChildren(...[...failures, ...more].map((text) => element("li", {}, text)));
    }
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + TEXT_EVERY;
    const speed = bytes / Math.max(seconds, 1e-3);
    const left = seconds < GUESS_AFTER || bytes === 0 ? "" : `, about ${duration(Math.ceil((bytesAll - bytes) / speed))} left`;
    setText(this.#text, `${what}: ${size(bytes)} of ${size(bytesAll)} (${share(bytes, bytesAll)}), ${size(speed)} a second${left}`);
  }

  /** Says how a run ended. */
  end(text: string): void {
    this.#bar.hidden = true;
    this.#stop.hidden = true;
    setText(this.#text, text);
  }
}
