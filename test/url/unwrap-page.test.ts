// docs/unwrap.md: its examples give what they show, and no redirector is missing.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NAMESPACES } from "#core/tables/namespaces.js";
import { SHORT_LINK_HOSTS } from "#core/tables/short-links.js";
import { normalize } from "../../src/url/normalize.ts";
import { parse } from "../../src/url/parse.ts";
import { REDIRECTORS } from "../../src/url/redirector-table.ts";
import { isCutRedirector, mayRedirect } from "../../src/url/redirectors.ts";
import * as oracle from "../oracle/redirectors.ts";

const page = readFileSync(new URL("../../docs/unwrap.md", import.meta.url), "utf8");
const lines = /^```\n(.*?)^```$/ms.exec(page)?.[1]?.trimEnd().split("\n") ?? [];
const examples = lines.flatMap((url, index) => (index % 2 === 0 ? [[url, lines[index + 1] ?? ""] as const] : []));

describe("docs/unwrap.md", () => {
  it.each(examples)("%s", (url, target) => expect(normalize(url, { unwrap: true })).toBe(target));

  it("has a row and an example of every redirector", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| ")).length - 1;
    expect(rows).toBe(REDIRECTORS.length);
    for (const { hosts, suffixes, path } of REDIRECTORS) {
      const isOf = (url: string): boolean => {
        const { hostname, pathname } = new URL(url);
        const isOnAllHosts = hosts.length + suffixes.length === 0;
        return (
          (isOnAllHosts || hosts.includes(hostname) || suffixes.some((suffix) => hostname.endsWith(`.${suffix}`))) && path.test(pathname)
        );
      };
      expect(examples.filter(([url]) => isOf(url)).length, `${hosts} ${suffixes} ${path}`).toBeGreaterThan(0);
    }
  });
});

it("lists the hosts of short links, which alone have the flag (C213)", () => {
  const listed = /^```text\n(.*?)^```$/ms.exec(page)?.[1]?.trim().split(/\s+/);
  expect(listed).toEqual(SHORT_LINK_HOSTS);
  const flagsOf = (url: string): readonly string[] => {
    const parts = parse(url);
    return parts.ok ? parts.flags : [];
  };
  for (const name of SHORT_LINK_HOSTS) {
    const host = name.replace("*", "x");
    for (const one of [host, `x${name.replace("*", "")}`, `a.${host}`, name.replace("*.", ""), `${host}m`])
      expect(flagsOf(`https://${one}/Ab1`), one).toEqual(listedFlags(one));
  }
});

function listedFlags(host: string): string[] {
  const isListed = SHORT_LINK_HOSTS.some((name) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name));
  return isListed ? ["shortener"] : [];
}

it("docs/record.md lists the namespaces (C215)", () => {
  const record = readFileSync(new URL("../../docs/record.md", import.meta.url), "utf8");
  expect(/^```text\n(.*?)^```$/ms.exec(record)?.[1]?.trim().split(/\s+/)).toEqual(NAMESPACES);
});

it("the quick test lets every host of a redirector through", () => {
  const hosts = REDIRECTORS.flatMap((row) => [...row.hosts, ...row.suffixes.map((suffix) => `x.${suffix}`)]);
  expect(hosts.filter((host) => !mayRedirect(`https://${host}/`))).toEqual([]);
  expect(mayRedirect("https://a.example/b")).toBe(false);
});

describe("what a line break leaves of a redirector's URL (C142)", () => {
  it("is a redirector's from the second character of the path on, as the oracle says", () => {
    for (const [url] of examples) {
      const path = url.indexOf("/", "https://".length);
      // Redirectors that are on all hosts are not looked for.
      const isOnAllHosts = /[./]b\.(?:lt\.acemlnc\.)?example$/.test(url.slice(0, path));
      for (let end = path + 1; end <= url.length; end++) {
        const cut = normalize(url.slice(0, end)) ?? "";
        const isRedirector = isCutRedirector(cut);
        expect(isRedirector, cut).toBe(oracle.isCutRedirector(cut));
        if (end > path + 1) expect(isRedirector, cut).toBe(!isOnAllHosts);
      }
    }
  });

  it.each([
    "https://www.google.com/",
    "https://www.google.com/search",
    "https://www.google.com/u?q=http%3A%2F%2Fa.example",
    "https://www.google.com/urls",
    "https://www.google.com/u#x",
    "https://secure-web.cisco.com/a/b/c",
    "https://a.example/url",
    "ftp://www.google.com/url",
    "https://google.com.b.example/url",
    "https://www.facebook.com/li",
  ])("is none: %s", (url) => {
    expect(isCutRedirector(url)).toBe(false);
    expect(oracle.isCutRedirector(url)).toBe(false);
  });
});
