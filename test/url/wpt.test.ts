// The URL data of web-platform-tests: the profile whatwg is the platform's URL; where resolution, hosts and the codec follow other
// rules, every difference has a reason here. Skipped where the data is not there.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import { describe, expect, it } from "vitest";
import { getUrlCore } from "../../src/core/url-core.ts";
import { checkNormalizeOptions } from "../../src/options/options.ts";
import { percentEncode } from "../../src/url/percent.ts";
import { resolve } from "../../src/url/resolve.ts";
import { normalizeWith } from "./normalize-with.ts";

const folder = resolvePath(import.meta.dirname, "../../../shared/suites/wpt");

interface UrlRow {
  input: string;
  base: string | null;
  href?: string;
  failure?: boolean;
}

interface HostRow {
  input: string;
  ours: string | null;
  href: string | null;
}

/** The rows of a file; the lines of text between them are remarks. */
function rowsOf<T>(name: string): T[] {
  const rows: (T | string)[] = JSON.parse(readFileSync(join(folder, name), "utf8"));
  return rows.filter((row): row is T => typeof row !== "string");
}

function hrefOf(url: string, base?: string): string | null {
  try {
    return new URL(url, base).href;
  } catch {
    return null;
  }
}

/** A difference between a rule of ours and the URL Standard, shown by what is compared alone. */
type Reason<T> = readonly [reason: string, holds: (row: T) => boolean];

/** How many rows each reason explains, the first that holds; what none explains is listed. */
function explained<T>(rows: readonly T[], reasons: readonly Reason<T>[]): { counts: Record<string, number>; rest: T[] } {
  const counts: Record<string, number> = {};
  const rest: T[] = [];
  for (const row of rows) {
    const [reason] = reasons.find(([, holds]) => holds(row)) ?? [];
    if (reason === undefined) rest.push(row);
    else counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return { counts, rest };
}

const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";

// A letter and a colon or a bar make a segment of a path.
const DRIVE = /(?:^|\/|:)[a-z][:|](?:[\n/?#]|$)/i;

const RESOLUTION: readonly Reason<UrlRow>[] = [
  ["a backslash is a slash in the URL Standard; in RFC 3986 it is a character", ({ input }) => input.includes("\\")],
  [
    "file: a drive letter is kept and `|` is its colon; in RFC 3986 it is a segment like any other",
    ({ input, base }) => schemeOf(base ?? "") === "file" && (DRIVE.test(input) || DRIVE.test((base ?? "").slice("file:".length))),
  ],
  [
    "a reference with the base's scheme and no authority is relative in the URL Standard; RFC 3986 5.2.2 is strict",
    ({ input, base }) => schemeOf(input) !== "" && schemeOf(input) === schemeOf(base ?? "") && !/^[a-z]+:\/\//i.test(input),
  ],
  [
    "a tab or a line break inside goes in the URL Standard; here it becomes a triplet, as in N2",
    ({ input }) => /[\t\n\r]/.test(input.trim()),
  ],
  ["a backtick stays in queries of the URL Standard; here no URL holds one (X3)", ({ input }) => input.includes("`")],
  ["three slashes: the URL Standard passes over an empty host; in RFC 3986 it is the host", ({ input }) => input.startsWith("///")],
];

const HOSTS: readonly Reason<HostRow>[] = [
  ["a character of ASCII that is no host byte (X2)", ({ input, ours }) => ours === null && /[!-,/:-@[-^`{-~]/.test(input)],
  ["such a one that UTS 46 makes is a triplet (C15)", ({ ours, href }) => ours !== null && decodeURI(ours) === href],
  [
    "a host that begins with a dot or a hyphen (X2, C22)",
    ({ input, ours, href }) => ours === null && (/^[.-]/.test(input) || /^http:\/\/[.-]/.test(href ?? "")),
  ],
  ["an all-ASCII host is lower-cased and not judged (N1)", ({ input, href }) => href === null && /^[\0-\x7f]*$/.test(input)],
];

describe.skipIf(!existsSync(folder))("web-platform-tests (skipped where ../shared/suites/wpt is absent)", () => {
  it("N9: the profile whatwg is new URL().href for every input without a base", () => {
    const form = checkNormalizeOptions({ profile: "whatwg" });
    const rows = rowsOf<UrlRow>("urltestdata.json").filter((row) => row.base === null);
    expect(rows.length).toBeGreaterThan(500);
    for (const { input } of rows) {
      const result = normalizeWith(getUrlCore(), input, form);
      expect(result.ok ? result.url : null, input).toBe(hrefOf(input));
      if (!result.ok) expect(["bad-host", "bad-shape"]).toContain(result.code);
    }
  });

  it("P10: resolution gives what the platform's URL gives, but for the differences that are listed", () => {
    const rows = rowsOf<UrlRow>("urltestdata.json").filter((row) => row.base !== null);
    const wantedOf = (row: UrlRow): string | null => (row.failure ? null : (row.href ?? null));
    // Where the running platform does not follow the file, the row says nothing of resolution.
    const usable = rows.filter((row) => hrefOf(row.input, row.base ?? undefined) === wantedOf(row));
    expect(usable.length).toBeGreaterThan(300);
    const different = usable.filter((row) => {
      const target = resolve(row.base ?? "", row.input);
      return (target === null ? null : hrefOf(target)) !== wantedOf(row);
    });
    const { counts, rest } = explained(different, RESOLUTION);
    expect(rest).toEqual([]);
    expect(RESOLUTION.map(([reason]) => counts[reason])).toEqual([23, 13, 11, 3, 1, 4]);
  });

  it.each(["toascii.json", "IdnaTestV2.json"])(
    "N1: hosts of %s are those of the platform's URL, but for the differences that are listed",
    (name) => {
      const rows = rowsOf<{ input: string }>(name).map(({ input }) => {
        const result = normalizeWith(getUrlCore(), `http://${input}/`);
        const href = hrefOf(`http://${input}/`);
        return { input, ours: result.ok ? result.url : null, href };
      });
      const { counts, rest } = explained(
        rows.filter(({ ours, href }) => ours !== href),
        HOSTS,
      );
      expect(rest).toEqual([]);
      // How many there are depends on the platform's version of UTS 46: Node 24 has one less.
      expect(Object.keys(counts).length).toBeGreaterThan(Number.parseInt(process.versions.node, 10) < 24 ? 2 : 1);
    },
  );

  it("P11: percent-encoding.json in UTF-8 is the set of a query", () => {
    for (const { input, output } of rowsOf<{ input: string; output: { "utf-8"?: string } }>("percent-encoding.json")) {
      expect(percentEncode(input, "whatwg-special-query"), input).toBe(output["utf-8"] ?? null);
      expect(new URL(`http://a.example/?x${input}x`).search, input).toBe(`?x${output["utf-8"]}x`);
    }
  });
});
