// The JSON Schema of summaries. Names of tables, flags and reasons are those of the build.
import { join } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

const COUNT = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const TEXT = { type: "string" };
const TIME = { type: "string", format: "date-time" };
const NAMES = (names) => ({ type: "string", enum: names });

const orNull = (schema) => ({ ...schema, type: [schema.type, "null"] });
const listOf = (items) => ({ type: "array", items });
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties), additionalProperties: false });
const ref = (name) => ({ $ref: `#/$defs/${name}` });

const EXAMPLE = object({
  url: orNull(TEXT),
  raw: orNull(TEXT),
  text: { ...orNull(TEXT), description: "Text of the link." },
  source: TEXT,
  start: COUNT,
  message_id: orNull(TEXT),
  date: orNull(TIME),
});
const MESSAGE = object({
  source: TEXT,
  start: { ...COUNT, description: "Byte offset of its first URL with a sign." },
  message_id: orNull(TEXT),
  date: orNull(TIME),
  from_address: orNull(TEXT),
  subject: orNull(TEXT),
  matches: COUNT,
  signed: { ...COUNT, description: "Its URLs with a sign." },
  flags: listOf(TEXT),
  hosts: { ...listOf(TEXT), maxItems: 5 },
});
const TABLE = object({
  distinct: COUNT,
  distinct_by_month: { ...listOf(COUNT), description: "Different values in each month." },
  bound: COUNT,
  rows: listOf(ref("row")),
  rest: ref("cells"),
  month_rows: { ...listOf(ref("row")), description: "The most frequent values of each month that are not in rows; they are in rest too." },
});
const combinations = (names) => {
  const each = (items) => object(Object.fromEntries(names.map((name) => [name, listOf(items)])));
  return {
    description: "Values that occur together in a month, as columns of one length.",
    ...object({
      values: { description: "Several flags or redirectors of a match are one value with line feeds between them.", ...each(TEXT) },
      columns: {
        description: "Indexes into values; -1: there is no value, -2: it was forgotten.",
        ...each({ type: "integer", minimum: -2 }),
      },
      months: { ...listOf({ type: "integer", minimum: -2 }), description: "Indexes into months of the summary, ascending; -2: forgotten." },
      matches: listOf(COUNT),
    }),
  };
};
const RUN = object({
  started: TIME,
  seconds: { type: "number", minimum: 0 },
  threads: { ...COUNT, minimum: 1 },
  options: { type: "object" },
  inputs: listOf(TEXT),
});
const COUNTS = ["bytes", "sources", "messages", "matches", "filtered", "urls", "hosts", "domains", "skipped", "doubtful"];
const TOTALS = object({
  ...Object.fromEntries([...COUNTS, "parts_skipped", "bytes_skipped"].map((name) => [name, COUNT])),
  filtered_undated: { ...COUNT, description: "Matches without a date that since or until left out." },
  first: orNull(TIME),
  last: orNull(TIME),
});

/** Writes the schema to build/summary-schema.json. */
export async function generateSummarySchema(root) {
  const { FLAGS, REASONS } = await import(join(root, "build/core/names.js"));
  const { OMISSION_REASONS } = await import(join(root, "build/base/omission.js"));
  const { TABLES } = await import(join(root, "build/summary/summary.js"));
  const counted = (name, names) =>
    listOf(object({ [name]: NAMES(names), count: COUNT, examples: { ...listOf(ref("example")), maxItems: 10 } }));
  const omission = object({
    reason: NAMES(OMISSION_REASONS),
    count: COUNT,
    source: TEXT,
    start: orNull(COUNT),
    message_id: orNull(TEXT),
    types: { type: "object", additionalProperties: COUNT, description: "Media types of attachments." },
  });
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Summary of urlmill",
    description: "What urlmill report --json writes, and summarize of urlmill/summary returns.",
    ...object({
      version: { const: 1 },
      urlmill: TEXT,
      rules: TEXT,
      unicode: TEXT,
      run: RUN,
      totals: TOTALS,
      months: listOf({ type: ["string", "null"], pattern: "^\\d{4}-\\d{2}$" }),
      cells: ref("cells"),
      days: { ...listOf(COUNT), description: "Pairs: days since 1970, matches." },
      tables: object(Object.fromEntries(TABLES.map((name) => [name, ref("table")]))),
      combinations: combinations(TABLES),
      flags: counted("flag", FLAGS),
      messages: { ...listOf(MESSAGE), maxItems: 100, description: "Messages with the most signs of danger." },
      rejected: counted("reason", REASONS),
      left_out: listOf(omission),
    }),
    $defs: {
      cells: { ...listOf(COUNT), description: "Triples: index of the month, matches, messages." },
      row: {
        type: "array",
        description: "Value, dates of the earliest and the latest message, cells.",
        prefixItems: [TEXT, orNull(TIME), orNull(TIME), ref("cells")],
        minItems: 4,
        items: false,
      },
      table: TABLE,
      example: EXAMPLE,
    },
  };
  writeIfChanged(join(root, "build/summary-schema.json"), `${JSON.stringify(schema, null, 2)}\n`);
}
