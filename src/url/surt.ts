// SURT, the sort-friendly form of a normal form: its host with the labels in reverse order.
import { composeReference, splitAuthority, splitUrl } from "./reference.ts";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The SURT of a URL in normal form; a URL without an authority stays. @see docs/rules.md N11 */
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
