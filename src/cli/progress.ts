// The progress of a run: as text, and as a line that each redraw overwrites on a terminal.
import stringWidth from "string-width";
import { withoutControls } from "../base/shown.ts";
import { endOf } from "../output/display-width.ts";
import { countText, sizeText } from "./session.ts";

export interface Progress {
  /** Number of input bytes read; for compressed inputs, compressed bytes. */
  readonly bytes: number;
  /** Those of them that an earlier run has read, which this one continues. */
  readonly before: number;
  /** Bytes of all inputs; undefined if unknown. */
  readonly total: number | undefined;
  readonly urls: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Name of the source whose results are being taken; undefined before the first. */
  readonly source: string | undefined;
}

/** Least seconds of a run for showing a speed. */
const SPEED_SECONDS_LEAST = 0.1;
/** Least columns for the name of a source; with less room a longer name is left out. */
const NAME_COLUMNS_LEAST = 12;

/** Returns the progress of a run: `1.20 GB of 4.29 GB (27%), 1.40 GB/s, 3,214,554 URLs, 3 s left`. */
export function progressText(progress: Progress): string {
  const { bytes, before, total, urls, seconds } = progress;
  // Files may have grown since they were listed.
  const known = total !== undefined && total >= bytes ? total : undefined;
  const percent = known === 0 ? 100 : Math.floor((100 * bytes) / (known ?? 1));
  const parts = [`${sizeText(bytes)}${known === undefined ? "" : ` of ${sizeText(known)} (${percent}%)`}`];
  if (seconds >= SPEED_SECONDS_LEAST) parts.push(speedText(progress));
  parts.push(countText(urls, "URL"));
  if (known !== undefined && bytes > before && bytes < known)
    parts.push(`${timeText(((known - bytes) * seconds) / (bytes - before))} left`);
  return parts.join(", ");
}

/** Returns the summary of a run: `3,214,554 URLs in 4.29 GB, 4 s (1.40 GB/s)`. */
export function summaryText(progress: Progress): string {
  return `${countText(progress.urls, "URL")} in ${sizeText(progress.bytes)}, ${timeText(progress.seconds)} (${speedText(progress)})`;
}

function speedText({ bytes, before, seconds }: Progress): string {
  return `${sizeText((bytes - before) / seconds)}/s`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns `progressText` with the source, in at most `columns` columns. Only the end of a long name is shown. */
export function progressLine(progress: Progress, columns = Number.POSITIVE_INFINITY): string {
  const text = progressText(progress);
  const source = withoutControls(progress.source ?? "");
  const room = columns - text.length - ": ".length;
  if (source === "" || (room < NAME_COLUMNS_LEAST && stringWidth(source) > room)) return text.slice(0, Math.max(0, columns));
  return `${text}: ${endOf(source, room)}`;
}

export interface Screen {
  readonly columns: number;
  readonly write: (text: string) => void;
}

const REDRAW_MILLISECONDS = 100;
/** Milliseconds before the first line: a shorter run shows none. */
const FIRST_MILLISECONDS = 1000;
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
