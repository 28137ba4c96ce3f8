// The URLs that stand in the documents are found, parsed and normalized as a reader would (X1 to X7, P0, N).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseWith } from "../../src/url/parse.ts";
import { BUILDS, coreOf, scan } from "../core/builds.ts";
import { normalizeWith } from "../url/normalize-with.ts";
import { DOCUMENTS, type DocumentUrls, NORMAL_FORMS, PARTS, type ReadUrl } from "./documents-urls.ts";
import { expectParts } from "./parts.ts";

const folder = new URL("../../../shared/spec/", import.meta.url);
const isHere = existsSync(folder);
const documents = Object.entries(DOCUMENTS);
const allRead = [...new Set(documents.flatMap(([, urls]) => reported(urls).map(([, url]) => url)))];

/** What is to be reported of a document, in its order. */
function reported(urls: DocumentUrls): ReadUrl[] {
  const other = urls.other.flatMap(([line, , url]): ReadUrl[] => (url === null ? [] : [[line, url]]));
  return [...urls.read, ...other].sort(([a], [b]) => a - b);
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

/** RFC 3986 appendix B, and the authority split as its section 3.2 tells. */
function splitByAppendixB(url: string): Record<string, unknown> {
  const [, scheme = "", authority, path = "", query, fragment] =
    /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? [];
  const [, userinfo, host, port] = /^(?:(.*)@)?(\[.*\]|[^:]*)(?::(\d*))?$/.exec(authority ?? "") ?? [];
  return {
    scheme: scheme.toLowerCase(),
    userinfo: userinfo ?? null,
    host: authority === undefined ? null : (host ?? null),
    port: port === undefined || port === "" ? null : Number(port),
    path,
    query: query ?? null,
    fragment: fragment ?? null,
  };
}

describe.skipIf(!isHere)("../shared/spec, which is not here", () => {
  it("holds the listed documents and no other", () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(DOCUMENTS).sort());
  });

  it.each(documents)("%s: what is listed stands on its line", (name, urls) => {
    const lines = readFileSync(new URL(name, folder), "latin1").split("\n");
    const seen = [...urls.read, ...urls.other.map(([line, url]): ReadUrl => [line, url])];
    const wrong = seen.filter(([line, url]) => {
      // A URL goes on over one line break at most; white space of the text and of the list is left out.
      const text = `${lines[line - 1]}${lines[line]}`.replace(/\s+/g, "");
      return !text.includes(url.replace(/\.\.\.$/, "").replace(/\s+/g, ""));
    });
    expect(wrong).toEqual([]);
  });

  describe.each(BUILDS)("%s", (build) => {
    it.each(documents)("%s gives what a reader sees", (name, urls) => {
      const bytes = readFileSync(new URL(name, folder));
      const found = scan(build, bytes).matches.map(({ start, raw }): ReadUrl => [lineOf(bytes, start), raw]);
      expect(found).toEqual(reported(urls));
    });
  });
});

describe.each(BUILDS)("%s", (build) => {
  const core = coreOf(build);

  it("every URL of the documents stands alone as it stands there", () => {
    for (const url of allRead) expect(scan(build, Buffer.from(`<URL:${url}>`)).matches.map(({ raw }) => raw)).toEqual([url]);
  });

  it("every URL of the documents has the generic components of RFC 3986 appendix B", () => {
    for (const url of allRead) expectParts(parseWith(core, url), { ok: true, ...splitByAppendixB(url) }, url);
  });

  it("every URL of the documents has the parts of its scheme", () => {
    expect(Object.keys(PARTS).filter((url) => !allRead.includes(url))).toEqual([]);
    for (const [url, parts] of Object.entries(PARTS)) expectParts(parseWith(core, url), { ok: true, ...parts }, url);
  });

  it("every URL of the documents is its own normal form, or has the listed one", () => {
    expect(Object.keys(NORMAL_FORMS).filter((url) => !allRead.includes(url))).toEqual([]);
    for (const url of allRead) expect(normalizeWith(core, url), url).toEqual({ ok: true, url: NORMAL_FORMS[url] ?? url });
  });
});
