// Normalizes URLs in batches: one a line, bytes in, bytes out. If the core alone can give the form, no strings are made.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { concat, isBytes } from "../base/arrays.ts";
import { wrongInput } from "../base/errors.ts";
import type { Reason } from "../core/names.ts";
import { getUrlCore, type UrlCore } from "../core/url-core.ts";
import { checkNormalizeOptions, type NormalizeOptions, type UrlForm } from "../options/options.ts";
import { reasonOf } from "./core-url.ts";
import { coreProfileNumber, makeNormalizer } from "./normalize.ts";
import { OpenLine, textOf, URL_BYTES_LIMIT } from "./text.ts";

const LF = 0x0a;
/** Most bytes of lines that the core gets at once, so that they stay in the processor's cache. One longer line is allowed. */
const BLOCK_BYTES = 1 << 18;

/**
 * Normalizes many URLs. `input` has one a line, in UTF-8. Returns one normalized URL a line, in order, with an empty line for each that is
 * refused. Throws InputError if `input` is not bytes, OptionError for a bad option. (N)
 */
export function normalizeLines(input: Uint8Array, options?: NormalizeOptions): Uint8Array {
  const form = checkNormalizeOptions(options);
  if (!isBytes(input)) throw wrongInput("input", "a Uint8Array", input);
  const profile = coreProfileNumber(form);
  if (profile === undefined) return normalizeStrings(input, form);
  const made: Uint8Array[] = [];
  const normalizer = new LineNormalizer(getUrlCore(), profile, { lines: (bytes) => made.push(bytes.slice()), refused: () => undefined });
  normalizer.write(input);
  normalizer.end();
  return concat(made);
}

function normalizeStrings(input: Uint8Array, form: UrlForm): Uint8Array {
  const normalize = makeNormalizer(getUrlCore(), form);
  let text = "";
  for (let at = 0; at < input.length; ) {
    const lineFeed = input.indexOf(LF, at);
    const end = lineFeed < 0 ? input.length : lineFeed;
    const result = normalize(textOf(input.subarray(at, end)));
    text += result.ok ? `${result.url}\n` : "\n";
    at = end + 1;
  }
  return new TextEncoder().encode(text);
}

export interface LineSink {
  /** Takes whole lines, in order. The bytes may be a view of the core's memory: they are valid only during the call. */
  lines(bytes: Uint8Array): void;
  /** Takes a refused line and its number, from 1 on. `text` is valid only during the call; of an overlong line it may be only the start. */
  refused(line: number, reason: Reason, text: Uint8Array): void;
}

/** Normalizes lines that come in chunks of any size. Refuses lines of more than URL_BYTES_LIMIT bytes as `overlong`. */
export class LineNormalizer {
  readonly #core: UrlCore;
  readonly #profile: number;
  readonly #sink: LineSink;
  readonly #open = new OpenLine();
  #line = 1;

  constructor(core: UrlCore, profile: number, sink: LineSink) {
    this.#core = core;
    this.#profile = profile;
    this.#sink = sink;
  }

  /** Takes a chunk of the input, and normalizes the lines that end in it. */
  write(chunk: Uint8Array): void {
    const first = chunk.indexOf(LF);
    let at = 0;
    if (first >= 0 && !this.#open.isEmpty) {
      this.#writeOpen(chunk.subarray(0, first));
      at = first + 1;
    }
    const end = chunk.lastIndexOf(LF) + 1;
    while (at < end) {
      const last = at + BLOCK_BYTES >= end ? end : chunk.subarray(at, at + BLOCK_BYTES).lastIndexOf(LF) + at + 1;
      const next = last > at ? last : chunk.indexOf(LF, at) + 1;
      this.#normalize(chunk.subarray(at, next));
      at = next;
    }
    this.#open.add(chunk.subarray(end));
  }

  /** Ends the input. A last line without a line feed is normalized too. */
  end(): void {
    if (!this.#open.isEmpty) this.#writeOpen(new Uint8Array(0));
  }

  #writeOpen(end: Uint8Array): void {
    this.#normalize(concat([this.#open.take(end), Uint8Array.of(LF)]));
  }

  /** Normalizes whole lines, each with its line feed: at most BLOCK_BYTES, or one longer line. */
  #normalize(lines: Uint8Array): void {
    if (lines.length > URL_BYTES_LIMIT + 1) {
      this.#sink.refused(this.#line++, "overlong", lines.subarray(0, -1));
      this.#sink.lines(Uint8Array.of(LF));
      return;
    }
    const core = this.#core;
    const end = layout.WINDOW_REGION + lines.length;
    core.bytes.set(lines, layout.WINDOW_REGION);
    core.bytes.fill(0, end, end + 64);
    for (let position: number = layout.WINDOW_REGION; position < end; ) {
      position = core.normalizeLines(position, end, this.#profile);
      this.#takeRefused();
      const made = core.words[layout.RESULT_OUTPUT_END >> 2];
      if (made > layout.OUTPUT_REGION) this.#sink.lines(core.bytes.subarray(layout.OUTPUT_REGION, made));
    }
  }

  /** Reports the lines that the last call of the core refused, and counts all lines of that call. */
  #takeRefused(): void {
    const { bytes, words } = this.#core;
    const rejected = words[layout.RESULT_REJECTED >> 2];
    for (let index = 0; index < rejected; index++) {
      const row = (layout.REJECTED_REGION >> 2) + index * code.REJECTED_WORDS;
      const word = (name: number): number => words[row + name];
      const text = bytes.subarray(word(code.REJECTED_START), word(code.REJECTED_END));
      this.#sink.refused(this.#line + word(code.REJECTED_LINE), reasonOf(word(code.REJECTED_REASON)), text);
    }
    this.#line += words[layout.RESULT_LINES >> 2];
  }
}
