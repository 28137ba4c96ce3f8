// No regular expression of src/ backtracks: one that may read a text in two ways and then fail takes quadratic time or more.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { root, source } from "../code-files.ts";
import { backtracking } from "./backtracking.ts";

/** Records what is given to RegExp while modules load. What they make later is of patterns that users give. */
const RECORD = `
const Plain = RegExp;
const made = [];
globalThis.RegExp = class extends Plain {
  constructor(...given) {
    super(...given);
    if (new.target === globalThis.RegExp) made.push([this.source, this.flags]);
  }
};
for (const path of process.argv.slice(1)) await import(path);
process.stdout.write(JSON.stringify(made), () => process.exit());
`;

function literalsOf(node: ts.Node): RegExp[] {
  const found: RegExp[] = [];
  const visit = (one: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(one)) {
      const end = one.text.lastIndexOf("/");
      found.push(new RegExp(one.text.slice(1, end), one.text.slice(end + 1)));
    }
    one.forEachChild(visit);
  };
  visit(node);
  return found;
}

describe("an expression", () => {
  it.each([
    [/(?:a+)+b/, "a"],
    [/^0*\.?0+;/, "0"],
    [/^(?:a|a)*$/, "a"],
    [/\s+$/, "\t"],
    [/<[^>]*>/, "<"],
    [/\/\*.*?\*\//s, "/*"],
    [/^\S*@\S+$/, "@"],
    [/^(?=a*a*b)/, "a"],
  ])("that backtracks is found: %s", (expression, part) => {
    expect(backtracking(expression)).toContain(part);
  });

  it.each([
    /\s+/g,
    /(?<! ) +$/,
    /<[^<>]*>/,
    /^(?:0+|0*\.0+);/,
    /^(?:[^;]*;)+$/,
    /"(?:[^"\\]|\\.)*"/y,
    /\b\w+ x/,
    /a.*$/s,
    /^a{1,9}a{1,9}$/,
  ])("that does not is not: %s", (expression) => {
    expect(backtracking(expression)).toBeUndefined();
  });
});

describe("src/ has none that backtracks", () => {
  it("as a literal", () => {
    const found = source.flatMap(({ path, tree }) =>
      literalsOf(tree).flatMap((one) => (backtracking(one) === undefined ? [] : [`${path}: ${one} for ${backtracking(one)}`])),
    );
    expect(found).toEqual([]);
  });

  it("made of strings", () => {
    const paths = source.flatMap(({ path, text }) => (/^(?:export )?const .*new RegExp\(|^ {2}.*new RegExp\(/m.test(text) ? [path] : []));
    const built = paths.map((path) => join(root, path.replace(/^src/, "build").replace(/ts$/, "js")));
    const made = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", RECORD, "--", ...built], { encoding: "utf8" }));
    const expressions = (made as [string, string][]).map(([text, flags]) => new RegExp(text, flags));
    expect(expressions.some(({ source: text }) => text.includes("style"))).toBe(true);
    expect(expressions.filter((one) => backtracking(one) !== undefined)).toEqual([]);
  });
});
