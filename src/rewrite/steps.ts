// The steps of matches between the core and the sink, in their order. The core does as much as it can, the steps do the rest.
import * as code from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { type MatchBatch, matchBatch } from "../matches/batch.ts";
import { keepRows } from "../matches/batch-builder.ts";
import { schemeAt } from "../matches/field-values.ts";
import { matchFilter } from "../matches/filter.ts";
import type { Profile, UrlForm } from "../options/options.ts";
import { contextOf } from "../scan/context.ts";
import { refusalOf } from "../scan/rejections.ts";
import { mapToSource } from "../scan/rows.ts";
import type { MakeStep, ScanOptions } from "../scan/scan.ts";
import { defanged } from "../url/defang.ts";
import { isKey, needsRewrite } from "../url/rewrite.ts";
import { addLinkTexts } from "./link-text.ts";
import { resolveLinks } from "./links.ts";
import { addNested } from "./nested.ts";
import { hostEnds } from "./redirector-rows.ts";
import { normalizeUrls, unwrapRedirectors, writeForms } from "./url-forms.ts";

/** Returns whether steps change URLs or rows. `nested`: URLs inside others are reported too. (N9 to N11, X11, X15, C106) */
export function isRewritten(form: UrlForm, nested: boolean, { refang, links }: Pick<ScanOptions, "refang" | "links">): boolean {
  return nested || refang || links || needsRewrite(form);
}

/** Returns whether the core writes a form by itself, except for URLs of redirectors. */
export function unwrapsAlone(form: UrlForm): boolean {
  return form.unwrap === true && form.profile === "rfc3986" && !needsRewrite({ ...form, unwrap: false });
}

/** Adds the profile and the steps of a form to the options of a scan. `nested`: URLs inside others are reported too (X11). */
export function withSteps(options: Omit<ScanOptions, "profile">, form: UrlForm, nested: boolean): ScanOptions {
  const { links, refang, decoder, asked, context, read, base } = options;
  const schemes = options.schemes && new Set(options.schemes);
  const filter = options.filter && matchFilter(options.filter);
  const changes = isRewritten(form, nested, options);
  const isDecoded = decoder !== undefined;
  // SURTs, CDX keys and defanged forms are made from the result of the other options. The text is refanged when it is decoded.
  const plain: UrlForm = { ...form, refang: false, defang: false, profile: isKey(form.profile) ? "rfc3986" : form.profile };
  const scan: ScanOptions = Object.assign(options, {
    // With `nested` an unwanted match may hold a wanted one; with `links` it may be the base of one.
    schemes: nested || links ? undefined : options.schemes,
    profile: coreProfile(form),
    encoded: nested,
    ...(form.unwrap !== false && { cutHosts: hostEnds }),
  });
  const steps: (MakeStep | false | undefined)[] = [
    // Nested matches have the location of the outermost one. Else only the matches that the filter keeps are located.
    isDecoded && changes && locate,
    links && resolveLinks(plain, base, schemes),
    nested && addNested({ ...scan, ...INSIDE }, schemes, form.unwrap !== false),
    (nested || links) && schemes && keepSchemes(schemes),
    unwrapsAlone(plain) ? unwrapRedirectors(plain) : needsRewrite(plain) && normalizeUrls(plain),
    (isKey(form.profile) || form.defang) && writeForms(form),
    changes && takeRefused,
    refang && restoreDefanged,
    asked.includes("text") && addLinkTexts,
    filter && dropping(filter.keepUrls),
    isDecoded && !changes && locate,
    filter?.asksLocations && dropping(filter.keepLocations),
    (changes || filter) && countMatches,
    context > 0 && addContexts(context),
    form.defang && defangTexts,
    // The last one, because the others read the window at the offsets of the text.
    isDecoded && (read === undefined || read.has("start") || read.has("end")) && toSource,
  ];
  const chosen = steps.filter((step) => typeof step === "function");
  return Object.assign(scan, { isRewritten: changes, steps: chosen, keepMessages: filter?.keepMessages });
}

function coreProfile({ profile }: UrlForm): Profile {
  // whatwg accepts URLs that the core would refuse.
  return profile === "whatwg" ? "none" : isKey(profile) ? "rfc3986" : profile;
}

/** A plain text that is the inside of matches, in which nothing but URLs with their schemes is found. */
const INSIDE = {
  type: "text",
  decoder: undefined,
  bare: [],
  guess: false,
  charset: "utf-8",
  refang: false,
  links: false,
  asked: [],
  context: 0,
  encoded: false,
  cutHosts: undefined,
  isNested: true,
  output: "matches",
  urlsOnly: false,
  rejected: false,
  filter: undefined,
} as const;

const locate: MakeStep =
  ({ decoder }) =>
  (batch) => {
    const locations = decoder?.locationsOf?.(batch.rows, batch.base);
    return locations === undefined ? batch : matchBatch({ ...batch, locations });
  };

/** Drops matches with other schemes. `resolveLinks` has dropped links. */
const keepSchemes =
  (schemes: ReadonlySet<string>): MakeStep =>
  () =>
  (batch) => {
    const isLink = (row: number): boolean => batch.rows[row * code.RECORD_WORDS + code.RECORD_KIND] === code.KIND_LINK;
    return keepRows(batch, (row) => isLink(row) || schemes.has(schemeAt(batch, row)));
  };

/** Counts the matches without a URL, and takes them if they are listed: the core or a step refused the URL. */
const takeRefused: MakeStep =
  ({ window, counts, refused }) =>
  (batch) => {
    const { rows } = batch;
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
      const reason = rows[at + code.RECORD_REASON];
      if (reason === code.REASON_NONE) continue;
      counts.rejected[reason]++;
      refused?.push(refusalOf(window.bytes, rows[at + code.RECORD_START], rows[at + code.RECORD_END], reason));
    }
    return batch;
  };

const restoreDefanged: MakeStep =
  ({ decoder, window }) =>
  (batch) =>
    decoder?.restore?.(batch, window.bytes) ?? batch;

const dropping =
  (keep: (batch: MatchBatch, counts: { undated: number }) => MatchBatch): MakeStep =>
  ({ counts }) =>
  (batch) => {
    const kept = keep(batch, counts);
    counts.filtered += batch.count - kept.count;
    return kept;
  };

/** Counts the matches that remain. The core's own counts include those that other steps dropped. */
const countMatches: MakeStep =
  ({ counts }) =>
  (batch) => {
    counts.matches += batch.count;
    const { rows } = batch;
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) counts.kinds[rows[at + code.RECORD_KIND]]++;
    return batch;
  };

const addContexts =
  (length: number): MakeStep =>
  ({ core, window }) =>
  (batch) => {
    const addressOf = (row: number, field: number): number => layout.WINDOW_REGION + batch.rows[row * code.RECORD_WORDS + field];
    const contexts = Array.from({ length: batch.count }, (_, row) =>
      contextOf(core.bytes, addressOf(row, code.RECORD_START), addressOf(row, code.RECORD_END), window.high, length),
    );
    return matchBatch({ ...batch, contexts });
  };

/** Defangs contexts and the texts of links (C135). */
const defangTexts: MakeStep = () => (batch) => {
  const { texts, contexts } = batch;
  return matchBatch({
    ...batch,
    texts: texts && new Map(Array.from(texts, ([row, text]) => [row, defanged(text)])),
    contexts: contexts?.map(({ before, match, after }) => ({ before: defanged(before), match: defanged(match), after: defanged(after) })),
  });
};

const toSource: MakeStep =
  ({ decoder }) =>
  (batch) =>
    mapToSource(batch, decoder?.map);
