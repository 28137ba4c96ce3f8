// Redirectors of a match, and where they lead.
import type { MatchBatch } from "../scanner/batch.ts";
import { hostAt, readerOf } from "../scanner/field-values.ts";

/** The host of an authority, also of a defanged one. */
const HOST = /^[^:/?#]*:\/\/(?:[^/?#]*@)?([^/?#]*?)(?::\d*)?(?:[/?#]|$)/;
const readScheme = readerOf("scheme");

/**
 * Returns each step from a redirector to the next one, or to the URL of the match: `redirector-host target-host`. A target without a host
 * has its scheme with a colon instead.
 */
export function hopsOf(batch: MatchBatch, index: number, chain: readonly string[]): string[] {
  const hosts = chain.map((url) => (HOST.exec(url)?.[1] ?? "").replaceAll("[.]", "."));
  const target = hostAt(batch, index) ?? `${readScheme(batch, index)}:`;
  return hosts.map((host, step) => `${host} ${hosts[step + 1] ?? target}`);
}
