// From the parts of a URL back to the URL.
import type { ParsedUrl } from "./parse.ts";
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

/** The userinfo of a user and a password as written. */
function userinfoOf(user: string | null, password: string | null): string | null {
  return user === null || password === null ? user : `${user}:${password}`;
}

const DECODED_LOGIN = new Set<string>(["ftp", "telnet", "rlogin", "tn3270"]);

/**
 * The URL of some parts, equivalent to the one that they were parsed from: both have the same normal form.
 *
 * Parts may be changed before. The finer part wins: a part of the scheme over `path` and `query` (`searchpart`, `cell` and `f` over
 * `query`, `host` and `fragment`), `user` and `password` over `userinfo`, wais `fields` over `wpath`. What is worked out from other
 * parts is not read: `flags`, ftp `commands`, and of gopher `selectorBytes`, `view`, `language`, `attributes`, `ask` and `request`.
 * A part that was not changed keeps its spelling from `path`, `query` or `userinfo`: `%3A` and `:` are one text but two URLs. A
 * changed one is written in UTF-8, with triplets where its place asks for them; generic components are written as they are.
 * @see docs/rules.md P
 */
export function format(url: ParsedUrl): string {
  const { scheme, userinfo, host, port, path, query, fragment } = componentsOf(url);
  const login = DECODED_LOGIN.has(scheme) ? userinfo : userinfoOf(url.user, url.password);
  let written = `${scheme}:`;
  if (host !== null) written += `//${login === null ? "" : `${login}@`}${host}${port === null ? "" : `:${port}`}`;
  return `${written}${path}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
}
