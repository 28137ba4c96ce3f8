// Files on other hosts: ftp, with the commands that fetch the file (P1); file (P8); afs (P9).
import { orNull, type PartType, TEXT, TEXT_OR_NULL, TEXTS } from "./part-types.ts";
import { decode, IN_SEGMENT, readLogin, type SchemeParts, splitAt, type UrlParts, write, writeLogin } from "./parts.ts";

/** An ftp URL. (P1) */
export interface FtpUrl extends UrlParts {
  readonly scheme: "ftp";
  /** Decoded; `anonymous` if the URL has no userinfo. */
  readonly user: string;
  /** Decoded; `anonymous` if the URL has no userinfo, null if it has a user without a password. */
  readonly password: string | null;
  /** The segments before the last, decoded: one CWD each. */
  readonly cwd: readonly string[];
  /** The last segment, decoded, without its type; empty if the path ends in `/`. */
  readonly name: string;
  /** The type code in lower case. */
  readonly type: "a" | "i" | "d" | null;
  /** Command lines without CR LF; null if a part contains CR or LF, which would begin another command. */
  readonly commands: readonly string[] | null;
}

/** CR and LF, which would begin another command. */
const BREAK = /[\r\n]|%0[ad]/i;

const FTP_TYPE: PartType = { expected: "must be a, i or d", isRight: (part) => part === "a" || part === "i" || part === "d" };

/** Returns the segments as written; an empty path is `/` (N5). Not `split`, which takes longer for a short text. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let at = path.startsWith("/") ? 1 : 0;
  for (let slash = path.indexOf("/", at); slash >= 0; slash = path.indexOf("/", at)) {
    segments.push(path.slice(at, slash));
    at = slash + 1;
  }
  segments.push(path.slice(at));
  return segments;
}

/** Returns the segments as written, the last without the type, and the type in lower case. It follows the last `;` (C17). */
function splitFtp(path: string): Pick<FtpUrl, "type"> & { readonly segments: readonly string[] } {
  const segments = segmentsOf(path);
  const last = segments.at(-1) as string;
  const typeAt = last.lastIndexOf(";");
  if (typeAt < 0) return { segments, type: null };
  const [keyword, code] = splitAt(last.slice(typeAt + 1), "=");
  if (code === null || decode(keyword).toLowerCase() !== "type") return { segments, type: null };
  const type = decode(code).toLowerCase();
  if (type !== "a" && type !== "i" && type !== "d") return { segments, type: null };
  segments[segments.length - 1] = last.slice(0, typeAt);
  return { segments, type };
}

function commandsOf(user: string, password: string | null, cwd: readonly string[], name: string, type: FtpUrl["type"]): string[] {
  const lines = [`USER ${user}`];
  if (password !== null) lines.push(`PASS ${password}`);
  for (const directory of cwd) lines.push(`CWD ${directory}`);
  if (type === "d") lines.push(name === "" ? "NLST" : `NLST ${name}`);
  if (type === "a" || type === "i") lines.push(`TYPE ${type.toUpperCase()}`);
  if (type !== "d" && name !== "") lines.push(`RETR ${name}`);
  return lines;
}

export const ftp: SchemeParts<FtpUrl> = {
  types: { user: TEXT, password: TEXT_OR_NULL, type: orNull(FTP_TYPE), cwd: TEXTS, name: TEXT },
  hasDecodedLogin: true,
  read: (url) => {
    const { segments, type } = splitFtp(url.path);
    const cwd = segments.map(decode);
    const name = cwd.pop() ?? "";
    const login = url.userinfo === null ? { user: "anonymous", password: "anonymous" } : readLogin(url);
    const [user, password] = [login.user ?? "", login.password];
    const isSafe = !BREAK.test(url.path) && (url.userinfo === null || !BREAK.test(url.userinfo));
    return { user, password, cwd, name, type, commands: isSafe ? commandsOf(user, password, cwd, name, type) : null };
  },
  write: (url) => {
    const { segments } = splitFtp(url.path);
    const names = [...url.cwd, url.name];
    // A directory that becomes the last segment is encoded again: the text after its `;` must not become a type.
    const lastWritten = names.length === segments.length ? segments.at(-1) : undefined;
    const path = names.map((name, index) => write(name, index < url.cwd.length ? segments[index] : lastWritten, IN_SEGMENT)).join("/");
    const isDefault = url.userinfo === null && url.user === "anonymous" && url.password === "anonymous";
    return { ...url, userinfo: isDefault ? null : writeLogin(url), path: `/${path}${url.type === null ? "" : `;type=${url.type}`}` };
  },
};

// file: a path on a host (P8); afs: a path in an AFS cell (P9).

/** A file URL. Its `host` is empty both for `file://localhost/x` and for `file:///x`, and null for `file:/x`. (P8, C37) */
export interface FileUrl extends UrlParts {
  readonly scheme: "file";
  /** The segments of the path, decoded. If the path ends in `/`, the last one is empty. */
  readonly segments: readonly string[];
}

export const file: SchemeParts<FileUrl> = {
  types: { segments: TEXTS },
  read: (url) => {
    const isHere = url.host?.toLowerCase() === "localhost" && url.userinfo === null && url.port === null;
    return { host: isHere ? "" : url.host, segments: segmentsOf(url.path).map(decode) };
  },
  write: (url) => {
    const written = segmentsOf(url.path);
    const path = url.segments.map((segment, index) => write(segment, written[index], `${IN_SEGMENT};=`)).join("/");
    return { ...url, host: url.host ?? "", path: `/${path}` };
  },
};

/** An afs URL. (P9) */
export interface AfsUrl extends UrlParts {
  readonly scheme: "afs";
  /** The host, decoded. */
  readonly cell: string;
}

export const afs: SchemeParts<AfsUrl> = {
  types: { cell: TEXT },
  read: (url) => ({ cell: decode(url.host ?? "") }),
  write: (url) => ({ ...url, host: write(url.cell, url.host, "") }),
};
