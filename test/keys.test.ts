// Names of input or of users are no keys of plain objects, where `constructor` is always there: such names are in a Map, or in an object
// without a prototype. The types show which keys may be any text.
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "./code-files.ts";

/** Accesses by a text that is checked before, or that is the program's own. */
const CHECKED: readonly string[] = [
  // Object.hasOwn has been asked.
  "src/options/table.ts: values[name]",
  "src/matches/field-values.ts: headers[header]",
  // Texts of one character, which no property of every object has as its name.
  "src/options/template.ts: ESCAPES[letter]",
  "src/output/cells.ts: ESCAPES[character]",
  // The object has no prototype.
  "src/base/omission.ts: types[name]",
  "src/base/omission.ts: types[type]",
  // Names of options, after they were found in the table.
  "src/cli/arguments.ts: flags[name]",
  "src/cli/arguments.ts: flags[option]",
  "src/cli/arguments.ts: given[name]",
  "src/cli/arguments.ts: parsed[name]",
  "src/cli/checkpoint.ts: begun.options[name]",
  "src/cli/checkpoint.ts: saved.options[name]",
  "src/cli/plan.ts: given[name]",
  // Names of members that a table has.
  "src/cluster/checked-json.ts: value[name]",
  // Names of fields, of which those of headers begin with `header:`, and of columns.
  "src/mail/describe.ts: description[name]",
  "src/output/record-program.ts: FIELD_WORDS[name]",
  "src/output/record-program.ts: OFFSET_WORDS[name]",
  "src/page/view/value-table.ts: row[value]",
  // Variables of the environment that a table names.
  "src/cli/shards.ts: process.env[known]",
  "src/cli/shards.ts: process.env[name]",
];

function isOpen(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(isOpen)
    : (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TemplateLiteral)) !== 0;
}

it("no other text is the key of an object", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    fileNames.filter((name) => relative(root, name).startsWith("src/")),
    options,
  );
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  for (const file of program.getSourceFiles()) {
    const path = relative(root, file.fileName);
    if (!path.startsWith("src/")) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isElementAccessExpression(node) && isOpen(checker.getTypeAtLocation(node.argumentExpression)))
        found.add(`${path}: ${node.getText()}`);
      node.forEachChild(visit);
    };
    visit(file);
  }
  expect([...found].sort()).toEqual([...CHECKED].sort());
});
