// Fills the tables that decoders read in a core's memory: HTML's character references, the alphabet of base64.
import * as layout from "#core/layout/memory.js";
import { REFERENCES } from "#core/tables/references.js";
import { WINDOWS_1252_80_TO_9F } from "./charsets.ts";
import type { Core } from "./core.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Value of a character that is not a digit of base64. */
const NO_DIGIT = 0xff;

/** A part of a core's memory. */
interface Region {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A copy of the first filled tables of this thread: copying is much faster than filling. */
let filled: readonly Region[] | undefined;

/** Fills the tables, unless they are filled already (X9, A6). */
export function fillDecoderTables(core: Pick<Core, "bytes" | "words" | "indexReference">): void {
  if (core.words[layout.WINDOWS_1252 >> 2] !== 0) return;
  if (filled !== undefined) {
    for (const { at, bytes } of filled) core.bytes.set(bytes, at);
    return;
  }
  core.words.set(
    Array.from(WINDOWS_1252_80_TO_9F, (character) => character.charCodeAt(0)),
    layout.WINDOWS_1252 >> 2,
  );
  core.bytes.fill(NO_DIGIT, layout.BASE64_TABLE, layout.BASE64_TABLE + 256);
  for (const [value, character] of [...BASE64].entries()) core.bytes[layout.BASE64_TABLE + character.charCodeAt(0)] = value;
  const encoder = new TextEncoder();
  let entry: number = layout.REFERENCE_TABLE;
  for (const [, name = "", mark, points = ""] of REFERENCES.matchAll(/(\w+)([:=])(\S+)/g)) {
    const value = String.fromCodePoint(...points.split("+").map((point) => Number.parseInt(point, 16)));
    core.bytes[entry + layout.REFERENCE_NAME_LENGTH] = name.length;
    core.bytes[entry + layout.REFERENCE_LENGTH] = encoder.encodeInto(value, core.bytes.subarray(entry + layout.REFERENCE_VALUE)).written;
    core.bytes[entry + layout.REFERENCE_LEGACY] = mark === "=" ? 1 : 0;
    encoder.encodeInto(name, core.bytes.subarray(entry + layout.REFERENCE_NAME));
    core.indexReference(entry);
    entry = (entry + layout.REFERENCE_NAME + name.length + 3) & ~3;
  }
  const region = (at: number, end: number): Region => ({ at, bytes: core.bytes.slice(at, end) });
  filled = [
    region(layout.BASE64_TABLE, layout.BASE64_TABLE + 256),
    region(layout.WINDOWS_1252, layout.WINDOWS_1252 + 4 * WINDOWS_1252_80_TO_9F.length),
    region(layout.REFERENCE_SLOTS, layout.REFERENCE_SLOTS + 4 * layout.REFERENCE_SLOTS_COUNT),
    region(layout.REFERENCE_TABLE, entry),
  ];
}
