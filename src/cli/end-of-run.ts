// Messages at the end of a run, on standard error: input that was left out or perhaps misread, repeated files, the JSON object of --stats.
import { REASON_NO_BASE, REASON_OVERLONG } from "#core/layout/codes.js";
import * as mail from "#core/layout/mail.js";
import {
  ARCHIVE_REASONS,
  OMISSION_REASONS,
  type Omission,
  type OmissionCounts,
  type OmissionReason,
  SOURCE_REASONS,
} from "../base/omission.ts";
import { jsonText, shown } from "../base/shown.ts";
import { KINDS, REASON_NAMES, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { ScanSettings } from "../options/options.ts";
import { omissionWithoutUserinfo } from "../output/redacted.ts";
import type { Totals } from "../run/totals.ts";

/** Returns the messages about what a run has not read, not reported or perhaps misread. */
export function remarksOf(totals: Totals, { form, jsonMapping }: ScanSettings): string[] {
  const { archive, rejected, bytes, omitted, undated } = totals;
  const lines = omissionLines(omitted, form.userinfo === "redact");
  const doubtful = archive[mail.COUNT_DOUBTFUL] ?? 0;
  // A mail archive may quote a few From_ lines.
  if (doubtful > 10) lines.push(`not split: ${doubtful} lines that may begin a message or a record and are read as text (doubtful)`);
  if (jsonMapping !== undefined && bytes > 0 && archive[mail.COUNT_MESSAGES] === 0)
    lines.push("no messages in JSON: no object has the mapped members (--json-fields, --json)");
  const overlong = rejected[REASON_OVERLONG] ?? 0;
  if (overlong > 0) lines.push(`not reported: ${overlong} of more than --url-bytes-max bytes (overlong)`);
  if (bytes === 0 && omitted.excluded !== undefined) lines.push("nothing was read: --include or --exclude left out all that was found");
  const noBase = rejected[REASON_NO_BASE] ?? 0;
  if (noBase > 0) lines.push(`not resolved: ${noBase} ${noBase === 1 ? "link" : "links"} without a base (no-base); --base gives one`);
  if (undated > 0)
    lines.push(`left out: ${undated} ${undated === 1 ? "match in a message" : "matches in messages"} without a date (--since, --until)`);
  return lines;
}

/** The parts of a message for each reason. There is none for `excluded`, which the user asked for, and `unreadable`, which has an error. */
const SENTENCES: Partial<Record<OmissionReason, readonly [what: string, one: string, many: string]>> = {
  link: ["not followed", "link in a folder or archive", "links in folders or archives"],
  "special-file": ["not read", "pipe, socket or device in a folder or archive", "pipes, sockets or devices in folders or archives"],
  git: [
    "not read",
    "git repository (an archive of mail in it is read if you name it; git cat-file --batch --batch-all-objects writes all)",
    "git repositories (archives of mail in them are read if you name them; git cat-file --batch --batch-all-objects writes all)",
  ],
  pdf: ["compressed text not read", "PDF (pdftotext writes it)", "PDFs (pdftotext writes it)"],
  output: ["not read", "file that is the output itself", "files that are outputs themselves"],
  "encoded-body": ["not fully read", "body (encoded-body)", "bodies (encoded-body)"],
  "deep-multipart": ["read as plain text", "multipart that is too deep (deep-multipart)", "multiparts that are too deep (deep-multipart)"],
  "no-boundary": ["read as plain text", "multipart without a boundary (no-boundary)", "multiparts without a boundary (no-boundary)"],
  uuencode: ["not read", "uuencoded file in mail (uuencode)", "uuencoded files in mail (uuencode)"],
  yenc: ["not read", "yEnc file in mail (yenc)", "yEnc files in mail (yenc)"],
  attachment: ["not read", "attachment", "attachments"],
  "long-field": ["encoded words not decoded after 64 KiB", "header field (long-field)", "header fields (long-field)"],
  "large-object": [
    "read without date and sender",
    "JSON object of more than 256 KiB (large-object)",
    "JSON objects of more than 256 KiB (large-object)",
  ],
};

/** Returns a line, with the first case, for each reason that has occurred and has a message. */
function omissionLines(counts: OmissionCounts, hidesUserinfo: boolean): string[] {
  return OMISSION_REASONS.flatMap((reason) => {
    const [what, one, many] = SENTENCES[reason] ?? [];
    const { count, first, types } = counts[reason] ?? {};
    if (what === undefined || first === undefined) return [];
    const all = `--parts all reads ${count === 1 ? "its" : "their"} bytes, and opens zip, gzip, zstd and PDF`;
    const named = types === undefined ? "" : ` (${typesOf(types)}; ${all})`;
    return [`${what}: ${count} ${count === 1 ? `${one}${named}` : `${many}${named}, the first`}: ${locationOf(first, hidesUserinfo)}`];
  });
}

/** Returns the five most frequent media types, each with its count, and how many others there are. */
function typesOf(types: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(types).sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1));
  const named = sorted.slice(0, 5).map(([type, count]) => `${shown(type)} ${count}`);
  const others = sorted.length - named.length;
  return [...named, ...(others === 0 ? [] : [`${others} other ${others === 1 ? "type" : "types"}`])].join(", ");
}

function locationOf(omission: Omission, hidesUserinfo: boolean): string {
  const { source = "-", start, message_id } = hidesUserinfo ? omissionWithoutUserinfo(omission) : omission;
  const message = message_id === undefined ? "" : `, message <${shown(message_id)}>`;
  return `${shown(source)}${start === undefined ? "" : `, byte ${start}`}${message}`;
}

const COMPRESSED = /\.(?:gz|bgz|bz2|xz|zst|Z)$/;

/** Finds files whose names differ only in a compression suffix, or its absence: both probably have the same URLs. */
export class Repeats {
  /** Files whose stems (names without the suffix) are prefixes of the current name. They are few, because folders are listed in order. */
  readonly #open: { readonly stem: string; readonly name: string }[] = [];
  #first: readonly [name: string, other: string] | undefined;
  #count = 0;

  /** Takes the name of the next file, in the order of listing. */
  add(name: string): void {
    const stem = name.replace(COMPRESSED, "");
    while (!name.startsWith(this.#open.at(-1)?.stem ?? "")) this.#open.pop();
    const last = this.#open.at(-1);
    if (last?.stem !== stem) this.#open.push({ stem, name });
    else if (last.name !== name) {
      this.#first ??= [name, last.name];
      this.#count++;
    }
  }

  lines(): string[] {
    if (this.#first === undefined) return [];
    const [name, other] = this.#first.map((one) => shown(one));
    const [files, which] = this.#count === 1 ? ["file", ""] : ["files", ", the first"];
    const what = `${this.#count} ${files} with the name of another, but for a suffix of compression${which}`;
    return [`read twice, if the text is the same: ${what}: ${name} beside ${other}`];
  }
}

/** Returns the totals of a run as a line of JSON. `written`: number of URLs, records or rows; `hasFilter`: adds the filter's counts. */
export function statsLine(totals: Totals, written: number, seconds: number, hasFilter: boolean): string {
  const { bytes, sources, archive, matches, filtered, undated, skipped, omitted } = totals;
  return `${jsonText({
    bytes,
    sources,
    ...archiveCounts(archive),
    matches,
    written,
    ...(hasFilter && { filtered, undated }),
    kinds: Object.fromEntries(KINDS.map((kind, code) => [kind, totals.kinds[code] ?? 0])),
    // The first name means that there is no reason.
    rejected: Object.fromEntries(REASON_NAMES.slice(1).map((reason, index) => [reason, totals.rejected[index + 1] ?? 0])),
    skipped,
    ...omissionCounts(omitted),
    seconds: Number(seconds.toFixed(6)),
    bytes_per_second: Math.round(bytes / seconds),
    rules: RULES_VERSION,
    unicode: UNICODE_VERSION,
  })}\n`;
}

/** Returns `left_out`, the counts of omissions by reason, and `attachments`, those by media type; an empty object if there were none. */
function omissionCounts(counts: OmissionCounts): object {
  const reasons = [...SOURCE_REASONS, "attachment", "large-object"] as const;
  const counted = reasons.flatMap((reason) => (counts[reason] === undefined ? [] : [[reason, counts[reason].count]]));
  const types = counts.attachment?.types;
  return { ...(counted.length > 0 && { left_out: Object.fromEntries(counted) }), ...(types && { attachments: types }) };
}

/** Returns the counts of archives; an empty object if all are 0 (A15). */
function archiveCounts(counts: readonly number[]): object {
  if (counts.every((count) => count === 0)) return {};
  const of = (counter: number): number => counts[counter] ?? 0;
  const limits = ARCHIVE_REASONS.filter((reason) => reason !== "attachment");
  return {
    messages: of(mail.COUNT_MESSAGES),
    doubtful: of(mail.COUNT_DOUBTFUL),
    parts_skipped: of(mail.COUNT_PARTS_SKIPPED),
    bytes_skipped: of(mail.COUNT_BYTES_SKIPPED),
    limits: Object.fromEntries(limits.map((reason, index) => [reason, of(mail.COUNT_DEEP_MULTIPART + index)])),
  };
}
