// Parses one URL: the generic components, and the parts of its scheme.
import { getUrlCore, type UrlCore } from "../core/url-core.ts";
import { type ParseFailure, partsWith } from "./core-url.ts";
import { withParts } from "./schemes/all.ts";
import type { ParsedUrl } from "./schemes/urls.ts";

/** Parses one URL with a given core. (P) */
export function parseWith(core: UrlCore, url: string): ParsedUrl | ParseFailure {
  const parts = partsWith(core, url);
  return parts.ok ? withParts(parts) : parts;
}

/**
 * Parses one URL. Returns a code and an offset if `url` is not a URL. The generic components are as written. The parts of the scheme are
 * decoded, with U+FFFD for ill-formed UTF-8, except the `searchpart` of http. Throws InputError if `url` is no string. (P)
 */
export function parse(url: string): ParsedUrl | ParseFailure {
  return parseWith(getUrlCore(), url);
}
