// The JavaScript build and src/ by tsc, and the declarations that the package has.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { withoutAsserts } from "./asserts.mjs";
import { writeIfChanged } from "./write-file.mjs";

const formatHost = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => process.cwd(), getNewLine: () => "\n" };

/** Compiles the program of a tsconfig file; returns the files written. `overlay` names the file that is read in the place of another. */
function compile(configFile, overlay, rewrite) {
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, formatHost));
    },
  });
  const host = ts.createCompilerHost(config.options);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => readFile(overlay(name));
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, options, ...rest) => {
    const other = overlay(name);
    if (other === name) return getSourceFile(name, options, ...rest);
    return ts.createSourceFile(name, readFileSync(other, "utf8"), options, true);
  };
  // Types are checked by `npm run check`: that takes as long as all the rest.
  const program = ts.createProgram({ rootNames: config.fileNames, options: { ...config.options, noCheck: true }, host });
  const written = new Set();
  const emitted = program.emit(undefined, (name, text) => {
    const file = resolve(name);
    written.add(file);
    writeIfChanged(file, rewrite(file, text));
  });
  const diagnostics = [...config.errors, ...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (diagnostics.length > 0)
    throw new Error(`tsc ${configFile}\n${ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(diagnostics), formatHost)}`);
  return written;
}

/**
 * Compiles assembly/ to build/javascript/. A file of assembly/platform/ that is also in assembly/platform/javascript/ is read there,
 * under its name in assembly/platform/: its relative imports are written as if it stood there.
 */
export function compileJavaScript(root) {
  const platform = join(root, "assembly/platform");
  const overlay = (name) => {
    if (dirname(resolve(name)) !== platform) return name;
    const other = join(platform, "javascript", name.slice(name.lastIndexOf("/") + 1));
    return existsSync(other) ? other : name;
  };
  // asc's type names are not known to those who import the declarations.
  const rewrite = (file, text) => {
    if (!file.endsWith(".d.ts")) return withoutAsserts(text);
    return text.replace(/: (?:[iu](?:8|16|32)|usize|isize)\b/g, ": number").replace(/: bool\b/g, ": boolean");
  };
  return compile(join(root, "assembly/tsconfig.json"), overlay, rewrite);
}

/** Copies to build/types/ the declarations of these modules of build/, and those that they need. Returns the files. */
export function copyTypes(root, entries) {
  const build = join(root, "build");
  const found = new Set(entries.map((entry) => join(root, entry.replace(/\.js$/, ".d.ts"))));
  const written = new Set();
  for (const file of found) {
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(/(?: from |\bimport\()"([.#][^"]+)\.js"/g)) {
      if (name.startsWith("#")) throw new Error(`${file}: the package has no types of ${name}`);
      found.add(join(dirname(file), `${name}.d.ts`));
    }
    const copy = join(build, "types", relative(build, file));
    writeIfChanged(copy, text);
    written.add(copy);
  }
  return written;
}

/** Compiles src/ to build/; build/javascript/ and build/wasm/ must be there. */
export function compileSource(root) {
  // tsc leaves the names of sources in declarations. Before TypeScript 5.7 typed arrays take no type of their buffer; what `of` returns is
  // the right type in each version.
  const rewrite = (file, text) => {
    if (!file.endsWith(".d.ts")) return text;
    return text
      .replace(/(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g, '$1$2.js"')
      .replace(/\b(\w+Array)<ArrayBuffer>/g, "ReturnType<typeof $1.of>")
      .replace(/\b(\w+Array)<SharedArrayBuffer>/g, "$1");
  };
  return compile(join(root, "tools/tsconfig.build.json"), (name) => name, rewrite);
}
