// What the oracle found, in the form of what a build of the core found.
import type { Found, Row } from "../core/builds.ts";
import type { OracleMatch, Rejected } from "../oracle/index.ts";

/** Rows, counts and refusals as `scan` gives them; a match that the profile refused is counted and listed too (X12). */
export function oracleFound(result: { matches: OracleMatch[]; rejected: Rejected[] }): Found {
  const matches = result.matches.map(({ url, raw, start, end, kind, flags, reason, tag, attribute, text }): Row => {
    const element = { ...(tag === undefined ? {} : { tag, attribute }), ...(text === undefined ? {} : { text }) };
    return { url, raw, start, end, kind, flags: [...flags].sort(), reason: reason ?? null, ...element };
  });
  const refused = matches.flatMap(({ reason, start }) => (reason === null ? [] : [{ reason, start }]));
  const listed = [...result.rejected.map(({ reason, start }) => ({ reason, start })), ...refused].sort((a, b) => a.start - b.start);
  const counts = new Map<string, number>();
  for (const { reason } of listed) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return { matches, rejected: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))), listed };
}

/** What was found, without the URLs and their flags: the oracle does not unwrap redirectors. */
export function withoutUrls(found: Found): Found {
  return { ...found, matches: found.matches.map((row) => ({ ...row, url: row.url === null ? null : "", flags: flagsOfRaw(row.flags) })) };
}

/** Returns flags without those that the URL inside a redirector's may have (C209, C213, C215). */
export function flagsOfRaw(flags: string[]): string[] {
  return flags.filter((flag) => flag !== "shortener" && flag !== "open-redirect" && flag !== "namespace");
}
