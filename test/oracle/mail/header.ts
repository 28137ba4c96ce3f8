/**
 * Headers (A3), and what their Content- fields say (A4, A6, A8, A9).
 */
import { type Source, sliceOf } from "../source.ts";
import { readableField } from "./encodings.ts";
import { firstWordOf, isEmptyBody, parameterOf, readStructured, type Structured } from "./structured.ts";
import { matchAt } from "./texts.ts";

/** A field: its name as written, and its whole text without the line break at its end. */
export interface Field {
  name: string;
  text: Source;
}

/** A media type in lower case, and the parameters after it. */
export interface MediaType extends Structured {
  type: string;
}

const FIELD = /([!-9;-~]+)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/y;
const FROM_LINE = /(>?From) (?![ \t]*:)[^\n]*/y;
/** C176: a type that says nothing. */
export const UNTOLD = "application/octet-stream";
/** C176: most bytes of a name. */
const NAME_PARAMETER_BYTES_MAX = 256;
const FROM_LINE_BYTES_MAX = 65_535;
/** A3: a name and its colon have so many bytes at most. */
const NAME_BYTES_MAX = 65_536;

/** A3: whether a line begins a field. */
export function isField(line: string): boolean {
  return /^[!-9;-~]+[ \t]*:/.test(line.slice(0, NAME_BYTES_MAX));
}

/**
 * A3: the fields of a header that begins at `from`, and the offset of the body; `to` ends the text.
 * `isMessage`: From_ lines and quoted ones begin the header of a message.
 */
export function readHeader(text: Source, from: number, to: number, isMessage: boolean): { fields: Field[]; body: number } {
  const bytes = text.bytes.slice(0, to);
  const fields: Field[] = [];
  let at = from;
  const take = (found: RegExpExecArray | null, name: string): boolean => {
    if (found === null) {
      return false;
    }
    fields.push({ name, text: sliceOf(text, at, at + found[0].replace(/\r$/, "").length) });
    at = Math.min(to, at + found[0].length + 1);
    return true;
  };
  const fieldAt = (): RegExpExecArray | null => (isField(bytes.slice(at, at + NAME_BYTES_MAX)) ? matchAt(FIELD, bytes, at) : null);
  const fromLineAt = (): RegExpExecArray | null => {
    const line = isMessage ? matchAt(FROM_LINE, bytes, at) : null;
    return line !== null && line[0].length <= FROM_LINE_BYTES_MAX ? line : null;
  };
  for (let line = fromLineAt(); line !== null; line = fromLineAt()) {
    take(line, line[1] === "From" ? "From_" : ">From");
  }
  for (let field = fieldAt(); take(field, field?.[1] ?? ""); field = fieldAt());
  return { fields, body: at + (matchAt(/\r?\n/y, bytes, at)?.[0].length ?? 0) };
}

/** What comes after the colon of the first field of a name that says something; null where there is none. */
export function fieldValue(fields: readonly Field[], name: string): string | null {
  const values = fields
    .filter((one) => one.name.toLowerCase() === name)
    .map(({ text }) => readableField(text.bytes).slice(text.bytes.indexOf(":") + 1));
  return values.find((value) => !isEmptyBody(value)) ?? null;
}

/** The bytes of the first field of a name after its colon, as they stand; null where there is none (A10). */
export function rawValueOf(fields: readonly Field[], name: string): string | null {
  const field = fields.find((one) => one.name.toLowerCase() === name);
  return field === undefined ? null : field.text.bytes.slice(field.text.bytes.indexOf(":") + 1);
}

/** C163: what comes after `From ` in the first From_ line; null where there is none. */
export function fromLineOf(fields: readonly Field[]): string | null {
  return fields.find(({ name, text }) => name === "From_" && !isField(text.bytes))?.text.bytes.slice("From ".length) ?? null;
}

/** C163: what comes after the last semicolon of the first Received that has one, in what is read of a long field; or null. */
export function receivedOf(fields: readonly Field[]): string | null {
  const values = fields
    .filter(({ name }) => name.toLowerCase() === "received")
    .map(({ text }) => text.bytes.slice(text.bytes.indexOf(":") + 1, NAME_BYTES_MAX));
  const dated = values.find((value) => value.includes(";"));
  return dated === undefined ? null : dated.slice(dated.lastIndexOf(";") + 1);
}

/** C176, C324: what a file of a type that says nothing is by its name. */
export function typeOfName(name: string | null): string {
  const [, suffix] = /\.(eml|html?)$/i.exec(name ?? "") ?? [];
  if (suffix === undefined || (name ?? "").length > NAME_PARAMETER_BYTES_MAX) {
    return UNTOLD;
  }
  return suffix.toLowerCase() === "eml" ? "message/rfc822" : "text/html";
}

/** A4: the media type that a header names; `otherwise` where it names none, text/plain where it cannot be read. */
export function mediaTypeOf(fields: readonly Field[], otherwise: string): MediaType {
  const value = fieldValue(fields, "content-type");
  const read = readStructured(value ?? "");
  const named = read.second === "" ? "text/plain" : `${read.word}/${read.second}`.toLowerCase();
  const type = named === UNTOLD ? typeOfName(parameterOf(read, "name")) : named;
  return { ...read, type: value === null ? otherwise : type };
}

/** A6: the encoding that a header names, in lower case; an empty string where it names none. */
export function encodingOf(fields: readonly Field[]): string {
  return firstWordOf(fieldValue(fields, "content-transfer-encoding") ?? "").toLowerCase();
}
