// The URLs of matches in the form that options ask for (N9 to N11), and the flags that depend on it.
import * as code from "#core/layout/codes.js";
import { N10_CUT, N10_OPEN, N10_USERINFO } from "#core/layout/notes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import type { Core } from "../core/core.ts";
import { REASON_NAMES, type Reason } from "../core/names.ts";
import { type MatchBatch, wordOf } from "../matches/batch.ts";
import { BatchBuilder, rowsWhere } from "../matches/batch-builder.ts";
import type { UrlForm } from "../options/options.ts";
import type { MakeStep, MatchStep } from "../scan/scan.ts";
import { flagBitsWith } from "../url/core-url.ts";
import { makeCutTest, makeNormalizer, type NormalForm, writtenForm } from "../url/normalize.ts";
import { percentEncode } from "../url/percent.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";
import { rewriteUserinfo } from "../url/rewrite.ts";
import { textOf } from "../url/text.ts";
import { redirectorRows } from "./redirector-rows.ts";

/** Number of a scheme that is not in the core's table. */
const NO_SCHEME = -1;

/** Returns the step that writes the URLs of redirectors anew. The core has written the others. */
export function unwrapRedirectors(form: UrlForm): MakeStep {
  return ({ core }) => changing(redirectorRows, urlForms(core, form).normalize);
}

/** Returns the step that normalizes all URLs but those of links, for which `resolveLinks` does it. */
export function normalizeUrls(form: UrlForm): MakeStep {
  const others = (batch: MatchBatch) => rowsWhere(batch, (row) => wordOf(batch, row, code.RECORD_KIND) !== code.KIND_LINK);
  return ({ core }) => changing(others, urlForms(core, form).normalize);
}

/** Returns the step that writes URLs as keys (N11) and defangs them (N10). */
export function writeForms(form: UrlForm): MakeStep {
  const withUrl = (batch: MatchBatch) => rowsWhere(batch, (row) => wordOf(batch, row, code.RECORD_REASON) === code.REASON_NONE);
  return ({ core: { trace } }) =>
    changing(withUrl, (builder, row) => {
      const url = builder.text(row, code.RECORD_URL);
      const noted = trace && ((rule: number) => trace.add(builder.word(row, code.RECORD_START), rule, isNested(builder, row)));
      const written = writtenForm(url, form, noted);
      if (written !== url) builder.setText(row, code.RECORD_URL, written);
      const scheme = url.slice(0, url.indexOf(":"));
      if (!written.startsWith(scheme)) setSchemeRow(builder, row, scheme.toLowerCase());
      const chain = builder.chain(row)?.map((one) => writtenForm(one, form));
      if (chain !== undefined) builder.setChain(row, chain);
    });
}

function changing(select: (batch: MatchBatch) => readonly number[], change: (builder: BatchBuilder, row: number) => void): MatchStep {
  return (batch) => {
    const rows = select(batch);
    if (rows.length === 0) return batch;
    const builder = new BatchBuilder(batch);
    for (const row of rows) change(builder, row);
    return builder.finish();
  };
}

/** Returns the functions that give rows the URLs that a form asks for. */
export function urlForms(core: Core, form: UrlForm) {
  /** The start of the match whose URL is normalized, counted from the base of the batch. If there is a trace, this base is 0. */
  let start = 0;
  let mayBeNested = false;
  /** Whether the URL is none of a redirector, but gave a URL inside it (C209). */
  let isOpen = false;
  const begin = (builder: BatchBuilder, row: number): void => {
    start = builder.word(row, code.RECORD_START);
    mayBeNested = isNested(builder, row);
    isOpen = false;
  };
  const noted = (rule: number): void => {
    if (rule === N10_OPEN) isOpen = true;
    core.trace?.add(start, rule, mayBeNested);
  };
  const normalForm = makeNormalizer(core, form, noted);
  /** Tests whether a URL that a line break cut is a redirector's (C142). */
  const isCutRedirector = makeCutTest(core, form);

  /** Flags the URL of a redirector that a line break cut, and no other one. (C142) */
  const settleCut = (builder: BatchBuilder, row: number): void => {
    const isKept = isCutRedirector(builder.text(row, code.RECORD_RAW));
    const flags = builder.word(row, code.RECORD_FLAGS) & ~code.FLAG_LINE_CUT;
    builder.setWord(row, code.RECORD_FLAGS, isKept ? flags | code.FLAG_CUT : flags);
    if (isKept) noted(N10_CUT);
  };

  const setUrl = (builder: BatchBuilder, row: number, before: string, { url, chain = [] }: NormalForm & { ok: true }): void => {
    if (url !== before) replaceUrl(builder, row, before, url);
    if (chain.length === 0) return;
    builder.setChain(row, chain);
    // The new URL was inside the URL that the text has. (C209, C213, C215)
    const own = flagBitsWith(core, url) & (code.FLAG_SHORTENER | code.FLAG_NAMESPACE);
    const open = isOpen ? code.FLAG_OPEN_REDIRECT : 0;
    builder.setWord(row, code.RECORD_FLAGS, builder.word(row, code.RECORD_FLAGS) | own | open);
  };

  return {
    /** Gives a row the normal form of its URL, and settles whether a line break cut the URL. */
    normalize(builder: BatchBuilder, row: number): void {
      begin(builder, row);
      if ((builder.word(row, code.RECORD_FLAGS) & code.FLAG_LINE_CUT) !== 0) settleCut(builder, row);
      if (builder.word(row, code.RECORD_REASON) !== code.REASON_NONE) return;
      const url = builder.text(row, code.RECORD_URL);
      const whole = wholeOf(builder, row);
      const result = normalForm(whole);
      // The profile none keeps schemeless text if no option changes it.
      if (result.ok && form.profile === "none" && result.url === whole) return;
      if (result.ok) setUrl(builder, row, url, result);
      else if (form.profile === "whatwg") refuse(builder, row, result.code);
      else {
        // A delimited URL may have a shape that `normalize` refuses (X6): it keeps the core's form, but not its userinfo.
        const rewritten = rewriteUserinfo(url, form.userinfo);
        if (rewritten !== url) noted(N10_USERINFO);
        setUrl(builder, row, url, { ok: true, url: rewritten });
      }
    },
    /** Gives a row the normal form of the URL that its link has. Returns false if the scheme of this URL is not among `schemes`. */
    setLink(builder: BatchBuilder, row: number, link: NormalForm, schemes: ReadonlySet<string> | undefined): boolean {
      begin(builder, row);
      const result = link.ok ? normalForm(link.url) : link;
      if (schemes?.has(result.ok ? result.url.slice(0, result.url.indexOf(":")) : "") === false) return false;
      builder.setWord(row, code.RECORD_SCHEME, NO_SCHEME);
      if (link.ok) builder.setWord(row, code.RECORD_FLAGS, flagBitsWith(core, link.url));
      if (result.ok) setUrl(builder, row, "", result);
      else refuse(builder, row, result.code);
      return true;
    },
  };
}

function isNested(builder: BatchBuilder, row: number): boolean {
  return builder.word(row, code.RECORD_KIND) === code.KIND_NESTED;
}

/** Returns the raw form of a match. Links may be ill-formed: their bytes become triplets (C66). */
export function rawTextAt(batch: MatchBatch, row: number): string {
  const start = wordOf(batch, row, code.RECORD_RAW);
  return textOf(batch.bytes.subarray(start, start + wordOf(batch, row, code.RECORD_RAW_LENGTH)));
}

/** Returns the URL of a row as the text has it; of schemeless text with its scheme (X10, C140). */
function wholeOf(builder: BatchBuilder, row: number): string {
  const raw = builder.text(row, code.RECORD_RAW);
  if (builder.word(row, code.RECORD_SCHEME_LENGTH) !== 0) return raw;
  const scheme = SCHEMES[builder.word(row, code.RECORD_SCHEME)]?.name ?? "";
  return scheme === "mailto" ? `mailto:${raw.replace(/[%?#]/g, (one) => percentEncode(one, "rfc3986-unreserved"))}` : `${scheme}://${raw}`;
}

/** Sets the scheme of a row by number, because a defanged URL or a CDX key begins with another name. */
function setSchemeRow(builder: BatchBuilder, row: number, name: string): void {
  const number = SCHEMES.findIndex((scheme) => scheme.name === name);
  if (number < 0) return;
  builder.setWord(row, code.RECORD_SCHEME, number);
  builder.setWord(row, code.RECORD_SCHEME_LENGTH, 0);
}

function replaceUrl(builder: BatchBuilder, row: number, before: string, url: string): void {
  const host = writtenHost(url);
  if (host !== writtenHost(before)) builder.setText(row, code.RECORD_HOST, host);
  builder.setWord(row, code.RECORD_SCHEME_LENGTH, url.indexOf(":"));
  builder.setText(row, code.RECORD_URL, url);
}

function writtenHost(url: string): string {
  const { authority } = splitUrl(url);
  return authority === null ? "" : splitAuthority(authority).host;
}

function refuse(builder: BatchBuilder, row: number, reason: Reason): void {
  builder.setWord(row, code.RECORD_REASON, REASON_NAMES.indexOf(reason));
  builder.setWord(row, code.RECORD_URL_LENGTH, 0);
  builder.setWord(row, code.RECORD_HOST_LENGTH, 0);
}
