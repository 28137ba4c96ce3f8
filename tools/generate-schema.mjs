// The JSON Schema of records, from the table of fields, which the build has compiled before.
import { join } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

const INTEGERS = { message: { minimum: 1 }, quote: { minimum: 1 }, port: { maximum: 65535 } };

/** Writes the schema to build/schema.json. */
export async function generateSchema(root) {
  const { FIELDS, HEADER_FIELD_ROW } = await import(join(root, "build/options/fields.js"));
  const { FLAGS, KINDS, REASONS } = await import(join(root, "build/core/names.js"));
  const choices = { kind: KINDS, reason: REASONS };
  const items = { flags: { enum: FLAGS } };
  const typeOf = {
    text: (name, isNullable) => ({ type: isNullable ? ["string", "null"] : "string", ...(choices[name] && { enum: choices[name] }) }),
    integer: (name) => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...INTEGERS[name] }),
    time: () => ({ type: "string", format: "date-time" }),
    list: (name) => ({ type: "array", items: { type: "string", ...items[name] } }),
  };
  const properties = Object.entries(FIELDS).map(([name, { type, help, isNullable }]) => [
    name,
    { description: help, ...typeOf[type](name, isNullable === true) },
  ]);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Record of urlmill",
    description: "One line of urlmill -f ndjson. A field that a record does not have is absent; url and host are null instead.",
    type: "object",
    properties: Object.fromEntries(properties),
    patternProperties: { "^header:": { description: HEADER_FIELD_ROW.help, type: "string" } },
    additionalProperties: false,
  };
  writeIfChanged(join(root, "build/schema.json"), `${JSON.stringify(schema, null, 2)}\n`);
}
