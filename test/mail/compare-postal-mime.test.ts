// Another reader of mail, postal-mime, beside ours: every URL in the text and html that it makes of a message is reported, or there is a
// reason why the two read that message differently. It reads fewer parts than we do, so it is not asked the other way round.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { scan } from "../core/builds.ts";
import { RUNS, seeded } from "../core/check.ts";
import type { Limit } from "../oracle/mail/index.ts";
import { scanArchive } from "./builds.ts";
import { messages } from "./pieces.ts";

const corpus = process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
/** Compressed archives that are larger are not read. */
const BYTES_MAX = 2 << 20;
/** One message of so many is read, unless URLMILL_CORPUS_WHOLE is 1. */
const STEP = process.env.URLMILL_CORPUS_WHOLE === "1" ? 1 : 4;
const isRead = (name: string): boolean => name.endsWith(".mbox.gz") && statSync(join(corpus, name)).size <= BYTES_MAX;
const archives = existsSync(corpus) ? readdirSync(corpus).filter(isRead) : [];

/** Where the two readers differ on purpose, by the source of a message. */
const DIFFERENCES: [string, RegExp][] = [
  ["A6: white space behind the = of a soft break; postal-mime keeps both", /quoted-printable[\s\S]*=[ \t]+\r?\n/i],
  ["A8: UTF-16, of which postal-mime cuts the lines as bytes", /utf-16/i],
  ["A6: a line that is none of base64 ends it; postal-mime goes on", /base64[\s\S]*\n[A-Za-z0-9+/= ]*[^A-Za-z0-9+/=\s]/i],
  ["A3: a line that is no field ends a header; postal-mime goes on to an empty line", /^(?:[ \t:]|no field|\r?\n)|\n(?::|no field)/],
];
/** A link that postal-mime itself makes, of the address in a header that it shows: that of a message in another. */
const MADE = "mailto:a@b.example";
/** A4, A6, A7: what is skipped or not followed here and by which name it is counted; postal-mime reads it. */
const LIMITS: Limit[] = ["uuencode", "yenc", "encoded-body"];

/** What extraction finds in a text or page, up to the first character that a charset may have changed. */
function shownIn(text: string | undefined, type?: "html"): string[] {
  const { matches } = scan("simd", Buffer.from(text ?? ""), type === undefined ? {} : { type });
  return matches.map(({ raw }) => asciiOf(raw));
}

/** The ASCII bytes with which a raw form begins, without the punctuation at their end. */
function asciiOf(raw: string): string {
  return (/^[!-~]*/.exec(raw)?.[0] ?? "").replace(/[.,:;!?'([{_-]+$/, "");
}

/** What postal-mime shows and our reader does not report. */
async function missedIn(source: Buffer): Promise<string[]> {
  const { text, html } = await PostalMime.parse(source);
  const own = scanArchive("simd", source, { type: "eml" }).matches;
  const reported = new Set(own.map(({ raw }) => asciiOf(raw)));
  const shown = new Set([...shownIn(text), ...shownIn(html, "html")].filter((url) => url !== MADE));
  return [...shown].filter((url) => !reported.has(url) && !own.some(({ kind, raw }) => kind === "rejoined" && raw.startsWith(url)));
}

/** Why the two readers may differ about a message, or null. */
function differenceOf(source: Buffer): string | null {
  const { limits } = scanArchive("simd", source, { type: "eml" }).counts;
  const text = source.toString("latin1");
  return DIFFERENCES.find(([, expression]) => expression.test(text))?.[0] ?? LIMITS.find((limit) => limits[limit] !== undefined) ?? null;
}

describe("beside postal-mime", () => {
  it("everything that it shows of generated messages is reported, or explained", async () => {
    const unexplained: [string[], string][] = [];
    let alike = 0;
    for (const source of fc.sample(messages, { numRuns: Math.ceil(1000 * RUNS), ...seeded })) {
      const missed = await missedIn(source);
      if (missed.length > 0 && differenceOf(source) === null) unexplained.push([missed, source.toString("latin1")]);
      if (missed.length === 0) alike++;
    }
    expect(unexplained.map((one) => JSON.stringify(one))).toEqual([]);
    expect(alike).toBeGreaterThan(900 * RUNS);
  });

  it.skipIf(archives.length > 0)("needs archives: URLMILL_CORPUS names their folder", () => {});

  it.each(archives)("everything that it shows of the messages of %s is reported, or explained", async (name) => {
    const text = gunzipSync(readFileSync(join(corpus, name))).toString("latin1");
    const [, ...messages] = text.split(/(?<=^|\n\r?\n)From [^\n]*\n/);
    expect(messages.length).toBeGreaterThan(100);
    const unexplained: string[] = [];
    for (const [index, rest] of messages.entries()) {
      if (index % STEP !== 0) continue;
      const source = Buffer.from(rest.replace(/^>(>*From )/gm, "$1"), "latin1");
      const missed = await missedIn(source);
      if (missed.length > 0 && differenceOf(source) === null) unexplained.push(`message ${index + 1}: ${missed.join(" ")}`);
    }
    expect(unexplained).toEqual([]);
  });
});
