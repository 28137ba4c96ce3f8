// mailto: addresses and header fields (P4).
import { type Components, fieldOf, textOf, type UrlField, type UrlParts, write, writeField } from "./parts.ts";

/** A mailto URL. @see docs/rules.md P4 */
export interface MailtoUrl extends UrlParts {
  readonly scheme: "mailto";
  /** Decoded, those of `to` fields at the end. */
  readonly addresses: readonly string[];
  /** Header fields but for `to`, decoded. */
  readonly fields: readonly UrlField[];
}

const IN_ADDRESS = "!$'()*+:@";
const IN_FIELD = "!$'()*,;:@/?";

/** The addresses as written, between commas. */
function addressesIn(list: string): string[] {
  return list.split(",").filter((address) => address !== "");
}

/** The header fields as written: those named `to`, then the others. */
function splitFields(query: string | null): readonly [to: string[], others: string[]] {
  const fields = (query ?? "").split("&").filter((field) => field !== "");
  const isTo = (field: string): boolean => fieldOf(field)[0].toLowerCase() === "to";
  return [fields.filter(isTo), fields.filter((field) => !isTo(field))];
}

/** The parts as written. */
function split(url: UrlParts): { addresses: string[]; fields: string[] } {
  const [to, fields] = splitFields(url.query);
  const lists = [url.path, ...to.map((field) => (field.includes("=") ? field.slice(field.indexOf("=") + 1) : ""))];
  return { addresses: lists.flatMap(addressesIn), fields };
}

/** The parts of a mailto URL. @see docs/rules.md P4 */
export function readMailto(url: UrlParts): MailtoUrl {
  const { addresses, fields } = split(url);
  return { ...url, scheme: "mailto", addresses: addresses.map(textOf), fields: fields.map(fieldOf) };
}

/** The components of a mailto URL. Addresses that were changed stand before the `?`, all of them. @see docs/rules.md P4 */
export function writeMailto(url: MailtoUrl): Components {
  const before = readMailto(url);
  const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (isSame(before.addresses, url.addresses) && isSame(before.fields, url.fields)) return url;
  const written = split(url);
  const path = url.addresses.map((address, index) => write(address, written.addresses[index], IN_ADDRESS)).join(",");
  const fields = url.fields.map((field, index) => writeField(field, written.fields[index], IN_FIELD)).join("&");
  return { ...url, path, query: fields === "" ? null : fields };
}
