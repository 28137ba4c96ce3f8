// docs/schemes.md: its examples give what stands there, and no scheme is missing.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SCHEMES } from "#core/tables/schemes.js";
import { parseWith } from "../../src/url/parse.ts";
import { BUILDS, coreOf } from "../core/builds.ts";
import { shown } from "./shown.ts";

const page = readFileSync(new URL("../../docs/schemes.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```\n(.*?)^```$/gms)].map(([, lines = ""]) => lines.trimEnd().split("\n"));
const examples = blocks.flatMap((lines) =>
  lines.flatMap((url, index) => (index % 2 === 0 ? [[url, lines[index + 1] ?? ""] as const] : [])),
);

describe("docs/schemes.md", () => {
  it.each(examples)("%s", (url, wanted) => {
    for (const build of BUILDS) expect(shown(parseWith(coreOf(build), url)), build).toBe(wanted);
  });

  it("has an example of every scheme", () => {
    const seen = new Set(examples.map(([url]) => url.slice(0, url.indexOf(":")).toLowerCase()));
    expect(SCHEMES.map((row) => row.name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it("gives port, hierarchy and document of the schemes that have only the generic components", () => {
    const rows = [...page.matchAll(/^\| `([a-z0-9+]+)` \| `[^`]+` \| ([0-9]*) \| (yes|no) \| (.*) \|$/gm)].map((row) => row.slice(1));
    expect(rows.length).toBeGreaterThan(30);
    for (const [name, port, hierarchical, source] of rows) {
      const known = SCHEMES.find((row) => row.name === name);
      expect([port || "0", hierarchical, source], name).toEqual([`${known?.port}`, known?.hierarchical ? "yes" : "no", known?.source]);
    }
  });
});
