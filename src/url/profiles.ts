// The profiles that the core does not know: whatwg and surt.
import { wrongInput } from "../base/errors.ts";
import type { CoreResult } from "./core-url.ts";
import { composeReference, splitAuthority, splitUrl } from "./reference.ts";

const REMOVED = /[\t\n\r]+/g;
const AUTHORITY = /^[\0-\x20]*[a-z][a-z0-9+.-]*:\/\//i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Normalizes one URL as the platform does: `new URL(url).href`. Throws InputError if it is no string. (N9) */
export function whatwgForm(url: string): CoreResult {
  if (typeof url !== "string") throw wrongInput("url", "a string", url);
  try {
    return { ok: true, url: new URL(url).href };
  } catch {
    return { ok: false, code: AUTHORITY.test(url.replace(REMOVED, "")) ? "bad-host" : "bad-shape" };
  }
}

/** Returns the SURT of a normal form, whose host has its labels in reverse order. A URL without an authority stays as it is. (N11) */
export function surtOf(normalForm: string): string {
  const reference = splitUrl(normalForm);
  if (reference.authority === null) return normalForm;
  const { userinfo, host, port } = splitAuthority(reference.authority);
  const tail = `${port === null ? "" : `:${port}`}${userinfo === null ? "" : `@${userinfo}`}`;
  return composeReference({ ...reference, authority: `(${reversed(host)}${tail})` });
}

function reversed(host: string): string {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (name === "" || name.startsWith("[") || IPV4.test(name)) return name;
  return `${name.split(".").reverse().join(",")},`;
}
