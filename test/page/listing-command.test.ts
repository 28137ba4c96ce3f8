// The command that lists what a report counts.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flagOf, optionsOf } from "../../src/options/table.ts";
import { commandOf, optionWords } from "../../src/page/view/listing-command.ts";
import { type Choice, narrowed } from "../../src/page/view/narrow.ts";
import type { Summary } from "../../src/summary/summary.ts";
import { COMMAND, newFolder, removeFolder, run } from "../cli/run.ts";
import { archiveText } from "./archive.ts";
import { sampleSummary } from "./sample.ts";

const sample = sampleSummary(3);
const of = (inputs: string[], options: Record<string, unknown> = {}): Summary => ({ ...sample, run: { ...sample.run, inputs, options } });
const LISTED = "-f csv --fields url,text,date,from_address,subject,source";
const MONTHS = { from: 0, to: 1 };

it.each([
  [["mail/"], null, "urlmill LISTED --unwrap --flag idn mail/"],
  [["-"], MONTHS, "urlmill LISTED --unwrap --flag idn --since 1994-01 --until 1994-02 -"],
  [["a b", "it's", "-x"], null, "urlmill LISTED --unwrap --flag idn -- 'a b' 'it'\\''s' -x"],
  [["$(x)", "\u202e"], null, "urlmill LISTED --unwrap --flag idn '$(x)' '\u202e'"],
  [["a", "b", "c", "d", "e", "f"], null, "urlmill LISTED --unwrap --flag idn PATH"],
])("for %j in %j", (inputs, span, command) => expect(commandOf(["idn"], of(inputs), span)).toBe(command.replace("LISTED", LISTED)));

it.each([
  [{ "no-unwrap": true, output: "r.html", top: 3, guess: true }, "urlmill LISTED --guess --flag idn x"],
  [{ unwrap: false, guess: false }, "urlmill LISTED --flag idn x"],
  [{ unwrap: "any" }, "urlmill LISTED --unwrap=any --flag idn x"],
  [{ match: ["a,b", "c"], scheme: ["http", "ftp"] }, "urlmill LISTED --unwrap --match a,b --match c --scheme http,ftp --flag idn x"],
  [
    { "extra-scheme": [{ name: "steam", shape: "//" }], flag: ["idn", "glued"] },
    "urlmill LISTED --unwrap --extra-scheme steam --flag idn x",
  ],
  [{ flag: ["password"] }, undefined],
  [{ subject: ["^Re: a,b", "c"] }, "urlmill LISTED --unwrap --subject '^Re: a,b' --subject c --flag idn x"],
  [
    {
      has: [
        { name: "subject", pattern: "a,b" },
        { name: "header:x-a", pattern: "" },
      ],
    },
    "urlmill LISTED --unwrap --has subject=a,b --has header:x-a= --flag idn x",
  ],
])("with the options %j", (options, command) =>
  expect(commandOf(["idn"], of(["x"], options), null)).toBe(command?.replace("LISTED", LISTED)),
);

it("every option that is repeated is so in the command", () => {
  for (const [name, row] of optionsOf("urlmill report"))
    if (row.value.spelling === "each")
      expect(optionWords(flagOf(name, row), ["a", "b,c"])).toEqual([`--${flagOf(name, row)}`, "a", `--${flagOf(name, row)}`, "b,c"]);
});

it.each([
  [{ since: "1994-01-20", until: "1994" }, "--since 1994-01-20 --until 1994-02"],
  [{ since: "1993", until: "1994-02-03" }, "--since 1994-01 --until 1994-02-03"],
  [{ since: "1994" }, "--since 1994-01 --until 1994-02"],
])("of months within the dates of %j", (options, dates) => {
  expect(commandOf(["idn"], of(["x"], options), MONTHS)).toBe(`urlmill ${LISTED} --unwrap --flag idn ${dates} x`);
});

it.each([
  [{ name: "from_address", value: "a@b.example" }, {}, "--from a@b.example"],
  [{ name: "host", value: "a.example" }, { host: ["*.example"] }, "--has 'host=^a\\.example$'"],
  [{ name: "url", value: "http://a.example/?x" }, {}, "--has 'url=^http://a\\.example/\\?x$'"],
  [{ name: "list_id", value: "r-help" }, {}, "--has 'list_id=^r-help$'"],
  [{ name: "source", value: "a (1).mbox" }, {}, "--has 'source=^a \\(1\\)\\.mbox$'"],
  [{ name: "flag", value: "glued" }, {}, "--has 'flags=^glued$'"],
] as const)("of the chosen %j in a report with %j", (choice, options, filter) => {
  const others = Object.entries(options).map(([name, value]) => ` --${name} '${value}'`);
  const words = `urlmill ${LISTED} --unwrap${others.join("")} --flag idn ${filter}`;
  expect(commandOf(["idn"], of(["x"], options), null, [choice])).toBe(`${words} x`);
  const links = "--no-namespaces --has 'scheme=^(?!(cid|mid|mailto|urn)$)'";
  expect(commandOf(["idn"], of(["x"], options), null, [choice], true)).toBe(`${words} ${links} x`);
});

it("no command is of a redirector, nor of a hidden userinfo", () => {
  expect(commandOf(["idn"], of(["x"]), null, [{ name: "url", value: "http://***@a.example/" }])).toBeUndefined();
  expect(commandOf(["idn"], of(["x"]), null, [{ name: "redirect", value: "a.example" }])).toBeUndefined();
});

describe("of reports with options", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder();
    writeFileSync(join(folder, "a stone.mbox"), archiveText(400));
  });
  afterAll(() => removeFolder(folder));

  it.each([
    [[]],
    [["--no-unwrap", "--since", "1996-05-06"]],
    [["--scheme", "http,ftp", "--match", "mill|x{1,2}", "--flag", "odd-port,password"]],
    [["--nested", "--bare", "www", "--extra-scheme", "steam", "--profile", "whatwg", "--parts", "all", "--exclude", "*,x"]],
  ])("it lists what they count: %j", async (options) => {
    const { stdout } = await run(["report", "--json", "--top", "20", ...options, "a stone.mbox"], { cwd: folder });
    const summary: Summary = JSON.parse(stdout);
    const listed = (flag: string, span: Parameters<typeof commandOf>[2], choices: Choice[] = [], isOfLinks = false): number => {
      const command =
        commandOf([flag], summary, span, choices, isOfLinks)?.replace(
          `urlmill ${LISTED} `,
          `'${process.execPath}' '${COMMAND}' -f ndjson `,
        ) ?? "";
      return execFileSync("sh", ["-c", `${command} || true`], { cwd: folder, encoding: "utf8" }).split("\n").length - 1;
    };
    const flags = summary.flags.filter(({ flag }) => commandOf([flag], summary, null) !== undefined);
    expect(flags.length).toBeGreaterThan(1);
    for (const { flag, count } of flags) expect(`${flag} ${listed(flag, null)}`).toBe(`${flag} ${count}`);
    const [flag, , , cells] = summary.tables.flag.rows[0] as Summary["tables"]["flag"]["rows"][0];
    const [month = 0, matches] = cells;
    expect(listed(flag, { from: month, to: month })).toBe(matches);
    // What the page shows of a choice, and what the command lists, are the same.
    for (const name of ["host", "source", "from_address", "scheme", "where", "kind"] as const) {
      const choices = [{ name, value: summary.tables[name].rows[0]?.[0] as string }];
      for (const isOfLinks of [false, true]) {
        const { summary: shown } = narrowed(summary, { choices, isOfLinks }, false);
        const count = shown.flags.find((one) => one.flag === flag)?.count ?? 0;
        expect([choices, isOfLinks, listed(flag, null, choices, isOfLinks)]).toEqual([choices, isOfLinks, count]);
      }
    }
  });
});

it("has each option that a report has, unless its matches do not depend on it", () => {
  const given = optionsOf("urlmill report").filter(([name]) => name !== "flags" && name !== "since" && name !== "until");
  const kept = given.filter(([name, row]) => {
    const command = commandOf(["idn"], of(["x"], { [flagOf(name, row)]: "v" }), null) ?? "";
    return command.includes(`--${flagOf(name, row)} v`);
  });
  const taken = new Set(optionsOf("urlmill extract").map(([name]) => name));
  const others = given.filter(([name]) => !kept.some(([one]) => one === name)).map(([name]) => name);
  expect(kept.filter(([name]) => !taken.has(name))).toEqual([]);
  expect(others.sort()).toEqual("color failFast json memory noUnwrap output progress quiet rejected stats threads top unwrap".split(" "));
});
