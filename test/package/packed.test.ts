// The package as a user installs it: packed, unpacked elsewhere, loaded, compiled against.
import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modulesOf } from "../../bench/guard/built.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { ROOT as root, unpackTo } from "./unpacked.ts";

let folder: string;
let unpacked: string;

beforeAll(() => {
  folder = newFolder();
  unpacked = unpackTo(folder);
});
afterAll(() => removeFolder(folder));

function manifest(): { scripts: object } {
  return JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
}

function files(): string[] {
  const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function runNode(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("what is packed", () => {
  it("has no script that npm runs or warns of where the package is installed", () => {
    const { scripts } = manifest();
    expect(Object.keys(scripts).filter((name) => ["preinstall", "install", "postinstall", "prepare"].includes(name))).toEqual([]);
  });

  it("has no source map, and names none", () => {
    expect(files().filter((file) => file.endsWith(".map"))).toEqual([]);
    const naming = files().filter((file) => /\.[cm]?js$/.test(file) && /^\/\/# sourceMappingURL=/m.test(readFileSync(file, "utf8")));
    expect(naming).toEqual([]);
  });

  it("has the size that docs/library.md says, within 10 %", () => {
    const [, packed, installed] =
      /The package has ([\d.]+) MB, unpacked ([\d.]+) MB/.exec(readFileSync(join(root, "docs/library.md"), "utf8")) ?? [];
    const archive = readdirSync(folder)
      .filter((name) => name.endsWith(".tgz"))
      .map((name) => join(folder, name));
    for (const [said, paths] of [
      [packed, archive],
      [installed, files()],
    ] as const) {
      const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
      expect(Math.abs(megabytes / Number(said) - 1), `${megabytes} MB`).toBeLessThan(0.1);
    }
  });

  it("does not say where it was built", () => {
    expect(files().length).toBeGreaterThan(200);
    expect(files().filter((file) => readFileSync(file).includes(root))).toEqual([]);
  });
});

describe("what is unpacked", () => {
  const USE = "console.log(extract('see http://a.example/')[0].url, normalize('HTTP://B.example'))";
  const OUTPUT = "http://a.example/ http://b.example/\n";

  it("can be required", () => {
    expect(runNode(["-e", `const { extract, normalize } = require("urlmill"); ${USE}`])).toEqual({ status: 0, stdout: OUTPUT, stderr: "" });
  });

  it("can be imported, also with --enable-source-maps and --jitless", () => {
    const program = `import { extract, normalize } from "urlmill"; ${USE}`;
    for (const flags of [[], ["--enable-source-maps"]]) {
      expect(runNode([...flags, "--input-type=module", "-e", program])).toEqual({ status: 0, stdout: OUTPUT, stderr: "" });
    }
    expect(runNode(["--jitless", "--input-type=module", "-e", program])).toMatchObject({ status: 0, stdout: OUTPUT });
  });

  it("can be taken along by a bundler, with what it does not need of files", () => {
    const program = `import { extract, normalize } from "urlmill"; ${USE}; console.log(extract("at b.co.uk", { bare: ["domain"] })[0].url)`;
    // The public suffixes too: a bundle in the form of CommonJS has no import.meta to load them by.
    const stdout = `${OUTPUT}http://b.co.uk/\n`;
    expect(runNode(["-C", "module", "--input-type=module", "-e", program])).toEqual({ status: 0, stdout, stderr: "" });
    const input = join(folder, "program.mjs");
    writeFileSync(input, program);
    for (const [format, name] of [
      ["esm", "bundled.mjs"],
      ["cjs", "bundled.cjs"],
    ] as const) {
      const output = join(folder, name);
      buildSync({ entryPoints: [input], outfile: output, bundle: true, format, platform: "node", packages: "bundle", logLevel: "error" });
      expect(runNode([output])).toEqual({ status: 0, stdout, stderr: "" });
    }
  });

  it("loads few modules, and of Node's those alone that every program needs", () => {
    const program = `
      const before = new Set(process.moduleLoadList);
      await import("urlmill");
      const loaded = process.moduleLoadList.filter((name) => !before.has(name) && /^NativeModule [^/]+$/.test(name));
      console.log(loaded.map((name) => name.slice("NativeModule ".length)).join());`;
    const { stdout, stderr } = runNode(["--input-type=module", "-e", program]);
    expect(stderr).toBe("");
    for (const heavy of ["zlib", "worker_threads", "child_process", "http"]) expect(stdout.trim().split(",")).not.toContain(heavy);
    const library = join(unpacked, "build/node");
    const loaded = modulesOf(join(library, "index.cjs"));
    expect(loaded.length).toBeLessThan(6);
    // What opens compressed data and archives is loaded when the first is seen.
    expect(files().filter((file) => file.startsWith(library)).length).toBeGreaterThan(loaded.length + 8);
  });

  it("has the parts of URLs in a module of its own, with the same classes of errors", () => {
    const use =
      "console.log(format(parse('http://a.example/?%41')), percentEncode('a b', 'rfc3986-segment'), InputError === main.InputError)";
    const required = `const { format, InputError, parse, percentEncode } = require("urlmill/url"); const main = require("urlmill"); ${use}`;
    expect(runNode(["-e", required])).toEqual({ status: 0, stdout: "http://a.example/?%41 a%20b true\n", stderr: "" });
    expect(runNode(["--input-type=module", "-e", `import { format } from "urlmill";`]).status).toBe(1);
  });

  it("compiles no WebAssembly before something is extracted", () => {
    const program = `
      let made = 0;
      for (const name of ["Module", "Instance", "Memory"]) {
        WebAssembly[name] = new Proxy(WebAssembly[name], { construct: (target, args) => (made++, new target(...args)) });
      }
      const { ExtractStream, extract, extractFiles, extractFrom, extractWebStream } = await import("urlmill");
      await import("urlmill/url");
      const idle = [new ExtractStream(), new ExtractStream({ threads: 2 }), extractWebStream(), extractFiles("a"), extractFrom("a")];
      const before = made;
      extract("see http://a.example/");
      console.log(idle.length, before, made);`;
    expect(runNode(["--input-type=module", "-e", program])).toEqual({ status: 0, stdout: "5 0 3\n", stderr: "" });
  });

  it("says what to install for urlmill/bullmq, and loads nothing of it before", () => {
    const program = `import { submit, work } from "urlmill/bullmq";
      for (const start of [() => work({}), () => submit({}, "results", {})]) await start().catch(({ message }) => console.log(message));`;
    const said = "urlmill/bullmq needs two packages that are not installed with urlmill: npm install bullmq ioredis\n";
    expect(runNode(["--input-type=module", "-e", program])).toEqual({ status: 0, stdout: said.repeat(2), stderr: "" });
  });

  it("runs as a command", () => {
    writeFileSync(join(folder, "text"), "see http://a.example/");
    expect(runNode([join(unpacked, "build/node/command.cjs"), "text"])).toEqual({ status: 0, stdout: "http://a.example/\n", stderr: "" });
  });

  it("has one class of each kind, whether it is imported or required", () => {
    const program = `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      for (const name of ["urlmill", "urlmill/web", "urlmill/url"]) {
        console.log((await import(name)).InputError === require("urlmill").InputError);
      }`;
    expect(runNode(["--input-type=module", "-e", program])).toEqual({ status: 0, stdout: "true\n".repeat(3), stderr: "" });
  });

  it("gives the same from the builds that are embedded for places without files", () => {
    const program = `
      const { readBinary, readJavaScript } = await import(${JSON.stringify(join(unpacked, "build/web/builds-node.js"))});
      const { readFileSync } = await import("node:fs");
      console.log(readFileSync(${JSON.stringify(join(unpacked, "build/wasm/simd.wasm"))}).equals(readBinary()));
      console.log(typeof readJavaScript());`;
    expect(runNode(["--input-type=module", "-e", program])).toEqual({ status: 0, stdout: "true\nfunction\n", stderr: "" });
  });
});

/** Compiles a program of test/package/consumers; returns what is wrong, and the files that were read. */
function compileConsumer(name: string, skipLibCheck: boolean): { wrong: string; read: string[] } {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const file = join(folder, name);
  copyFileSync(join(root, "test/package/consumers", name), file);
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [join(folder, "node_modules/@types")],
  });
  const host = { getCanonicalFileName: (one: string) => one, getCurrentDirectory: () => folder, getNewLine: () => "\n" };
  return {
    wrong: ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host),
    read: program.getSourceFiles().map(({ fileName }) => fileName),
  };
}

it("its types are right in a strict program without the types of the DOM, with all declarations checked", () => {
  const { wrong, read } = compileConsumer("node.ts", false);
  expect(wrong).toBe("");
  expect(read.some((name) => name.endsWith("urlmill/build/types/index.d.ts"))).toBe(true);
  expect(read.filter((name) => /lib\.dom/.test(name))).toEqual([]);
});

it("the types of urlmill/bullmq are right in a strict program that has BullMQ", () => {
  symlinkSync(join(root, "node_modules/bullmq"), join(folder, "node_modules/bullmq"));
  const { wrong, read } = compileConsumer("queue.ts", true);
  expect(wrong).toBe("");
  expect(read.some((name) => name.endsWith("urlmill/build/types/cluster/bullmq.d.ts"))).toBe(true);
});
