// What the oracle found, in the form of what a build of the core found.
import type { Found, Row } from "./core-builds.ts";
import type { OracleMatch, Rejected } from "./oracle/index.ts";

/** Rows and counts as `scan` gives them; a match that the profile refused counts under its reason (X12). */
export function oracleFound(result: { matches: OracleMatch[]; rejected: Rejected[] }): Found {
  const counts = new Map<string, number>();
  const count = (reason: string): void => void counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const candidate of result.rejected) count(candidate.reason);
  const matches = result.matches.map((match): Row => {
    const { url, raw, start, end, kind } = match;
    const reason = match.reason ?? null;
    if (reason !== null) count(reason);
    return { url, raw, start, end, kind, flags: [...match.flags].sort(), reason };
  });
  const rejected = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { matches, rejected, listed: result.rejected.map(({ reason, start }) => ({ reason, start })) };
}
