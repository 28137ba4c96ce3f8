// The JSON Schema that the package has holds for records, whatever the options, and for little else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { FLAGS, KINDS } from "../../src/core/names.ts";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import { FIELD_NAMES, FIELDS } from "../../src/options/fields.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(root, "build/schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

const EXAMPLES = join(root, "examples");
const CORPUS = process.env.URLMILL_CORPUS ?? resolve(root, "../shared/corpus");
/** Bytes of an archive of the corpus that are read. */
const SAMPLE_BYTES = 1 << 20;

const HOSTILE = [
  "From a@b.example Mon Jan  5 10:00:00 1998",
  'From: "Smith, ""J"" =?utf-8?q?=09x=0Ay=00?=" <j@b.example>',
  "Subject: =?utf-8?q?=F0=9F=8E=89?= http://s.example/a,b",
  "Date: Mon, 5 Jan 9999 23:59:60 -2359",
  "",
  "http://u:p@h.example:65535/p?x and <http://h.example/a\n b> http://[bad/ http://xn--/ http://:1/ mailto:joe http://evil[.]example/",
  "> > www.a.example joe@a.example 1.2.3.4:80 hxxp://a.example/ http://a.example:000/ http://0x7f.1/?u=http%3A%2F%2Fb.example%2F",
  "http://www.google.com/url?q=http://c.example/d steam://rungame/42",
  "",
].join("\n");
const HTML = '<a href="../a">a</a> <a href="">b</a> <a href="mailto:">c</a> <img src="//h.example/&quot;">';

const TEXTS: [name: string, text: Buffer][] = [
  ["hostile mail", Buffer.from(HOSTILE)],
  ["HTML", Buffer.from(HTML)],
  ...readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }): [string, Buffer] => [name, readFileSync(join(EXAMPLES, name))]),
  ...(existsSync(CORPUS) ? readdirSync(CORPUS) : [])
    .filter((name) => name.endsWith(".gz"))
    .map((name): [string, Buffer] => [name, gunzipSync(readFileSync(join(CORPUS, name))).subarray(0, SAMPLE_BYTES)]),
];

const BARE = ["www", "email", "domain", "ip"] as const;
const OPTIONS: ExtractStreamOptions[] = [
  {},
  { fields: FIELD_NAMES, bare: BARE, nested: true, guess: true, anyScheme: true, context: 20 },
  { fields: FIELD_NAMES, unwrap: true, links: true, stripTracking: true },
  { userinfo: "redact", refang: true, profile: "whatwg" },
  { profile: "none", type: "html", links: true },
];

async function linesOf(text: Buffer, options: ExtractStreamOptions): Promise<string[]> {
  const stream = new ExtractStream({ ...options, format: "ndjson" });
  stream.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

describe.each(TEXTS)("the schema holds for the records of %s", (_, text) => {
  it.each(OPTIONS)("with %j", async (options) => {
    for (const line of await linesOf(text, options)) {
      if (!validate(JSON.parse(line))) expect.fail(`${line}: ${ajv.errorsText(validate.errors)}`);
    }
  });
});

describe("the schema", () => {
  it("has every field with its description, and the names of kinds and flags", () => {
    const { properties } = schema;
    expect(Object.keys(properties)).toEqual(FIELD_NAMES);
    expect(FIELD_NAMES.map((name) => properties[name].description)).toEqual(FIELD_NAMES.map((name) => FIELDS[name].help));
    expect([properties.kind.enum, properties.flags.items.enum]).toEqual([KINDS, FLAGS]);
  });

  it.each([
    [{ url: 1 }],
    [{ raw: null }],
    [{ kind: "odd" }],
    [{ flags: ["odd"] }],
    [{ flags: "password" }],
    [{ reason: "" }],
    [{ date: "1998" }],
    [{ part: 1.1 }],
    [{ start: -1 }],
    [{ message: 0 }],
    [{ messageId: "x" }],
  ])("does not hold for %j", (record) => {
    expect(validate(record)).toBe(false);
  });
});
