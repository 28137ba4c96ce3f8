// Fills the tables that decoders read in a core's memory: HTML's character references, the alphabet of base64.
import * as layout from "#core/layout/memory.js";
import { REFERENCES } from "#core/tables/references.js";
import { WINDOWS_1252_80_TO_9F } from "./charsets.ts";
import type { Core } from "./core.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Value of a character that is not a digit of base64. */
const NO_DIGIT = 0xff;

/** Fills the small tables that every decoder needs, unless they are filled already (X9, A6). */
export function fillDecoderTables(core: Core): void {
  const { bytes, words } = core;
  if (words[layout.WINDOWS_1252 >> 2] !== 0) return;
  // The core asks for them at the first name that it looks up: most mail has none.
  core.callbacks.loadReferences = () => new TextEncoder().encodeInto(REFERENCES, bytes.subarray(layout.REFERENCE_TABLE)).written;
  for (let i = 0; i < WINDOWS_1252_80_TO_9F.length; i++) words[(layout.WINDOWS_1252 >> 2) + i] = WINDOWS_1252_80_TO_9F.charCodeAt(i);
  bytes.fill(NO_DIGIT, layout.BASE64_TABLE, layout.BASE64_TABLE + 256);
  for (let value = 0; value < BASE64.length; value++) bytes[layout.BASE64_TABLE + BASE64.charCodeAt(value)] = value;
}
