// Explains which rules decided about each candidate of a short text. The JavaScript build of the core records each decision.
import "#javascript";
import { isBytes } from "../base/arrays.ts";
import { InputError, wrongInput } from "../base/errors.ts";
import { type Core, makeJavaScript } from "../core/core.ts";
import type { Flag, Kind, Reason } from "../core/names.ts";
import { RULE_NOTES } from "../core/rule-table.ts";
import { type NotedCandidate, Trace } from "../core/trace.ts";
import { memoryFormatOf, refuseContainer } from "../input/input-format.ts";
import { textTypeOf } from "../input/text-type.ts";
import { Match } from "../matches/match.ts";
import { checkOptions, type ExtractOptions, type Rejected, settingsOfString } from "../options/options.ts";
import { redacted } from "../output/redacted.ts";
import { scanOptionsOf } from "../run/open-scanner.ts";
import { Scanner } from "../scan/scanner.ts";
import { CodeUnits } from "./code-units.ts";
import { batchSink, rangeIn } from "./extract.ts";

/** Most bytes of a text to explain: the window of the core must hold all of it. */
export const EXPLAINED_BYTES_MAX: number = 1 << 18;

/** A rule that decided about a candidate. */
export interface ExplanationStep {
  /** Id of a rule in docs/rules.md, or of an item of a rule: `X5`, `C84`. */
  readonly rule: string;
  /** The decision of the rule, in one sentence. */
  readonly what: string;
  /** Half-open offsets of the text that the rule decided about, in the unit of the candidate's offsets. */
  readonly start: number;
  readonly end: number;
}

/** A match, or a candidate that was rejected, and the rules that decided about it. */
export interface Explanation {
  /** The normalized URL, or null if there is none. */
  readonly url: string | null;
  /** The text as written; a rejected candidate is cut after 256 bytes. Undefined with `userinfo: "redact"`. */
  readonly raw: string | undefined;
  /** Absent for a rejected candidate. */
  readonly kind?: Kind;
  readonly flags: readonly Flag[];
  /** The reason why there is no URL. Absent for a match with a URL. */
  readonly code?: Reason;
  /** Offsets in the source, half-open: in bytes; of a string in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The decisions, in the order in which the rules made them. */
  readonly steps: readonly ExplanationStep[];
}

const encoder = new TextEncoder();

const trace = new Trace();
/** The core that notes which rules decide, made at the first call. All calls share it, because a scan here runs no code of the caller. */
let tracedCore: Core | undefined;

/**
 * Returns the matches that `extract` returns and the rejected candidates, in the order of their starts, each with the rules that decided
 * about it. Throws OptionError, InputError (also for a text of more than 256 KiB), and SourceError for compressed data.
 */
export function explain(input: string | Uint8Array, options: Omit<ExtractOptions, "onRejected"> = {}): Explanation[] {
  const isString = typeof input === "string";
  if (!isString && !isBytes(input)) throw wrongInput("input", "a string, Uint8Array or Buffer", input);
  const rejected: Rejected[] = [];
  const checked = checkOptions("extract", { ...options, onRejected: (one) => void rejected.push(one) });
  const settings = isString ? settingsOfString(checked.settings) : checked.settings;
  const bytes = isString ? encoder.encode(input) : input;
  if (bytes.length > EXPLAINED_BYTES_MAX) {
    throw new InputError(`input: explain reads at most ${EXPLAINED_BYTES_MAX} bytes, not ${bytes.length}`);
  }
  const type = isString ? textTypeOf(settings.type, bytes) : refuseContainer(memoryFormatOf(settings.type, bytes));
  tracedCore ??= makeJavaScript(trace);
  const matches: Match[] = [];
  const sink = batchSink(checked, undefined, (batch) => {
    for (let index = 0; index < batch.count; index++) matches.push(new Match(batch, index));
  });
  const units = isString ? CodeUnits.of(input, bytes) : undefined;
  const range = { offset: 0, ...rangeIn(checked.range, units) };
  trace.take();
  new Scanner(tracedCore, scanOptionsOf(settings, type), redacted(settings, sink), range).end(bytes);
  const explained = explanationsOf(matches, rejected, trace.take());
  return units === undefined
    ? explained
    : explained.map((one) => inUnits({ ...one, steps: one.steps.map((step) => inUnits(step, units)) }, units));
}

function explanationsOf(matches: Match[], rejected: Rejected[], noted: NotedCandidate[]): Explanation[] {
  const ofMatches = new Map(noted.filter(({ isMatch }) => isMatch).map((one) => [one.start, one]));
  const ofRejected = new Map(noted.filter(({ isMatch }) => !isMatch).map((one) => [one.start, one]));
  // A match whose URL the profile refuses is also in `rejected`.
  const refused = new Set(matches.filter(({ url }) => url === null).map(({ start }) => start));
  const explained = matches.map((match): Explanation => {
    const { url, kind, flags, code, start, end } = match;
    const steps = stepsOf(ofMatches.get(start));
    return { url, raw: match.toJSON().raw, kind, flags, ...(code === undefined ? {} : { code }), start, end, steps };
  });
  for (const { code, start, end, text } of rejected) {
    if (refused.has(start) && !ofRejected.has(start)) continue;
    explained.push({ url: null, raw: text, flags: [], code, start, end, steps: stepsOf(ofRejected.get(start)) });
  }
  return explained.sort((one, other) => one.start - other.start);
}

function inUnits<T extends { readonly start: number; readonly end: number }>(one: T, units: CodeUnits): T {
  return { ...one, start: units.before(one.start), end: units.before(one.end) };
}

function stepsOf(candidate: NotedCandidate | undefined): ExplanationStep[] {
  const notes = candidate?.notes.filter(({ rule }) => RULE_NOTES[rule] !== undefined) ?? [];
  return notes.map(({ rule, start, end }) => ({ ...RULE_NOTES[rule], start, end }));
}
