/**
 * Extraction (X1 to X14): the matches and failed candidates of a text or a page, read one after the other.
 * The input is a byte string, so that every index is a byte offset.
 */

import { encodedStep } from "./encoded.ts";
import { flagsOf, namedFlags } from "./flags.ts";
import { isHiddenAround } from "./hiding.ts";
import { type Piece, readHtml } from "./html.ts";
import { readJson } from "./json.ts";
import { anchorText, hides, isFormTarget, isPixel, labelText, showsOther } from "./link-text.ts";
import { Base, linkAt, mayLink, targetOf } from "./links.ts";
import { nestedIn } from "./nested.ts";
import { normalForm, asWritten as withTriplets } from "./normalize.ts";
import { isCutRedirector, isMarkedRedirector } from "./redirectors.ts";
import { type Refanged, refangedFrom } from "./refang.ts";
import { type OracleOptions, type Rules, rulesOf } from "./rules.ts";
import { findSchemeless } from "./schemeless.ts";
import { pickedFrom, type Source, sourceOf } from "./source.ts";
import { type Reason, split } from "./split.ts";
import { colonStep, type Found, type Kind, type Step } from "./step.ts";
import { textOf } from "./unicode.ts";
import { edgesOf, keptOf, relativePart, urlOfValue } from "./url-value.ts";

/** A match: offsets in bytes; `url` is null (and `reason` set) where `rfc3986` refuses it; `host` as in `url`; `flags` sorted (X, W). */
export interface OracleMatch {
  url: string | null;
  reason?: Reason;
  raw: string;
  scheme: string;
  host: string | null;
  start: number;
  end: number;
  kind: Kind;
  flags: string[];
  tag?: string;
  attribute?: string;
  text?: string;
}

/** A candidate that failed and the offset of its first byte (X12); matches that the profile refuses are not among them. */
export interface Rejected {
  reason: Reason;
  start: number;
}

/** What was found, and the offset by which a byte range owns it. */
interface Owned {
  owner: number;
  match?: OracleMatch;
  rejected?: Rejected;
}

/** Matches and failed candidates, each in order. */
export interface OracleResult {
  matches: OracleMatch[];
  rejected: Rejected[];
}

/** N, W: the record of a match from its raw form. */
function toMatch(raw: string, prefix: string, match: Pick<OracleMatch, "start" | "end" | "kind" | "flags">, rules: Rules): OracleMatch {
  // C140: in `mailto:` these mean something else (RFC 6068).
  const address = raw.replace(/[%?#]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const url = prefix === "mailto:" ? prefix + address : prefix + raw;
  const parts = split(url, false, true, rules.schemes);
  const normal = "reason" in parts ? parts : normalForm(parts, "rfc3986");
  // C142: of redirectors alone.
  const isCut = match.flags.includes("line-cut") && !("reason" in normal) && isCutRedirector(normal.url);
  const found = [...match.flags.filter((flag) => flag !== "line-cut"), ...(isCut ? ["cut"] : [])];
  const named = "reason" in parts || "reason" in normal ? [] : namedFlags(parts, normal.host);
  return {
    url: "reason" in normal ? null : textOf(normal.url),
    ...("reason" in normal ? { reason: normal.reason } : {}),
    raw: textOf(raw),
    scheme: url.slice(0, url.indexOf(":")).toLowerCase(),
    host: "reason" in normal || normal.host === null ? null : textOf(normal.host),
    start: match.start,
    end: match.end,
    kind: match.kind,
    flags: [...found, ...flagsOf(url, "reason" in parts ? null : parts), ...named].sort(),
  };
}

/** X15: a match that holds what was written otherwise has its raw form as it was written. */
function asWritten(match: OracleMatch, { start, end, offsets: read, raw: decoded }: Found, { text, written }: Refanged): OracleMatch {
  // Of escapes (X16) and values (C102) the raw form has other bytes.
  const offsets = decoded === undefined ? read : Array.from({ length: end - start }, (_, index) => start + index);
  if (match.kind === "nested" || !offsets.some((offset) => written.has(offset))) {
    return match;
  }
  const raw = offsets.map((offset) => written.get(offset) ?? text.bytes.charAt(offset)).join("");
  return { ...match, raw: textOf(decoded === undefined ? raw : keptOf(raw)), kind: "refanged" };
}

/** A match of a text, and the URLs nested in it (X11). */
function matchesOf(found: Found, read: Refanged, rules: Rules): OracleMatch[] {
  const { text } = read;
  const spanOf = (source: Source, from: number, to: number): { start: number; end: number } => {
    return { start: source.startOf(from), end: source.endOf(to - 1) };
  };
  const { start, end, offsets, ends, prefix, kind, flags } = found;
  const raw = pickedFrom(text, found.raw ?? offsets.map((offset) => text.bytes.charAt(offset)).join(""), offsets, ends);
  const outer = toMatch(raw.bytes, prefix, { ...spanOf(text, start, end), kind, flags }, rules);
  const inner = rules.nested && !(rules.unwraps && isMarkedRedirector(raw.bytes)) ? nestedIn(raw, prefix, rules) : [];
  const nested = inner.map((one) => {
    const span = spanOf(one.raw, 0, one.raw.bytes.length);
    const cut = span.end === outer.end ? flags.filter((flag) => flag === "cut" || flag === "line-cut") : [];
    return toMatch(one.raw.bytes, "", { ...span, kind: "nested", flags: [...new Set([...one.flags, ...cut])] }, rules);
  });
  const label = rules.asksText ? labelText(text.bytes, start, end) : "";
  return [withText(asWritten(outer, found, read), label), ...nested];
}

/** C218, C219: a match with the text of its link. */
function withText(match: OracleMatch, text: string): OracleMatch {
  const { text: _before, ...plain } = match;
  const flags = match.flags.filter((flag) => flag !== "other-host");
  if (text === "") {
    return { ...plain, flags };
  }
  const shown = oracleExtract(Buffer.from(text), { bare: ["www", "email", "domain"] }).matches;
  return { ...plain, flags: showsOther(text, shown, match) ? [...flags, "other-host"].sort() : flags, text };
}

/** C106, C179, C218, C250, C275: a match in the value of an attribute, with what its element shows. */
function withElement(match: OracleMatch, { element, style = "", sizes = {}, anchor, isHidden, isHiddenAround }: Piece): OracleMatch {
  const isLink = element?.tag === "a" && element.attribute === "href";
  const shown = withText({ ...match, ...element }, isLink ? (anchor ?? "") : "");
  const isPicture = element?.tag === "img";
  const isHiding = isHidden === true || isHiddenAround === true || hides(style, isPicture);
  const hidden = isPicture && isPixel(style, sizes) ? ["pixel"] : isHiding ? ["hidden"] : [];
  const form = element !== undefined && isFormTarget(element) ? ["form"] : [];
  return { ...shown, flags: [...shown.flags, ...hidden, ...form].sort() };
}

/** X10, X11: the leftmost step at or after `floor`; of two that start together the longer, schemeless text before a scheme. */
function nextStep(bytes: string, floor: number, bare: Step | null, rules: Rules): Step | null {
  const colons = rules.nested ? /:|%3a/gi : /:/g;
  colons.lastIndex = floor;
  for (let found = colons.exec(bytes); found !== null; found = colons.exec(bytes)) {
    const colon = found.index;
    const step = found[0] === ":" ? colonStep(bytes, colon, floor, rules) : encodedStep(bytes, colon, floor, rules);
    if (step !== null) {
      // C56: a name before a separator with colors is found.
      const isLongest = bare !== null && (bare.resume >= step.resume || bytes.slice(bare.resume, bare.resume + 3).includes("\x1b"));
      const isSchemelessFirst = bare !== null && (bare.start < step.start || (bare.start === step.start && isLongest));
      return isSchemelessFirst ? bare : step;
    }
    if (bare !== null && bare.resume <= colon) {
      return bare;
    }
  }
  return bare;
}

/** X9: the URL that the value of an attribute is, and the text behind it; or the value as a text. With a base, links too (C106). */
function readValue(piece: Piece, read: Refanged, rules: Rules, base: Base | null): Owned[] {
  const { text } = read;
  const { form = "text", element: place, linkStarts, isClosed = true } = piece;
  const hasLink = base !== null && place !== undefined && mayLink(place) && linkStarts?.includes(0) === true;
  const isRelative = hasLink && relativePart(keptOf(text.bytes.slice(...edgesOf(text.bytes, form)))) !== null;
  const url = form === "text" || isRelative ? null : urlOfValue({ text, isClosed }, form, rules);
  if (url === null) {
    return base === null || form === "text" ? readText(read, rules) : readLinks(piece, read, rules, base);
  }
  const owner = text.startOf(url.start);
  const [outer, ...inner] = matchesOf(url, read, rules);
  base?.take(piece, url.raw ?? url.offsets.map((at) => text.bytes.charAt(at)).join(""));
  const isAsked = (base !== null || rules.asksText) && piece.element !== undefined;
  const first = isAsked && outer !== undefined ? [rules.asksText ? withElement(outer, piece) : { ...outer, ...piece.element }] : [outer];
  return [...first.filter((match) => match !== undefined), ...inner]
    .map((match): Owned => ({ owner, match }))
    .concat(readText(read, rules, url.end));
}

/** C106: the links of a value, each before what the text has from its start on. A match that runs into a link wins. */
function readLinks(piece: Piece, read: Refanged, rules: Rules, base: Base): Owned[] {
  const { text } = read;
  const { form = "text", element, linkStarts = [], isClosed = true } = piece;
  const found = readText(read, rules);
  const links = element === undefined ? [] : linkStarts.map((at) => ({ at, link: linkAt({ text, isClosed }, at, form, element, rules) }));
  for (const { at, link } of links) {
    if (link === null || element === undefined) continue;
    const place = { start: text.startOf(link.start), end: text.endOf(link.end - 1) };
    const isOver = found.some(({ match }) => match !== undefined && at > 0 && match.start < place.start && match.end > text.startOf(at));
    const target = targetOf(base.url, link.raw);
    const plain: OracleMatch = { ...linkMatch(target, rules), raw: textOf(link.raw), ...place, kind: "link", ...element };
    const match = rules.asksText ? withElement(plain, piece) : plain;
    const index = found.findIndex(({ owner }) => owner >= place.start);
    if (!isOver) found.splice(index < 0 ? found.length : index, 0, { owner: place.start, match });
  }
  base.take(piece, links[0]?.link?.raw ?? null);
  return found;
}

/** The URL of a link that was resolved, in normal form. */
function linkMatch(target: string | null, { schemes }: Rules): Pick<OracleMatch, "url" | "reason" | "scheme" | "host" | "flags"> {
  if (target === null) {
    return { url: null, reason: "no-base", scheme: "", host: null, flags: [] };
  }
  // P10 writes what no URL can hold in triplets.
  const written = withTriplets(target);
  const parts = split(written, true, true, schemes);
  const normal = "reason" in parts ? parts : normalForm(parts, "rfc3986");
  const isGood = !("reason" in normal);
  return {
    url: isGood ? textOf(normal.url) : null,
    ...(isGood ? {} : { reason: normal.reason }),
    scheme: isGood ? target.slice(0, target.indexOf(":")).toLowerCase() : "",
    host: isGood && normal.host !== null ? textOf(normal.host) : null,
    flags: "reason" in parts ? [] : [...flagsOf(written, parts), ...(isGood ? namedFlags(parts, normal.host) : [])].sort(),
  };
}

/** X1 to X8, X10 to X12, X15: what stands in one text, from an offset on. */
function readText(read: Refanged, rules: Rules, start = 0): Owned[] {
  const { text } = read;
  const { bytes } = text;
  const found: Owned[] = [];
  let floor = start;
  let bare = findSchemeless(bytes, floor, rules);
  for (let step = nextStep(bytes, floor, bare, rules); step !== null; step = nextStep(bytes, floor, bare, rules)) {
    const owner = text.startOf(step.start);
    if ("found" in step) {
      found.push(...matchesOf(step.found, read, rules).map((match) => ({ owner, match })));
    } else {
      found.push({ owner, rejected: { reason: step.reason, start: owner } });
    }
    floor = step.resume;
    bare = bare === null || bare.start >= floor ? bare : findSchemeless(bytes, floor, rules);
  }
  return found;
}

/** X9, A16: the texts in a text. */
function piecesOf(bytes: string, { type }: OracleOptions, rules: Rules): Piece[] {
  if (type === "json") {
    return readJson(bytes).map(({ text }) => ({ text, place: rules.place }));
  }
  return type === "html" || type === "xml" ? readHtml(bytes, rules, type === "xml") : [{ text: sourceOf(bytes), place: rules.place }];
}

/** C278: whether an element around the value that is the piece of a number hides it. */
function isAroundHidden(page: string, pieces: readonly Piece[], index: number, anchor: string): boolean {
  const { text, element } = pieces[index] ?? { text: sourceOf("") };
  const isLink = element?.tag === "a" && element.attribute === "href";
  const tags = pieces.slice(0, index).flatMap(({ tag }) => tag ?? []);
  return isHiddenAround(page, tags, text.startOf(0), text.endOf(text.bytes.length - 1), isLink ? anchor : "");
}

/** X: all matches and failed candidates in order; a byte range owns those that start in it, and what is nested in them (X13). */
export function oracleExtract(input: Uint8Array, options: OracleOptions = {}): OracleResult {
  const bytes = Buffer.from(input).toString("latin1");
  const { from = 0, to = bytes.length + 1 } = options;
  const rules = rulesOf(options);
  const isRefanged = options.refang === true;
  const read = (text: Source): Refanged => (isRefanged ? refangedFrom(text) : { text, written: new Map() });
  const base = options.links === true ? new Base(options) : null;
  const pieces = piecesOf(bytes, options, rules);
  const found = pieces.flatMap((piece, index) => {
    const anchor = rules.asksText && piece.element !== undefined ? anchorText(pieces, index) : "";
    const isAround = rules.asksText && piece.element !== undefined && isAroundHidden(bytes, pieces, index, anchor);
    return readValue(
      { ...piece, anchor, isHiddenAround: isAround },
      read(piece.text),
      { ...rules, place: piece.place, after: piece.after },
      base,
    );
  });
  const owned = found.filter(({ owner }) => owner >= from && owner < to);
  return {
    matches: owned.flatMap(({ match }) => (match === undefined ? [] : [match])),
    rejected: owned.flatMap(({ rejected }) => (rejected === undefined ? [] : [rejected])),
  };
}
