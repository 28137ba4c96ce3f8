// Fills what the mail reader searches for in a core's memory: names of headers, the alphabet of base64.
import { BASE64_TABLE, MAIL_NAME_BYTES, MAIL_NAMES } from "#core/layout/memory.js";
import { MAIL_NAMES_TEXT } from "#core/tables/mail-names.js";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** What a character that is not in the alphabet has in the table. */
const NONE = 0xff;

/** Fills the tables, unless that has been done. @see docs/rules.md A3, A6 */
export function fillMailTables(bytes: Uint8Array): void {
  if (bytes[MAIL_NAMES] !== 0) return;
  bytes.fill(NONE, BASE64_TABLE, BASE64_TABLE + 256);
  for (const [value, character] of [...BASE64].entries()) bytes[BASE64_TABLE + character.charCodeAt(0)] = value;
  MAIL_NAMES_TEXT.split(" ").forEach((name, index) => {
    const at = MAIL_NAMES + index * MAIL_NAME_BYTES;
    bytes[at] = name.length;
    new TextEncoder().encodeInto(name, bytes.subarray(at + 1));
  });
}
