// The written style, enforced: sizes, names, one-way imports, forms on which asc and JavaScript disagree.
import { readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { assembly, code, type File, root, source, tests } from "./code-files.ts";

/** Calls `visit` for every node of a file; what it returns are complaints, given with file and line. */
function complaintsOf(file: File, visit: (node: ts.Node) => string | null): string[] {
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    const complaint = visit(node);
    if (complaint !== null) found.push(`${file.path}:${file.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${complaint}`);
    node.forEachChild(walk);
  };
  walk(file.tree);
  return found;
}

const isTable = (file: File): boolean => /(?:^|\/)(?:tables|layout)\/|^src\/options\/table\.ts$/.test(file.path);

describe("sizes", () => {
  it("a file has at most 400 lines, a table 600", () => {
    const long = code.filter((file) => file.lines.length - 1 > (isTable(file) ? 600 : 400));
    expect(long.map((file) => `${file.path}: ${file.lines.length - 1}`)).toEqual([]);
  });

  it("a line has at most 140 columns", () => {
    const long = code.flatMap((file) => file.lines.flatMap((line, index) => ([...line].length > 140 ? [`${file.path}:${index + 1}`] : [])));
    expect(long).toEqual([]);
  });

  it("a function has at most 70 lines", () => {
    const isDescribe = (node: ts.Node): boolean => ts.isCallExpression(node.parent) && /^describe/.test(node.parent.expression.getText());
    const visit = (node: ts.Node): string | null => {
      if (!ts.isFunctionLike(node) || isDescribe(node)) return null;
      const lines = node.getText().split("\n").length;
      return lines > 70 ? `a function of ${lines} lines` : null;
    };
    expect(code.flatMap((file) => complaintsOf(file, visit))).toEqual([]);
  });
});

it("no flag of V8 is set: they are the process's", () => {
  expect(source.filter(({ text }) => /setFlagsFromString/.test(text)).map(({ path }) => path)).toEqual([]);
});

describe("imports", () => {
  // Later ones may import earlier ones, and files of their own folder.
  const ORDER = [
    "assembly",
    "base",
    "core",
    "options",
    "mail",
    "url",
    "matches",
    "scan",
    "decoders",
    "rewrite",
    "count",
    "summary",
    "output",
    "input",
    "run",
    "threads",
    "api",
    "report",
    "page",
    "cluster",
    "cli",
  ];
  /** Returns the modules that a file imports, those of `import()` too. */
  const importsOf = (file: File): string[] => {
    const names: string[] = [];
    const visit = (node: ts.Node): void => {
      const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
      const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
      const named = isDynamic ? node.arguments[0] : isStatic ? node.moduleSpecifier : undefined;
      if (named !== undefined && ts.isStringLiteral(named)) names.push(named.text);
      node.forEachChild(visit);
    };
    visit(file.tree);
    return names;
  };
  const targetOf = (file: File, name: string): string | null => {
    if (name.startsWith("#core/")) return `assembly/${name.slice(6).replace(/\.js$/, ".ts")}`;
    return name.startsWith(".") ? join(dirname(file.path), name) : null;
  };
  const files = new Map([...source, ...assembly].map((file) => [file.path, file]));
  /** An entry, at the top of src/, has the rank of the highest folder that it reaches: who imports it loads that folder too. */
  const rankOf = (path: string): number => {
    if (path.startsWith("assembly/")) return 0;
    if (dirname(path) !== "src") return ORDER.indexOf(path.split("/")[1] ?? "");
    const file = files.get(path) as File;
    return Math.max(0, ...importsOf(file).map((name) => rankOf(targetOf(file, name) ?? "assembly/")));
  };

  it("point one way", () => {
    const wrong: string[] = [];
    for (const file of source) {
      for (const name of importsOf(file)) {
        const target = targetOf(file, name);
        if (target === null) continue;
        const [from, to] = [rankOf(file.path), rankOf(target)];
        const isSinkOfSource = /^src\/input/.test(file.path) && /^src\/output/.test(target);
        const reachesUp = target === "src/index.ts" && !file.path.startsWith("src/cli/");
        if (from < 0 || to > from || isSinkOfSource || reachesUp) wrong.push(`${file.path} imports ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("begin at the entries, which are alone at the top of src/", () => {
    const entries = ["bullmq", "cluster", "explain", "index", "summarize", "web"].map((name) => `src/${name}.ts`);
    expect([...files.keys()].filter((path) => dirname(path) === "src").sort()).toEqual(entries);
  });

  it("have no cycles", () => {
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (path: string, chain: string[]): void => {
      const file = files.get(path);
      if (file === undefined || state.get(path) === "done") return;
      if (state.get(path) === "open") {
        cycles.push([...chain.slice(chain.indexOf(path)), path].join(" -> "));
        return;
      }
      state.set(path, "open");
      for (const name of importsOf(file)) {
        const target = targetOf(file, name);
        if (target !== null) visit(target, [...chain, path]);
      }
      state.set(path, "done");
    };
    for (const path of files.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it("of the compiled core stand in src/core alone; its tables may be read by everybody", () => {
    const wrong = source.flatMap((file) =>
      importsOf(file)
        .filter((name) => (name.startsWith("#core/") && !/^#core\/(?:layout|tables)\//.test(name)) || name.startsWith("#wasm/"))
        .filter(() => dirname(file.path) !== "src/core")
        .map((name) => `${file.path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("build/ is named only by src/core and by those who start worker threads", () => {
    const isCode = (line: string): boolean => !/^\s*(?:\/\/|\/?\*)/.test(line);
    const named = source.filter((file) => file.lines.some((line) => isCode(line) && /["'`/]build\//.test(line)));
    expect(named.map((file) => file.path).filter((path) => !/^src\/(?:core|threads|cluster)\//.test(path))).toEqual([]);
  });

  it("reach every file of src/ from the library, the command or the worker", () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = files.get(path);
      if (file === undefined || reached.has(path)) return;
      reached.add(path);
      for (const name of importsOf(file)) visit(targetOf(file, name) ?? "");
    };
    const builds = ["files", "embedded", "node", "workerd"]
      .map((name) => `src/core/builds-${name}.ts`)
      .concat("src/core/suffixes-files.ts");
    const entries = [
      "src/index.ts",
      "src/url/index.ts",
      "src/explain.ts",
      "src/summarize.ts",
      "src/cluster.ts",
      "src/bullmq.ts",
      "src/cluster/shard-thread.ts",
      "src/cli/main.ts",
      "src/threads/worker.ts",
      "src/page/report.ts",
      "src/page/app/app.ts",
      "src/page/app/worker.ts",
      "src/input/containers/codings-zlib.ts",
      "src/input/containers/codings-pako.ts",
    ];
    [...entries, ...builds].forEach(visit);
    expect(source.map((file) => file.path).filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe("forms on which asc and JavaScript disagree", () => {
  const shared = assembly.filter((file) => !file.path.startsWith("assembly/platform/") && !file.path.endsWith(".d.ts"));
  const COMPARISONS = new Set([
    ts.SyntaxKind.LessThanToken,
    ts.SyntaxKind.LessThanEqualsToken,
    ts.SyntaxKind.GreaterThanToken,
    ts.SyntaxKind.GreaterThanEqualsToken,
    ts.SyntaxKind.EqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsToken,
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ]);
  const LOGICAL = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.EqualsToken]);
  const inner = (node: ts.Expression): ts.Expression => (ts.isParenthesizedExpression(node) ? inner(node.expression) : node);
  const isComparison = (node: ts.Expression): boolean => {
    const bare = inner(node);
    if (ts.isPrefixUnaryExpression(bare)) return bare.operator === ts.SyntaxKind.ExclamationToken;
    return ts.isBinaryExpression(bare) && COMPARISONS.has(bare.operatorToken.kind);
  };
  const isConstant = (node: ts.Expression): boolean => ts.isNumericLiteral(inner(node)) || /^[A-Z][A-Z0-9_]*$/.test(inner(node).getText());

  const visit = (node: ts.Node): string | null => {
    if (ts.isAsExpression(node)) {
      const type = node.type.getText();
      if (type !== "i32" && type !== "const") return `"as ${type}": use toU8 of platform/arith.ts`;
      if (isComparison(node.expression)) return "a comparison used as a number";
    }
    if (ts.isTypeReferenceNode(node) && /^(?:[iu]8|[iu]16|u32|usize|isize|[iu]64|f32|f64)$/.test(node.getText())) {
      return `type ${node.getText()}: the core is i32 and bool`;
    }
    if (ts.isNumericLiteral(node) && /[.eE]/.test(node.getText().replace(/^0x.*/i, ""))) return `${node.getText()}: integers only`;
    if (!ts.isBinaryExpression(node)) return null;
    const { left, operatorToken, right } = node;
    const kind = operatorToken.kind;
    if (kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) return "a division";
    if (kind === ts.SyntaxKind.AsteriskAsteriskToken) return "a power";
    if (kind === ts.SyntaxKind.AsteriskToken && !isConstant(left) && !isConstant(right))
      return "a product of two variables: use imul of platform/arith.ts";
    if (kind === ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken && (!isConstant(right) || right.getText() === "0")) {
      return ">>> by 0 or by a variable: unsigned in JavaScript, signed in asc";
    }
    const takesNumbers = !LOGICAL.has(kind) && !COMPARISONS.has(kind);
    if (takesNumbers && (isComparison(left) || isComparison(right))) return `a comparison as an operand of ${operatorToken.getText()}`;
    return null;
  };

  it("are banned in assembly/ outside platform/", () => {
    expect(shared.length).toBeGreaterThan(10);
    expect(shared.flatMap((file) => complaintsOf(file, visit))).toEqual([]);
  });

  it("are found by the check", () => {
    const text = "a / b; x as u8; a >>> 0; (a < b) as i32; n + (a == b); let f: f64 = 1.5; a * b;";
    const file = { path: "x.ts", text, lines: [text], tree: ts.createSourceFile("x.ts", text, ts.ScriptTarget.ES2022, true) };
    expect(complaintsOf(file, visit)).toHaveLength(9);
  });

  it("platform/ and platform/javascript/ export the same names", () => {
    const exportsOf = (file: File): string[] =>
      file.tree.statements
        .flatMap((node) => {
          if (!ts.canHaveModifiers(node) || !ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)) return [];
          if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name.getText());
          return ts.isFunctionDeclaration(node) && node.name !== undefined ? [node.name.text] : [];
        })
        .sort();
    const javascript = assembly.filter((file) => file.path.startsWith("assembly/platform/javascript/"));
    expect(javascript.length).toBeGreaterThan(0);
    for (const file of javascript) {
      const same = assembly.find((other) => other.path === `assembly/platform/${basename(file.path)}`);
      const missing = exportsOf(same as File).filter((name) => !exportsOf(file).includes(name));
      expect(missing, file.path).toEqual([]);
    }
  });
});

describe("names and words", () => {
  const BANNED = new Set(["escape", "params", "sanitize", "process", "handle", "handler", "data", "info", "util", "utils"]);
  for (const word of ["helper", "helpers", "misc", "sanitizer"]) BANNED.add(word);
  // Old words of our own for things that the field has names for.
  const OWN = "area areas behind collector conclude leaf outbox receiver relieve seam seams stands stretch stretched stretches";
  for (const word of `${OWN} tells told traces twin twins wrapper wrappers`.split(" ")) BANNED.add(word);
  const wordsOf = (name: string): string[] => name.split(/[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isDeclared = (node: ts.Node): node is ts.NamedDeclaration =>
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node);

  it("no declared name has a banned word", () => {
    const visit = (node: ts.Node): string | null => {
      const name = isDeclared(node) && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : "";
      return wordsOf(name).some((word) => BANNED.has(word)) ? `the name ${name}` : null;
    };
    expect(code.flatMap((file) => complaintsOf(file, visit))).toEqual([]);
    expect(code.map((file) => file.path).filter((path) => wordsOf(relative(".", path)).some((word) => BANNED.has(word)))).toEqual([]);
  });

  it("no code is put off or kept quiet", () => {
    const marks = [
      ["TO", "DO"],
      ["FIX", "ME"],
      ["XX", "X"],
      ["ts-", "ignore"],
      ["ts-", "nocheck"],
      ["HA", "CK"],
    ].map((pair) => pair.join(""));
    const found = code.flatMap((file) => marks.filter((mark) => file.text.includes(mark)).map((mark) => `${file.path}: ${mark}`));
    expect(found).toEqual([]);
  });

  it("an exported type has a name of its own", () => {
    // In one file a class and its interface are one type.
    const names = source.flatMap(({ text }) => [
      ...new Set(Array.from(text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm), ([, name]) => name)),
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("every file says at its head what lives there", () => {
    const bare = [...assembly, ...source, ...tests].filter((file) => !/^(?:#!.*\n)?(?:\/\/|\/\*)/.test(file.text));
    expect(bare.map((file) => file.path)).toEqual([]);
  });
});

describe("pages", () => {
  const pages = readdirSync(join(root, "src/page"), { recursive: true, encoding: "utf8" }).map((name) => join("src/page", name));

  it("make no element, style or program of a text", () => {
    const made =
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseFromString|createContextualFragment|cssText|srcdoc|eval)\b/;
    const styled = /document\.write|\bstyle: |"style"|new Function|set(?:Timeout|Interval)\(["'`]|javascript:/;
    const files = source.filter((file) => pages.includes(file.path));
    expect(files.length).toBeGreaterThan(10);
    const found = files.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (made.test(line) || styled.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
