// Keys made of values of fields, as bytes whose order is that of the values. Different values give different keys, and no key is the start
// of another: a value is VALUE, its bytes, and END; a missing value is END alone.
import { valueText } from "../base/shown.ts";
import { decodeUtf8, encodeInto } from "../core/text.ts";
import type { FieldValue } from "../matches/field-values.ts";
import { fieldOf, type KeyField } from "../options/fields.ts";

/** Ends a value, or stands alone for a missing value. It is lower than all bytes of values. */
export const END = 0;
/** Begins a value. In its text it is an escape: the bytes END and VALUE are written as VALUE and the byte plus 1. */
export const VALUE = 1;
const VALUE_CHARACTER = String.fromCharCode(VALUE);
const CONTROLS = new RegExp(`[${String.fromCharCode(END, VALUE)}]`, "g");
const ESCAPES = new RegExp(`${VALUE_CHARACTER}(.)`, "gs");
const BYTES_OF_UNIT_MOST = 3; // Most bytes of a UTF-16 code unit: three of UTF-8, or two of an escaped control
/** Bytes of a value in addition to those of its text: VALUE and END. */
export const VALUE_BYTES_MORE = 2;

/** Scratch: the value that `writeText` wrote last. */
const textValue = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(0)), length: 0 };

/** Returns a value as bytes of a key. A list becomes its texts with spaces between them; an empty list is no value. */
export function encodedValue(name: KeyField, value: FieldValue): Uint8Array<ArrayBuffer> {
  if (value === undefined || (typeof value === "object" && value.length === 0)) return Uint8Array.of(END);
  const text = valueText(value);
  const { length } = writeText(text);
  const bytes = textValue.bytes.slice(0, length);
  // Numbers begin with their length, because a whole decimal number with fewer digits is less.
  return isNumber(name) ? Uint8Array.of(VALUE, text.length + VALUE, ...bytes.subarray(1)) : bytes;
}

/** Returns a text as a value: the first `length` bytes of a view. They are valid until the next call. */
export function writeText(text: string): { readonly view: DataView; readonly length: number } {
  const most = BYTES_OF_UNIT_MOST * text.length + VALUE_BYTES_MORE;
  if (most > textValue.bytes.length) {
    textValue.bytes = new Uint8Array(2 * most);
    textValue.view = new DataView(textValue.bytes.buffer);
  }
  const { bytes } = textValue;
  bytes[0] = VALUE;
  let length = 1;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit <= VALUE || unit >= 0x80) {
      length = 1 + encodeInto(text.replace(CONTROLS, escaped), bytes, 1);
      break;
    }
    bytes[length++] = unit;
  }
  bytes[length++] = END;
  textValue.length = length;
  return textValue;
}

function escaped(control: string): string {
  return VALUE_CHARACTER + String.fromCharCode(control.charCodeAt(0) + 1);
}

export function isNumber(name: KeyField): boolean {
  return name !== "flag" && fieldOf(name).type === "integer";
}

/** Returns the text of the value [start, end), which must not be END alone. The first byte is not read. */
export function textOfValue(bytes: Uint8Array, start: number, end: number): string {
  const text = decodeUtf8(bytes, start + 1, end - 1);
  return text.includes(VALUE_CHARACTER) ? text.replace(ESCAPES, unescaped) : text;
}

/** Returns the values of the key at `start`, one for each of `fields`; undefined: no value. */
export function valuesOf(bytes: Uint8Array, start: number, fields: readonly KeyField[]): (string | undefined)[] {
  let at = start;
  return fields.map((name) => {
    if (bytes[at++] === END) return undefined;
    const from = isNumber(name) ? at + 1 : at;
    at = bytes.indexOf(END, from) + 1;
    return textOfValue(bytes, from - 1, at);
  });
}

/** Returns the offset after the values of `fields`, the first ones of the key at `start`. */
export function endOfValues(bytes: Uint8Array, start: number, fields: readonly KeyField[]): number {
  let at = start;
  for (const name of fields) at = bytes[at] === END ? at + 1 : bytes.indexOf(END, isNumber(name) ? at + 2 : at + 1) + 1;
  return at;
}

function unescaped(_: string, character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - 1);
}

/** Returns a number below 0 if the key at `start` is before the other one, above 0 if it is after it. The keys must differ. */
export function compareKeys(bytes: Uint8Array, start: number, otherBytes: Uint8Array, otherStart: number): number {
  // No key is the start of another, so a difference comes before the end of both.
  for (let index = 0; start + index < bytes.length; index++) {
    const difference = bytes[start + index] - otherBytes[otherStart + index];
    if (difference !== 0) return difference;
  }
  return 0;
}
