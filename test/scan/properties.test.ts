// Any text under any options (X1 to X13, N): the builds of the core find what the oracle finds, however the input is cut and divided.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNormalizeOptions } from "../../src/options/options.ts";
import { hostEnds } from "../../src/rewrite/redirector-rows.ts";
import { parseWith } from "../../src/url/parse.ts";
import { coreOf, type Row, type ScanSettings, scan } from "../core/builds.ts";
import { check, expectEqual, RUNS } from "../core/check.ts";
import { CORE_PROFILES } from "../url/laws.ts";
import { normalizeWith } from "../url/normalize-with.ts";
import { expectFoundAlike, expectSpans, GIVEN, label } from "./found-alike.ts";
import { texts, urls } from "./pieces.ts";
import { wrappedTexts } from "./wrapped-lines.ts";

describe("the builds and the oracle find the same, however the input is cut and divided (X13)", () => {
  it.each(GIVEN)("%s", (_, runs, arbitrary) => check(runs, arbitrary, expectFoundAlike));
});

describe("any text", () => {
  const scanned = fc.tuple(texts(16), fc.constantFrom<ScanSettings>({}, { urlBytesMax: 256 }, { profile: "none" }, { profile: "rfc1738" }));

  it("spans are in order, do not overlap, and give raw back where nothing was taken out (X7, X11)", () => {
    check(3000, scanned, ([bytes, settings]) => expectSpans(bytes, settings));
  });

  it("the profile none reports what rfc3986 reports, with url as raw (N)", () => {
    check(900, texts(16), (bytes) => {
      // Joiners at the end, and what UTS 46 drops from a host (C281), are written in triplets (C45).
      const written = (raw: string): string => raw.replace(/[\u200c\u200d]+$|[\u00ad\u200b\u2060]/g, encodeURIComponent);
      const raws = scan("simd", bytes, {}).matches.map(({ reason, ...row }) => ({ ...row, url: written(row.raw) }));
      const none = scan("simd", bytes, { profile: "none" }).matches.map(({ reason, ...row }) => row);
      expectEqual(none, raws, () => label(bytes));
    });
  });

  it("a filter by scheme leaves out matches and changes none (X11)", () => {
    check(900, texts(16), (bytes) => {
      const all = scan("simd", bytes, {}).matches;
      const named = scan("simd", bytes, { schemes: ["http", "mailto"] }).matches;
      const wanted = all.filter((row) => /^(?:http|mailto):/i.test(row.raw));
      expectEqual(named, wanted, () => label(bytes));
    });
  });
});

describe("hard-wrapped text, joined (X8)", () => {
  const guess = { guess: true };

  it("has matches over two and three lines, whose raw is their span without line breaks, quote marks and the spaces after", () => {
    let [longest, joined, plain] = [0, 0, 0];
    check(800, wrappedTexts, (bytes) => {
      for (const { kind, raw, start, end } of scan("simd", bytes, guess).matches) {
        if (kind === "plain") plain++;
        if (kind !== "guessed") continue;
        joined++;
        const span = bytes.subarray(start, end).toString();
        longest = Math.max(longest, span.split("\n").length);
        const written = span.replace(/\r?\n(?: *>)* {0,2}/g, "");
        expectEqual(written, raw, () => label(bytes));
      }
    });
    expect(Math.min(joined, plain)).toBeGreaterThan(40 * RUNS);
    expect(longest).toBeGreaterThan(2);
  });

  it("is not joined without the option, and with it every match starts where it does without, or in a value that is joined", () => {
    check(800, wrappedTexts, (bytes) => {
      const plain = scan("simd", bytes).matches;
      if (plain.some(({ kind }) => kind === "guessed")) expect.fail(label(bytes));
      const { matches } = scan("simd", bytes, guess);
      const values = matches.filter(({ kind, start }) => kind === "guessed" && /=["']$/.test(bytes.toString("latin1", 0, start)));
      const isInValue = ({ start: at }: { start: number }): boolean => values.some(({ start, end }) => start < at && at < end);
      expectEqual(
        matches.map(({ start }) => start),
        plain.filter((match) => !isInValue(match)).map(({ start }) => start),
        () => label(bytes),
      );
    });
  });
});

describe("hard-wrapped text, flagged (C142)", () => {
  it("has the flag on the matches that guess would join, and is the same but for it", () => {
    let flagged = 0;
    // The core asks only where the end of a host may be a redirector's; of short hosts it cannot tell, so it asks there too.
    const isAsked = ({ raw }: Row): boolean => !/^\w+:\/\/[^/]{8}/.test(raw) || /^\w+:\/\/[^/]*google\.com\//.test(raw);
    check(1200, wrappedTexts, (bytes) => {
      const isCut = ({ flags }: Row): boolean => flags.includes("line-cut");
      const { matches } = scan("simd", bytes, { cutHosts: hostEnds });
      const unflagged = matches.map((row) => ({ ...row, flags: row.flags.filter((flag) => flag !== "line-cut") }));
      expectEqual(unflagged, scan("simd", bytes).matches, () => label(bytes));
      const joined = scan("simd", bytes, { guess: true }).matches.filter(({ kind }) => kind === "guessed");
      const isInJoined = ({ start: at }: Row): boolean => joined.some(({ start, end }) => start < at && at < end);
      const outside = matches.filter((row) => isCut(row) && !isInJoined(row));
      flagged += outside.length;
      const starts = outside.map(({ start }) => start);
      expectEqual(
        starts,
        joined.filter((row) => isAsked(row) || starts.includes(row.start)).map(({ start }) => start),
        () => label(bytes),
      );
    });
    expect(flagged).toBeGreaterThan(100 * RUNS);
  });

  it("has the flag on redirectors with unwrap", () => {
    let flagged = 0;
    check(1200, wrappedTexts, (bytes) => {
      const { matches } = scan("simd", bytes, { form: { unwrap: true }, nested: true });
      flagged += matches.filter(({ flags }) => flags.includes("cut")).length;
      if (matches.some(({ kind, flags }) => kind !== "plain" && kind !== "nested" && flags.includes("cut"))) expect.fail(label(bytes));
    });
    expect(flagged).toBeGreaterThan(30 * RUNS);
  });
});

// More of single URLs: test/url/laws.test.ts.
describe("any URL", () => {
  it("a refusal names a byte of the input or its end (P0)", () => {
    check(6000, urls, (url) => {
      const parsed = parseWith(coreOf("simd"), url);
      if (!parsed.ok && (parsed.offset < 0 || parsed.offset > Buffer.byteLength(url))) expect.fail(JSON.stringify(url));
    });
  });

  it.each(CORE_PROFILES)("a match's url is what normalize makes of its raw (X2 to X7, N): %s", (profile) => {
    const form = checkNormalizeOptions({ profile });
    check(3000, texts(8), (bytes) => {
      for (const row of scan("simd", bytes, { profile }).matches) {
        // In <URL:...> one character after the colon is enough (X6), so normalize may refuse what a delimited URL let through.
        const result = normalizeWith(coreOf("simd"), row.raw, form);
        if (row.kind === "plain" || result.ok) expectEqual(result, wantedOf(row), () => JSON.stringify(row.raw));
      }
    });
  });
});

function wantedOf(row: Row): object {
  return row.url === null ? { ok: false, code: row.reason } : { ok: true, url: row.url };
}
