// What a build of the core makes of an archive, as plain rows that tests can compare. Nothing here knows the rules.
import * as mail from "#core/layout/mail.js";
import { TYPE_BYTES, textTypeOf } from "../../src/input/text-type.ts";
import type { MatchBatch } from "../../src/matches/batch.ts";
import { Match } from "../../src/matches/match.ts";
import type { ExtractOptions, MboxDialect, SourceType } from "../../src/options/options.ts";
import { readingStart } from "../../src/scan/range.ts";
import type { ScanRange } from "../../src/scan/scan.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { type Build, coreOf, feed, scanOptions, settingsOf } from "../core/builds.ts";
import type { MailCounts } from "../oracle/mail/index.ts";
import { sinkOf } from "../output/sinks.ts";

/** How an archive is read, and what is looked for in it. */
export interface ArchiveOptions extends Pick<ExtractOptions, "anyScheme" | "bare" | "guess" | "nested" | "urlBytesMax" | "charset"> {
  type?: SourceType | undefined;
  mbox?: MboxDialect | undefined;
  parts?: "text" | "all" | undefined;
}

/** A match as a test compares it. */
export interface ArchiveRow {
  raw: string;
  url: string | null;
  start: number;
  end: number;
  kind: string;
  where: string | null;
  message: number | null;
  part: string | null;
  quote: number | null;
  messageId: string | null;
  date: string | null;
  dateSource: string | null;
  targetUri: string | null;
}

const LIMITS = {
  "deep-multipart": mail.COUNT_DEEP_MULTIPART,
  "no-boundary": mail.COUNT_NO_BOUNDARY,
  "long-field": mail.COUNT_LONG_FIELD,
  uuencode: mail.COUNT_UUENCODE,
  yenc: mail.COUNT_YENC,
  "encoded-body": mail.COUNT_ENCODED_BODY,
} as const;

function countsOf(archive: readonly number[]): MailCounts {
  const of = (counter: number): number => archive[counter] ?? 0;
  const limits = Object.entries(LIMITS).filter(([, counter]) => of(counter) > 0);
  return {
    messages: of(mail.COUNT_MESSAGES),
    doubtful: of(mail.COUNT_DOUBTFUL),
    partsSkipped: of(mail.COUNT_PARTS_SKIPPED),
    bytesSkipped: of(mail.COUNT_BYTES_SKIPPED),
    limits: Object.fromEntries(limits.map(([name, counter]) => [name, of(counter)])),
  };
}

/** The matches of an archive that is given in chunks which end at `cuts`, and what was counted. */
export function scanArchive(
  build: Build,
  bytes: Uint8Array,
  { type = "auto", mbox = "auto", parts = "text", ...search }: ArchiveOptions,
  cuts: readonly number[] = [],
  range?: ScanRange,
): { matches: ArchiveRow[]; counts: MailCounts } {
  const matches: ArchiveRow[] = [];
  const add = (batch: MatchBatch): void => {
    for (let index = 0; index < batch.count; index++) {
      const match = new Match(batch, index);
      const { raw, url, start, end, kind } = match;
      const {
        where = null,
        part = null,
        quote = null,
        message = null,
        messageId = null,
        date = null,
        dateSource = null,
        targetUri = null,
      } = match;
      matches.push({ raw, url, start, end, kind, where, part, quote, message, messageId, date, dateSource, targetUri });
    }
  };
  const sink = sinkOf({ matches: add });
  const settings = { ...settingsOf(search), type: textTypeOf(type, bytes.subarray(0, TYPE_BYTES)), mbox, parts };
  const scanner = new Scanner(coreOf(build), scanOptions(settings, "matches"), sink, range);
  feed(scanner, bytes, cuts, range?.offset ?? 0);
  return { matches, counts: countsOf(scanner.counts.archive) };
}

/** What the ranges of an mbox or MMDF mailbox that begin at `borders` find together: what each counts is added up. */
export function scanArchiveRanges(
  build: Build,
  bytes: Uint8Array,
  options: ArchiveOptions,
  borders: readonly number[],
  cuts: readonly number[],
): { matches: ArchiveRow[]; counts: Pick<MailCounts, "messages" | "bytesSkipped" | "partsSkipped"> } {
  const edges = [0, ...borders, bytes.length];
  const matches: ArchiveRow[] = [];
  const counts = { messages: 0, bytesSkipped: 0, partsSkipped: 0 };
  for (const [index, to] of edges.slice(1).entries()) {
    const owned = { from: edges[index] ?? 0, to, byMessage: true };
    const part = scanArchive(build, bytes, options, cuts, {
      ...owned,
      offset: readingStart(textTypeOf(options.type ?? "auto", bytes.subarray(0, TYPE_BYTES)), owned, {
        urlBytesMax: 16384,
        context: 0,
        asked: [],
        charset: "utf-8",
        refang: false,
      }),
    });
    const before = counts.messages;
    matches.push(...part.matches.map((match) => ({ ...match, message: match.message === null ? null : match.message + before })));
    for (const name of ["messages", "bytesSkipped", "partsSkipped"] as const) counts[name] += part.counts[name];
  }
  return { matches, counts };
}

/** The URLs of an archive, as the lines that the core writes of them. */
export function scanArchiveLines(
  build: Build,
  bytes: Uint8Array,
  { type = "auto", mbox = "auto", parts = "text", ...search }: ArchiveOptions,
  cuts: readonly number[] = [],
): string[] {
  const lines: Buffer[] = [];
  const sink = sinkOf({ bytes: ({ bytes: view }) => void lines.push(Buffer.from(view)) });
  const settings = { ...settingsOf(search), type: textTypeOf(type, bytes.subarray(0, TYPE_BYTES)), mbox, parts };
  feed(new Scanner(coreOf(build), scanOptions(settings, "lines"), sink), bytes, cuts, 0);
  return Buffer.concat(lines).toString().split("\n").slice(0, -1);
}
