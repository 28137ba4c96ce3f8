// Names that users or input choose may be names of every object: `constructor` is a header field like any other.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extract } from "../../src/index.ts";
import { summarize } from "../../src/summarize.ts";
import { newFolder, removeFolder, run } from "./run.ts";

const NAMES = ["constructor", "tostring", "valueof", "__proto__", "hasownproperty", "__definegetter__"];
const header = (names: readonly string[]): string => names.map((name) => `${name}: of ${name}\n`).join("");
const message = (fields: string, body: string): string => `From a@b.example Thu Jan  1 00:00:00 1998\nSubject: x\n${fields}\n${body}\n\n`;
const FIELDS = NAMES.map((name) => `header:${name}`);
/** One message has none of the fields, one all of them. */
const MAIL = message("", "http://a.example/") + message(header(NAMES), "http://b.example/");

describe("fields of the header with names of every object", () => {
  let folder = "";
  beforeAll(() => {
    folder = newFolder();
  });
  afterAll(() => removeFolder(folder));
  const lines = async (...args: string[]): Promise<string[]> => {
    const { stdout, stderr, code } = await run(args, { input: MAIL, cwd: folder });
    expect([stderr, code]).toEqual(["", 0]);
    return stdout.split(/\r?\n/).slice(0, -1);
  };
  const values = NAMES.map((name) => `of ${name}`);

  it("are records of each format", async () => {
    const records = (await lines("-f", "ndjson", "--fields", ["url", ...FIELDS].join())).map(
      (line) => new Map(Object.entries(JSON.parse(line))),
    );
    expect(records).toEqual([
      new Map([["url", "http://a.example/"]]),
      new Map([["url", "http://b.example/"], ...NAMES.map((name) => [`header:${name}`, `of ${name}`] as const)]),
    ]);
    const empty = NAMES.map(() => "");
    for (const [format, separator] of [
      ["csv", ","],
      ["tsv", "\t"],
    ] as const)
      expect(await lines("-f", format, "--no-header", "--fields", FIELDS.join())).toEqual([empty.join(separator), values.join(separator)]);
    expect(await lines("--print", FIELDS.map((name) => `{${name}}`).join("|"))).toEqual([empty.join("|"), values.join("|")]);
    await lines("-f", "parquet", "-o", "x.parquet", "--fields", FIELDS.join());
  });

  it("are keys of counts, and of what is distinct or chosen", async () => {
    for (const [index, name] of NAMES.entries()) {
      const counted = await lines("count", "--by", `header:${name}`, "-f", "tsv", "--no-header");
      expect(counted.map((line) => line.split("\t")[0]).sort()).toEqual(["", values[index]]);
      expect(await lines("--unique-by", `header:${name}`)).toHaveLength(2);
      expect(await lines("--has", `header:${name}=of`)).toEqual(["http://b.example/"]);
    }
  });

  it("are fields of matches", () => {
    const [first, second] = extract(Buffer.from(MAIL), { fields: FIELDS as `header:${string}`[] });
    expect(first?.headers).toBeUndefined();
    expect(Object.entries(second?.headers ?? {})).toEqual(NAMES.map((name) => [name, `of ${name}`]));
    const [, only] = extract(Buffer.from(MAIL), { fields: ["header:subject", "header:constructor"] });
    expect(only?.headers?.constructor).toBe("of constructor");
    const [none] = extract(Buffer.from(MAIL), { fields: ["header:subject", "header:constructor"] });
    expect(none?.headers?.constructor).toBeUndefined();
  });
});

describe("media types with such names", () => {
  it("are counted", async () => {
    const parts = ["__proto__", "constructor/constructor", "image/constructor", "image/png"].map(
      (type) => `--b\nContent-Type: ${type}\n\nhttp://x.example/\n`,
    );
    const input = message("Content-Type: multipart/mixed; boundary=b\n", `${parts.join("")}--b--`);
    const { left_out: omitted } = await summarize(Buffer.from(input));
    const types = omitted.flatMap((one) => Object.entries(one.types));
    expect(types.length).toBeGreaterThan(0);
    expect(types.every(([, count]) => count === 1)).toBe(true);
  });
});
