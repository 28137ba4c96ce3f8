// ftp: the login, the directories, the file and the commands that fetch it (P1).
import { type Components, IN_SEGMENT, readLogin, textOf, type UrlParts, withoutSlash, write, writeLogin } from "./parts.ts";

/** An ftp URL. @see docs/rules.md P1 */
export interface FtpUrl extends UrlParts {
  readonly scheme: "ftp";
  /** Decoded; `anonymous` where the URL has no userinfo. */
  readonly user: string;
  /** Decoded; `anonymous` where the URL has no userinfo, null where a user came without a password. */
  readonly password: string | null;
  /** The segments before the last, decoded: one CWD each. */
  readonly cwd: readonly string[];
  /** The last segment, decoded, without its type; empty where the URL names a directory. */
  readonly name: string;
  /** The type code in lower case. */
  readonly type: "a" | "i" | "d" | null;
  /** Command lines without CR LF; null where a part holds CR or LF, which would be read as commands of their own. */
  readonly commands: readonly string[] | null;
}

interface Written {
  readonly segments: readonly string[];
  readonly type: FtpUrl["type"];
}

/** Segments and type as written. The type stands behind the last `;` of the last segment (C17). */
function split(path: string): Written {
  const segments = withoutSlash(path).split("/");
  const last = segments.at(-1) as string;
  const [, name, keyword = "", code = ""] = /^(.*);([^;=]*)=([^;=]*)$/s.exec(last) ?? [];
  const type = textOf(code).toLowerCase();
  if (name === undefined || textOf(keyword).toLowerCase() !== "type") return { segments, type: null };
  if (type !== "a" && type !== "i" && type !== "d") return { segments, type: null };
  return { segments: [...segments.slice(0, -1), name], type };
}

function commandsOf(url: Omit<FtpUrl, "commands">): string[] | null {
  const lines = [`USER ${url.user}`];
  if (url.password !== null) lines.push(`PASS ${url.password}`);
  for (const directory of url.cwd) lines.push(`CWD ${directory}`);
  if (url.type === "d") lines.push(url.name === "" ? "NLST" : `NLST ${url.name}`);
  if (url.type === "a" || url.type === "i") lines.push(`TYPE ${url.type.toUpperCase()}`);
  if (url.type !== "d" && url.name !== "") lines.push(`RETR ${url.name}`);
  return lines.some((line) => /[\r\n]/.test(line)) ? null : lines;
}

/** The parts of an ftp URL. @see docs/rules.md P1 */
export function readFtp(url: UrlParts): FtpUrl {
  const { segments, type } = split(url.path);
  const names = segments.map(textOf);
  const login = url.userinfo === null ? { user: "anonymous", password: "anonymous" } : readLogin(url);
  const parts = {
    ...url,
    ...login,
    user: login.user ?? "",
    scheme: "ftp",
    cwd: names.slice(0, -1),
    name: names.at(-1) ?? "",
    type,
  } as const;
  return { ...parts, commands: commandsOf(parts) };
}

/** The components of an ftp URL. @see docs/rules.md P1 */
export function writeFtp(url: FtpUrl): Components {
  const { segments } = split(url.path);
  const names = [...url.cwd, url.name];
  // A directory that becomes the last segment is written anew: what looks like a type would be one there.
  const lastWritten = names.length === segments.length ? segments.at(-1) : undefined;
  const path = names.map((name, index) => write(name, index < url.cwd.length ? segments[index] : lastWritten, IN_SEGMENT)).join("/");
  const isDefault = url.userinfo === null && url.user === "anonymous" && url.password === "anonymous";
  return { ...url, userinfo: isDefault ? null : writeLogin(url), path: `/${path}${url.type === null ? "" : `;type=${url.type}`}` };
}
