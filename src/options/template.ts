// Templates of `print`: text with fields in braces, such as `{date}\t{url}`.
import { shown } from "../base/shown.ts";
import { FIELD_NAMES, type FieldName, toHeaderField } from "./fields.ts";
import { nearest } from "./nearest.ts";
import { badOption } from "./values.ts";

export interface Template {
  readonly fields: readonly { readonly before: string; readonly name: FieldName }[];
  readonly end: string;
}

/** Matches a part of a template: an escape, a doubled brace, a field, or other text. A lone brace matches without a group. */
const PIECE = /\\(.?)|(\{\{|\}\})|\{([^{}]*)\}|([^\\{}]+)|[{}]/gsu;
const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", 0: "\0", "\\": "\\" };

/** Parses a template; `more`: further names. Throws OptionError for an unknown name or escape, a lone brace, or no name at all. */
export function parseTemplate(text: unknown, option: string, more: readonly string[] = []): Template {
  const names = [...more, ...FIELD_NAMES] as FieldName[];
  if (typeof text !== "string") throw badOption(option, `must be a template such as {date}\\t{url}, not ${typeof text}`);
  const fields: Template["fields"][number][] = [];
  let before = "";
  for (const [piece, letter, braces, field, literal] of text.matchAll(PIECE)) {
    if (field !== undefined) {
      const name = toHeaderField(field) ?? names.find((known) => known === field);
      if (name === undefined) {
        const near = nearest(field.trim(), names);
        const meant = near === undefined ? "there" : `did you mean {${near}}? There`;
        throw badOption(option, `has no field ${shown(piece)}; ${meant} are ${names.join(", ")}`);
      }
      fields.push({ before, name });
      before = "";
    } else if (letter !== undefined) {
      const character = ESCAPES[letter];
      if (character === undefined) throw badOption(option, `has no escape ${piece}; there are \\t, \\n, \\r, \\0 and \\\\`);
      before += character;
    } else if (braces !== undefined) before += braces[0];
    else if (literal !== undefined) before += literal;
    else throw badOption(option, `has a brace without its other one: write {{ or }} for the character`);
  }
  if (fields.length === 0) throw badOption(option, `needs a field in braces: {url}, {date}, ...`);
  return { fields, end: before };
}
