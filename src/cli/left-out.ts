// Messages at the end of a run about its omissions.
import { REASON_NO_BASE, REASON_OVERLONG } from "#core/layout/codes.js";
import { COUNT_DOUBTFUL } from "#core/layout/mail.js";
import { OMISSION_REASONS, type Omission, type OmissionCounts, type OmissionReason } from "../base/omission.ts";
import { shown } from "../base/shown.ts";
import { omissionWithoutUserinfo } from "../output/redacted.ts";
import type { Totals } from "../run/totals.ts";

/** The parts of a message for each reason. Reasons that the user chose, such as `excluded`, have no message. */
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

/** Returns a line for each reason, with the first case; `hidesUserinfo` hides userinfo in the line. */
export function leftOut(counts: OmissionCounts, hidesUserinfo: boolean): string[] {
  return OMISSION_REASONS.flatMap((reason) => {
    const [sentence, counted] = [SENTENCES[reason], counts[reason]];
    if (sentence === undefined || counted === undefined) return [];
    const { count, first, types } = counted;
    const [what, one, many] = sentence;
    const all = `--parts all reads ${count === 1 ? "its" : "their"} bytes, and opens zip, gzip and zstd`;
    const named = types === undefined ? "" : ` (${typesOf(types)}; ${all})`;
    return [`${what}: ${count} ${count === 1 ? `${one}${named}` : `${many}${named}, the first`}: ${locationOf(first, hidesUserinfo)}`];
  });
}

/** Most media types of omitted attachments that are named. */
const TYPES_NAMED = 5;

/** Returns the most frequent media types, each with its count, and how many others there are. */
function typesOf(types: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(types).sort(([one, count], [other, more]) => more - count || (one < other ? -1 : 1));
  const named = sorted.slice(0, TYPES_NAMED).map(([type, count]) => `${shown(type)} ${count}`);
  const others = sorted.length - named.length;
  return [...named, ...(others === 0 ? [] : [`${others} other ${others === 1 ? "type" : "types"}`])].join(", ");
}

/** Most doubtful lines without a message: a mail archive may quote a few From_ lines. */
const DOUBTFUL_FEW = 10;

/** Returns a line about doubtful lines (read as text, although a message or record may begin there), if there are many. */
export function doubted({ archive }: Totals): string[] {
  const count = archive[COUNT_DOUBTFUL] ?? 0;
  if (count <= DOUBTFUL_FEW) return [];
  return [`not split: ${count} lines that may begin a message or a record and are read as text (doubtful)`];
}

/** Returns a line about matches that a date filter left out because their message has no date. */
export function unjudged(count: number): string[] {
  if (count === 0) return [];
  return [`left out: ${count} ${count === 1 ? "match in a message" : "matches in messages"} without a date (--since, --until)`];
}

/** Returns a line for each rejection reason that an option can prevent, and a line if options left nothing to read. */
export function mendable({ rejected, bytes, omitted }: Totals): string[] {
  const counts = (reason: number): number => rejected[reason] ?? 0;
  const [overlong, noBase] = [counts(REASON_OVERLONG), counts(REASON_NO_BASE)];
  return [
    ...(overlong === 0 ? [] : [`not reported: ${overlong} of more than --url-bytes-max bytes (overlong)`]),
    ...(bytes === 0 && omitted.excluded !== undefined ? ["nothing was read: --include or --exclude left out all that was found"] : []),
    ...(noBase === 0 ? [] : [`not resolved: ${noBase} ${noBase === 1 ? "link" : "links"} without a base (no-base); --base gives one`]),
  ];
}

function locationOf(omission: Omission, hidesUserinfo: boolean): string {
  const { source = "-", start, message_id } = hidesUserinfo ? omissionWithoutUserinfo(omission) : omission;
  const message = message_id === undefined ? "" : `, message <${shown(message_id)}>`;
  return `${shown(source)}${start === undefined ? "" : `, byte ${start}`}${message}`;
}

/** Suffixes of compressed files. */
const COMPRESSED = /\.(?:gz|bgz|bz2|xz|zst|Z)$/;

/** Finds files that a run reads both with and without a compression suffix: both probably have the same URLs. */
export class Repeats {
  /** Stems (names without such a suffix) that are prefixes of the current name. They are few, because folders are listed in order. */
  readonly #open: { readonly stem: string; readonly name: string }[] = [];
  #first: readonly [name: string, other: string] | undefined;
  #count = 0;

  /** Takes the name of the next file, in the order of listing. */
  add(name: string): void {
    const stem = name.replace(COMPRESSED, "");
    let last = this.#open.at(-1);
    for (; last !== undefined && !name.startsWith(last.stem); last = this.#open.at(-1)) this.#open.pop();
    if (last?.stem !== stem) this.#open.push({ stem, name });
    else if (last.name !== name) {
      this.#first ??= [name, last.name];
      this.#count++;
    }
  }

  /** Returns a line about the repeated files, if there are any. */
  lines(): string[] {
    if (this.#first === undefined) return [];
    const [name, other] = this.#first.map((one) => shown(one));
    const [files, which] = this.#count === 1 ? ["file", ""] : ["files", ", the first"];
    const what = `${this.#count} ${files} with the name of another, but for a suffix of compression${which}`;
    return [`read twice, if the text is the same: ${what}: ${name} beside ${other}`];
  }
}
