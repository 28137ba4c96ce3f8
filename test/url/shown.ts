// The result of a parse as the examples of docs/schemes.md show it.
import type { ParsedUrl, ParseFailure } from "../../src/index.ts";

/** One line of JSON: without `ok`, nulls and empty flags; bytes as hex. */
export function shown(parsed: ParsedUrl | ParseFailure): string {
  const { ok: _, ...parts } = parsed;
  const kept = Object.entries(parts).filter(([name, part]) => part !== null && !(name === "flags" && (part as unknown[]).length === 0));
  return JSON.stringify(
    Object.fromEntries(kept.map(([name, part]) => [name, part instanceof Uint8Array ? Buffer.from(part).toString("hex") : part])),
  );
}
