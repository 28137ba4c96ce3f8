/**
 * Headers (A3), and what their Content- fields say (A4, A6, A8, A9).
 */
import { type Source, sliceOf } from "../source.ts";
import { readableField } from "./encodings.ts";
import { matchAt } from "./texts.ts";

/** A field: its name as written, and its whole text without the line break at its end. */
export interface Field {
  name: string;
  text: Source;
}

/** A media type in lower case, without parameters. */
export interface MediaType {
  type: string;
  parameters: Map<string, string>;
}

const FIELD = /([!-9;-~]+)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/y;
const FROM_LINE = /(>?From) (?![ \t]*:)[^\n]*/y;
/** White space and comments. */
const GAP = "(?:[ \\t\\v\\f\\r\\n]|\\((?:[^()\\\\]|\\\\.)*\\))*";
const TOKEN = '[^ \\t\\v\\f\\r\\n;,/=("]+';
const MEDIA_TYPE = new RegExp(`^${GAP}(${TOKEN})${GAP}/${GAP}(${TOKEN})`);
const PARAMETER = /;[ \t]*([^ \t=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.?)*)(?:"|$)|([^; \t]*))/gs;

const FROM_LINE_BYTES_MAX = 65_535;
/** A3: a name and its colon have so many bytes at most. */
const NAME_BYTES_MAX = 65_536;
/** A4: most sections of a parameter that are read. */
const SECTIONS_MAX = 10;

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

/** The value of the first field of a name, without line breaks; null where there is none. */
export function fieldValue(fields: readonly Field[], name: string): string | null {
  const field = fields.find((one) => one.name.toLowerCase() === name);
  return field === undefined
    ? null
    : readableField(field.text.bytes)
        .slice(field.text.bytes.indexOf(":") + 1)
        .replace(/\r?\n/g, "");
}

/** The bytes of the first field of a name behind its colon, as they stand; null where there is none (A10). */
export function rawValueOf(fields: readonly Field[], name: string): string | null {
  const field = fields.find((one) => one.name.toLowerCase() === name);
  return field === undefined ? null : field.text.bytes.slice(field.text.bytes.indexOf(":") + 1);
}

/** RFC 2231: a value with its charset and language taken off and its triplets decoded. */
function fromExtended(value: string, isFirst: boolean): string {
  const text = isFirst ? value.replace(/^[^']*'[^']*'/, "") : value;
  return text.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** RFC 2231: the value of a parameter, whole, extended or in pieces; null where it is not there. */
export function parameterOf({ parameters }: MediaType, name: string): string | null {
  const whole = parameters.get(name);
  const extended = parameters.get(`${name}*`);
  if (whole !== undefined || extended !== undefined) {
    return whole ?? fromExtended(extended ?? "", true);
  }
  const pieces: string[] = [];
  while (pieces.length < SECTIONS_MAX) {
    const plain = parameters.get(`${name}*${pieces.length}`);
    const encoded = parameters.get(`${name}*${pieces.length}*`);
    if (plain === undefined && encoded === undefined) {
      return pieces.length === 0 ? null : pieces.join("");
    }
    pieces.push(plain ?? fromExtended(encoded ?? "", pieces.length === 0));
  }
  return pieces.join("");
}

/** A4: the media type that a header names; `otherwise` where it names none, text/plain where it cannot be read. */
export function mediaTypeOf(fields: readonly Field[], otherwise: string): MediaType {
  const value = fieldValue(fields, "content-type");
  const [whole = "", type = "text", subtype = "plain"] = MEDIA_TYPE.exec(value ?? "") ?? [];
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare = ""] of (value ?? "").slice(whole.length).matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted === undefined ? bare : quoted.replace(/\\(.?)/gs, "$1"));
    }
  }
  return { type: value === null ? otherwise : `${type}/${subtype}`.toLowerCase(), parameters };
}

/** A6: the encoding that a header names, in lower case; an empty string where it names none. */
export function encodingOf(fields: readonly Field[]): string {
  const value = fieldValue(fields, "content-transfer-encoding") ?? "";
  return new RegExp(`^${GAP}(${TOKEN})`).exec(value)?.[1]?.toLowerCase() ?? "";
}
