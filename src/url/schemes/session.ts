// telnet, rlogin, tn3270: interactive sessions (P6).
import { LOGIN } from "./part-types.ts";
import { readLogin, type SchemeParts, type UrlParts, writeLogin } from "./parts.ts";

/** A URL of an interactive session. User and password are decoded. (P6) */
export interface LoginUrl extends UrlParts {
  readonly scheme: "telnet" | "rlogin" | "tn3270";
}

/** Reads and writes URLs of interactive sessions. */
export const session: SchemeParts<LoginUrl> = {
  types: LOGIN,
  hasDecodedLogin: true,
  read: readLogin,
  write: (url) => ({ ...url, userinfo: writeLogin(url) }),
};
