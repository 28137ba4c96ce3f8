// The program by which the core writes the records of a form (layout/records.ts), as an image of its memory.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/records.js";
import { byteLength, encodeInto } from "../core/text.ts";
import { type FieldName, fieldOf } from "../options/fields.ts";
import type { RecordForm } from "./record-form.ts";

/** Positions of consecutive fields whose text is named by a word of the row. */
export type FieldRun = number[];

export interface RecordProgram {
  /** Bytes to copy to PROGRAM_REGION. */
  readonly image: Uint8Array;
  /** The runs of a form, by the keys of TEXTS_WORDS. */
  readonly runs: Readonly<Record<keyof typeof TEXTS_WORDS, FieldRun[]>>;
  /** Bytes from the address in NUMBER_REGION to the number of the message; undefined: records have none. */
  readonly numberAt: number | undefined;
}

/** Words of a row that name the texts of runs, by the source of their fields. */
export const TEXTS_WORDS = {
  kind: layout.RECORD_KIND_TEXTS, // Kind, flags, reason and source: they are the same for all rows with one `kindKey` in a batch
  message: layout.RECORD_MESSAGE_TEXTS, // Those that all locations of a message share, and its number
  local: layout.RECORD_LOCAL_TEXTS, // The other fields of a location: part, where and quote
  match: layout.RECORD_MATCH_TEXTS, // Other fields of the match
} as const;
/** Words of a row with the addresses of texts that the core copies. */
const FIELD_WORDS: Partial<Record<FieldName, number>> = { url: code.RECORD_URL, raw: code.RECORD_RAW, host: code.RECORD_HOST };
/** Words of a row with offsets that the core writes as numbers. */
const OFFSET_WORDS: Partial<Record<FieldName, number>> = { start: code.RECORD_START, end: code.RECORD_END };

/** Most characters of a text next to a field or after the last. The core reserves room for a few such texts (ROOM in records/write.ts). */
const AROUND_MOST = 64;

/** Returns the program of a form, or undefined if the core cannot write it. */
export function programOf(form: RecordForm): RecordProgram | undefined {
  const { fields } = form;
  if (fields.filter((name) => name === "message").length > 1 || form.end.length > AROUND_MOST) return undefined;
  const steps: (number | string)[] = [];
  const runs: RecordProgram["runs"] = { kind: [], message: [], local: [], match: [] };
  let last: FieldRun | undefined;
  for (const [position, name] of fields.entries()) {
    if (fieldOf(name).origin === "copied") {
      const around = form.around(position);
      if (around.some((text) => text.length > AROUND_MOST)) return undefined;
      steps.push(...stepOf(name, around, form.cell));
      last = undefined;
      continue;
    }
    const slot = slotOf(name);
    const isNumber = name === "message";
    if (last !== undefined && runs[slot].at(-1) === last && !isNumber) {
      last.push(position);
      continue;
    }
    last = [position];
    steps.push(isNumber ? layout.STEP_NUMBER_TEXT : layout.STEP_TEXT, TEXTS_WORDS[slot] << 2, runs[slot].length << 2);
    runs[slot].push(last);
  }
  steps.push(layout.STEP_END, form.end, form.replaced === "" ? 0 : form.replaced.charCodeAt(0));
  const number = fields.indexOf("message");
  const numberAt = number < 0 ? undefined : byteLength(form.around(number)[0]);
  const image = imageOf(steps);
  return image && { image, runs, numberAt };
}

function slotOf(name: FieldName): keyof typeof TEXTS_WORDS {
  const { origin } = fieldOf(name);
  if (origin === "message" || name === "message") return "message";
  if (origin === "location") return "local";
  return origin === "match" ? "match" : "kind";
}

function stepOf(name: FieldName, [before, after, without]: readonly [string, string, string], cell: number): (number | string)[] {
  const [field, offset] = [FIELD_WORDS[name], OFFSET_WORDS[name]];
  if (field !== undefined) return [layout.STEP_FIELD, field << 2, before, after, without, cell];
  return offset !== undefined ? [layout.STEP_OFFSET, offset << 2, before, after] : [layout.STEP_SCHEME, before, after];
}

/** Returns steps, followed by their texts, as bytes, or undefined if they are too many. A text becomes its address. */
function imageOf(steps: readonly (number | string)[]): Uint8Array | undefined {
  const texts = steps.filter((word) => typeof word === "string");
  const room = 4 * steps.length + texts.reduce((sum, text) => sum + 8 + 3 * text.length, 0);
  if (room > layout.PROGRAM_BYTES) return undefined;
  const words = new Int32Array((room + 3) >> 2);
  const bytes = new Uint8Array(words.buffer);
  let used = 4 * steps.length;
  for (const [index, word] of steps.entries()) {
    if (typeof word === "number") {
      words[index] = word;
      continue;
    }
    const length = encodeInto(word, bytes, used + 4);
    words[used >> 2] = length;
    words[index] = layout.PROGRAM_REGION + used;
    used = (used + 4 + length + 3) & ~3;
  }
  return bytes.subarray(0, used);
}
