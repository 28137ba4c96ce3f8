// Links whose text shows a host that they do not lead to (C219).
import * as code from "#core/layout/codes.js";
import type { Core } from "../core/core.ts";
import { siteOfHost } from "../core/public-suffix.ts";
import type { Search } from "../options/options.ts";
import { addressOf } from "../url/host-address.ts";
import { DEFAULT_FORM, makeNormalizer } from "../url/normalize.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";
import { type Batch, type MatchBatch, textOf } from "./batch.ts";
import { urlAt } from "./field-values.ts";
import { LinkTexts } from "./link-text.ts";
import { innerOptions, type LinkReader, type ScanOptions } from "./scan.ts";
import { Scanner } from "./scanner.ts";

/** A text without these shows no host. */
const MAY_SHOW_HOST = /[.:@]/;
/** Between two texts: no match runs over it. */
const BORDER = "\0";

const encoder = new TextEncoder();

/** Returns the maker of the reader of links for a scan that looks for `search`. */
export function linkReaderFor(search: Search): (core: Core) => LinkReader {
  const plain: ScanOptions = { ...search, type: "text", profile: "rfc3986", output: "matches", separator: 0, rejected: false };
  const options: ScanOptions = { ...innerOptions(plain), schemes: undefined, bare: ["www", "email", "domain"] };
  return (core) => new LinkTexts(core, (batch, texts) => new OtherHosts(core.inner, options).find(batch, texts));
}

/** Finds the links of a batch whose text shows another host. */
class OtherHosts {
  readonly #core: Core;
  readonly #options: ScanOptions;

  /** `core`: another one than that of the scan. `options`: how texts are read. */
  constructor(core: Core, options: ScanOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** Returns the rows of these links; `texts`: the texts of links, by row. */
  find(batch: MatchBatch, texts: ReadonlyMap<number, string>): number[] {
    const rows = [...texts.keys()].filter((row) => MAY_SHOW_HOST.test(texts.get(row) ?? ""));
    if (rows.length === 0) return [];
    const found = this.#find(rows.map((row) => texts.get(row) ?? ""));
    const siteOfTarget = this.#siteReader();
    return rows.filter((row, index) => {
      const shown = found[index].map(siteOfTarget).find((site) => site !== undefined);
      const site = shown === undefined ? undefined : (siteOfTarget(rawAt(batch, row)) ?? siteOfTarget(urlAt(batch, row) ?? ""));
      return site !== undefined && site !== shown;
    });
  }

  /** Returns the URLs in each text. */
  #find(texts: readonly string[]): string[][] {
    const found = texts.map((): string[] => []);
    const ends: number[] = [];
    let index = 0;
    const write = (batch: Batch): void => {
      if (batch.kind !== "matches") return;
      for (let row = 0; row < batch.count; row++) {
        const start = batch.base + batch.rows[row * code.RECORD_WORDS + code.RECORD_START];
        while (ends[index] <= start) index++;
        const url = urlAt(batch, row);
        if (url !== undefined) found[index].push(url);
      }
    };
    const pieces = texts.map((text) => encoder.encode(text + BORDER));
    for (const { length } of pieces) ends.push((ends.at(-1) ?? 0) + length);
    const scanner = new Scanner(this.#core, this.#options, { write });
    for (const piece of pieces) scanner.write(piece);
    scanner.end();
    return found;
  }

  /** Returns a function that returns the site of a URL, or of that which it is a redirector's to. */
  #siteReader(): (url: string) => string | undefined {
    const normalize = makeNormalizer(this.#core, { ...DEFAULT_FORM, unwrap: true });
    return (url) => {
      const result = normalize(url);
      return result.ok ? siteOf(result.url) : undefined;
    };
  }
}

function rawAt(batch: MatchBatch, row: number): string {
  const at = row * code.RECORD_WORDS;
  return textOf(batch, batch.rows[at + code.RECORD_RAW], batch.rows[at + code.RECORD_RAW_LENGTH]);
}

/** Returns the registrable domain or the IP address of a URL in normal form; of mailto that of its first address. */
function siteOf(url: string): string | undefined {
  const { scheme, authority, path } = splitUrl(url);
  const host = scheme === "mailto" ? /@([^,@?]+)/.exec(path)?.[1] : authority === null ? "" : splitAuthority(authority).host;
  if (host === undefined || host === "") return undefined;
  return addressOf(host) ?? siteOfHost(host.toLowerCase());
}
