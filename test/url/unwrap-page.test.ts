// docs/unwrap.md: its examples give what they show, and no redirector is missing.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { normalize } from "../../src/url/normalize.ts";
import { mayRedirect, REDIRECTORS } from "../../src/url/redirectors.ts";

const page = readFileSync(new URL("../../docs/unwrap.md", import.meta.url), "utf8");
const lines = /^```\n(.*?)^```$/ms.exec(page)?.[1]?.trimEnd().split("\n") ?? [];
const examples = lines.flatMap((url, index) => (index % 2 === 0 ? [[url, lines[index + 1] ?? ""] as const] : []));

describe("docs/unwrap.md", () => {
  it.each(examples)("%s", (url, target) => expect(normalize(url, { unwrap: true })).toBe(target));

  it("has a row and an example of every redirector", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| ")).length - 1;
    expect(rows).toBe(REDIRECTORS.length);
    for (const { hosts, suffixes = [], path } of REDIRECTORS) {
      const isOf = (url: string): boolean => {
        const { hostname, pathname } = new URL(url);
        return (hosts.includes(hostname) || suffixes.some((suffix) => hostname.endsWith(`.${suffix}`))) && path.test(pathname);
      };
      expect(examples.filter(([url]) => isOf(url)).length, `${hosts} ${suffixes} ${path}`).toBeGreaterThan(0);
    }
  });
});

it("the quick test lets every host of a redirector through", () => {
  const hosts = REDIRECTORS.flatMap((row) => [...row.hosts, ...(row.suffixes ?? []).map((suffix) => `x.${suffix}`)]);
  expect(hosts.filter((host) => !mayRedirect(`https://${host}/`))).toEqual([]);
  expect(mayRedirect("https://a.example/b")).toBe(false);
});
