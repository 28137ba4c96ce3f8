// URLs in batch: one a line, bytes in, bytes out, no strings made.

import { REJECTED_END, REJECTED_LINE, REJECTED_REASON, REJECTED_START, REJECTED_WORDS } from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { type Core, getCore } from "../core/core.ts";
import type { Reason } from "../core/names.ts";
import { InputError } from "../errors.ts";
import { checkNormalizeOptions, type NormalizeOptions, type UrlForm } from "../options.ts";
import { reasonOf } from "./core-url.ts";
import { supplyALabels } from "./idn.ts";
import { coreProfileNumber, makeNormalizer, type NormalizeResult } from "./normalize.ts";
import { textOf, URL_BYTES_LIMIT } from "./text.ts";

const LF = 0x0a;
/** Bytes of lines that the core is given at a time: small, so that they stay in the processor's cache. */
const BLOCK_BYTES = 1 << 18;

/**
 * Normalizes URLs in batch: one a line in, UTF-8, one normalized URL a line out, in order; an empty line for one that is refused. Throws
 * InputError for what holds no bytes, OptionError for a bad option.
 * @see docs/rules.md N
 */
export function normalizeLines(input: Uint8Array, options?: NormalizeOptions): Uint8Array {
  const form = checkNormalizeOptions(options);
  if (!(input instanceof Uint8Array)) throw new InputError("input must be a Uint8Array");
  const profile = coreProfileNumber(form);
  if (profile === undefined) return normalizeStrings(input, form);
  const out = new Collector(input.length);
  const normalizer = new LineNormalizer(getCore(), profile, { lines: (bytes) => out.add(bytes), refused: () => {} });
  normalizer.write(input);
  normalizer.end();
  return out.taken();
}

function normalizeStrings(input: Uint8Array, form: UrlForm): Uint8Array {
  const normalize = makeNormalizer(getCore(), form);
  let text = "";
  for (let at = 0; at < input.length; ) {
    const lineFeed = input.indexOf(LF, at);
    const end = lineFeed < 0 ? input.length : lineFeed;
    text += urlOf(normalize(textOf(input.subarray(at, end))));
    at = end + 1;
  }
  return new TextEncoder().encode(text);
}

function urlOf(result: NormalizeResult): string {
  return result.ok ? `${result.url}\n` : "\n";
}

/** Bytes that are put one behind the other; starts with room for about as many as come. */
class Collector {
  #bytes: Uint8Array;
  #used = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected + (expected >> 3) + 64);
  }

  add(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.#used + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#used);
  }
}

/** Takes what LineNormalizer makes. */
export interface LineSink {
  /** Whole lines, in order: a view of the core's memory, valid only during the call. */
  lines(bytes: Uint8Array): void;
  /** A line that was refused, counted from 1; its bytes are valid only during the call. */
  refused(line: number, reason: Reason, text: Uint8Array): void;
}

/** Normalizes lines that come in pieces of any size. A line longer than a URL may be is refused as `overlong`. */
export class LineNormalizer {
  readonly #core: Core;
  readonly #profile: number;
  readonly #sink: LineSink;
  /** The line that has begun, at most URL_BYTES_LIMIT + 1 bytes of it. */
  #rest = new Uint8Array(0);
  #line = 1;

  /** `profile`: PROFILE_*. */
  constructor(core: Core, profile: number, sink: LineSink) {
    this.#core = core;
    this.#profile = profile;
    this.#sink = sink;
  }

  /** Takes a piece of the input. */
  write(chunk: Uint8Array): void {
    const first = chunk.indexOf(LF);
    if (first < 0) {
      this.#keep(chunk);
      return;
    }
    let at = 0;
    if (this.#rest.length > 0) {
      this.#keep(chunk.subarray(0, first));
      this.#writeRest();
      at = first + 1;
    }
    const end = chunk.lastIndexOf(LF) + 1;
    while (at < end) {
      const last = at + BLOCK_BYTES >= end ? end : chunk.subarray(at, at + BLOCK_BYTES).lastIndexOf(LF) + at + 1;
      const next = last > at ? last : chunk.indexOf(LF, at) + 1;
      this.#normalize(chunk.subarray(at, next));
      at = next;
    }
    this.#keep(chunk.subarray(end));
  }

  /** The input ends here: a last line without a line feed counts as one. */
  end(): void {
    if (this.#rest.length > 0) this.#writeRest();
  }

  #keep(bytes: Uint8Array): void {
    const more = bytes.subarray(0, URL_BYTES_LIMIT + 1 - this.#rest.length);
    if (more.length === 0) return;
    const joined = new Uint8Array(this.#rest.length + more.length);
    joined.set(this.#rest);
    joined.set(more, this.#rest.length);
    this.#rest = joined;
  }

  #writeRest(): void {
    const line = new Uint8Array(this.#rest.length + 1);
    line.set(this.#rest);
    line[this.#rest.length] = LF;
    this.#rest = new Uint8Array(0);
    this.#normalize(line);
  }

  /** Whole lines, at most BLOCK_BYTES of them or one. */
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
    const set = (address: number, value: number): void => {
      core.words[address >> 2] = value;
    };
    const get = (address: number): number => core.words[address >> 2] as number;
    set(layout.STATE_HIGH, end);
    set(layout.STATE_SEPARATOR, LF);
    set(layout.STATE_PROFILE, this.#profile);
    set(layout.STATE_HOST_LENGTH, -1);
    let position: number = layout.WINDOW_REGION;
    while (position < end) {
      set(layout.STATE_POSITION, position);
      set(layout.STATE_OUTPUT_END, layout.OUTPUT_REGION);
      const stop = core.normalizeLines();
      this.#takeRefused();
      const made = get(layout.STATE_OUTPUT_END);
      if (made > layout.OUTPUT_REGION) this.#sink.lines(core.bytes.subarray(layout.OUTPUT_REGION, made));
      position = get(layout.STATE_POSITION);
      if (stop === layout.STOP_IDN) supplyALabels(core);
    }
  }

  /** Tells of the lines that were refused in the last call, and counts all. */
  #takeRefused(): void {
    const { bytes, words } = this.#core;
    const rejected = words[layout.STATE_REJECTED >> 2] as number;
    for (let index = 0; index < rejected; index++) {
      const row = (layout.REJECTED_REGION >> 2) + index * REJECTED_WORDS;
      const word = (name: number): number => words[row + name] as number;
      const text = bytes.subarray(word(REJECTED_START), word(REJECTED_END));
      this.#sink.refused(this.#line + word(REJECTED_LINE), reasonOf(word(REJECTED_REASON)), text);
    }
    this.#line += words[layout.STATE_LINES >> 2] as number;
  }
}
