// Addresses (X10) that are the end of a userinfo: `secret@h.example` in `http://joe:secret@h.example:99999/`, a URL that is refused.
import * as code from "#core/tables/codes.js";
import type { MatchBatch } from "./batch.ts";

const SLASH = 0x2f;
const COLON = 0x3a;

/** What is before an address. */
interface Before {
  /** Where the address starts. */
  readonly start: number;
  /** The last of two slashes, -1 where there are none before what ends a URL. */
  readonly slash: number;
  /** Whether a colon is between the two. */
  readonly hasColon: boolean;
}

/**
 * Returns the rows of a batch whose address may be a password and a host: two slashes and a colon are before it, at most `bytesMax` bytes.
 * `window`: the bytes from the batch's base on. @see docs/rules.md N10
 */
export function passwordAddresses({ rows, count }: MatchBatch, window: Uint8Array, bytesMax: number): ReadonlySet<number> {
  const found = new Set<number>();
  let last: Before = { start: -1, slash: -1, hasColon: false };
  for (let row = 0; row < count; row++) {
    const at = row * code.RECORD_WORDS;
    if (rows[at + code.RECORD_KIND] !== code.KIND_EMAIL) continue;
    last = lookBefore(window, rows[at + code.RECORD_START] as number, last);
    if (last.slash >= 0 && last.hasColon && last.start - last.slash <= bytesMax) found.add(row);
  }
  return found;
}

/** Looks back no further than to the address before, of which the same is known. */
function lookBefore(window: Uint8Array, start: number, last: Before): Before {
  let hasColon = false;
  for (let at = start - 1; at > 0; at--) {
    const byte = window[at] as number;
    if (at === last.start) return { start, slash: last.slash, hasColon: hasColon || last.hasColon };
    if (byte === SLASH) return { start, slash: window[at - 1] === SLASH ? at : -1, hasColon };
    if (byte === COLON) hasColon = true;
    if (byte <= 0x20 || byte === 0x7f || '"<>\\`'.includes(String.fromCharCode(byte))) break;
  }
  return { start, slash: -1, hasColon };
}
