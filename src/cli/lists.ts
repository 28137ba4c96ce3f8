// The lists of --list-schemes and --list-fields: one name a line, with a description.
import { SCHEMES } from "#core/tables/schemes.js";
import { FIELD_CHOICES, fieldOf } from "../options/fields.ts";

/** Returns the known schemes with their forms, default ports and documents (X1). */
export function schemeList(): string {
  const rows = SCHEMES.map(({ name, shape, port, source }) => {
    const forms = [...(shape === "opaque" ? [] : [`${name}://host`]), ...(shape === "//" ? [] : [`${name}:...`])];
    return [name, `${forms.join(" or ")}${port === 0 ? "" : `, port ${port}`} (${source})`] as const;
  });
  return listOf(rows.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the fields of records in their usual order. */
export function fieldList(): string {
  return listOf(
    FIELD_CHOICES.map((name) => [name, `${fieldOf(name).help}${"isAsked" in fieldOf(name) ? "; only if --fields names it" : ""}`]),
  );
}

function listOf(rows: readonly (readonly [name: string, meaning: string])[]): string {
  const columns = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `${name.padEnd(columns)}  ${meaning}\n`).join("");
}
