// docs/rules.md: the rules are all there, with ids of their own, and code, tests and the document name what exists.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RULES_VERSION } from "../../src/core/names.ts";
import { code, root } from "../code-files.ts";

const rules = readFileSync(join(root, "docs/rules.md"), "utf8");

describe("rules", () => {
  const headed = [...rules.matchAll(/^(?:### ([XPNA]\d+)|- \*{0,2}(C\d+)\b)/gm)].map(([, rule, item]) => rule ?? item);
  const defined = new Set(headed);

  // Ids are not given up: whoever reads an old changelog finds them. C ids from C80 on were given out in tens, so some are free.
  it("are all there", () => {
    const idsOf = (letter: string, from: number, to: number): string[] =>
      Array.from({ length: to - from + 1 }, (_, index) => letter + (from + index));
    const wanted = [...idsOf("X", 1, 16), ...idsOf("P", 0, 11), ...idsOf("N", 1, 11), ...idsOf("A", 1, 18), ...idsOf("C", 1, 85)];
    expect(wanted.filter((id) => !defined.has(id))).toEqual([]);
  });

  it("have ids that head one item each", () => {
    expect(headed.filter((id, index) => headed.indexOf(id) !== index)).toEqual([]);
  });

  it("have cases with ids of their own", () => {
    const lines = ["cases", "mail"].flatMap((name) =>
      readFileSync(join(root, `test/vectors/${name}.jsonl`), "utf8")
        .trim()
        .split("\n"),
    );
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("have the version that the code says", () => {
    expect(/^The rules of urlmill, version (\S+), /m.exec(rules)?.[1]).toBe(RULES_VERSION);
  });

  it("that code and tests name exist", () => {
    const unknown = code.flatMap((file) =>
      file.lines.flatMap((line, index) => {
        const comment = /(?:\/\/|^\s*\/?\*)(.*)/.exec(line)?.[1] ?? "";
        const ids = [...comment.matchAll(/(?<![\w+-])(?:[XPNA]\d{1,2}|C\d{1,3})(?![\w-])/g)].map(([id]) => id);
        return ids.filter((id) => !defined.has(id)).map((id) => `${file.path}:${index + 1} ${id}`);
      }),
    );
    expect(unknown).toEqual([]);
  });

  it("name files that exist in the table of docs/rules.md", () => {
    const named = [...rules.matchAll(/`((?:src|assembly|test|bench)\/[\w./-]+)`/g)].map(([, path]) => path ?? "");
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
