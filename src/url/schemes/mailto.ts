// mailto: addresses and header fields (P4).
import { FIELDS, TEXTS } from "./part-types.ts";
import { decode, fieldOf, type SchemeParts, splitAt, type UrlField, type UrlParts, write, writeField } from "./parts.ts";

/** A mailto URL. (P4) */
export interface MailtoUrl extends UrlParts {
  readonly scheme: "mailto";
  /** Decoded. The addresses of `to` fields come last. */
  readonly addresses: readonly string[];
  /** Header fields except `to`, decoded. */
  readonly fields: readonly UrlField[];
}

const IN_ADDRESS = "!$'()*+:@";
const IN_FIELD = "!$'()*,;:@/?";

/** Returns the parts as written. */
function split(url: UrlParts): { addresses: string[]; fields: string[] } {
  const fields = (url.query ?? "").split("&").filter((field) => field !== "");
  const isTo = (field: string): boolean => fieldOf(field)[0].toLowerCase() === "to";
  const lists = [url.path, ...fields.filter(isTo).map((field) => splitAt(field, "=")[1] ?? "")];
  const addresses = lists.flatMap((list) => list.split(",")).filter((address) => address !== "");
  return { addresses, fields: fields.filter((field) => !isTo(field)) };
}

function read(url: UrlParts): Pick<MailtoUrl, "addresses" | "fields"> {
  const { addresses, fields } = split(url);
  return { addresses: addresses.map(decode), fields: fields.map(fieldOf) };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Reads and writes mailto URLs. If addresses or fields were changed, all addresses are written before the `?`. */
export const mailto: SchemeParts<MailtoUrl> = {
  types: { addresses: TEXTS, fields: FIELDS },
  read,
  write: (url) => {
    const before = read(url);
    if (isSame(before.addresses, url.addresses) && isSame(before.fields, url.fields)) return url;
    const written = split(url);
    const path = url.addresses.map((address, index) => write(address, written.addresses[index], IN_ADDRESS)).join(",");
    const fields = url.fields.map((field, index) => writeField(field, written.fields[index], IN_FIELD)).join("&");
    return { ...url, path, query: fields === "" ? null : fields };
  },
};
