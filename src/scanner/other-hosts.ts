// Links whose text shows a host that they do not lead to (C219).
import * as code from "#core/layout/codes.js";
import type { Core } from "../core/core.ts";
import { domainOrLastLabels } from "../core/public-suffix.ts";
import { checkOptions, searchOf } from "../options/options.ts";
import { addressOf } from "../url/host-address.ts";
import { DEFAULT_FORM, makeNormalizer } from "../url/normalize.ts";
import { isRedirectorHost } from "../url/redirectors.ts";
import { splitAuthority, splitUrl } from "../url/reference.ts";
import { type Batch, type MatchBatch, wordOf } from "./batch.ts";
import { hostAt, rawAt, urlAt } from "./field-values.ts";
import type { ScanOptions } from "./scan.ts";
import { Scanner } from "./scanner.ts";

/** Matches a text that may show a host. */
const MAY_SHOW_HOST = /[.:@]/;
/** Separates two texts: no match crosses it. */
const BORDER = "\0";

const encoder = new TextEncoder();

/** A URL, and its host if it has one. */
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

/** Returns the rows of links whose text shows first a host of another site. `core`: not the core of the scan. (C219) */
export function otherHosts(core: Core, batch: MatchBatch, texts: ReadonlyMap<number, string>): number[] {
  const links = [...texts].filter(([, text]) => MAY_SHOW_HOST.test(text));
  if (links.length === 0) return [];
  const normalize = makeNormalizer(core, { ...DEFAULT_FORM, unwrap: true });
  const siteOfTarget = ({ url, host }: Target): string | undefined => {
    if (host !== undefined && !isRedirectorHost(host)) return siteOfHost(host);
    const result = normalize(url);
    return result.ok ? siteOf(result.url) : undefined;
  };
  const rows = links.map(([row]) => row);
  const shown = targetsIn(
    core,
    links.map(([, text]) => text),
  );
  return rows.filter((row, index) => {
    const first = shown[index].map(siteOfTarget).find((site) => site !== undefined);
    const host = hostAt(batch, row);
    const site = first && (siteOfTarget({ url: rawAt(batch, row), host }) ?? siteOfTarget({ url: urlAt(batch, row) ?? "", host }));
    return site !== undefined && site !== first;
  });
}

/** Returns the URLs in each text, with their hosts. */
function targetsIn(core: Core, texts: readonly string[]): Target[][] {
  const found = texts.map((): Target[] => []);
  const ends: number[] = [];
  let index = 0;
  const write = (batch: Batch): void => {
    if (batch.kind !== "matches") return;
    for (let row = 0; row < batch.count; row++) {
      const start = batch.base + wordOf(batch, row, code.RECORD_START);
      while (ends[index] <= start) index++;
      const url = urlAt(batch, row);
      if (url !== undefined) found[index].push({ url, host: hostAt(batch, row) });
    }
  };
  const pieces = texts.map((text) => encoder.encode(text + BORDER));
  for (const { length } of pieces) ends.push((ends.at(-1) ?? 0) + length);
  const scanner = new Scanner(core, textOptions(), { write });
  for (const piece of pieces) scanner.write(piece);
  scanner.end();
  return found;
}

/** Returns the site of a URL in normal form; for mailto, the site of the first address. Returns undefined if the URL has no host. */
function siteOf(url: string): string | undefined {
  const { scheme, authority, path } = splitUrl(url);
  const host = scheme === "mailto" ? /@([^,@?]+)/.exec(path)?.[1] : authority === null ? "" : splitAuthority(authority).host;
  return host === undefined || host === "" ? undefined : siteOfHost(host);
}

/** Returns the IP address of a host, or its registrable domain, or else its last two labels. */
function siteOfHost(host: string): string {
  return addressOf(host) ?? domainOrLastLabels(host.toLowerCase());
}
