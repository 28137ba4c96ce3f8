// Format ndjson: a record a line, as JSON, in the form of `Match.toJSON`.

import { jsonText } from "../base/shown.ts";
import type { FieldValue } from "../matches/field-values.ts";
import { type FieldName, fieldOf } from "../options/fields.ts";
import type { RecordForm } from "./record-form.ts";

/** Printed ASCII that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns the form of records as JSON, one a line. Each member ends with a comma; `end` replaces the last comma. */
export function ndjson(fields: readonly FieldName[]): RecordForm {
  const keys = fields.map((name, position) => `${position === 0 ? "{" : ""}"${name}":`);
  const without = fields.map((name, position) =>
    fieldOf(name).isNullable === true ? `${keys[position]}null,` : position === 0 ? "{" : "",
  );
  return {
    fields,
    end: "}\n",
    replaced: ",",
    cell: 0,
    around(position) {
      const quote = fieldOf(fields[position]).type === "text" ? '"' : "";
      return [`${keys[position]}${quote}`, `${quote},`, without[position]];
    },
    write: (position, value) => (value === undefined ? without[position] : `${keys[position]}${valueText(value)},`),
  };
}

function valueText(value: Exclude<FieldValue, undefined>): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : jsonText(value);
}
