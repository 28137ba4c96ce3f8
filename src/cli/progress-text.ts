// The progress of a run as text.

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

/** Returns the progress of a run: `1.20 GB of 4.29 GB (27%), 1.40 GB/s, 3,214,554 URLs, 3 s left`. */
export function progressText(progress: Progress): string {
  const { bytes, before, total, urls, seconds } = progress;
  const parts = [sizeText(bytes)];
  // Files may have grown since they were listed.
  if (total !== undefined && total >= bytes)
    parts[0] += ` of ${sizeText(total)} (${total === 0 ? 100 : Math.floor((100 * bytes) / total)}%)`;
  if (seconds >= SPEED_SECONDS_LEAST) parts.push(speedText(progress));
  parts.push(countText(urls, "URL"));
  if (total !== undefined && bytes > before && bytes < total)
    parts.push(`${timeText(((total - bytes) * seconds) / (bytes - before))} left`);
  return parts.join(", ");
}

/** Returns the summary of a run: `3,214,554 URLs in 4.29 GB, 4 s (1.40 GB/s)`. */
export function summaryText(progress: Progress): string {
  return `${countText(progress.urls, "URL")} in ${sizeText(progress.bytes)}, ${timeText(progress.seconds)} (${speedText(progress)})`;
}

function speedText({ bytes, before, seconds }: Progress): string {
  return `${sizeText((bytes - before) / seconds)}/s`;
}

/** Returns a count with its noun: `1 URL`, `3,214,554 URLs`. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** Returns a number of bytes with at most three digits: `4.29 GB`. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
