// Links whose text is a host, URL or address that they do not lead to (C219).
import * as code from "#core/layout/codes.js";
import type { Core } from "../core/core.ts";
import { domainOrLastLabels, isPublicSuffix } from "../core/public-suffix.ts";
import { decodeUtf8 } from "../core/text.ts";
import { type Batch, type MatchBatch, wordOf } from "../matches/batch.ts";
import { hostAt, rawAt, urlAt } from "../matches/field-values.ts";
import { checkOptions, searchOf } from "../options/options.ts";
import type { ScanOptions } from "../scan/scan.ts";
import { scanBytes } from "../scan/scanner.ts";
import { addressOf } from "../url/host-address.ts";
import { defaultForm, makeNormalizer } from "../url/normalize.ts";
import { isRedirectorHost, mayRedirect } from "../url/redirectors.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";

/** Matches a text that may show a host: not "Click here." */
const MAY_SHOW_HOST = /[:@]|\.[^\s.]/;
/** A letter or digit beside a URL in a text: the text is not the URL. */
const WORD = /[\p{L}\p{N}]/u;
/** Hosts whose links name the host of the target in a parameter, but not the URL (C130). */
const NAMES_TARGET = /\.mimecast(?:protect)?\.com$/;
/** Separates two texts: no match crosses it. */
const BORDER = "\0";

const encoder = new TextEncoder();

interface Target {
  readonly url: string;
  readonly host: string | undefined;
}

let made: ScanOptions | undefined;

/** Returns the options for the texts of links: the defaults of `extract`, with schemeless text. Made late: most scans read no texts. */
function textOptions(): ScanOptions {
  made ??= {
    ...searchOf(checkOptions("extract", { bare: ["www", "email", "domain"] }).settings),
    type: "text",
    profile: "rfc3986",
    output: "matches",
    separator: 0,
    rejected: false,
  };
  return made;
}

/** Returns the rows of links whose text is a host, URL or address of another site. `core`: not the core of the scan. (C219) */
export function otherHosts(core: Core, batch: MatchBatch, textOf: ReadonlyMap<number, string>): number[] {
  const links = [...textOf].filter(([, text]) => MAY_SHOW_HOST.test(text));
  if (links.length === 0) return [];
  const normalize = makeNormalizer(core, { ...defaultForm(), unwrap: true });
  const siteOfTarget = ({ url, host }: Target): string | undefined => {
    const isPlain = host !== undefined && !isRedirectorHost(host) && !NAMES_TARGET.test(host) && !mayRedirect(url);
    if (isPlain) return siteOfHost(host);
    const result = normalize(url);
    return result.ok ? siteOf(result.url) : undefined;
  };
  const texts = links.map(([, text]) => text);
  const shown = targetsIn(core, texts);
  const rows = links.map(([row]) => row);
  return rows.filter((row, index) => {
    const target = shown[index];
    const first = target && siteOfTarget(target);
    const host = hostAt(batch, row);
    const site = first && (siteOfTarget({ url: rawAt(batch, row), host }) ?? siteOfTarget({ url: urlAt(batch, row) ?? "", host }));
    return first !== undefined && site !== undefined && !isBelow(site, first) && !isBelow(first, site);
  });
}

/** Returns whether a site is another one, or below it: a public suffix has sites below it. */
function isBelow(site: string, other: string): boolean {
  return site === other || site.endsWith(`.${other}`);
}

/** Returns the URL, with its host, that each text is, but for characters at its ends that are no letters or digits. */
function targetsIn(core: Core, texts: readonly string[]): (Target | undefined)[] {
  const found = texts.map(suffixIn);
  const bytes = encoder.encode(texts.map((text) => text.replaceAll(BORDER, " ") + BORDER).join(""));
  let [index, first, end] = [0, 0, bytes.indexOf(0)];
  const write = (batch: Batch): void => {
    if (batch.kind !== "matches") return;
    for (let row = 0; row < batch.count; row++) {
      const start = batch.base + wordOf(batch, row, code.RECORD_START);
      for (; end <= start; index++) [first, end] = [end + 1, bytes.indexOf(0, end + 1)];
      const url = urlAt(batch, row);
      const rest = decodeUtf8(bytes, first, start) + decodeUtf8(bytes, batch.base + wordOf(batch, row, code.RECORD_END), end);
      if (url !== undefined && !WORD.test(rest)) found[index] = { url, host: hostAt(batch, row) };
    }
  };
  scanBytes(core, textOptions(), write, bytes);
  return found;
}

/** Returns the public suffix that a text is: the scan finds only names below one. */
function suffixIn(text: string): Target | undefined {
  const host = text.toLowerCase();
  return host.includes(".") && isPublicSuffix(host) ? { url: `http://${host}/`, host } : undefined;
}

/** Returns the site of a URL in normal form; for mailto, the site of the first address. Returns undefined if the URL has no host. */
function siteOf(url: string): string | undefined {
  const { scheme, authority, path } = splitUrl(url);
  const own = scheme === "mailto" ? /@([^,@?]+)/.exec(path)?.[1] : authority === null ? "" : splitAuthority(authority).host;
  if (own === undefined || own === "") return undefined;
  const named = NAMES_TARGET.test(own) ? /[?&]domain=([^&#]+)/.exec(url)?.[1] : undefined;
  if (named === undefined) return siteOfHost(own);
  return isRedirectorHost(named) ? undefined : siteOfHost(named);
}

/** Returns the IP address of a host, or its registrable domain, or else its last two labels. */
function siteOfHost(host: string): string {
  return addressOf(host) ?? domainOrLastLabels(host.toLowerCase());
}
