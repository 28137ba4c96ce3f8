// Changes the matches of the core as options ask: other forms of their URLs (N9 to N11), nested matches (X11), links (C106).
import * as code from "#core/layout/codes.js";
import { N10_CUT, N10_OPEN, N10_USERINFO, X11_NESTED } from "#core/layout/notes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import type { Core } from "../core/core.ts";
import { FLAGS, type Flag, REASON_NAMES, type Reason } from "../core/names.ts";
import type { Trace } from "../core/trace.ts";
import { type FoundElement, type MatchBatch, matchBatch, wordOf } from "../matches/batch.ts";
import { BatchBuilder } from "../matches/batch-builder.ts";
import { locationAt } from "../matches/field-values.ts";
import { type Profile, type Search, searchOf, type TextType, type UrlForm } from "../options/options.ts";
import { type Refusal, shownText } from "../scan/rows.ts";
import type { MatchRewriter, RewrittenMatches, ScanOptions } from "../scan/scan.ts";
import { flagsWith } from "../url/core-url.ts";
import { defanged } from "../url/defang.ts";
import { makeCutTest, makeNormalizer, type Normalizer, writtenForm } from "../url/normalize.ts";
import { isMarkedRedirector } from "../url/redirectors.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";
import { isKey, needsRewrite, type RuleListener, rewriteUserinfo } from "../url/rewrite.ts";
import { textOf } from "../url/text.ts";
import { Links } from "./links.ts";
import { NestedFinder, type NestedMatch, type OuterMatches } from "./nested.ts";
import { hostEnds, redirectorRows } from "./redirector-rows.ts";

/** The settings of a scan whose matches are rewritten. */
interface RewriterSettings extends Search {
  readonly form: UrlForm;
  /** Report URLs inside others too (X11). */
  readonly nested: boolean;
}

/** Returns the profile of the core for a form, so that the core does as much as it can. */
export function coreProfile({ profile }: UrlForm): Profile {
  // whatwg accepts URLs that the core would refuse.
  return profile === "whatwg" ? "none" : isKey(profile) ? "rfc3986" : profile;
}

/** Returns whether the options need more than the core. (N9 to N11, X11, C106) */
export function needsRewriter({ form, nested, refang, links }: Pick<RewriterSettings, "form" | "nested" | "refang" | "links">): boolean {
  return nested || refang || links || needsRewrite(form);
}

/** Returns the options of a scanner. The core does as much of the settings as it can, the rewriter does the rest. */
export function rewriterOptions(settings: RewriterSettings, type: TextType, separator: number, rejected: boolean): ScanOptions {
  const { form, nested, links } = settings;
  // With `nested` an unwanted match may hold a wanted one; with `links` it may be the base of one.
  const searched = { ...searchOf(settings), schemes: nested || links ? undefined : settings.schemes };
  const plain: ScanOptions = {
    ...searched,
    type,
    profile: coreProfile(form),
    output: "matches",
    separator,
    rejected,
    encoded: nested,
    cutHosts: form.unwrap === false ? undefined : hostEnds,
  };
  const inner: ScanOptions = {
    ...plain,
    type: "text",
    bare: [],
    guess: false,
    charset: "utf-8",
    refang: false,
    links: false,
    decoder: undefined,
    asked: [],
    context: 0,
    encoded: false,
    cutHosts: undefined,
    isNested: true,
    rejected: false,
    filter: undefined,
  };
  return { ...plain, rewriter: (core) => new Rewriter(core, settings, nested ? new NestedFinder(core, inner) : undefined, rejected) };
}

/** Number of a scheme that is not in the core's table. */
const NO_SCHEME = -1;

/** FLAG_* of a match that was cut (C142, C294). */
const CUT = code.FLAG_CUT | code.FLAG_LINE_CUT;

/** The span of a nested match, and the bits of CUT of the outermost match if that ends where this one does. */
interface InnerSpan {
  readonly start: number;
  readonly end: number;
  readonly cut: number;
}

class Rewriter implements MatchRewriter {
  readonly #core: Core;
  readonly #form: UrlForm;
  /** Whether the texts of refused matches are wanted. */
  readonly #lists: boolean;
  readonly #isRewriting: boolean;
  readonly #normalizeLink: Normalizer;
  /** As `#normalizeLink`; undefined if the URLs that the core has written need at most the steps of `writtenForm`. */
  readonly #normalize: Normalizer | undefined;
  /** Tests whether a URL that a line break cut is a redirector's (C142). */
  readonly #isCutRedirector: ((url: string) => boolean) | undefined;
  readonly #schemes: ReadonlySet<string> | undefined;
  readonly #finder: NestedFinder | undefined;
  readonly #links: Links | undefined;
  readonly #trace: Trace | undefined;
  /** Start of the match whose URL is rewritten, counted from the base of the batch. If there is a trace, this base is 0. */
  #start = 0;
  /** Whether the URL being rewritten is none of a redirector, but gave a URL inside it (C209). */
  #isOpen = false;
  /** Notes the rules that rewrite the URL, if a trace is taken or a flag depends on them. */
  readonly #noted: RuleListener | undefined;
  /** Whether the core has already written all URLs in the wanted form, except URLs of redirectors. */
  readonly #unwrapsAlone: boolean;

  constructor(core: Core, { form, schemes, links, base }: RewriterSettings, finder: NestedFinder | undefined, lists: boolean) {
    this.#core = core;
    this.#lists = lists;
    this.#form = form;
    this.#isRewriting = needsRewrite({ ...form, refang: false });
    // SURTs, CDX keys and defanged forms are made from the result of the other options, after the host is read. The text was refanged when
    // it was decoded.
    const plain: UrlForm = { ...form, refang: false, defang: false };
    const before: UrlForm = isKey(form.profile) ? { ...plain, profile: "rfc3986" } : plain;
    const { trace } = core;
    this.#trace = trace;
    this.#noted = trace === undefined && form.unwrap !== "any" ? undefined : (rule) => this.#note(rule);
    this.#normalizeLink = makeNormalizer(core, before, this.#noted);
    this.#normalize = needsRewrite(before) ? this.#normalizeLink : undefined;
    this.#isCutRedirector = form.unwrap === false ? undefined : makeCutTest(core, before);
    this.#schemes = (finder === undefined && !links) || schemes === undefined ? undefined : new Set(schemes);
    this.#finder = finder;
    this.#unwrapsAlone = this.#trace === undefined && finder === undefined && !links && unwrapsAlone(form);
    this.#links = links ? new Links(core, base) : undefined;
  }

  rewrite(batch: MatchBatch, window: Uint8Array): RewrittenMatches {
    const outer = this.#finder?.find(batch, window);
    const rewritten = this.#unwrapsAlone ? this.#unwrap(batch) : this.#changes(outer) ? this.#rebuild(batch, outer) : batch;
    return { batch: rewritten, refused: refusedOf(rewritten, this.#lists ? window : undefined) };
  }

  finish(batch: MatchBatch): MatchBatch {
    if (this.#form.defang !== true) return batch;
    const { texts, contexts } = batch;
    return matchBatch({
      ...batch,
      texts: texts && new Map(Array.from(texts, ([row, text]) => [row, defanged(text)])),
      contexts: contexts?.map(({ before, match, after }) => ({
        before: defanged(before),
        match: defanged(match),
        after: defanged(after),
      })),
    });
  }

  #note(rule: number): void {
    if (rule === N10_OPEN) this.#isOpen = true;
    this.#trace?.add(this.#start, rule);
  }

  #changes(outer: OuterMatches | undefined): boolean {
    if (this.#isRewriting || this.#schemes !== undefined || this.#links !== undefined) return true;
    for (const { inner } of outer?.values() ?? []) if (inner.length > 0) return true;
    return false;
  }

  #unwrap(batch: MatchBatch): MatchBatch {
    const redirectors = redirectorRows(batch);
    if (redirectors.length === 0) return batch;
    const builder = new BatchBuilder(batch);
    let next = 0;
    for (const row of redirectors) {
      builder.addRows(next, row);
      this.#put(builder, batch, row);
      next = row + 1;
    }
    builder.addRows(next, batch.count);
    return builder.finish();
  }

  #rebuild(batch: MatchBatch, outer: OuterMatches | undefined): MatchBatch {
    const builder = new BatchBuilder(batch);
    for (let row = 0; row < batch.count; row++) {
      const found = batch.found?.get(row);
      if (found !== undefined && this.#links !== undefined) this.#putValue(builder, batch, row, found, this.#links);
      else this.#put(builder, batch, row);
      const match = outer?.get(row);
      if (match !== undefined) this.#putInner(builder, match, match.end, wordOf(batch, row, code.RECORD_FLAGS) & CUT);
    }
    return builder.finish();
  }

  /** Adds the matches inside a match. `outerEnd`, `cut`: the end of the outermost match, and its bits of CUT. */
  #putInner(builder: BatchBuilder, outer: NestedMatch, outerEnd: number, cut: number): void {
    if (this.#isMarked(outer.batch, outer.row)) return;
    for (const match of outer.inner) {
      const { batch, row, start, end } = match;
      this.#put(builder, batch, row, { start, end, cut: end === outerEnd ? cut : 0 });
      this.#putInner(builder, match, outerEnd, cut);
    }
  }

  /** Returns whether `unwrap` finds a redirector's marks in a match. URLs inside have these marks too, and are not reported. (C206) */
  #isMarked(batch: MatchBatch, row: number): boolean {
    return this.#form.unwrap !== false && isMarkedRedirector(rawText(batch, row));
  }

  /** Adds a match in an attribute value. Resolves a link, and sets the base from the `href` of a `base` (C106, C107). */
  #putValue(builder: BatchBuilder, batch: MatchBatch, row: number, found: FoundElement, links: Links): void {
    const location = locationAt(batch, row);
    const number = builder.count;
    const raw = rawText(batch, row);
    const isLink = wordOf(batch, row, code.RECORD_KIND) === code.KIND_LINK;
    if (!found.isSilent && !isLink) this.#put(builder, batch, row);
    if (!found.isSilent && isLink) {
      this.#start = wordOf(batch, row, code.RECORD_START);
      this.#isOpen = false;
      const resolved = links.resolve(raw, found, location);
      const result = resolved.ok ? this.#normalizeLink(resolved.url) : resolved;
      const scheme = result.ok ? result.url.slice(0, result.url.indexOf(":")) : "";
      if (this.#schemes === undefined || this.#schemes.has(scheme)) {
        builder.addRow(batch, row);
        builder.setWord(number, code.RECORD_SCHEME, NO_SCHEME);
        if (result.ok) this.#setUrl(builder, number, "", result.url, result.chain ?? []);
        else refuse(builder, number, result.code);
        if (resolved.ok) builder.setWord(number, code.RECORD_FLAGS, flagBits(flagsWith(this.#core, resolved.url)));
        if (result.ok && result.chain !== undefined && result.chain.length > 0) this.#flagTarget(builder, number, result.url);
      }
    }
    if (found.isBase) links.takeBase(raw, found, location);
  }

  /** Adds a match with its URL rewritten, if its scheme is reported; as a nested match if `span` is given. */
  #put(builder: BatchBuilder, batch: MatchBatch, from: number, span?: InnerSpan): void {
    const row = builder.addRow(batch, from);
    if (this.#schemes?.has(schemeOf(builder, row)) === false) {
      builder.dropRow();
      return;
    }
    if (span !== undefined) {
      builder.setWord(row, code.RECORD_START, span.start);
      builder.setWord(row, code.RECORD_END, span.end);
      builder.setWord(row, code.RECORD_KIND, code.KIND_NESTED);
      builder.setWord(row, code.RECORD_FLAGS, builder.word(row, code.RECORD_FLAGS) | span.cut);
    }
    this.#start = builder.word(row, code.RECORD_START);
    this.#isOpen = false;
    if (span !== undefined) this.#trace?.addMatch(span.start, span.end, X11_NESTED);
    if ((builder.word(row, code.RECORD_FLAGS) & code.FLAG_LINE_CUT) !== 0) this.#settleCut(builder, row);
    if (this.#isRewriting && builder.word(row, code.RECORD_REASON) === code.REASON_NONE) this.#rewriteUrl(builder, row);
  }

  /** Flags the URL of a redirector that a line break cut, and no other one. (C142) */
  #settleCut(builder: BatchBuilder, row: number): void {
    const url = builder.text(row, code.RECORD_RAW, code.RECORD_RAW_LENGTH);
    const flags = builder.word(row, code.RECORD_FLAGS) & ~code.FLAG_LINE_CUT;
    const isKept = this.#isCutRedirector?.(url) ?? false;
    builder.setWord(row, code.RECORD_FLAGS, isKept ? flags | code.FLAG_CUT : flags);
    if (isKept) this.#noted?.(N10_CUT);
  }

  #rewriteUrl(builder: BatchBuilder, row: number): void {
    const url = builder.text(row, code.RECORD_URL, code.RECORD_URL_LENGTH);
    const raw = builder.text(row, code.RECORD_RAW, code.RECORD_RAW_LENGTH);
    const whole = builder.word(row, code.RECORD_SCHEME_LENGTH) === 0 ? withScheme(schemeOf(builder, row), raw) : raw;
    const result = this.#normalize?.(whole);
    // The profile none keeps schemeless text if no option changes it.
    if (result?.ok && this.#form.profile === "none" && result.url === whole) {
      if (this.#form.defang) this.#setUrl(builder, row, url, url, []);
      return;
    }
    if (result?.ok === false && this.#form.profile === "whatwg") {
      refuse(builder, row, result.code);
      return;
    }
    // A delimited URL may have a shape that `normalize` refuses (X6): it keeps the core's form, but not its userinfo.
    const rewritten = result?.ok ? result.url : rewriteUserinfo(url, this.#form.userinfo);
    if (!result?.ok && rewritten !== url) this.#noted?.(N10_USERINFO);
    const chain = (result?.ok && result.chain) || [];
    this.#setUrl(builder, row, url, rewritten, chain);
    if (chain.length > 0) this.#flagTarget(builder, row, rewritten);
  }

  /** Adds to a row the flags of its new URL, which was inside the URL that the text has. (C209, C213, C215) */
  #flagTarget(builder: BatchBuilder, row: number, url: string): void {
    const own = flagBits(flagsWith(this.#core, url)) & (code.FLAG_SHORTENER | code.FLAG_NAMESPACE);
    const open = this.#isOpen ? code.FLAG_OPEN_REDIRECT : 0;
    builder.setWord(row, code.RECORD_FLAGS, builder.word(row, code.RECORD_FLAGS) | own | open);
  }

  #setUrl(builder: BatchBuilder, row: number, before: string, url: string, chain: readonly string[]): void {
    if (url !== before) {
      const host = writtenHost(url);
      if (host !== writtenHost(before)) builder.setText(row, code.RECORD_HOST, code.RECORD_HOST_LENGTH, host);
      builder.setWord(row, code.RECORD_SCHEME_LENGTH, url.indexOf(":"));
    }
    const written = writtenForm(url, this.#form, this.#noted);
    if (written !== before) builder.setText(row, code.RECORD_URL, code.RECORD_URL_LENGTH, written);
    const scheme = url.slice(0, url.indexOf(":"));
    if (!written.startsWith(scheme)) setSchemeRow(builder, row, scheme.toLowerCase());
    if (chain.length > 0)
      builder.setChain(
        row,
        chain.map((one) => writtenForm(one, this.#form)),
      );
  }
}

/** Returns whether the core writes a form by itself, except for URLs of redirectors. */
export function unwrapsAlone(form: UrlForm): boolean {
  return form.unwrap === true && form.profile === "rfc3986" && !needsRewrite({ ...form, unwrap: false });
}

/** Returns the raw form of a match. Links may be ill-formed: their bytes become triplets (C66). */
function rawText(batch: MatchBatch, row: number): string {
  const start = wordOf(batch, row, code.RECORD_RAW);
  return textOf(batch.bytes.subarray(start, start + wordOf(batch, row, code.RECORD_RAW_LENGTH)));
}

/** Returns the scheme of a row in lower case; for schemeless text, the scheme of its kind (X10). */
function schemeOf(builder: BatchBuilder, row: number): string {
  const length = builder.word(row, code.RECORD_SCHEME_LENGTH);
  if (length === 0) return SCHEMES[builder.word(row, code.RECORD_SCHEME)]?.name ?? "";
  return builder.text(row, code.RECORD_RAW, code.RECORD_SCHEME_LENGTH).toLowerCase();
}

/** Sets the scheme of a row by number, because a defanged URL or a CDX key begins with another name. */
function setSchemeRow(builder: BatchBuilder, row: number, name: string): void {
  const number = SCHEMES.findIndex((scheme) => scheme.name === name);
  if (number < 0) return;
  builder.setWord(row, code.RECORD_SCHEME, number);
  builder.setWord(row, code.RECORD_SCHEME_LENGTH, 0);
}

/** Returns the URL of schemeless text (X10, C140). */
function withScheme(scheme: string, raw: string): string {
  return scheme === "mailto" ? `mailto:${raw.replace(/[%?#]/g, percentEncoded)}` : `${scheme}://${raw}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Returns the matches of a batch that have no URL; their texts are empty without `window`. */
function refusedOf({ rows }: MatchBatch, window: Uint8Array | undefined): Refusal[] {
  const refused: Refusal[] = [];
  for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
    const reason = rows[at + code.RECORD_REASON];
    if (reason === code.REASON_NONE) continue;
    const [start, end] = [rows[at + code.RECORD_START], rows[at + code.RECORD_END]];
    refused.push({ start, end, reason, text: window === undefined ? "" : shownText(window.subarray(start, end)) });
  }
  return refused;
}

/** Returns the host as it is written in a URL, or an empty text. */
function writtenHost(url: string): string {
  const { authority } = splitUrl(url);
  return authority === null ? "" : splitAuthority(authority).host;
}

function flagBits(flags: readonly Flag[]): number {
  return flags.reduce((bits, flag) => bits | (1 << FLAGS.indexOf(flag)), 0);
}

function refuse(builder: BatchBuilder, row: number, reason: Reason): void {
  builder.setWord(row, code.RECORD_REASON, REASON_NAMES.indexOf(reason));
  builder.setWord(row, code.RECORD_URL_LENGTH, 0);
  builder.setWord(row, code.RECORD_HOST_LENGTH, 0);
}
