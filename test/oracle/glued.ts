/**
 * Text that is glued to a host name (X2): where it begins.
 */
import { parse } from "tldts";
import { textOf } from "./unicode.ts";

const NAME_BYTES_MAX = 1024;

/** Whether a name, as a byte string, has a label before a public suffix (ICANN section). */
export function hasPublicSuffix(name: string): boolean {
  const asked = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };
  const { isIcann, domain } = parse(textOf(name).toLowerCase(), asked);
  return isIcann === true && domain !== null;
}

/** X2: length of the host without the text that is glued to the ASCII start of its last label; its whole length if there is none. */
export function lengthWithoutText(host: string): number {
  const whole = host.replace(/\.+$/, "");
  const [, name = ""] = /^(.*\.[^.\x80-\xFF]+)(?!\xCC|\xCD[\x80-\xAF])[\x80-\xFF][^.]*$/s.exec(whole) ?? [];
  const isGlued = name !== "" && name.length <= NAME_BYTES_MAX && hasPublicSuffix(name);
  return isGlued && (whole.length > NAME_BYTES_MAX || !hasPublicSuffix(whole)) ? name.length : host.length;
}
