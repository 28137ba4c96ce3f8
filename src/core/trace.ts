// The notes of a core during a scan: which rules decided about each candidate.
import { RECORD_WORDS } from "#core/layout/codes.js";
import { RECORD_REGION, WINDOW_BYTES, WINDOW_REGION } from "#core/layout/memory.js";
import * as notes from "#core/layout/notes.js";

/** A rule (assembly/layout/notes.ts) that decided about [start, end): offsets in the text, or in the source after `settle`. */
interface Note {
  readonly rule: number;
  readonly start: number;
  readonly end: number;
}

/** A match or a rejected candidate, with the notes about it. */
export interface NotedCandidate {
  readonly isMatch: boolean;
  /** Whether another match holds it, and so may start where it starts. */
  readonly isNested?: boolean;
  start: number;
  end: number;
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
    else if (rule === notes.NOTE_AS_WRITTEN) this.#dropNormalForm();
    else if (this.#written !== undefined) addNote(this.#written.notes, noteOf(rule, start, end, this.#written));
    else if (OF_DECODERS.includes(rule)) this.#decoded.push(noteOf(rule, start, end));
    else this.#note(rule, start, end);
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
    for (const one of this.#open) {
      const mapped = map === undefined ? one : mappedBy(map, one);
      this.#settled.push({ ...one, ...mapped, notes: one.notes.map((note) => ({ ...note, ...(map && mappedBy(map, note)) })) });
    }
    this.#open = [];
    this.#rows = [];
  }

  /** Returns all candidates, and forgets everything. */
  take(): NotedCandidate[] {
    const taken = this.#settled;
    this.#pending = [];
    this.#decoded = [];
    this.#rows = [];
    this.#written = undefined;
    this.#open = [];
    this.#settled = [];
    return taken;
  }

  #note(rule: number, start: number, end: number): void {
    if (rule === notes.X7_NONE) this.#pending = this.#pending.filter((note) => !OF_DELIMITED.includes(note.rule));
    addNote(this.#pending, noteOf(rule, start, end));
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

  #dropNormalForm(): void {
    const match = this.#written;
    if (match === undefined) return;
    match.notes = match.notes.filter(({ rule }) => rule < notes.N1_SCHEME || rule > notes.N8_REFUSED);
  }
}

/** Returns a note with offsets in the text for addresses. A note outside the window is about a copy: it gets those of `whole`, if given. */
function noteOf(rule: number, from: number, to: number, whole?: { readonly start: number; readonly end: number }): Note {
  const note = { rule, start: from - WINDOW_REGION, end: to - WINDOW_REGION };
  return whole !== undefined && isOutside(note) ? { rule, start: whole.start, end: whole.end } : note;
}

function isOutside({ start }: Note): boolean {
  return start < 0 || start >= WINDOW_BYTES;
}

function mappedBy(map: OffsetMap, { start, end }: { readonly start: number; readonly end: number }): { start: number; end: number } {
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
