/**
 * The depth of quotation in HTML mail (C302).
 */
import { readHtml } from "./html.ts";
import type { Rules } from "./rules.ts";

const DEPTH_MAX = 100;
/** Most bytes of a class or id that are looked at. */
const TOKENS_MAX = 128;
/** Most bytes of text from the first field of a header to the last one, and from the start of a quote to its own header. */
const HEADER_BYTES_MAX = 2048;
const OWN_BYTES_MAX = 256;
const HEADER_MARK = /(?:divRplyFwdMsg|OutlookMessageHeader|stopSpelling)$/;
const QUOTE_MARK =
  /(?:gmail_quote|moz-cite-prefix|moz-forward-container|yahoo_quoted|protonmail_quote|zmail_extra|reference-message-container)$/;
/** The word before the first colon of a line, and its fields in the order from, date, to, subject. */
const FIELD = /(?<![^\n])[\0-\t\v- *]*([^\0- *:]{1,12}):/g;
const FIELDS = [
  /^(?:from|von|van|de|da)$/i,
  /^(?:sent|date|gesendet|datum|verzonden|enviad[oa]|fecha|data|inviato)$/i,
  /^(?:to|an|aan|para|a)$/i,
  /^(?:subject|betreff|onderwerp|asunto|assunto|oggetto)$/i,
];

/** A page as far as it has been read. */
class Quotes {
  readonly depths: [number, number][] = [];
  /** How many bytes of text have been read. */
  text = 0;
  #blockquotes = 0;
  /** How many `div` are open since one that holds a quote; 0: none is. */
  #divisions = 0;
  #headers = 0;
  #headersOutside = 0;
  #quoteAt = Number.NEGATIVE_INFINITY;
  #markAt = Number.NEGATIVE_INFINITY;
  #seen = new Set<number>();
  #seenAt = 0;

  #tell(at: number): void {
    const quotes = this.#blockquotes > 0 ? this.#blockquotes : Math.min(1, this.#divisions);
    this.depths.push([at, Math.min(DEPTH_MAX, this.#headers + quotes)]);
  }

  #quotes(): number {
    return this.#blockquotes + Math.min(1, this.#divisions);
  }

  #addHeader(at: number): void {
    this.#headers += at - this.#quoteAt > OWN_BYTES_MAX ? 1 : 0;
    this.#quoteAt = Number.NEGATIVE_INFINITY;
  }

  open(name: string, tokens: readonly string[], to: number): void {
    const isHeader = tokens.some((token) => HEADER_MARK.test(token));
    const isQuote = !isHeader && tokens.some((token) => QUOTE_MARK.test(token));
    const begins = name === "blockquote" || (name === "div" && isQuote && this.#divisions === 0);
    this.#headersOutside = begins && this.#quotes() === 0 ? this.#headers : this.#headersOutside;
    this.#quoteAt = begins ? this.text : this.#quoteAt;
    this.#blockquotes += name === "blockquote" ? 1 : 0;
    this.#divisions += name === "div" && (begins || this.#divisions > 0) ? 1 : 0;
    if (isHeader) {
      this.#addHeader(this.text);
      this.#markAt = this.text;
    }
    this.#tell(to);
  }

  close(name: string, from: number): void {
    const before = this.#quotes();
    this.#blockquotes -= name === "blockquote" && this.#blockquotes > 0 ? 1 : 0;
    this.#divisions -= name === "div" && this.#divisions > 0 ? 1 : 0;
    this.#quoteAt = this.#quotes() < before ? Number.NEGATIVE_INFINITY : this.#quoteAt;
    this.#headers = before > 0 && this.#quotes() === 0 ? this.#headersOutside : this.#headers;
    this.#tell(from);
  }

  /** A word at the start of a line; `place`: the bytes of text up to its colon, which stands at `at`. */
  readField(word: string, place: number, at: number): void {
    const field = FIELDS.findIndex((words) => words.test(word));
    if (field < 0) {
      return;
    }
    if (this.#seen.size === 0 || place - this.#seenAt > HEADER_BYTES_MAX || (field === 0 && this.#seen.has(0))) {
      this.#seen = new Set();
      this.#seenAt = place;
    }
    this.#seen.add(field);
    if (this.#seen.size < FIELDS.length) {
      return;
    }
    this.#seen.clear();
    if (this.#seenAt - this.#markAt > OWN_BYTES_MAX) {
      this.#addHeader(this.#seenAt);
    }
    this.#markAt = Number.NEGATIVE_INFINITY;
    this.#tell(at);
  }
}

/** Offsets of a page, each with the depth from there on; before the first one it is 0. */
export function quoteDepths(page: string, rules: Rules): [number, number][] {
  const quotes = new Quotes();
  let open: { name: string; to: number; tokens: string[] } | null = null;
  for (const { tag, element, text: source, isShown, isRaw, place } of readHtml(page, rules, false)) {
    if (element !== undefined && open !== null && /^(?:class|id)$/.test(element.attribute)) {
      open.tokens.push(...source.bytes.slice(0, TOKENS_MAX).split(/[\0- ]+/));
    }
    if (place === "attribute") {
      continue;
    }
    if (open !== null) {
      quotes.open(open.name, open.tokens, open.to);
      open = null;
    }
    if (tag?.isEnd === true) {
      quotes.close(tag.name, tag.from);
    } else if (tag !== undefined) {
      open = { name: tag.name, to: tag.to, tokens: [] };
    } else if (isShown === true && isRaw !== true) {
      for (const { index, 0: whole, 1: word = "" } of source.bytes.matchAll(FIELD)) {
        quotes.readField(word, quotes.text + index + whole.length, source.startOf(index + whole.length - 1));
      }
      quotes.text += source.bytes.length;
    }
  }
  return quotes.depths;
}
