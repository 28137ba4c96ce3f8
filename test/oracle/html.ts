/**
 * HTML taken apart (X9): texts and attribute values with their character references decoded; comments, scripts and styles as they stand.
 */
import { DecodingMode, HtmlEntityDecoder } from "entities/decode";
import type { HidingTag } from "./hiding.ts";
import type { Rules } from "./rules.ts";
import { decodedFrom, neutral, type Source, sourceOf } from "./source.ts";
import { bytesOf } from "./unicode.ts";
import { formOf, type ValueForm } from "./url-value.ts";

/** A piece of a page that is read as a text of its own. */
export interface Piece {
  text: Source;
  place: Rules["place"];
  /** Of the value of an attribute; any other piece is text. */
  form?: ValueForm;
  /** The element and the attribute of the value; absent in end tags. */
  element?: Element;
  /** Offsets in the text at which a link may start. */
  linkStarts?: number[];
  /** Whether a reader of the page sees the text: it is in no tag, comment or script (C218). */
  isShown?: boolean;
  /** Whether it is the text of an element without markup. */
  isRaw?: boolean;
  /** Set at a tag: its name in lower case, and its offsets. */
  tag?: HidingTag;
  /** Set at a tag: whether it is one of an `a`. */
  isAnchor?: boolean;
  /** How a text goes on after tags (C280, C285). */
  after?: string;
  /** The text of its link (C218). */
  anchor?: string;
  /** The declarations of the element's `style` (C179). */
  style?: string;
  /** The attributes `width` and `height` of the element (C275). */
  sizes?: { width?: string; height?: string };
  /** Whether the element has the attribute `hidden`. */
  isHidden?: boolean;
  /** Whether an element around the value hides it (C278). */
  isHiddenAround?: boolean;
  /** Whether a value with white space ends in quotation marks that belong to it, by what follows them (C103). */
  isClosed?: boolean;
}

/** An element and one of its attributes, in lower case. */
export interface Element {
  tag: string;
  attribute: string;
}

/** Elements whose text is no markup; that of the last two has references (C190). */
const RAW = /^(?:script|style|xmp|iframe|noembed|noframes|plaintext|title|textarea)$/;
const WITH_REFERENCES = /^(?:title|textarea)$/;
/** Start tags that end svg and math, or begin HTML there (C192). */
const BREAKS_OUT = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby " +
    "s small span strong strike sub sup table tt u ul var foreignobject annotation-xml mi mo mn ms mtext"
  ).split(" "),
);
const CDATA = /<!\[CDATA\[(.*?)(?:\]\]>|$)/sy;

/** The longest name of HTML with its `&` and `;`. */
const REFERENCE_BYTES_MAX = 33;
const WBR = /<wbr\/?>/iy;
const COMMENT = /<!--(?:-?>|(.*?)(?:--!?>|$))/sy;
const DECLARATION = /<(?:[!?]|\/(?=[^A-Za-z>]))([^>]*)(?:>|$)/y;
/** C280: `</>` is nothing but a tag. */
const TAG_NAME = /<(?:\/(?=>)|\/?([A-Za-z][^ \t\n\f\r/>]*))/y;
const SPACE = "[ \\t\\n\\f\\r]*";
const VALUE = `"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^ \\t\\n\\f\\r>]+)`;
/** A text that is no name: after its `://` a `=` begins no value, nor does one after its last slash and white space. */
const URL_TEXT = "=?[^ \\t\\n\\f\\r/>=]*://[^ \\t\\n\\f\\r>]*";
const NAME = "=[^ \\t\\n\\f\\r/>=]*|[^ \\t\\n\\f\\r/>=]+";
const ATTRIBUTE = new RegExp(`[ \\t\\n\\f\\r/]*(?<name>${URL_TEXT}|${NAME})(?:(?<!/)${SPACE}(?<equals>=)${SPACE}(?:${VALUE})?)?`, "dy");

/** The character reference at an offset, decoded; null where none stands there. In an attribute a name needs its `;`. */
function readReference(bytes: string, at: number, place: Rules["place"]): { bytes: string; width: number } | null {
  if (bytes[at] !== "&") {
    return null;
  }
  let text = "";
  const decoder = new HtmlEntityDecoder((codePoint) => {
    text += String.fromCodePoint(codePoint);
  });
  decoder.startEntity(place === "attribute" && bytes[at + 1] !== "#" ? DecodingMode.Strict : DecodingMode.Legacy);
  const width = decoder.write(bytes, at + 1);
  const whole = width < 0 ? decoder.end() : width;
  // A number is measured with the semicolon that it may do without.
  const measured = bytes[at + whole - 1] === ";" ? whole : whole + 1;
  return whole > 0 && measured <= REFERENCE_BYTES_MAX ? { bytes: bytesOf(text), width: whole } : null;
}

/** C283: the reference with its semicolon at an offset, whose `&` is what `written` matches there, or null. */
export function closedReference(bytes: string, at: number, written: RegExp): { bytes: string; width: number } | null {
  const ampersand = matchAt(written, bytes, at)?.[0] ?? null;
  const [name = ""] =
    /^(?:#[0-9]+|#[xX][0-9A-Fa-f]+|[A-Za-z0-9]+);/.exec(ampersand === null ? "" : bytes.slice(at + ampersand.length)) ?? [];
  const found = readReference(`&${name}`, 0, "attribute");
  return ampersand === null || name === "" || found?.width !== name.length + 1 ? null : { ...found, width: ampersand.length + name.length };
}

/** C284: the reference at an offset in XML, perhaps escaped. */
function xmlReference(bytes: string, at: number): { bytes: string; width: number } | null {
  return closedReference(bytes, at, /&(?:amp|#38|#x26);/y) ?? readReference(bytes, at, "attribute");
}

/** A text or an attribute value between two offsets, its references decoded; `decodedAs`: as in that place. */
function decodedPiece(page: string, from: number, to: number, place: Rules["place"], decodedAs = place): Piece {
  const source = sourceOf(page.slice(from, to), from);
  return { text: neutral(decodedFrom(source, (at) => readReference(source.bytes, at, decodedAs))), place };
}

/** A value, or a token of a list, that may be a URL: inside of it references for 01 to 03 are triplets (C102). */
function urlPiece(page: string, from: number, to: number): Piece {
  const source = sourceOf(page.slice(from, to), from);
  let before = "";
  const decodeAt = (at: number): { bytes: string; width: number } | null => {
    const read = readReference(source.bytes, at, "attribute");
    const isInside = before > " " && /^[A-Za-z0-9]/.test(source.bytes.slice(at + (read?.width ?? 1)));
    const isMark = read !== null && read.bytes > "\0" && read.bytes < "\x04";
    const piece = isMark && isInside ? { ...read, bytes: `%0${read.bytes.charCodeAt(0)}` } : read;
    before = (piece?.bytes ?? source.bytes.charAt(at)).slice(-1);
    return piece;
  };
  return { text: neutral(decodedFrom(source, decodeAt)), place: "attribute" };
}

/** A text between markup. A `wbr` in it is nothing (C280). */
function shownPiece(page: string, from: number, to: number, isXml: boolean): Piece {
  const source = sourceOf(page.slice(from, to), from);
  const decodeAt = (at: number): { bytes: string; width: number } | null => {
    const wbr = isXml ? null : matchAt(WBR, source.bytes, at);
    const read = isXml ? xmlReference(source.bytes, at) : readReference(source.bytes, at, "html");
    return wbr === null ? read : { bytes: "", width: wbr[0].length };
  };
  return { text: neutral(decodedFrom(source, decodeAt)), place: "html", isShown: true };
}

/** C280, C285: says of each shown text how it goes on after the tags that follow it. Their names are of no account. */
function withAfter(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) => {
    let after = "";
    let at = index + 1;
    const isEmpty = (one: Piece | undefined): boolean => one !== undefined && one.text.bytes === "";
    if (isEmpty(pieces[at]) && pieces[at]?.isShown === true) at++;
    // A tag is an empty plain piece, its mark, and its values; then the next text comes.
    while (isEmpty(pieces[at]) && pieces[at + 1]?.isAnchor === false) {
      const tag = pieces[at + 1]?.tag;
      const length = tag === undefined ? 0 : tag.to - tag.from;
      after += (tag?.isEnd === true ? "</x" : "<x").padEnd(length - 1, "x");
      at += 2;
      while (pieces[at]?.place === "attribute") at++;
      if (pieces[at]?.isShown !== true) break;
      const text = pieces[at]?.text.bytes ?? "";
      after += `>${text}`;
      if (!/^[A-Za-z0-9.-]*$/.test(text)) break;
      at++;
    }
    return piece.isShown === true ? { ...piece, after } : piece;
  });
}

/** The match of a sticky expression at an offset, or null. */
function matchAt(expression: RegExp, page: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(page);
}

/** The pieces of a value: the tokens of a list are texts of their own. */
function valuePieces(page: string, from: number, to: number, form: ValueForm, attribute: string, isXml: boolean): Piece[] {
  if (isXml && form === "text") {
    const source = sourceOf(page.slice(from, to), from);
    return [{ text: neutral(decodedFrom(source, (at) => xmlReference(source.bytes, at))), place: "attribute", form }];
  }
  if (form !== "token") {
    const isQuoted = /["']/.test(page.charAt(from - 1));
    const isEnded = to < page.length && /^(?:[ \t\n\f\r/>]|$)/.test(page.slice(to + 1, to + 2));
    const piece = form === "text" ? decodedPiece(page, from, to, "attribute") : urlPiece(page, from, to);
    return [{ ...piece, form, linkStarts: [0], isClosed: !isQuoted || isEnded }];
  }
  const tokens = [...page.slice(from, to).matchAll(/[^ \t\n\f\r]+/g)];
  let isDescriptor = false;
  return tokens.map(({ index, 0: token }) => {
    const piece = urlPiece(page, from + index, from + index + token.length);
    // HTML reads a srcset so: after a URL without a comma at its end come descriptors, up to a comma.
    const comma = isDescriptor ? token.indexOf(",") : -1;
    const afterComma = comma < 0 ? [] : [...piece.text.bytes].findIndex((_, at) => piece.text.startOf(at) > from + index + comma);
    const linkStarts = isDescriptor ? [afterComma].flat().filter((at) => at >= 0) : [0];
    isDescriptor = attribute.endsWith("srcset") && !piece.text.bytes.endsWith(",");
    return { ...piece, form, linkStarts, isClosed: true };
  });
}

/** C190, C191: how long the text of an element that is no markup is. */
function rawLength(text: string, tag: string): number {
  if (tag === "plaintext") {
    return text.length;
  }
  const end = new RegExp(`</${tag}(?=[ \\t\\n\\f\\r/>])`, "gi");
  if (tag !== "script") {
    return end.exec(text)?.index ?? text.length;
  }
  // What is escaped goes up to `-->`; in it a script may begin and end.
  const marks = /<!--|-->|<(\/?)script(?=[ \t\n\f\r/>])/gi;
  let isEscaped = false;
  let isDouble = false;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "<!--") {
      isEscaped = true;
      marks.lastIndex = mark.index + 2;
    } else if (mark[0] === "-->") {
      isEscaped = false;
      isDouble = false;
    } else if (mark[1] === "/") {
      if (!isDouble) {
        return mark.index;
      }
      isDouble = false;
    } else {
      isDouble = isEscaped;
    }
  }
  return text.length;
}

/** A tag: the values of its attributes and the texts between them, and the offset behind it. */
interface Tag {
  pieces: Piece[];
  end: number;
  style: string;
  isHidden: boolean;
  isSelfClosing: boolean;
}

/** What the tag whose name ends at `from` holds. */
function readTag(page: string, tag: string, from: number, isEndTag: boolean, isXml: boolean): Tag {
  const pieces: Piece[] = [];
  let textStart = from;
  let at = from;
  let style: string | undefined;
  const sizes: { width?: string; height?: string } = {};
  let isHidden = false;
  /** Whether the last attribute has a value: a slash at its end belongs to it. */
  let hasValue = false;
  const takeText = (end: number): void => {
    pieces.push({ text: sourceOf(page.slice(textStart, end), textStart), place: "attribute" });
  };
  for (let one = matchAt(ATTRIBUTE, page, at); one !== null; one = matchAt(ATTRIBUTE, page, at)) {
    at += one[0].length;
    const equals = one.indices?.groups?.equals;
    hasValue = equals !== undefined;
    isHidden ||= one.groups?.name?.toLowerCase() === "hidden";
    if (equals !== undefined) {
      takeText(equals[0]);
      const span = one.indices?.slice(3).find((group) => group !== undefined);
      const attribute = (one.groups?.name ?? "").toLowerCase();
      if (attribute === "style" && span !== undefined) {
        style ??= decodedPiece(page, ...span, "attribute").text.bytes;
      }
      if ((attribute === "width" || attribute === "height") && span !== undefined) {
        sizes[attribute] ??= decodedPiece(page, ...span, "attribute").text.bytes;
      }
      const values = span === undefined ? [] : valuePieces(page, ...span, formOf(tag, attribute), attribute, isXml);
      const name = (/^[A-Za-z0-9+.-]*/.exec(tag)?.[0] ?? "").slice(0, 24).toLowerCase();
      pieces.push(...values.map((value) => (isEndTag ? value : { ...value, element: { tag: name, attribute } })));
      // The white space that ends an unquoted value is no text, as a quote is none.
      const isUnquoted = span !== undefined && span[1] === at;
      textStart = isUnquoted && /[ \t\n\f\r]/.test(page.charAt(at)) ? at + 1 : at;
    }
  }
  const close = page.indexOf(">", at);
  const end = close < 0 ? page.length : close + 1;
  takeText(close < 0 ? end : close);
  for (const piece of pieces) {
    if (style !== undefined) piece.style = style;
    piece.sizes = sizes;
  }
  for (const piece of pieces) piece.isHidden = isHidden;
  return { pieces, end, style: style ?? "", isHidden, isSelfClosing: page.slice(hasValue ? at : from, close).endsWith("/") };
}

/** The text [from, to), in CDATA of XML with its references read once (C284). */
function plainText(page: string, from: number, to: number, isHtml: boolean): Source {
  const source = sourceOf(page.slice(from, to), from);
  return neutral(isHtml ? decodedFrom(source, (offset) => closedReference(source.bytes, offset, /&/y)) : source);
}

/** What stands in a page, in its order. `<` with a known scheme or `URL` and a colon is no tag (X7). */
export function readHtml(page: string, { schemes }: Rules, isXml: boolean): Piece[] {
  // C195: names of XML have colons, and its references their semicolon.
  const delimited = new RegExp(`<(?:url:|(?:${schemes.slashed.slice(3, -4)}):${isXml ? "/" : ""})`, "iy");
  const pieces: Piece[] = [];
  let textStart = 0;
  let at = 0;
  /** C192: how many svg and math are open. */
  let foreign = 0;
  /** Ends the text before `at`, and reads markup up to `end` as plain text from `from` on. */
  const take = (from: number, to: number, end: number): void => {
    pieces.push(shownPiece(page, textStart, at, isXml));
    const text = plainText(page, from, to, isXml && page.startsWith("<![CDATA[", at));
    pieces.push({ text, place: "plain" });
    at = end;
    textStart = end;
  };
  while (at < page.length) {
    const comment = matchAt(COMMENT, page, at);
    const cdata = foreign > 0 || isXml ? matchAt(CDATA, page, at) : null;
    const declaration = matchAt(DECLARATION, page, at);
    const tag = matchAt(delimited, page, at) === null ? matchAt(TAG_NAME, page, at) : null;
    const wbr = isXml ? null : matchAt(WBR, page, at);
    if (wbr !== null) {
      at += wbr[0].length;
    } else if (comment !== null && /^\[if/i.test(comment[1] ?? "")) {
      pieces.push(shownPiece(page, textStart, at, isXml));
      pieces.push(decodedPiece(page, at + 4, at + 4 + (comment[1] ?? "").length, "html", "attribute"));
      at += comment[0].length;
      textStart = at;
    } else if (comment !== null) {
      take(at + 4, at + 4 + (comment[1] ?? "").length, at + comment[0].length);
    } else if (cdata !== null) {
      take(at + 9, at + 9 + (cdata[1] ?? "").length, at + cdata[0].length);
    } else if (declaration !== null) {
      take(at + 2, at + 2 + (declaration[1] ?? "").length, at + declaration[0].length);
    } else if (tag !== null) {
      const isEndTag = tag[0].length > 2 && tag[0].startsWith("</");
      const name = (tag[1] ?? "").toLowerCase();
      const { pieces: values, end, isSelfClosing, style, isHidden } = readTag(page, tag[1] ?? "", at + tag[0].length, isEndTag, isXml);
      const tagAt = at;
      take(end, end, end);
      const mark = { name, isEnd: isEndTag, from: tagAt, to: end, style, isHidden };
      pieces.push({ text: sourceOf("", end), place: "plain", isAnchor: name === "a", tag: mark }, ...values);
      const isForeign = /^(?:svg|math)$/.test(name);
      if (isXml) {
        continue;
      }
      if (isEndTag) {
        foreign = /^(?:p|br)$/.test(name) ? 0 : Math.max(0, isForeign ? foreign - 1 : foreign);
      } else if (foreign > 0 && BREAKS_OUT.has(name)) {
        foreign = 0;
      } else if (isForeign && !isSelfClosing) {
        foreign++;
      } else if (foreign === 0 && RAW.test(name)) {
        const to = end + rawLength(page.slice(end), name);
        if (WITH_REFERENCES.test(name)) {
          pieces.push({ ...decodedPiece(page, end, to, "html"), isShown: true, isRaw: true });
          at = to;
          textStart = to;
        } else {
          take(end, to, to);
        }
      }
    } else {
      at = page.indexOf("<", at + 1) < 0 ? page.length : page.indexOf("<", at + 1);
    }
  }
  pieces.push(shownPiece(page, textStart, page.length, isXml));
  return withAfter(pieces);
}
