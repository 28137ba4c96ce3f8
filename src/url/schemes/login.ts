// telnet, rlogin, tn3270: an interactive session (P6).
import { type Components, readLogin, type UrlParts, writeLogin } from "./parts.ts";

/** A URL of an interactive session. User and password are decoded. @see docs/rules.md P6 */
export interface LoginUrl extends UrlParts {
  readonly scheme: "telnet" | "rlogin" | "tn3270";
}

/** The parts of a session's URL. @see docs/rules.md P6 */
export function readSession(url: UrlParts, scheme: LoginUrl["scheme"]): LoginUrl {
  return { ...url, scheme, ...readLogin(url) };
}

/** The components of a session's URL. @see docs/rules.md P6 */
export function writeSession(url: LoginUrl): Components {
  return { ...url, userinfo: writeLogin(url) };
}
