// The notes of a core during a scan: which rules decided about each candidate.
import { RECORD_WORDS } from "#core/layout/codes.js";
import { RECORD_REGION, WINDOW_BYTES, WINDOW_REGION } from "#core/layout/memory.js";
import * as notes from "#core/layout/notes.js";

/** Offsets in the text, or in the source after `settle`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A rule (assembly/layout/notes.ts) that decided about a span. */
interface Note extends Span {
  readonly rule: number;
}

/** A match or a rejected candidate, with the notes about it. */
export interface NotedCandidate extends Span {
  readonly isMatch: boolean;
  /** Whether another match holds it, and so may start where it starts. */
  readonly isNested?: boolean;
  notes: Note[];
}

interface OffsetMap {
  startOf(decoded: number): number;
  endOf(decoded: number): number;
}

const ROW_BYTES = RECORD_WORDS << 2;
/** The notes that decoders make, before a scan. */
const OF_DECODERS: readonly number[] = [notes.X9_REFERENCE, notes.X15_MARK];
/** Notes on a text after `<` before it is known to be a delimited URL. */
const OF_DELIMITED: readonly number[] = [notes.X7_BREAK, notes.X7_SPACE, notes.X7_HYPHEN];

/** Collects the notes of one scan. Its text is short, so the window of the core does not move. */
export class Trace {
  /** Notes since the last candidate. */
  #pending: Note[] = [];
  #decoded: Note[] = [];
  /** The matches since the last `settle`, in the order of their rows. */
  #rows: NotedCandidate[] = [];
  /** The match whose URL is being written. */
  #written: NotedCandidate | undefined;
  #open: NotedCandidate[] = [];
  /** Candidates with offsets in the source. */
  #settled: NotedCandidate[] = [];

  readonly listen = (rule: number, start: number, end: number): void => {
    if (rule === notes.NOTE_SCAN) this.#pending = [];
    else if (rule === notes.NOTE_MATCH) this.#rows.push(this.#close(start, end, true));
    else if (rule === notes.NOTE_REJECTED) this.#close(start, end, false);
    else if (rule === notes.NOTE_URL) this.#written = this.#rows[(start - RECORD_REGION) / ROW_BYTES];
    else if (rule === notes.NOTE_WRITTEN) this.#written = undefined;
    else if (this.#written !== undefined) noteWritten(this.#written, rule, start, end);
    else if (OF_DECODERS.includes(rule)) this.#decoded.push(noteOf(rule, start, end));
    else if (rule !== notes.NOTE_AS_WRITTEN) {
      if (rule === notes.X7_NONE) this.#pending = this.#pending.filter((note) => !OF_DELIMITED.includes(note.rule));
      addNote(this.#pending, noteOf(rule, start, end));
    }
  };

  /** Notes that a rule has decided about the last match that starts at the offset `start` of the text, and that may be nested. */
  add(start: number, rule: number, mayBeNested: boolean): void {
    const match = this.#open.findLast((one) => one.isMatch && one.start === start && (mayBeNested || one.isNested !== true));
    if (match !== undefined) addNote(match.notes, { rule, start, end: match.end });
  }

  /** Adds a nested match, which a step has found: its scan has another core. Offsets are in the text. */
  addMatch(start: number, end: number, rule: number): void {
    this.#open.push({ isMatch: true, isNested: true, start, end, notes: [{ rule, start, end }] });
  }

  settle(map: OffsetMap | undefined): void {
    const mapped = <Part extends Span>(part: Part): Part => (map === undefined ? part : { ...part, ...mappedBy(map, part) });
    for (const one of this.#open) this.#settled.push({ ...mapped(one), notes: one.notes.map(mapped) });
    this.#open = [];
    this.#rows = [];
  }

  /** Returns all candidates, and forgets everything. */
  take(): NotedCandidate[] {
    const taken = this.#settled;
    [this.#pending, this.#decoded, this.#rows, this.#open, this.#settled] = [[], [], [], [], []];
    this.#written = undefined;
    return taken;
  }

  /** Returns the candidate [from, to) with the notes since the last one. Drops notes that end before it: they are about other text. */
  #close(from: number, to: number, isMatch: boolean): NotedCandidate {
    const [start, end] = [from - WINDOW_REGION, to - WINDOW_REGION];
    const own = this.#pending.filter((note) => isOutside(note) || note.end >= start);
    const decoded = this.#decoded.filter((note) => note.start < end && note.end > start);
    const placed = own.map((note) => (isOutside(note) ? { ...note, start, end } : note));
    const candidate = { isMatch, start, end, notes: [...decoded, ...placed] };
    this.#pending = [];
    this.#open.push(candidate);
    return candidate;
  }
}

/** Adds a note about the URL of a match. A URL that stays as written has no notes about its normal form. */
function noteWritten(match: NotedCandidate, rule: number, start: number, end: number): void {
  if (rule !== notes.NOTE_AS_WRITTEN) addNote(match.notes, noteOf(rule, start, end, match));
  else match.notes = match.notes.filter((note) => note.rule < notes.N1_SCHEME || note.rule > notes.N8_REFUSED);
}

/** Returns a note with offsets in the text for addresses. A note outside the window is about a copy: it gets those of `whole`, if given. */
function noteOf(rule: number, from: number, to: number, whole?: Span): Note {
  const note = { rule, start: from - WINDOW_REGION, end: to - WINDOW_REGION };
  return whole !== undefined && isOutside(note) ? { rule, start: whole.start, end: whole.end } : note;
}

function isOutside({ start }: Note): boolean {
  return start < 0 || start >= WINDOW_BYTES;
}

function mappedBy(map: OffsetMap, { start, end }: Span): Span {
  const first = map.startOf(start);
  return { start: first, end: end > start ? map.endOf(end) : first };
}

/** Adds a note unless it is in the list. Joins it with the last note if both have one rule. */
function addNote(list: Note[], note: Note): void {
  const last = list.at(-1);
  if (last?.rule === note.rule) list[list.length - 1] = joined(last, note);
  else if (!list.some(({ rule, start, end }) => rule === note.rule && start === note.start && end === note.end)) list.push(note);
}

function joined(one: Note, other: Note): Note {
  if (isOutside(one) || isOutside(other)) return one;
  return { rule: one.rule, start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}
