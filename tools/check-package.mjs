// Installs the packed package as its users do, into empty projects of a temporary folder, and uses it there: in Node, Deno, Bun,
// a browser and workerd, in Jest's jsdom, and with several versions of TypeScript. It needs the npm registry, and chromium; it says
// which part is right, wrong, or skipped and why. It ends with 1 if a part is wrong. test/package/ has what needs no network.
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { BROWSER_PLACES, findBrowser, runInBrowser, runInWorkerd } from "./check-web.mjs";

const root = resolve(import.meta.dirname, "..");
const consumers = join(root, "test/package/consumers");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "urlmill-package-"));
const SECONDS_MAX = 90;

/** Bytes of the package: as a file, and unpacked. Who makes it smaller lowers them. */
const PACKED_BYTES_MAX = 1_490_000;
const UNPACKED_BYTES_MAX = 3_260_000;
/** The lowest version of TypeScript that docs/library.md names, one between, and the newest. */
const TYPESCRIPTS = ["5.0.4", "5.4.5", "7.0.2"];
const TOOLS = { deno: "2.9.6", bun: "1.4.5", "@arethetypeswrong/cli": "0.18.5" };
/** The last version of Jest that resolves without the condition `node` in jsdom, and the newest. */
const JESTS = ["29.7.0", "30.5.2"];
/** The version of miniflare, which brings workerd. */
const WORKERD = "4.20260730.0";

/** A test of Jest in jsdom: it has no setup that gives jsdom what it lacks. */
const JEST_TEST = `
test("all modules", async () => {
  const bytes = new Uint8Array([...'http://a.example/ '.repeat(3e5)].map((one) => one.charCodeAt(0)));
  for (const name of ["urlmill", "urlmill/web"]) {
    const { extract, extractFrom } = require(name);
    let count = 0;
    for await (const _ of extractFrom(bytes)) count++;
    expect([extract("at http://a.example/b", { match: /B/i }).length, count]).toEqual([1, 3e5]);
  }
  expect(require("urlmill/url").parse("http://a.example/").ok).toBe(true);
  expect(require("urlmill/explain").explain("http://a.example/.").length).toBe(1);
  expect((await require("urlmill/summary").summarize(bytes)).totals.matches).toBe(3e5);
  expect(typeof require("urlmill/cluster").plan).toBe("function");
}, 60000);`;

const run = promisify(execFile);
const runIn = (cwd, file, args) => run(file, args, { cwd, timeout: SECONDS_MAX * 1000, maxBuffer: 1 << 26 });
let isWrong = false;

/** Does one part and says how it ended; `use` returns what is to be said of it, and throws if it is wrong. */
async function part(name, use) {
  try {
    console.log(`ok       ${name}${((await use()) ?? "").replace(/^(?=.)/, ": ")}`);
  } catch (error) {
    isWrong = true;
    console.log(`wrong    ${name}\n${`${error.stdout ?? ""}${error.stderr ?? error.stack}`.trim().replace(/^/gm, "         ")}`);
  }
}

/** Returns the folder of a project with these packages, or undefined if they cannot be had: then it says that `parts` are skipped. */
async function project(name, packages, parts) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
  try {
    await runIn(place, "npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", ...packages]);
    return place;
  } catch (error) {
    console.log(
      `skipped  ${parts}: npm could not install ${packages.join(" ")} (${
        String(error.stderr || error)
          .trim()
          .split("\n")[0]
      })`,
    );
    return undefined;
  }
}

function expectSame(found, wanted) {
  if (found !== wanted) throw new Error(`found ${found.slice(0, 400)}\nwanted ${wanted.slice(0, 400)}`);
}

/** What a user may import: modules, and data. */
const ENTRIES = Object.keys(manifest.exports).map((path) => `urlmill${path.slice(1)}`);

/** Code with a function that gives what all modules find. */
const USE = `
import * as library from "urlmill";
import { explain } from "urlmill/explain";
import { summarize } from "urlmill/summary";
import { report } from "./report.js";
async function use(bytes, gzipped) {
  const { tables } = await summarize({ name: "archive.mbox", source: bytes });
  return await report(library, bytes, gzipped) + JSON.stringify([explain("(see http://a.example/b_(c).)"), tables]);
}`;
const PROGRAM = `${USE}
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
const bytes = new Uint8Array(readFileSync("archive.mbox"));
const files = [];
for await (const match of library.extractFiles(["archive.mbox"], { threads: 2 })) files.push(match.url);
console.log(files.length + await use(bytes, gzipSync(bytes)));`;
/** Loads each entry in each way. */
const LOADER = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
for (const name of ${JSON.stringify(ENTRIES)}) {
  const required = Object.keys(require(name));
  const imported = name.endsWith(".json") ? required : Object.keys(await import(name));
  const hasNames = imported.length > 0 || name === "urlmill/javascript";
  console.log(name, hasNames && imported.every((key) => required.includes(key)));
}`;

async function checkPrograms(place, tools) {
  copyFileSync(join(root, "examples/archive.mbox"), join(place, "archive.mbox"));
  copyFileSync(join(root, "test/package/report.js"), join(place, "report.js"));
  writeFileSync(join(place, "program.js"), PROGRAM);
  writeFileSync(
    join(place, "program.cjs"),
    'console.log(require("urlmill").extract("http://a.example").length, typeof require("urlmill/url").parse)',
  );
  writeFileSync(join(place, "loader.js"), LOADER);
  const loaded = ENTRIES.map((entry) => `${entry} true\n`).join("");
  const { stdout: wanted } = await runIn(place, "node", ["program.js"]);
  const all = {
    Node: ["node"],
    ...(tools && { Deno: [join(tools, "node_modules/.bin/deno"), "run", "-A"], Bun: [join(tools, "node_modules/.bin/bun")] }),
  };
  for (const [name, [file, ...args]] of Object.entries(all)) {
    await part(`${name}: import, require`, async () => {
      expectSame((await runIn(place, file, [...args, "program.js"])).stdout, wanted);
      expectSame((await runIn(place, file, [...args, "program.cjs"])).stdout, "1 function\n");
      expectSame((await runIn(place, file, [...args, "loader.js"])).stdout, loaded);
      return (await runIn(place, file, ["--version"])).stdout.split("\n")[0];
    });
  }
  await part("Node: the command", async () => expectSame((await runIn(place, "npx", ["urlmill", "-V"])).stdout.slice(0, 8), "urlmill "));
}

/** Programs for each platform, with the libraries of types that they have. */
const PLATFORMS = [
  { files: ["web.ts"], lib: ["es2022"], types: [], moduleResolution: "nodenext", skipLibCheck: false },
  { files: ["web.ts", "page.ts"], lib: ["es2022", "dom"], types: [], moduleResolution: "bundler", skipLibCheck: false },
  { files: ["web.ts", "page.ts"], lib: ["es2022", "webworker"], types: [], moduleResolution: "bundler", skipLibCheck: true },
  { files: ["node.ts", "web.ts"], lib: ["es2022"], types: ["node"], moduleResolution: "nodenext", skipLibCheck: false },
  { files: ["node.ts"], lib: ["es2022"], types: ["node"], moduleResolution: "bundler", skipLibCheck: true },
];

async function checkTypes(place) {
  for (const name of ["node.ts", "page.ts", "web.ts"]) copyFileSync(join(consumers, name), join(place, name));
  const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022" };
  for (const version of TYPESCRIPTS) {
    await part(`TypeScript ${version}: nodenext and bundler, with and without skipLibCheck, @types/node and the DOM library`, async () => {
      for (const [index, { files, ...options }] of PLATFORMS.entries()) {
        const module = options.moduleResolution === "nodenext" ? "nodenext" : "esnext";
        const config = join(place, `tsconfig.${index}.json`);
        writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options, module }, files }));
        await runIn(place, "node", [join(place, "node_modules", `typescript-${version}`, "bin/tsc"), "-p", config]);
      }
    });
  }
}

/** Writes the module that the places of the web run: its `run` gives a report. `imports` are statements before it. Returns its file. */
function writeWebProgram(place, imports = "") {
  const program = join(place, `web-program-${imports.length}.js`);
  const bytes = readFileSync(join(root, "examples/archive.mbox"));
  const bytesOf = (all) => `Uint8Array.from(atob("${all.toString("base64")}"), (character) => character.charCodeAt(0))`;
  writeFileSync(
    program,
    `
    ${imports}
    ${USE}
    export const run = () => use(${bytesOf(bytes)}, ${bytesOf(gzipSync(bytes))}).catch((error) => error.stack);`,
  );
  return program;
}

async function checkWeb(place, workerd) {
  const program = writeWebProgram(place);
  const wanted = (await runIn(place, "node", ["program.js"])).stdout.trim().replace(/^\d+/, "");
  const browser = findBrowser();
  if (browser === undefined) console.log(`skipped  ${BROWSER_PLACES.join(", ")}: chromium is not installed`);
  for (const name of browser === undefined ? [] : BROWSER_PLACES) {
    await part(`${name} in chromium`, async () => {
      expectSame(await runInBrowser(browser, name, program, place, SECONDS_MAX * 1000), wanted);
      return (await runIn(place, browser, ["--version"])).stdout.trim();
    });
  }
  if (workerd === undefined) return;
  const builds = {
    WebAssembly: { conditions: ["workerd", "worker", "browser"], program },
    JavaScript: { conditions: ["worker", "browser"], program: writeWebProgram(place, 'import "urlmill/javascript";') },
  };
  for (const [build, { conditions, program }] of Object.entries(builds)) {
    await part(`workerd, the ${build} build`, async () => {
      const { given, hasWasm } = await runInWorkerd(workerd, program, place, conditions);
      expectSame(given, wanted);
      if (hasWasm !== (build === "WebAssembly")) throw new Error(`the bundle has ${hasWasm ? "a" : "no"} module of WebAssembly`);
      return `miniflare ${WORKERD}`;
    });
  }
}

async function checkJest(archive, version) {
  const place = await project(`jest-${version}`, [archive, `jest@${version}`, `jest-environment-jsdom@${version}`], `Jest ${version}`);
  if (place === undefined) return;
  writeFileSync(join(place, "use.cjs"), JEST_TEST);
  const args = ["--env=jsdom", "--testRegex=use.cjs", "--moduleFileExtensions=cjs", "--moduleFileExtensions=js"];
  await part(`Jest ${version} with jsdom`, async () => void (await runIn(place, "node_modules/.bin/jest", args)));
}

try {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8" }),
  );
  await part("the size of the package", () => {
    const said = `${packed.size} bytes packed, ${packed.unpackedSize} unpacked, ${packed.files.length} files`;
    if (packed.size > PACKED_BYTES_MAX || packed.unpackedSize > UNPACKED_BYTES_MAX) throw new Error(`too much: ${said}`);
    const sources = packed.files.filter(({ path }) => /^(?:src|assembly|test|bench|tools)\/|(?<!\.d)\.ts$/.test(path));
    if (sources.length > 0) throw new Error(`sources are packed: ${sources.map(({ path }) => path).join(" ")}`);
    return said;
  });
  const archive = join(folder, packed.filename);
  const compilers = TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const [place, types, tools, workerd] = await Promise.all([
    project("empty", [archive], "Node, Deno, Bun, the places of the web"),
    project("types", [archive, `@types/node@${manifest.devDependencies["@types/node"]}`, ...compilers], "TypeScript"),
    project(
      "tools",
      Object.entries(TOOLS).map((tool) => tool.join("@")),
      "Deno, Bun, arethetypeswrong",
    ),
    // Its packages bring what they need without scripts.
    project("workerd", ["--ignore-scripts", `miniflare@${WORKERD}`], "workerd"),
  ]);
  if (place !== undefined) await checkPrograms(place, tools);
  if (place !== undefined) await checkWeb(place, workerd);
  if (types !== undefined) await checkTypes(types);
  for (const version of JESTS) await checkJest(archive, version);
  if (tools !== undefined) {
    // The types are ESM: for require they need a TypeScript that knows require of ES modules.
    await part("arethetypeswrong", async () => {
      const flags = ["--profile", "esm-only", "--ignore-rules", "false-esm", "--no-color"];
      await runIn(tools, "node_modules/.bin/attw", [archive, ...flags]);
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
