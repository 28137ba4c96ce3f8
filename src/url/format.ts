// From the parts of a URL back to the URL.
import { getCore } from "../core/core.ts";
import { checkParts, checkWritten } from "./check-parts.ts";
import type { ParsedUrl } from "./parse.ts";
import { percentEncode } from "./percent.ts";
import { isOpaqueScheme } from "./reference.ts";
import * as catalog from "./schemes/catalog.ts";
import { writeFile } from "./schemes/file.ts";
import { writeFtp } from "./schemes/ftp.ts";
import { writeGopher } from "./schemes/gopher.ts";
import { writeHttp } from "./schemes/http.ts";
import { writeSession } from "./schemes/login.ts";
import { writeMailto } from "./schemes/mailto.ts";
import * as identifier from "./schemes/message-id.ts";
import { writeNews, writeNntp } from "./schemes/news.ts";
import type { Components } from "./schemes/parts.ts";
import { writeProspero } from "./schemes/prospero.ts";
import { writeUrn } from "./schemes/urn.ts";
import { writeWais } from "./schemes/wais.ts";
import { asWritten } from "./text.ts";

function componentsOf(url: ParsedUrl): Components {
  switch (url.scheme) {
    case "http":
    case "https":
    case "ws":
    case "wss":
      return writeHttp(url);
    case "ftp":
      return writeFtp(url);
    case "gopher":
      return writeGopher(url);
    case "mailto":
      return writeMailto(url);
    case "news":
    case "snews":
      return writeNews(url);
    case "nntp":
      return writeNntp(url);
    case "telnet":
    case "rlogin":
    case "tn3270":
      return writeSession(url);
    case "wais":
      return writeWais(url);
    case "file":
      return writeFile(url);
    case "prospero":
      return writeProspero(url);
    case "mid":
      return identifier.writeMid(url);
    case "cid":
      return identifier.writeCid(url);
    case "mailserver":
      return identifier.writeMailserver(url);
    case "afs":
      return catalog.writeAfs(url);
    case "z39.50r":
    case "z39.50s":
      return catalog.writeZ3950(url);
    case "whois++":
      return catalog.writeWhois(url);
    case "urn":
      return writeUrn(url);
    default:
      return url;
  }
}

const DECODED_LOGIN = new Set<string>(["ftp", "telnet", "rlogin", "tn3270"]);
/** Schemes whose path may hold a `?`: of a selector, or of a message-id before its `@`. */
const MARK_IN_PATH = new Set<string>(["gopher", "news", "snews", "mid", "cid", "mailserver"]);

// What would end the component, and half a character.
const NOT_IN_USER = /[/:?#@\p{Cs}]/gu;
const NOT_IN_PASSWORD = /[/?#@\p{Cs}]/gu;
const NOT_IN_PATH = /[?#\p{Cs}]/gu;
const NOT_AFTER_PATH = /[#\p{Cs}]/gu;

// A host with one of these is refused, not made another one.
const NEVER_IN_HOST = /[\0-\x20\x7f"<>\\`]/;
const NOTHING = /(?!)/g;

/** A component as written but for what it and any URL cannot hold; a `%` stays. */
function writable(component: string, outside: RegExp): string {
  const written = component.replace(outside, (character) => percentEncode(character, "rfc3986-unreserved"));
  // One that is too long is named when all of them are together.
  return asWritten(getCore(), written) ?? written;
}

function writableOrNull(component: string | null, outside: RegExp): string | null {
  return component === null ? null : writable(component, outside);
}

/** The userinfo of a user and a password as written. */
function userinfoOf(user: string | null, password: string | null): string | null {
  if (user === null) return null;
  const name = writable(user, NOT_IN_USER);
  return password === null ? name : `${name}:${writable(password, NOT_IN_PASSWORD)}`;
}

/** The components of a URL in a form that keeps each in its place, where there is one. */
function writableComponents(url: ParsedUrl): Components {
  const given = componentsOf(url);
  const { scheme, host } = given;
  const path = writable(given.path, MARK_IN_PATH.has(scheme) ? NOT_AFTER_PATH : NOT_IN_PATH);
  return {
    ...given,
    host: host === null || NEVER_IN_HOST.test(host) ? host : writable(host, NOTHING),
    userinfo: DECODED_LOGIN.has(scheme) ? writableOrNull(given.userinfo, NOT_IN_PASSWORD) : userinfoOf(url.user, url.password),
    // Without an authority a path that begins with two slashes would be read as one (RFC 3986 3.3).
    path: host === null && path.startsWith("//") && !isOpaqueScheme(scheme) ? `/.${path}` : path,
    query: writableOrNull(given.query, NOT_AFTER_PATH),
    fragment: writableOrNull(given.fragment, NOT_AFTER_PATH),
  };
}

function compose({ scheme, userinfo, host, port, path, query, fragment }: Components): string {
  let written = `${scheme}:`;
  if (host !== null) written += `//${userinfo === null ? "" : `${userinfo}@`}${host}${port === null ? "" : `:${port}`}`;
  return `${written}${path}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
}

/**
 * The URL of some parts, equivalent to the one that they were parsed from: both have the same normal form.
 *
 * Parts may be changed before. The finer part wins: a part of the scheme over `path` and `query` (`searchpart`, `cell` and `f` over
 * `query`, `host` and `fragment`), `user` and `password` over `userinfo`, wais `fields` over `wpath`. What is worked out from other
 * parts is not read: `flags`, ftp `commands`, and of gopher `selectorBytes`, `view`, `language`, `attributes`, `ask` and `request`.
 * A part that was not changed keeps its spelling from `path`, `query` or `userinfo`: `%3A` and `:` are one text but two URLs. A
 * changed one is written in UTF-8, with triplets where its place asks for them; generic components are written as they are, with
 * triplets for what they cannot hold.
 * Throws InputError, whose message names the part, for what is no result of `parse` and for a part that would be read as another one.
 * @see docs/rules.md P
 */
export function format(url: ParsedUrl): string {
  checkParts(url);
  const components = writableComponents(url);
  const written = compose(components);
  checkWritten(url, components, written);
  return written;
}
