// Domain names in text (X2, X10), by the public suffix list, ICANN section.
import { publicSuffixes } from "#suffixes";
import { remembering } from "../base/arrays.ts";

/** Extensions of files that are top-level domains too: in text they mostly end names of files. Most domains of `sv` have three labels. */
const FILE_EXTENSION = /\.(?:cc|inc|md|mk|ml|mov|pl|pm|ps|py|rs|sh|so|zip)$|^[^.]*\.sv$/;
const ASKED = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };
const KNOWN_NAMES_MAX = 4096;

/** Returns whether a name in lower case has a label before a public suffix, and does not end like the name of a file. (X10) */
export function isBelowSuffix(name: string): boolean {
  return hasPublicSuffix(name) && !FILE_EXTENSION.test(name);
}

export function hasPublicSuffix(name: string): boolean {
  return knownDomain(name) !== undefined;
}

/** Returns whether a host in normal form is a public suffix: `gov.br`. */
export function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann } = publicSuffixes().parse(host, ASKED);
  return isIcann === true && publicSuffix === host;
}

/** Returns the registrable domain of a host in normal form; undefined for an IP address, a public suffix, and an unknown suffix. */
export function registrableDomain(host: string): string | undefined {
  const { domain, isIcann } = publicSuffixes().parse(host, ASKED);
  return isIcann === true ? (domain ?? undefined) : undefined;
}

/** Returns the registrable domain of a name; for an unknown suffix the last two labels (the default rule); else `host` itself. */
export function domainOrLastLabels(host: string): string {
  return publicSuffixes().parse(host, ASKED).domain ?? host;
}

export const knownDomain: (host: string) => string | undefined = remembering(registrableDomain, KNOWN_NAMES_MAX);
