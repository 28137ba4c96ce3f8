// The line that shows progress. On a terminal each redraw overwrites it.
import stringWidth from "string-width";
import { withoutControls } from "../base/shown.ts";
import { endOf } from "../output/display-width.ts";
import { type Progress, progressText } from "./progress-text.ts";

export interface Screen {
  readonly columns: number;
  readonly write: (text: string) => void;
}

const REDRAW_MILLISECONDS = 100;
/** Milliseconds before the first line: a shorter run shows none. */
const FIRST_MILLISECONDS = 1000;
/** Least columns for the name of a source; with less room a longer name is left out. */
const NAME_COLUMNS_LEAST = 12;
const CLEAR_TO_END = "\x1b[K";

export class ProgressLine {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #text: (columns: number) => string;
  #due: number;
  #shown = "";

  /** `now` returns the time in milliseconds; `text` returns the line in at most the given number of columns. */
  constructor(screen: Screen, now: () => number, text: (columns: number) => string) {
    this.#screen = screen;
    this.#now = now;
    this.#text = text;
    this.#due = now() + FIRST_MILLISECONDS;
  }

  /** Writes the line if a redraw is due and the text has changed. */
  tick(): void {
    const now = this.#now();
    if (now < this.#due) return;
    this.#due = now + REDRAW_MILLISECONDS;
    // Some terminals begin a new line after a character in the last column.
    const text = this.#text(this.#screen.columns - 1);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#screen.write(`\r${text}${CLEAR_TO_END}`);
  }

  /** Removes the line, to make room for a message. The next redraw writes it again. */
  clear(): void {
    if (this.#shown === "") return;
    this.#shown = "";
    this.#screen.write(`\r${CLEAR_TO_END}`);
  }
}

/** Returns `progressText` with the source, in at most `columns` columns. Only the end of a long name is shown. */
export function progressLine(progress: Progress, columns = Number.POSITIVE_INFINITY): string {
  const text = progressText(progress);
  const source = withoutControls(progress.source ?? "");
  const room = columns - text.length - ": ".length;
  if (source === "" || (room < NAME_COLUMNS_LEAST && stringWidth(source) > room)) return text.slice(0, Math.max(0, columns));
  return `${text}: ${endOf(source, room)}`;
}
