/**
 * Hosts that go on after tags, or after the marks of a mail program (C280, C285).
 */
import type { Candidate } from "./plain.ts";
import type { Rules } from "./rules.ts";

/** C280, C285: tags in a text, and the bytes of hosts between them. */
const TAG = "<(?:\\/|(?=[A-Za-z]))(?![Aa][^A-Za-z0-9])[^<>\\0-\\x03]*>";
const END_TAG = `(?=<\\/)${TAG}`;
const BETWEEN = `(?:${TAG}[A-Za-z0-9.-]+)`;
const BEFORE_TAGS = new RegExp(`^(?:${TAG})+[A-Za-z0-9]`);
const IN_NAME = new RegExp(`^${BETWEEN}*${END_TAG}\\.[a-z]`);
const IN_LABEL = new RegExp(`^(?:${BETWEEN}*${TAG}|${BETWEEN}+${END_TAG}[A-Za-z0-9.-]*)\\.[a-z]`);

/** C280, C285: whether a host goes on after `**` or tags. */
export function isTorn(
  { text, read }: Pick<Candidate, "text" | "read">,
  hostStart: number,
  hostEnd: number,
  { after = "", urlBytesMax }: Rules,
): boolean {
  const host = text.slice(hostStart, hostEnd);
  const whole = read.length <= urlBytesMax ? `${read}${after}`.slice(0, urlBytesMax + 1) : read;
  const rest = whole.slice(hostEnd);
  const isLabel = !host.slice(0, -1).includes(".");
  const mayEndSo = host.endsWith("-") || (host.endsWith(".") && isLabel);
  if ((mayEndSo || /^<wbr/i.test(rest)) && BEFORE_TAGS.test(rest)) {
    return true;
  }
  const isName = !/[.-]$/.test(host) && !/^<wbr/i.test(rest);
  return (/[.-]$/.test(host) && /^\*\*[A-Za-z0-9]/.test(text.slice(hostEnd))) || (isName && (isLabel ? IN_LABEL : IN_NAME).test(rest));
}
